"""Properties of grading that hold for every case: the fast lane, purity, bounds, order of what is listed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callgrade import Case, ExpectedPath, ExpectedStep, Invocation, Tool, grade_case, read_cases, read_catalog
from callgrade.grading import CaseGrader
from cases.case import Rule
from cases.jsonvalue import JsonObject, JsonValue
from cases.verdict import Counts
from deterministic.policy import POLICIES, STRICT

ROOT = Path(__file__).parents[2]

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"p": {"type": ["integer", "number", "null"]}, "q": {"type": "string"}, "r": {"type": "array"}},
}
PLAIN_TOOLS = (
    Tool(name="read_a", effect="read", input_schema=SCHEMA),
    Tool(name="write_a", effect="write", input_schema=SCHEMA),
    Tool(name="write_b", effect="write", input_schema={"type": "object"}),
    Tool(name="bare"),
)
RULED_TOOLS = (
    *PLAIN_TOOLS[:2],
    Tool(name="write_b", effect="write", requires=("read_a",), rules=(Rule(arg="p", must=">", value=0),)),
)
NAMES = ("read_a", "write_a", "write_b", "bare", "nowhere")

_SCALARS: list[JsonValue] = [-1, 0, 1, 2, True, False, 1.0, 0.5, "1", "", "\u00e9", "x", None]
_OBJECTS: list[JsonValue] = [{"$any": True}, {"k": 1}, {"$optional": 1}]
_LISTS: list[JsonValue] = [[], ["x"], ["y", "x"], [1, True], [None, 1.0]]
_values = st.sampled_from([*_SCALARS, *_OBJECTS, *_LISTS])
_arguments = st.dictionaries(st.sampled_from(["p", "q", "r", "amount"]), _values, max_size=3)
_turns = st.sampled_from([None, None, None, 1, 2])


@st.composite
def random_cases(draw: st.DrawFn) -> Case:
    """Draw a case whose calls follow its steps but for a few slips."""
    steps = [
        ExpectedStep(
            tool=draw(st.sampled_from(NAMES[:4])),
            args=draw(st.one_of(_arguments, _arguments, st.none())),
            turn=draw(_turns),
            optional=draw(st.sampled_from([False, False, False, True])),
            gating=draw(st.sampled_from([True, True, True, False])),
            requestor=draw(st.sampled_from(["agent", "agent", "agent", "user"])),
        )
        for _ in range(draw(st.integers(0, 4)))
    ]
    calls = [Invocation(tool=step.tools[0], args=step.args or {}, requestor=step.requestor) for step in steps]
    for index, call in enumerate(calls):
        slip = draw(st.sampled_from(["none"] * 8 + ["args", "tool", "error", "text", "who", "latency"]))
        if slip == "args":
            calls[index] = msgspec.structs.replace(call, args=draw(_arguments))
        elif slip == "tool":
            calls[index] = msgspec.structs.replace(call, tool=draw(st.sampled_from(NAMES)))
        elif slip == "error":
            calls[index] = msgspec.structs.replace(call, error="no")
        elif slip == "text":
            calls[index] = msgspec.structs.replace(call, args=draw(st.sampled_from(["{", "{}", '{"p": 1}'])))
        elif slip == "who":
            calls[index] = msgspec.structs.replace(call, requestor="user")
        elif slip == "latency":
            calls[index] = msgspec.structs.replace(call, latency_s=0.5, result={"ok": 1})
    if calls and draw(st.integers(0, 5)) == 0:
        calls = draw(st.permutations(calls))
    return Case(
        task_id="t",
        tools=draw(st.sampled_from([PLAIN_TOOLS, PLAIN_TOOLS, RULED_TOOLS, ()])),
        expected_call=draw(st.sampled_from([None, None, None, "required", "optional", "forbidden"])),
        expected_invocations=tuple(steps),
        actual_invocations=tuple(calls),
        final_answer=draw(st.sampled_from([None, "Done.", "The write failed."])),
        exact=draw(st.booleans()),
    )


# --- the fast lane


def by_the_full_gates(case: Case) -> Case:
    """The same case in the form that the fast lane never answers: its one path as the only one of a list."""
    return msgspec.structs.replace(
        case, expected_invocations=None, expected_paths=(ExpectedPath(steps=case.expected_invocations or ()),)
    )


def test_the_form_for_the_full_gates_is_not_screened() -> None:
    case = Case(task_id="t", expected_invocations=(ExpectedStep(tool="f", args={}),), actual_invocations=())
    assert by_the_full_gates(case).paths == case.paths
    assert by_the_full_gates(case).expected_invocations is None


@settings(max_examples=600, deadline=None)
@given(random_cases(), st.sampled_from(sorted(name for name, p in POLICIES.items() if p.checker == "gates")))
def test_fast_lane_and_full_gates_agree(case: Case, policy: str) -> None:
    assert grade_case(case, policy=policy) == grade_case(by_the_full_gates(case), policy=policy)


def differing(cases: Iterable[Case], tools: tuple[Tool, ...] = ()) -> tuple[int, list[str]]:
    fast, full = CaseGrader(STRICT, tools), CaseGrader(STRICT, tools)
    stated = [case for case in cases if case.expected_invocations is not None]
    wrong = [c.case_id for c in stated if fast.grade(c).verdict != full.grade(by_the_full_gates(c)).verdict]
    return len(stated), wrong


@pytest.mark.checkout
def test_fast_lane_and_full_gates_agree_on_the_example_set() -> None:
    folder = ROOT / "examples" / "returns"
    cases = read_cases(folder / "attempts", gold=folder / "cases.jsonl")
    n, wrong = differing(cases, read_catalog(folder / "tools.json"))
    assert (n > 200, wrong) == (True, [])


REAL = [
    pytest.param("tau_bench/historical_trajectories/gpt-4o-airline.json.gz", (), 200, id="tau-bench"),
    pytest.param("tau2_bench/trajectories", (), 400, id="tau2-bench"),
    pytest.param("bfcl/sample_results_v4/result", "bfcl/v4", 450, id="BFCL"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "gold", "at_least"), REAL)
def test_fast_lane_and_full_gates_agree_on_real_runs(
    shared_data: Path, place: str, gold: str | tuple[()], at_least: int
) -> None:
    n, wrong = differing(read_cases(shared_data / place, gold=shared_data / gold if gold else ()))
    assert (n >= at_least, wrong) == (True, [])


# --- purity and bounds


@given(random_cases())
def test_grading_is_a_pure_function(case: Case) -> None:
    before = msgspec.json.encode(case)
    first = msgspec.json.encode(grade_case(case))
    assert msgspec.json.encode(grade_case(msgspec.json.decode(before, type=Case))) == first
    assert msgspec.json.encode(case) == before


@given(random_cases(), st.lists(random_cases(), max_size=3))
def test_a_verdict_does_not_depend_on_what_was_graded_before(case: Case, others: list[Case]) -> None:
    grader = CaseGrader(STRICT)
    for other in others:
        grader.grade(other)
    assert grader.grade(case).verdict == grade_case(case)


def scores(counts: Counts) -> list[float]:
    found = (
        counts.tool_recall,
        counts.tool_precision,
        counts.tool_score,
        counts.argument_score,
        counts.order_score,
        counts.score,
    )
    return [score for score in found if score is not None]


@given(random_cases(), st.sampled_from(sorted(POLICIES)))
def test_scores_lie_within_0_and_1(case: Case, policy: str) -> None:
    verdict = grade_case(case, policy=policy)
    assert all(0.0 <= score <= 1.0 for score in scores(verdict.counts))
    for tool in verdict.tools.values():
        assert 0 <= tool.n_right <= tool.n_valid <= tool.n_accepted <= min(tool.n_sent, tool.n_expected)
        assert tool.n_parsed <= tool.n_sent


@given(random_cases())
def test_status_mode_and_findings_agree(case: Case) -> None:
    verdict = grade_case(case)
    gating = {finding.mode for finding in verdict.findings if finding.mode is not None and finding.gating}
    assert (verdict.status == "fail") == bool(gating)
    assert (verdict.status == "pass") == (verdict.mode == "none")
    assert {*verdict.secondary, *([verdict.mode] if gating else [])} == gating


@given(random_cases(), st.integers(0, 4))
def test_a_wrong_extra_call_never_raises_a_score(case: Case, place: int) -> None:
    calls = list(case.actual_invocations or ())
    calls.insert(min(place, len(calls)), Invocation(tool="nowhere", args={"z": 1}))
    before = grade_case(case).counts
    after = grade_case(msgspec.structs.replace(case, actual_invocations=tuple(calls))).counts
    for name in ("tool_recall", "tool_precision", "tool_score", "argument_score", "order_score", "score"):
        was, now = getattr(before, name), getattr(after, name)
        assert was is None or now is None or now <= was + 1e-12, name


# --- order of what is listed


@settings(max_examples=300, deadline=None)
@given(random_cases(), st.data())
def test_order_of_listed_expectations_changes_no_unordered_score(case: Case, data: st.DataObject) -> None:
    steps = [msgspec.structs.replace(step, turn=1) for step in case.expected_invocations or ()]
    shuffled = data.draw(st.permutations(steps))
    one, other = (
        grade_case(msgspec.structs.replace(case, expected_invocations=tuple(listed))) for listed in (steps, shuffled)
    )
    for name in ("n_expected", "n_sent", "n_accepted", "n_fields", "n_fields_right", "n_in_order"):
        assert getattr(one.counts, name) == getattr(other.counts, name)
    assert (one.status, one.mode) == (other.status, other.mode)


def reversed_keys(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: reversed_keys(item) for key, item in reversed(value.items())}
    return [reversed_keys(item) for item in value] if isinstance(value, list) else value


@given(random_cases())
def test_order_of_argument_names_changes_nothing(case: Case) -> None:
    calls = [
        msgspec.structs.replace(call, args=reversed_keys(call.args) if isinstance(call.args, dict) else call.args)
        for call in case.actual_invocations or ()
    ]
    one, other = grade_case(case), grade_case(msgspec.structs.replace(case, actual_invocations=tuple(calls)))
    assert (one.status, one.mode, one.secondary, one.counts, one.tools, one.passed) == (
        other.status,
        other.mode,
        other.secondary,
        other.counts,
        other.tools,
        other.passed,
    )
    assert sorted(map(repr_of, one.findings)) == sorted(map(repr_of, other.findings))


def repr_of(finding: object) -> bytes:
    return msgspec.json.encode(finding, order="sorted")
