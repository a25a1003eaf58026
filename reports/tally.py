"""Addable tallies over verdicts: what every summary and report is made of. Pure.

Two tallies of two parts of a run add up to the tally of the whole. Rates are derived, never stored. Names come from
traces: a tally holds at most ``MAX_NAMES`` of a kind, what comes later counts under ``OTHER``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from cases.failure import STEPS, FailureClass, FailureMode, Step
from cases.finding import Finding, Status
from cases.verdict import CaseStatus, Counts, PrimaryMode, ToolCounts, Verdict
from deterministic.buckets import Bucket
from reports.decisions import DecisionTally
from reports.latency import LatencyTally

MAX_NAMES = 2_000
OTHER = "(other)"

K = TypeVar("K")
V = TypeVar("V")

_COUNT_FIELDS = tuple(field.name for field in msgspec.structs.fields(Counts))
_TOOL_FIELDS = tuple(field.name for field in msgspec.structs.fields(ToolCounts) if field.name != "latencies_s")


class ToolTally(msgspec.Struct, kw_only=True):
    """Sums over one tool."""

    n_expected: int = 0
    n_sent: int = 0
    n_accepted: int = 0
    n_parsed: int = 0
    n_valid: int = 0
    n_right: int = 0
    n_cases_failed: int = 0
    """Cases in which a gating failure is about this tool."""
    modes: dict[FailureMode, int] = {}
    """Gating failures by mode, counted once a finding."""
    fields: dict[str, dict[FailureMode, int]] = {}
    """Failures by top-level argument."""
    latency: LatencyTally = msgspec.field(default_factory=LatencyTally)

    @property
    def n_failures(self) -> int:
        """Gating failures of all modes."""
        return sum(self.modes.values())

    @property
    def precision(self) -> float | None:
        """Accepted / sent, 0..1; ``None`` when the tool was never called."""
        return self.n_accepted / self.n_sent if self.n_sent else None

    @property
    def recall(self) -> float | None:
        """Accepted / expected, 0..1; ``None`` when the tool was never wanted."""
        return self.n_accepted / self.n_expected if self.n_expected else None

    @property
    def f1(self) -> float | None:
        """2 x accepted / (expected + sent), 0..1; ``None`` when it was neither wanted nor called."""
        total = self.n_expected + self.n_sent
        return 2 * self.n_accepted / total if total else None

    def add(self, counts: ToolCounts) -> None:
        """Add the counts of one case."""
        self.n_expected += counts.n_expected
        self.n_sent += counts.n_sent
        self.n_accepted += counts.n_accepted
        self.n_parsed += counts.n_parsed
        self.n_valid += counts.n_valid
        self.n_right += counts.n_right
        for seconds in counts.latencies_s:
            self.latency.add(seconds)

    def merge(self, other: ToolTally) -> None:
        """Add the sums of another tally of the same tool."""
        for name in (*_TOOL_FIELDS, "n_cases_failed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        _add_all(self.modes, other.modes)
        for field, modes in other.fields.items():
            _add_all(_entry(self.fields, field, dict), modes)
        self.latency.merge(other.latency)


class Slice(msgspec.Struct, kw_only=True):
    """Sums over the cases that share a tag, an edge bucket or a kind."""

    n_cases: int = 0
    statuses: dict[CaseStatus, int] = {}
    modes: dict[PrimaryMode, int] = {}

    def add(self, verdict: Verdict) -> None:
        """Count one more case."""
        self.n_cases += 1
        _bump(self.statuses, verdict.status)
        _bump(self.modes, verdict.mode)

    def merge(self, other: Slice) -> None:
        """Add the sums of another slice."""
        self.n_cases += other.n_cases
        _add_all(self.statuses, other.statuses)
        _add_all(self.modes, other.modes)


class UsageTally(msgspec.Struct, kw_only=True):
    """Sums of what attempts cost, each with the number of cases that recorded it."""

    n_input_tokens: int = 0
    n_output_tokens: int = 0
    n_cases_with_tokens: int = 0
    cost_usd: float = 0.0
    n_cases_with_cost: int = 0
    latency: LatencyTally = msgspec.field(default_factory=LatencyTally)

    def add(self, verdict: Verdict) -> None:
        """Add what one case recorded."""
        usage = verdict.usage
        if usage is None:
            return
        if usage.n_input_tokens is not None or usage.n_output_tokens is not None:
            self.n_cases_with_tokens += 1
            self.n_input_tokens += usage.n_input_tokens or 0
            self.n_output_tokens += usage.n_output_tokens or 0
        if usage.cost_usd is not None:
            self.n_cases_with_cost += 1
            self.cost_usd += usage.cost_usd
        if usage.latency_s is not None:
            self.latency.add(usage.latency_s)

    def merge(self, other: UsageTally) -> None:
        """Add the sums of another tally."""
        self.n_input_tokens += other.n_input_tokens
        self.n_output_tokens += other.n_output_tokens
        self.n_cases_with_tokens += other.n_cases_with_tokens
        self.cost_usd += other.cost_usd
        self.n_cases_with_cost += other.n_cases_with_cost
        self.latency.merge(other.latency)


class Tally(msgspec.Struct, kw_only=True):
    """Sums over any number of cases."""

    n_cases: int = 0
    statuses: dict[CaseStatus, int] = {}
    modes: dict[PrimaryMode, int] = {}
    """Primary mode of each case, ``none`` and ``ungraded`` included."""
    secondary: dict[FailureMode, int] = {}
    """Cases that have the mode beside their primary one."""
    steps: dict[Step, dict[Status, int]] = {}
    classes: dict[FailureClass, int] = {}
    """Failed cases by the class of their primary finding."""
    sums: dict[str, int] = {}
    """Sums of :class:`~cases.verdict.Counts`, field by field."""
    decisions: DecisionTally = msgspec.field(default_factory=DecisionTally)
    tools: dict[str, ToolTally] = {}
    confusion: dict[str, dict[str, int]] = {}
    """Wanted tool to called tool to number of calls; ``""`` is none."""
    slices: dict[str, Slice] = {}
    """``tag:NAME``, ``bucket:NAME`` and ``no_call:KIND`` to the cases that have it."""
    usage: UsageTally = msgspec.field(default_factory=UsageTally)
    reasons: dict[str, int] = {}
    """Why cases are ungraded, by the first words of the reason."""
    n_drifted: int = 0
    """Calls whose recorded schema validity differs from today's."""
    n_informative: int = 0
    """Failures that inform and do not gate."""

    def add(self, verdict: Verdict, buckets: Iterable[Bucket] = ()) -> None:
        """Count one more case.

        Args:
            buckets: Edge buckets that the case touches; a verdict does not know them.
        """
        self.n_cases += 1
        _bump(self.statuses, verdict.status)
        _bump(self.modes, verdict.mode)
        for mode in verdict.secondary:
            _bump(self.secondary, mode)
        results = verdict.steps
        for step in STEPS:
            _bump(self.steps.setdefault(step, {}), getattr(results, step))
        counts = verdict.counts
        for name in _COUNT_FIELDS:
            if value := getattr(counts, name):
                self.sums[name] = self.sums.get(name, 0) + value
        for decision in verdict.decisions:
            self.decisions.add(decision)
        if verdict.reason is not None:
            _bump(self.reasons, verdict.reason.partition(":")[0][:80])
        self.usage.add(verdict)
        self._add_slices(verdict, buckets)
        for name, tool in verdict.tools.items():
            _entry(self.tools, name, ToolTally).add(tool)
            if tool.n_accepted:
                self._confuse(name, name, tool.n_accepted)
        if verdict.findings:
            self._add_findings(verdict)

    def merge(self, other: Tally) -> None:
        """Add the sums of another tally."""
        self.n_cases += other.n_cases
        self.n_drifted += other.n_drifted
        self.n_informative += other.n_informative
        _add_all(self.statuses, other.statuses)
        _add_all(self.modes, other.modes)
        _add_all(self.secondary, other.secondary)
        _add_all(self.classes, other.classes)
        _add_all(self.sums, other.sums)
        _add_all(self.reasons, other.reasons)
        self.decisions.merge(other.decisions)
        self.usage.merge(other.usage)
        for step, states in other.steps.items():
            _add_all(self.steps.setdefault(step, {}), states)
        for wanted, row in other.confusion.items():
            for called, n in row.items():
                self._confuse(wanted, called, n)
        for name, tool in other.tools.items():
            _entry(self.tools, name, ToolTally).merge(tool)
        for name, part in other.slices.items():
            _entry(self.slices, name, Slice).merge(part)

    @property
    def counts(self) -> Counts:
        """The summed counts, with their rates."""
        return Counts(**self.sums)

    def _add_slices(self, verdict: Verdict, buckets: Iterable[Bucket]) -> None:
        names = [f"tag:{tag}" for tag in verdict.tags]
        names += [f"bucket:{bucket}" for bucket in buckets]
        if verdict.no_call_kind is not None:
            names.append(f"no_call:{verdict.no_call_kind}")
        for name in names:
            _entry(self.slices, name, Slice).add(verdict)

    def _add_findings(self, verdict: Verdict) -> None:
        failed: set[str] = set()
        is_classified = False
        for finding in verdict.findings:
            if finding.check == "validator_drift":
                self.n_drifted += 1
            if finding.mode is None:
                continue
            self._confuse_finding(finding)
            if not finding.gating:
                self.n_informative += 1
                continue
            if not is_classified and finding.mode == verdict.mode and (name := finding.failure_class):
                _bump(self.classes, name)
                is_classified = True
            if finding.tool is not None:
                failed.add(finding.tool)
                self._add_tool_failure(finding.tool, finding.mode, finding.target)
        for tool in failed:
            _entry(self.tools, tool, ToolTally).n_cases_failed += 1

    def _add_tool_failure(self, name: str, mode: FailureMode, target: str) -> None:
        tool = _entry(self.tools, name, ToolTally)
        _bump(tool.modes, mode)
        field = target.partition("/args/")[2].partition("/")[0]
        if field:
            _bump(_entry(tool.fields, field, dict), mode)

    def _confuse_finding(self, finding: Finding) -> None:
        if finding.mode == "wrong_tool":
            self._confuse(str(finding.expected), str(finding.got), 1)
        elif finding.mode == "missing_step":
            self._confuse(str(finding.expected), "", 1)
        elif finding.mode == "extra_call":
            self._confuse("", str(finding.got), 1)

    def _confuse(self, wanted: str, called: str, n: int) -> None:
        row = _entry(self.confusion, wanted, dict)
        key = called if called in row or len(row) < MAX_NAMES else OTHER
        row[key] = row.get(key, 0) + n


def _bump(counter: dict[K, int], key: K) -> None:
    counter[key] = counter.get(key, 0) + 1


def _add_all(mine: dict[K, int], other: dict[K, int]) -> None:
    for key, value in other.items():
        mine[key] = mine.get(key, 0) + value


def _entry(table: dict[str, V], name: str, make: Callable[[], V]) -> V:
    """Return the entry of ``name``; names beyond the limit share one."""
    found = table.get(name)
    if found is None:
        key = name if len(table) < MAX_NAMES else OTHER
        found = table.setdefault(key, make())
    return found
