from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from callgrade.api import grade_case, read_cases
from cases.case import Case, Invocation
from cases.expectation import ExpectedPath, ExpectedStep
from cases.failure import FailureMode
from cases.verdict import Verdict

WANTED = ExpectedStep(tool="f", args={"a": 1, "b": 2})


class Row(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    steps: tuple[ExpectedStep, ...] = (WANTED,)
    calls: tuple[Invocation, ...] = ()
    mode: FailureMode | None = None
    target: str | None = None
    source: str = "/expected_invocations/0"


ROWS = [
    Row(id="a matching call", calls=(Invocation(tool="f", args={"a": 1, "b": 2}),)),
    Row(id="the user's call matches too", calls=(Invocation(tool="f", args={"a": 1, "b": 2}, requestor="user"),)),
    Row(id="further calls do no harm", calls=(Invocation(tool="g"), Invocation(tool="f", args={"a": 1, "b": 2}))),
    Row(id="a text of arguments is read", calls=(Invocation(tool="f", args='{"a": 1, "b": 2}'),)),
    Row(id="nothing is wanted", steps=(), calls=(Invocation(tool="g"),)),
    Row(id="no call of the tool", calls=(Invocation(tool="g"),), mode="missing_step", target="/actual_invocations"),
    Row(
        id="other arguments: the nearest call is told",
        calls=(Invocation(tool="f", args={"a": 9}), Invocation(tool="f", args={"a": 1, "b": 9})),
        mode="value_error",
        target="/actual_invocations/1/args",
    ),
    Row(
        id="the user's action counts, and so does one that only informs under strict/1",
        steps=(
            ExpectedStep(tool="h", compare=(), gating=False),
            ExpectedStep(tool="g", args={}, requestor="user", gating=False),
        ),
        calls=(Invocation(tool="h"),),
        mode="missing_step",
        target="/actual_invocations",
        source="/expected_invocations/1",
    ),
]


@pytest.mark.parametrize("row", [pytest.param(r, id=r.id) for r in ROWS])
def test_a_case(row: Row) -> None:
    case = Case(task_id="t", expected_invocations=row.steps, actual_invocations=row.calls)
    verdict = grade_case(case, policy="tau2/1")
    gating = [(f.check, f.rule, f.mode, f.target, f.evidence[0].source) for f in verdict.findings if f.gating]
    told = ("tau2", "tau2/1:action_match", row.mode, row.target, row.source)
    assert gating == ([] if row.mode is None else [told])
    assert (verdict.status, verdict.mode) == (("pass", "none") if row.mode is None else ("fail", row.mode))


def test_a_gold_that_nobody_stated_is_ungraded() -> None:
    assert grade_case(Case(task_id="t", actual_invocations=()), policy="tau2/1").status == "ungraded"


def test_of_several_paths_the_one_with_most_matches_counts() -> None:
    far, near = ExpectedStep(tool="g", args={}), ExpectedStep(tool="f", args={})
    paths = (ExpectedPath(steps=(far, far)), ExpectedPath(steps=(near, far)))
    case = Case(task_id="t", expected_paths=paths, actual_invocations=(Invocation(tool="f"),))
    (finding,) = (f for f in grade_case(case, policy="tau2/1").findings if f.gating)
    assert finding.evidence[0].source == "/expected_paths/1/steps/1"


def matches(verdict: Verdict, n: int) -> list[bool]:
    """Read each action's verdict from the findings."""
    failed = {finding.evidence[0].source for finding in verdict.findings if finding.check == "tau2"}
    return [f"/expected_invocations/{index}" not in failed for index in range(n)]


@pytest.mark.checkout
def test_parity_with_the_recorded_action_checks(shared_data: Path) -> None:
    n_checks, differing = 0, list[str]()
    for case in read_cases(shared_data / "tau2_bench/trajectories", format="tau2_bench"):
        recorded = case.metadata.get("action_match")
        if not isinstance(recorded, list):
            continue
        verdict = grade_case(msgspec.structs.replace(case, infrastructure_error=None), policy="tau2/1")
        found = matches(verdict, len(recorded))
        n_checks += sum(a == b for a, b in zip(found, recorded, strict=True))
        if found != recorded or verdict.status != ("pass" if all(recorded) else "fail"):
            differing.append(case.case_id)
    assert (n_checks, differing) == (1710, [])
