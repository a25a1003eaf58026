"""A verdict: one case's findings folded into four step results, one primary failure mode and addable counts."""

from __future__ import annotations

from typing import Literal

import msgspec

from cases.expectation import CallDecision
from cases.failure import FailureMode
from cases.finding import Finding, Status

CaseStatus = Literal["pass", "fail", "ungraded"]
PrimaryMode = FailureMode | Literal["none", "ungraded"]


class StepResults(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Status of each step; ``not_applicable`` where there was nothing to grade."""

    decide: Status = "not_applicable"
    select: Status = "not_applicable"
    construct: Status = "not_applicable"
    integrate: Status = "not_applicable"


class Counts(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Addable numerators and denominators of one case's scores; all are counts, >= 0.

    Nothing expected leaves the denominators 0: the score is then ``None`` (not applicable), neither 0 nor 1.
    """

    n_expected: int = 0
    """Steps of the chosen path (optional ones only when taken)."""
    n_sent: int = 0
    """Calls that the agent emitted, parsable or not."""
    n_accepted: int = 0
    """Sent calls that were paired with a step by tool name."""
    n_fields: int = 0
    """Union of expected and sent arguments over paired calls."""
    n_fields_right: int = 0
    n_in_order: int = 0
    """Length of the longest run of paired calls that keeps the path's order."""

    @property
    def tool_recall(self) -> float | None:
        """Accepted / expected steps, 0..1 (the literature's tool score)."""
        return self.n_accepted / self.n_expected if self.n_expected else None

    @property
    def tool_precision(self) -> float | None:
        """Accepted / sent calls, 0..1."""
        return self.n_accepted / self.n_sent if self.n_sent else None

    @property
    def tool_score(self) -> float | None:
        """2 x accepted / (expected + sent): the harmonic mean of recall and precision, 0..1."""
        total = self.n_expected + self.n_sent
        return 2 * self.n_accepted / total if total else None

    @property
    def argument_score(self) -> float | None:
        """Right fields / union of expected and sent fields over paired calls, 0..1."""
        return self.n_fields_right / self.n_fields if self.n_fields else None

    @property
    def order_score(self) -> float | None:
        """Longest common subsequence / expected length, 0..1."""
        return self.n_in_order / self.n_expected if self.n_expected else None

    @property
    def score(self) -> float | None:
        """Mean of the tool, argument and order scores that apply, 0..1; a summary for charts, never a verdict."""
        parts = [s for s in (self.tool_score, self.argument_score, self.order_score) if s is not None]
        return sum(parts) / len(parts) if parts else None


Observed = Literal["none", "valid", "unparsable", "not_evaluated"]
"""What the agent did about calling; an attempt that did not parse is neither a valid call nor no call."""


class Decision(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One call decision, wanted and observed, written as an array."""

    wanted: CallDecision
    observed: Observed


class ToolCounts(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Addable counts of one tool in one case, written as an array."""

    n_expected: int = 0
    """Steps that want the tool; of a step with alternatives, the one that was called, else the first."""
    n_sent: int = 0
    n_accepted: int = 0
    n_parsed: int = 0
    """Of the sent ones."""
    n_valid: int = 0
    """Of the accepted ones: parsed, and valid under the tool's schema or without one."""
    n_right: int = 0
    """Of the valid ones: every argument as wanted."""
    latencies_s: tuple[float, ...] = ()
    """Seconds of each call, where recorded."""


class Usage(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What the attempt cost, where recorded."""

    n_input_tokens: int | None = None
    n_output_tokens: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None


class Versions(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Everything that decided, by version: a changed rule shows up here and never as changed quality."""

    policy: str
    gates: str
    schema: str
    reader: str = ""


class Verdict(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One graded case."""

    case_id: str
    task_id: str
    status: CaseStatus
    mode: PrimaryMode
    """``none`` exactly for a pass; ``ungraded`` when nothing failed and something could not be graded."""
    steps: StepResults
    model: str | None = None
    attempt: int | None = None
    tags: tuple[str, ...] = ()
    secondary: tuple[FailureMode, ...] = ()
    """Other gating modes in order of precedence: what fixing the first would leave."""
    reason: str | None = None
    """Why the case is ungraded."""
    path: str = ""
    """Name of the accepted path that was scored, where several are."""
    counts: Counts = Counts()
    tools: dict[str, ToolCounts] = {}
    """Per tool; the confusions stand in the findings of wrong, missing and extra calls."""
    decisions: tuple[Decision, ...] = ()
    """One per user turn for a gold that states turns, else one for the case; empty where nobody said."""
    no_call_kind: str | None = None
    usage: Usage | None = None
    passed: dict[str, int] = {}
    """Check to the number of targets that passed it; failures and ungraded targets are in ``findings``."""
    findings: tuple[Finding, ...] = ()
    source: str = ""
    """File and line (or record) that the case was read from."""
    versions: Versions | None = None
