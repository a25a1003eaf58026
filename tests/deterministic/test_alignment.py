"""Alignment: which call took which step, through verdicts where a user would see it, and against brute force."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callgrade import Case, ExpectedPath, ExpectedStep, Invocation, Tool, Verdict, grade_case
from cases.jsonvalue import JsonObject, JsonValue
from deterministic.alignment import EXHAUSTIVE_CELLS, Alignment, align
from deterministic.catalog import Catalog
from deterministic.equality import Comparison
from deterministic.gates import _agent_calls
from deterministic.matchers import MATCHERS
from deterministic.pairing import Pairing
from deterministic.policy import LENIENT, STRICT, Policy

NAMES = ("a", "b", "c", "cancel_trip", "cancel_hotel", "x")
TOOLS = tuple(Tool(name=name, effect="write") for name in NAMES)


def step(tool: str | tuple[str, ...], turn: int | None = None, *, optional: bool = False, **args: int) -> ExpectedStep:
    return ExpectedStep(tool=tool, turn=turn, optional=optional, args=dict(args))


def sent(tool: str, turn: int = 0, **args: int | str) -> Invocation:
    return Invocation(tool=tool, turn=turn, args=dict(args))


def graded(steps: Sequence[ExpectedStep], calls: Sequence[Invocation]) -> Verdict:
    return grade_case(
        Case(task_id="t", tools=TOOLS, expected_invocations=tuple(steps), actual_invocations=tuple(calls))
    )


def modes(verdict: Verdict) -> list[tuple[str, str]]:
    return [(f.mode, f.target) for f in verdict.findings if f.mode is not None]


def call_at(index: int) -> str:
    return f"/actual_invocations/{index}"


LISTS = "/actual_invocations"

CASES = [
    pytest.param([step(("a", "b"))], [sent("b")], [], id="an alternative will do"),
    pytest.param(
        [step(("a", "b")), step("a", 1)],
        [sent("a"), sent("b")],
        [],
        id="alternatives give way to the step that has none",
    ),
    pytest.param([step("a"), step("b", optional=True)], [sent("a")], [], id="an optional step may be left out"),
    pytest.param([step("a"), step("b", optional=True)], [sent("a"), sent("b")], [], id="an optional step may be taken"),
    pytest.param(
        [step("a", optional=True, n=1), step("a", n=2)],
        [sent("a", n=1)],
        [("value_error", f"{call_at(0)}/args/n")],
        id="a call serves the required step before the optional one",
    ),
    pytest.param(
        [step("a"), step("b", 5), step("c", 5), step("x")],
        [sent("a"), sent("c"), sent("b"), sent("x")],
        [],
        id="an unordered group inside an ordered path",
    ),
    pytest.param(
        [step("a"), step("b", 5), step("c", 5), step("x")],
        [sent("a"), sent("b"), sent("x"), sent("c")],
        [("wrong_order", call_at(2))],
        id="a step that came before the group was whole",
    ),
    pytest.param(
        [step("a"), step("b"), step("c")],
        [sent("a"), sent("x"), sent("c")],
        [("wrong_tool", f"{call_at(1)}/tool")],
        id="between the same neighbours a leftover step and call are one wrong tool",
    ),
    pytest.param(
        [step("a"), step("b"), step("c")],
        [sent("a"), sent("c"), sent("x")],
        [("missing_step", LISTS), ("extra_call", call_at(2))],
        id="elsewhere they are a missing and an extra one",
    ),
    pytest.param(
        [step("a"), step("b", optional=True), step("c")],
        [sent("a"), sent("x"), sent("c")],
        [("extra_call", call_at(1))],
        id="an optional step has no wrong tool",
    ),
    pytest.param(
        [step("b", 1), step("cancel_trip", 1)],
        [sent("cancel_hotel"), sent("x")],
        [("wrong_tool", f"{call_at(1)}/tool"), ("wrong_tool", f"{call_at(0)}/tool")],
        id="a near miss stands for its own family",
    ),
    pytest.param(
        [step("a", n=1), step("b"), step("a", n=2)],
        [sent("a", n=2), sent("b"), sent("a", n=1)],
        [("wrong_order", call_at(0)), ("wrong_order", call_at(1))],
        id="repeated tools pair by arguments and are late",
    ),
    pytest.param(
        [step("a", 1, n=1), step("a", 1, n=2), step("a", 1, n=3)],
        [sent("a", n=3), sent("a", n=1), sent("a", n=2)],
        [],
        id="an unordered group of one tool",
    ),
    pytest.param([step("a"), step("a")], [sent("a")], [("missing_step", LISTS)], id="one call is not two"),
    pytest.param([step("a")], [sent("a"), sent("a")], [("extra_call", call_at(1))], id="the second of two is extra"),
]


@pytest.mark.parametrize(("steps", "calls", "wanted"), CASES)
def test_align(steps: list[ExpectedStep], calls: list[Invocation], wanted: list[tuple[str, str]]) -> None:
    assert modes(graded(steps, calls)) == wanted


def test_sub_mode_says_which_wrong_tool_was_near() -> None:
    verdict = graded([step("b", 1), step("cancel_trip", 1)], [sent("cancel_hotel"), sent("x")])
    assert [(f.tool, f.got, f.sub_mode) for f in verdict.findings] == [
        ("b", "x", None),
        ("cancel_trip", "cancel_hotel", "near_miss"),
    ]


def test_a_wrong_tool_stands_for_a_gating_step_before_an_informative_one() -> None:
    informative = ExpectedStep(tool="b", turn=1, gating=False)
    for steps in ([informative, step("c", 1)], [step("c", 1), informative]):
        verdict = graded(steps, [sent("x")])
        assert [(f.mode, f.tool) for f in verdict.findings] == [("wrong_tool", "c"), ("missing_step", "b")]


def test_of_two_steps_the_informative_one_takes_the_wrong_arguments() -> None:
    informative = ExpectedStep(tool="a", turn=1, args={"p": {"$optional": 1}}, gating=False)
    for steps in ([informative, step("a", 1)], [step("a", 1), informative]):
        assert graded(steps, [sent("a", p=5), sent("a")]).status == "pass"


def test_a_read_is_no_stand_in_for_a_write() -> None:
    tools = (Tool(name="pay", effect="write"), Tool(name="look", effect="read"))
    case = Case(task_id="t", tools=tools, expected_invocations=(step("pay"),), actual_invocations=(sent("look"),))
    assert [mode for mode, _ in modes(grade_case(case))] == ["missing_step", "extra_call"]


def test_of_several_accepted_paths_the_best_is_scored_and_named() -> None:
    paths = (
        ExpectedPath(name="long", steps=(step("a"), step("b"), step("c"))),
        ExpectedPath(name="short", steps=(step("a"), step("c"))),
        ExpectedPath(name="other", steps=(step("x"),)),
    )
    for calls, name, n_faults in (
        ([sent("a"), sent("c")], "short", 0),
        ([sent("a"), sent("b"), sent("c")], "long", 0),
        ([sent("x")], "other", 0),
        ([sent("a"), sent("b"), sent("c"), sent("x")], "long", 1),
    ):
        case = Case(task_id="t", tools=TOOLS, expected_paths=paths, actual_invocations=tuple(calls))
        verdict = grade_case(case)
        assert (verdict.path, len(verdict.findings)) == (name, n_faults)


def test_of_equal_paths_the_first_is_named() -> None:
    paths = (ExpectedPath(name="one", steps=(step("a"),)), ExpectedPath(name="two", steps=(step("b"),)))
    case = Case(task_id="t", tools=TOOLS, expected_paths=paths, actual_invocations=(sent("x"),))
    assert grade_case(case).path == "one"


def in_turn(turn: int, **args: int) -> ExpectedStep:
    return ExpectedStep(tool="a", user_turn=turn, args=dict(args))


def test_a_call_of_a_later_user_turn_never_stands_for_an_earlier_step() -> None:
    from callgrade import Message

    messages = (Message(role="user", content="one", turn=0), Message(role="user", content="two", turn=2))
    case = Case(
        task_id="t",
        tools=TOOLS,
        messages=messages,
        expected_invocations=(in_turn(0, n=1), in_turn(1, n=2)),
        actual_invocations=(sent("a", 3, n=2), sent("a", 3, n=1)),
    )
    assert [mode for mode, _ in modes(grade_case(case))] == ["missed_call", "missing_step", "extra_call"]


def test_a_gold_of_user_turns_without_recorded_messages_still_wants_its_calls() -> None:
    case = Case(task_id="t", tools=TOOLS, expected_invocations=(in_turn(0), in_turn(1)), actual_invocations=())
    assert [mode for mode, _ in modes(grade_case(case))] == ["missed_call", "missed_call"]


# --- optimality


def aligned(steps: Sequence[ExpectedStep], calls: Sequence[Invocation], policy: Policy = STRICT) -> Alignment:
    catalog = Catalog(TOOLS, policy, names=None, is_partial=False)
    case = Case(task_id="t", tools=TOOLS, actual_invocations=tuple(calls))
    agent_calls = _agent_calls(case, {}, catalog)
    pairing = Pairing(steps, agent_calls, catalog, Comparison(policy, MATCHERS))
    path = ExpectedPath(steps=tuple(steps))
    return align(path, steps, [call.name for call in agent_calls], pairing)


def cost(alignment: Alignment) -> tuple[int, int]:
    diffs = [diff for diff in alignment.diffs if diff is not None]
    return -len(diffs), sum(diff.n_wrong for diff in diffs)


def best_cost(steps: Sequence[ExpectedStep], calls: Sequence[Invocation], policy: Policy) -> tuple[int, int]:
    """Try every way to give each step one call of its own, or none."""
    catalog = Catalog(TOOLS, policy, names=None, is_partial=False)
    case = Case(task_id="t", tools=TOOLS, actual_invocations=tuple(calls))
    pairing = Pairing(steps, _agent_calls(case, {}, catalog), catalog, Comparison(policy, MATCHERS))
    best = (0, 0)
    slots = [*range(len(calls)), *[-1] * len(steps)]
    for choice in set(itertools.permutations(slots, len(steps))):
        pairs = [(i, j) for i, j in enumerate(choice) if j >= 0]
        if all(calls[j].tool in steps[i].tools for i, j in pairs):
            best = min(best, (-len(pairs), sum(pairing.diff(i, j).n_wrong for i, j in pairs)))
    return best


texts: list[JsonValue] = [0, 1, 2, "0", "1", "1.0", "x"]
values = st.sampled_from(texts)
arguments: st.SearchStrategy[JsonObject] = st.dictionaries(st.sampled_from("pqr"), values, max_size=3)
tool_sets = st.one_of(st.sampled_from("ab"), st.just(("a", "b")))


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[ExpectedStep], list[Invocation]]:
    steps = [
        ExpectedStep(tool=draw(tool_sets), args=draw(arguments), turn=draw(st.sampled_from([None, None, 1, 2])))
        for _ in range(draw(st.integers(0, 4)))
    ]
    calls = [Invocation(tool=draw(st.sampled_from("ab")), args=draw(arguments)) for _ in range(draw(st.integers(0, 4)))]
    return steps, calls


@given(problems(), st.sampled_from([STRICT, LENIENT]))
def test_no_pairing_is_better(problem: tuple[list[ExpectedStep], list[Invocation]], policy: Policy) -> None:
    steps, calls = problem
    assert cost(aligned(steps, calls, policy)) == best_cost(steps, calls, policy)


@given(problems())
def test_every_step_and_call_is_accounted_for_once(problem: tuple[list[ExpectedStep], list[Invocation]]) -> None:
    steps, calls = problem
    found = aligned(steps, calls)
    paired = [i for i, j in enumerate(found.call_of) if j >= 0]
    assert sorted([*paired, *found.missing, *(i for i, _ in found.wrong_tools)]) == list(range(len(steps)))
    used = [j for j in found.call_of if j >= 0]
    assert sorted([*used, *found.extra, *(j for _, j in found.wrong_tools)]) == list(range(len(calls)))
    assert found.n_in_order + len(found.late) == len(paired)


@pytest.mark.parametrize(
    "places",
    [
        pytest.param(list(range(200)), id="in order"),
        pytest.param([*range(1, 200), 0], id="the first one came last"),
        pytest.param([*range(50), *range(60, 200), *range(50, 60)], id="a block was moved"),
    ],
)
def test_long_runs_of_one_tool_pair_equal_calls(places: list[int]) -> None:
    assert len(places) ** 2 > EXHAUSTIVE_CELLS
    steps = [step("a", 1, n=n) for n in range(200)]
    found = aligned(steps, [sent("a", n=n) for n in places])
    assert cost(found) == (-200, 0)


def test_a_long_run_with_a_missing_call_reports_one() -> None:
    steps = [step("a", 1, n=n) for n in range(100)]
    found = aligned(steps, [sent("a", n=n) for n in range(100) if n != 40])
    assert (found.missing, cost(found)) == ((40,), (-99, 0))


def test_path_of_a_literal_that_looks_like_a_matcher() -> None:
    gold: JsonObject = {"q": {"$literal": {"$one_of": [1]}}}
    steps = [ExpectedStep(tool="a", args=gold), step("a", q=1)]
    found = aligned(steps, [sent("a", q=1), Invocation(tool="a", args={"q": {"$one_of": [1]}})])
    assert (found.call_of, cost(found)) == ((1, 0), (-2, 0))
