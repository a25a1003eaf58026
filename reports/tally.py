"""Addable tallies over verdicts: what every summary and report is made of. Pure.

Two tallies of two parts of a run add up to the tally of the whole. Rates are derived, never stored.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from cases.failure import STEPS, FailureClass, FailureMode, Step
from cases.finding import Status
from cases.verdict import CaseStatus, Counts, PrimaryMode, Verdict

K = TypeVar("K")

_COUNT_FIELDS = tuple(field.name for field in msgspec.structs.fields(Counts))


class ToolTally(msgspec.Struct, kw_only=True):
    """Sums over one tool."""

    n_expected: int = 0
    n_sent: int = 0
    n_accepted: int = 0
    n_cases_failed: int = 0
    """Cases in which a gating failure is about this tool."""
    modes: dict[FailureMode, int] = {}
    """Gating failures by mode, counted once a finding."""

    @property
    def n_failures(self) -> int:
        """Gating failures of all modes."""
        return sum(self.modes.values())


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
    """Cases by the class of their primary finding."""
    sums: dict[str, int] = {}
    """Sums of :class:`~cases.verdict.Counts`, field by field."""
    tools: dict[str, ToolTally] = {}
    confusion: dict[str, dict[str, int]] = {}
    """Wanted tool to called tool to number of calls; ``""`` is none."""
    reasons: dict[str, int] = {}
    """Why cases are ungraded, by the first words of the reason."""
    n_drifted: int = 0
    """Calls whose recorded schema validity differs from today's."""
    n_informative: int = 0
    """Failures that inform and do not gate."""

    def add(self, verdict: Verdict) -> None:
        """Count one more case."""
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
        if verdict.reason is not None:
            _bump(self.reasons, verdict.reason.partition(":")[0])
        self._add_tools(verdict)
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
        for step, states in other.steps.items():
            _add_all(self.steps.setdefault(step, {}), states)
        for wanted, called in other.confusion.items():
            _add_all(self.confusion.setdefault(wanted, {}), called)
        for name, tool in other.tools.items():
            mine = self.tools.setdefault(name, ToolTally())
            mine.n_expected += tool.n_expected
            mine.n_sent += tool.n_sent
            mine.n_accepted += tool.n_accepted
            mine.n_cases_failed += tool.n_cases_failed
            _add_all(mine.modes, tool.modes)

    @property
    def counts(self) -> Counts:
        """The summed counts, with their rates."""
        return Counts(**self.sums)

    def _add_tools(self, verdict: Verdict) -> None:
        for name, tool in verdict.tools.items():
            entry = self.tools.get(name)
            if entry is None:
                entry = self.tools[name] = ToolTally()
            entry.n_expected += tool.n_expected
            entry.n_sent += tool.n_sent
            entry.n_accepted += tool.n_accepted
            if tool.n_accepted:
                row = self.confusion.setdefault(name, {})
                row[name] = row.get(name, 0) + tool.n_accepted

    def _add_findings(self, verdict: Verdict) -> None:
        failed: set[str] = set()
        is_classified = False
        for finding in verdict.findings:
            if finding.check == "validator_drift":
                self.n_drifted += 1
            if finding.mode is None:
                continue
            self._confuse(finding.mode, finding.expected, finding.got)
            if not finding.gating:
                self.n_informative += 1
                continue
            if not is_classified and finding.mode == verdict.mode and (name := finding.failure_class):
                _bump(self.classes, name)
                is_classified = True
            if finding.tool is not None:
                failed.add(finding.tool)
                _bump(self.tools.setdefault(finding.tool, ToolTally()).modes, finding.mode)
        for tool in failed:
            self.tools[tool].n_cases_failed += 1

    def _confuse(self, mode: FailureMode, expected: object, got: object) -> None:
        if mode == "wrong_tool":
            pair = str(expected), str(got)
        elif mode == "missing_step":
            pair = str(expected), ""
        elif mode == "extra_call":
            pair = "", str(got)
        else:
            return
        _bump(self.confusion.setdefault(pair[0], {}), pair[1])


def _bump(counter: dict[K, int], key: K) -> None:
    counter[key] = counter.get(key, 0) + 1


def _add_all(mine: dict[K, int], other: dict[K, int]) -> None:
    for key, value in other.items():
        mine[key] = mine.get(key, 0) + value
