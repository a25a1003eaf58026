"""Findings folded into a verdict: states of the steps, primary mode by precedence, reasons."""

from __future__ import annotations

from collections.abc import Collection
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.case import Case
from cases.failure import MODE_STEP, PRECEDENCE, FailureMode, Step
from cases.finding import Finding
from cases.folding import NOTHING_TO_GRADE, fold, ungraded_verdict
from cases.verdict import Counts, Verdict, Versions

VERSIONS = Versions(policy="strict/1", gates="gates/1", schema="schema/1")
CASE = Case(task_id="t", model="m", attempt=2, tags=("a",))


def failed(mode: FailureMode, *, gating: bool = True) -> Finding:
    step = MODE_STEP[mode]
    return Finding(step=step, check="c", status="fail", target="", message=mode, mode=mode, gating=gating)


def left_open(step: Step, message: str, *, gating: bool = True) -> Finding:
    return Finding(step=step, check="c", status="ungraded", target="", message=message, gating=gating)


def folded(*findings: Finding, passed: Collection[Step] = (), stated: Collection[Step] = ()) -> Verdict:
    return fold(
        CASE,
        findings,
        passed={},
        passed_steps=passed,
        stated_steps=frozenset(stated),
        counts=Counts(),
        tools={},
        versions=VERSIONS,
    )


def test_what_fails_nowhere_and_passes_somewhere_is_a_pass() -> None:
    verdict = folded(passed=["decide", "select"])
    assert (verdict.status, verdict.mode, verdict.secondary, verdict.reason) == ("pass", "none", (), None)
    assert (verdict.steps.decide, verdict.steps.select) == ("pass", "pass")
    assert (verdict.steps.construct, verdict.steps.integrate) == ("not_applicable", "not_applicable")
    assert (verdict.case_id, verdict.task_id, verdict.tags) == ("t@m#2", "t", ("a",))


def test_one_failure_outweighs_every_pass_of_its_step() -> None:
    verdict = folded(failed("value_error"), passed=["construct", "select"])
    assert (verdict.status, verdict.mode) == ("fail", "value_error")
    assert (verdict.steps.construct, verdict.steps.select) == ("fail", "pass")


@pytest.mark.parametrize("findings", [*permutations(["missing_step", "value_error", "unparsable_call"])])
def test_the_primary_mode_does_not_depend_on_the_order_of_findings(findings: tuple[FailureMode, ...]) -> None:
    verdict = folded(*map(failed, findings))
    assert (verdict.mode, verdict.secondary) == ("unparsable_call", ("missing_step", "value_error"))


@given(st.lists(st.sampled_from(PRECEDENCE), min_size=1))
def test_modes_come_once_each_in_their_precedence(modes: list[FailureMode]) -> None:
    verdict = folded(*map(failed, modes))
    assert [verdict.mode, *verdict.secondary] == sorted(set(modes), key=PRECEDENCE.index)


def test_the_precedence_is_that_of_the_design() -> None:
    design = (
        "unparsable_call over_call missed_call unknown_tool wrong_tool missing_step extra_call wrong_order schema_error"
        " value_error ungrounded_argument ignored_tool_error ungrounded_claim"
    )
    assert list(PRECEDENCE) == design.split()


def test_an_informative_failure_is_kept_and_fails_nothing() -> None:
    finding = failed("extra_call", gating=False)
    verdict = folded(finding, passed=["select"])
    assert (verdict.status, verdict.mode, verdict.findings) == ("pass", "none", (finding,))


def test_an_ungraded_step_that_the_gold_states_leaves_the_case_ungraded() -> None:
    verdict = folded(left_open("construct", "the schema is broken"), passed=["select"], stated=["construct"])
    assert (verdict.status, verdict.mode, verdict.reason) == ("ungraded", "ungraded", "the schema is broken")
    assert verdict.steps.construct == "ungraded"


def test_an_ungraded_step_that_nobody_stated_does_not() -> None:
    verdict = folded(left_open("construct", "the schema is broken"), passed=["select"], stated=["select"])
    assert (verdict.status, verdict.mode, verdict.reason) == ("pass", "none", None)
    assert verdict.steps.construct == "ungraded"


@pytest.mark.parametrize("is_failure_first", [True, False])
def test_a_failure_outweighs_what_is_left_open_in_any_order(is_failure_first: bool) -> None:
    findings = [failed("schema_error"), left_open("construct", "open")]
    verdict = folded(*(findings if is_failure_first else findings[::-1]), stated=["construct"])
    assert (verdict.status, verdict.mode, verdict.reason) == ("fail", "schema_error", None)
    assert verdict.steps.construct == "fail"


def test_an_informative_open_target_changes_nothing() -> None:
    verdict = folded(left_open("construct", "drift", gating=False), passed=["construct"], stated=["construct"])
    assert (verdict.status, verdict.steps.construct) == ("pass", "pass")


def test_the_first_reason_is_told() -> None:
    verdict = folded(left_open("select", "one"), left_open("construct", "two"), stated=["select", "construct"])
    assert verdict.reason == "one"


def test_nothing_graded_is_ungraded_and_never_a_pass() -> None:
    verdict = folded()
    assert (verdict.status, verdict.mode, verdict.reason) == ("ungraded", "ungraded", NOTHING_TO_GRADE)


def test_an_open_target_alone_is_ungraded_and_never_a_pass() -> None:
    verdict = folded(left_open("construct", "the schema is broken"))
    assert (verdict.status, verdict.mode) == ("ungraded", "ungraded")


def test_a_case_that_no_grader_could_look_at() -> None:
    verdict = ungraded_verdict(CASE, "the endpoint was down", VERSIONS)
    assert (verdict.status, verdict.mode, verdict.reason) == ("ungraded", "ungraded", "the endpoint was down")
    assert {verdict.steps.decide, verdict.steps.select, verdict.steps.construct, verdict.steps.integrate} == {
        "ungraded"
    }
