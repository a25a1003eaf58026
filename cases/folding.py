"""Fold findings into a verdict: step results, primary mode by precedence, secondary modes. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from cases.case import Case
from cases.failure import RANK, FailureMode, Step
from cases.finding import Finding, Status
from cases.verdict import (
    CaseStatus,
    Counts,
    Decision,
    PrimaryMode,
    StepResults,
    ToolCounts,
    Usage,
    Verdict,
    Versions,
)

NOTHING_TO_GRADE = "nothing could be graded: the case states no expectation and records no call that a gate can check"


def fold(
    case: Case,
    findings: Sequence[Finding],
    *,
    passed: dict[str, int],
    passed_steps: Iterable[Step],
    stated_steps: Collection[Step],
    counts: Counts,
    tools: dict[str, ToolCounts],
    decisions: tuple[Decision, ...] = (),
    versions: Versions,
    path: str = "",
    source: str = "",
) -> Verdict:
    """Return the verdict on one case.

    Args:
        findings: Failures and ungraded targets of all graders, in their order.
        passed: Check to number of targets that passed it.
        passed_steps: Steps in which at least one target passed.
        stated_steps: Steps about which the expectation says something; one of them ungraded means the case is not
            passed.

    A step fails by its gating failures, else is ungraded by an ungraded target, else passes if anything passed in it,
    else is not applicable.
    """
    states, modes, open_reason = _weigh(findings, passed_steps, stated_steps)
    status: CaseStatus = "pass"
    mode: PrimaryMode = "none"
    secondary: tuple[FailureMode, ...] = ()
    reason: str | None = None
    if modes:
        ranked = sorted(modes, key=RANK.__getitem__) if len(modes) > 1 else list(modes)
        status, mode, secondary = "fail", ranked[0], tuple(ranked[1:])
    elif open_reason is not None or "pass" not in states.values():
        status, mode, reason = "ungraded", "ungraded", open_reason or NOTHING_TO_GRADE
    return Verdict(
        case_id=case.case_id,
        task_id=case.task_id,
        model=case.model,
        attempt=case.attempt,
        tags=case.tags,
        status=status,
        mode=mode,
        secondary=secondary,
        reason=reason,
        steps=StepResults(**states),
        path=path,
        counts=counts,
        tools=tools,
        decisions=decisions,
        no_call_kind=case.no_call_kind,
        usage=_usage(case),
        passed=passed,
        findings=tuple(findings),
        source=source,
        versions=versions,
    )


def _weigh(
    findings: Sequence[Finding], passed_steps: Iterable[Step], stated_steps: Collection[Step]
) -> tuple[dict[Step, Status], set[FailureMode], str | None]:
    """Return the state of each step, the gating modes, and why a stated step is ungraded."""
    states: dict[Step, Status] = dict.fromkeys(passed_steps, "pass")
    modes: set[FailureMode] = set()
    reason: str | None = None
    for finding in findings:
        if not finding.gating:
            continue
        step = finding.step
        if finding.mode is not None:
            states[step] = "fail"
            modes.add(finding.mode)
        elif finding.status == "ungraded":
            if states.get(step) != "fail":
                states[step] = "ungraded"
            if reason is None and step in stated_steps:
                reason = finding.message
    return states, modes, reason


def ungraded_verdict(case: Case, reason: str, versions: Versions, source: str = "") -> Verdict:
    """Return the verdict on a case that no grader could look at."""
    return Verdict(
        case_id=case.case_id,
        task_id=case.task_id,
        model=case.model,
        attempt=case.attempt,
        tags=case.tags,
        status="ungraded",
        mode="ungraded",
        reason=reason,
        no_call_kind=case.no_call_kind,
        usage=_usage(case),
        steps=StepResults(decide="ungraded", select="ungraded", construct="ungraded", integrate="ungraded"),
        source=source,
        versions=versions,
    )


def _usage(case: Case) -> Usage | None:
    if case.n_input_tokens is case.n_output_tokens is case.cost_usd is case.latency_s is None:
        return None
    return Usage(
        n_input_tokens=case.n_input_tokens,
        n_output_tokens=case.n_output_tokens,
        cost_usd=case.cost_usd,
        latency_s=case.latency_s,
    )
