"""Call decisions: what was wanted, what was observed, per case and per user turn."""

from __future__ import annotations

import pytest

from callgrade import Case, ExpectedPath, ExpectedStep, Invocation, Message, Tool, grade_case
from cases.expectation import CallDecision
from cases.verdict import Decision
from deterministic.decision import wanted_decision

NEEDED, FREE = ExpectedStep(tool="f"), ExpectedStep(tool="f", optional=True)
USERS = ExpectedStep(tool="f", requestor="user")


def path(*steps: ExpectedStep) -> ExpectedPath:
    return ExpectedPath(steps=steps)


WANTED: list[object] = [
    pytest.param(None, (), None, id="nobody said"),
    pytest.param("forbidden", (path(NEEDED),), "forbidden", id="what is stated wins over the steps"),
    pytest.param(None, (path(NEEDED),), "required", id="a step is required"),
    pytest.param(None, (path(),), "forbidden", id="no step is wanted"),
    pytest.param(None, (path(FREE),), "optional", id="only optional steps"),
    pytest.param(None, (path(NEEDED), path()), "optional", id="one path does without"),
    pytest.param(None, (path(NEEDED), path(FREE, NEEDED)), "required", id="every path needs one"),
    pytest.param(None, (path(USERS),), "optional", id="the user's steps are not the agent's"),
]


@pytest.mark.parametrize(("stated", "paths", "wanted"), WANTED)
def test_wanted(stated: CallDecision | None, paths: tuple[ExpectedPath, ...], wanted: CallDecision | None) -> None:
    assert wanted_decision(stated, paths) == wanted


VALID, BROKEN = Invocation(tool="f"), Invocation(tool="f", args="{")
THEIRS = Invocation(tool="f", requestor="user")

STATES = [
    pytest.param("required", (VALID,), "valid", "pass", None, id="required and made"),
    pytest.param("required", (), "none", "fail", "missed_call", id="required and not made"),
    pytest.param("required", (BROKEN,), "unparsable", "pass", "unparsable_call", id="an attempt is a decision to call"),
    pytest.param("required", (BROKEN, VALID), "valid", "pass", "unparsable_call", id="one of two parsed"),
    pytest.param("required", (THEIRS,), "none", "fail", "missed_call", id="the user's call is not the agent's"),
    pytest.param("forbidden", (), "none", "pass", None, id="forbidden and not made"),
    pytest.param("forbidden", (VALID,), "valid", "fail", "over_call", id="forbidden and made"),
    pytest.param("forbidden", (BROKEN,), "unparsable", "fail", "unparsable_call", id="forbidden and attempted"),
    pytest.param("optional", (), "none", "not_applicable", None, id="optional and not made"),
    pytest.param("optional", (VALID,), "valid", "not_applicable", None, id="optional and made"),
]


@pytest.mark.parametrize(("wanted", "calls", "observed", "decide", "mode"), STATES)
def test_states(
    wanted: CallDecision, calls: tuple[Invocation, ...], observed: str, decide: str, mode: str | None
) -> None:
    case = Case(task_id="t", tools=(Tool(name="f"),), expected_call=wanted, actual_invocations=calls)
    verdict = grade_case(case)
    assert [(d.wanted, d.observed) for d in verdict.decisions] == [(wanted, observed)]
    assert verdict.steps.decide == decide
    assert mode is None or verdict.mode == mode


def test_a_case_that_was_not_evaluated_has_no_decision() -> None:
    verdict = grade_case(Case(task_id="t", expected_call="forbidden"))
    assert (verdict.status, verdict.decisions) == ("ungraded", ())


@pytest.mark.parametrize("kind", ["greeting", "clarification", "in_model", "refusal", "off_topic"])
def test_kinds_of_no_call_travel_with_the_verdict(kind: str) -> None:
    case = Case(task_id="t", expected_call="forbidden", no_call_kind=kind, actual_invocations=())
    assert grade_case(case).no_call_kind == kind


def test_an_optional_call_that_was_not_made_leaves_no_step_missing() -> None:
    case = Case(
        task_id="t",
        tools=(Tool(name="f"),),
        expected_call="optional",
        expected_invocations=(NEEDED,),
        actual_invocations=(),
    )
    verdict = grade_case(case)
    assert (verdict.status, verdict.findings, verdict.counts.n_expected) == ("pass", (), 0)


def test_an_optional_call_that_was_made_is_held_to_its_steps() -> None:
    step = ExpectedStep(tool="f", args={"n": 1})
    case = Case(
        task_id="t",
        tools=(Tool(name="f"),),
        expected_call="optional",
        expected_invocations=(step,),
        actual_invocations=(Invocation(tool="f", args={"n": 2}),),
    )
    assert grade_case(case).mode == "value_error"


# --- per user turn

TURNS = tuple(Message(role="user", content=text, turn=turn) for turn, text in ((0, "one"), (3, "two"), (6, "three")))


def in_turn(turn: int, *, optional: bool = False) -> ExpectedStep:
    return ExpectedStep(tool="f", user_turn=turn, optional=optional)


PER_TURN = [
    pytest.param([1, 4], [("required", "valid"), ("required", "valid"), ("forbidden", "none")], [], id="as wanted"),
    pytest.param(
        [1],
        [("required", "valid"), ("required", "none"), ("forbidden", "none")],
        ["missed_call", "missing_step"],
        id="one turn without its call",
    ),
    pytest.param(
        [1, 4, 7],
        [("required", "valid"), ("required", "valid"), ("forbidden", "valid")],
        ["over_call", "extra_call"],
        id="a call in the turn that wants none",
    ),
]


@pytest.mark.parametrize(("turns", "decisions", "modes"), PER_TURN)
def test_every_user_turn_has_its_decision(
    turns: list[int], decisions: list[tuple[CallDecision, str]], modes: list[str]
) -> None:
    calls = tuple(Invocation(tool="f", turn=turn, args={"n": turn}) for turn in turns)
    case = Case(
        task_id="t",
        tools=(Tool(name="f"),),
        messages=TURNS,
        expected_invocations=(in_turn(0), in_turn(1)),
        actual_invocations=calls,
    )
    verdict = grade_case(case)
    assert [(d.wanted, d.observed) for d in verdict.decisions] == decisions
    assert [finding.mode for finding in verdict.findings] == modes


def test_an_optional_turn_is_outside_the_denominators() -> None:
    case = Case(
        task_id="t",
        tools=(Tool(name="f"),),
        messages=TURNS[:2],
        expected_invocations=(in_turn(0), in_turn(1, optional=True)),
        actual_invocations=(Invocation(tool="f", turn=1),),
    )
    verdict = grade_case(case)
    assert verdict.decisions == (Decision("required", "valid"), Decision("optional", "none"))
    assert verdict.passed["call_decision"] == 1
