"""Small tables of BFCL's rules; parity with its recorded verdicts on the published sample."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from callgrade.api import grade_case, read_cases
from cases.case import Case, Invocation, Tool
from cases.expectation import CallDecision, ExpectedStep
from cases.failure import FailureMode
from cases.formats.bfcl_gold import accepted_matcher
from cases.jsonvalue import JsonObject, JsonValue
from deterministic.presets.bfcl_gold import ForeignMatcherError, accepted_values
from deterministic.presets.bfcl_values import check_value, plain_text

STRING: JsonObject = {"type": "string"}
INTEGER: JsonObject = {"type": "integer"}
FLOATS: JsonObject = {"type": "array", "items": {"type": "float"}}
OBJECTS: JsonObject = {"type": "array", "items": {"type": "dict"}}
TYPES = {"string": str, "integer": int, "float": float, "boolean": bool, "array": list, "dict": dict}


def tool(name: str = "f", required: list[JsonValue] | None = None, **properties: JsonValue) -> Tool:
    members: JsonObject = dict(properties)
    return Tool(name=name, input_schema={"type": "dict", "properties": members, "required": required or []})


class Value(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    schema: JsonObject
    accepted: list[JsonValue]
    sent: JsonValue
    rule: str | None = None


VALUES = [
    Value(id="a text loses case, blanks and dashes", schema=STRING, accepted=["May 1, 2024"], sent="may-1 2024"),
    Value(id="so '-5' is '5'", schema=STRING, accepted=["-5"], sent="5"),
    Value(id="an apostrophe is a quotation mark", schema=STRING, accepted=["O'Neil"], sent='o"neil'),
    Value(id="another text", schema=STRING, accepted=["a"], sent="b", rule="value_error:string"),
    Value(id="a number for a text", schema=STRING, accepted=["3"], sent=3, rule="type_error:simple"),
    Value(id="an integer for a float", schema={"type": "float"}, accepted=[3.0], sent=3),
    Value(id="never a float for an integer", schema=INTEGER, accepted=[3], sent=3.0, rule="type_error:simple"),
    Value(id="true is no integer", schema=INTEGER, accepted=[1], sent=True, rule="type_error:simple"),
    Value(id="another number", schema=INTEGER, accepted=[1], sent=2, rule="value_error:others"),
    Value(id="a stand-in of the accepted type is compared exactly", schema=INTEGER, accepted=["n"], sent="n"),
    Value(id="... and keeps its case", schema=INTEGER, accepted=["n"], sent="N", rule="value_error:others"),
    Value(id="null where it is accepted", schema=INTEGER, accepted=[None], sent=None),
    Value(id="an array in order", schema=FLOATS, accepted=[[1.0, 2.0]], sent=[1.0, 2.0]),
    Value(id="out of order", schema=FLOATS, accepted=[[1.0, 2.0]], sent=[2.0, 1.0], rule="value_error:list/tuple"),
    Value(id="an integer among floats", schema=FLOATS, accepted=[[1.0]], sent=[1], rule="type_error:nested"),
    Value(id="unless the accepted array has integers", schema=FLOATS, accepted=[[1]], sent=[1]),
    Value(id="an empty array where it may be left out", schema=FLOATS, accepted=[[1.0], ""], sent=[]),
    Value(id="texts in an array lose their case", schema={**FLOATS, "items": STRING}, accepted=[["A b"]], sent=["ab"]),
    Value(id="members of an object", schema={"type": "dict"}, accepted=[{"a": [1], "b": ["x", ""]}], sent={"a": 1}),
    Value(
        id="a wrong member",
        schema={"type": "dict"},
        accepted=[{"a": [1]}],
        sent={"a": 2},
        rule="value_error:dict_value",
    ),
    Value(id="a missing member", schema={"type": "dict"}, accepted=[{"a": [1]}], sent={}, rule="value_error:dict_key"),
    Value(
        id="a foreign member",
        schema={"type": "dict"},
        accepted=[{"a": [1, ""]}],
        sent={"z": 1},
        rule="value_error:dict_key",
    ),
    Value(id="no object is accepted", schema={"type": "dict"}, accepted=[""], sent={}, rule="dict_checker:unclear"),
    Value(id="true is 1 inside an object", schema={"type": "dict"}, accepted=[{"a": [1]}], sent={"a": True}),
    Value(id="objects in an array", schema=OBJECTS, accepted=[[{"a": [1]}]], sent=[{"a": 1}]),
    Value(
        id="fewer objects",
        schema=OBJECTS,
        accepted=[[{"a": [1]}]],
        sent=[],
        rule="value_error:list_dict_count",
    ),
]


@pytest.mark.parametrize("row", [pytest.param(r, id=r.id) for r in VALUES])
def test_one_argument(row: Value) -> None:
    args = {"x": accepted_matcher(row.accepted)}
    case = Case(
        task_id="simple_python_0",
        tags=("simple_python",),
        tools=(tool(x=row.schema),),
        expected_invocations=(ExpectedStep(tool="f", args=args, turn=1),),
        actual_invocations=(Invocation(tool="f", args={"x": row.sent}),),
    )
    verdict = grade_case(case, policy="bfcl/1")
    gating = [(finding.rule, finding.check) for finding in verdict.findings if finding.gating]
    assert gating == ([] if row.rule is None else [(f"bfcl/1:{row.rule}", "bfcl")])
    assert verdict.status == ("pass" if row.rule is None else "fail")


class Whole(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    category: str = "simple_python"
    steps: tuple[tuple[str, JsonObject], ...] | None = (("f", {"x": 1}),)
    wanted: CallDecision | None = None
    sent: tuple[tuple[str, JsonObject | str], ...]
    answer: str | None = None
    free_form: bool = False
    rule: str | None = None
    mode: FailureMode | None = None
    target: str | None = None


DOTTED: tuple[tuple[str, JsonObject], ...] = (("a.f", {"x": 1}),)
TWO: tuple[tuple[str, JsonObject], ...] = (("f", {"x": {"$one_of": [1, 2]}}), ("f", {"x": 1}))
CALL = "simple_function_checker"
MATCH = "parallel_function_checker_no_order:cannot_find_match"
NO_DECODE = "ast_decoder:decoder_failed"
WHOLES = [
    Whole(id="the wanted call", sent=(("f", {"x": 1}),)),
    Whole(id="BFCL reads the last of two keys", sent=(("f", '{"x": 2, "x": 1}'),)),
    Whole(id="dots become underscores through an API", steps=DOTTED, sent=(("a_f", {"x": 1}),)),
    Whole(id="or stay", steps=DOTTED, sent=(("a.f", {"x": 1}),)),
    Whole(
        id="and always stay in text",
        steps=DOTTED,
        sent=(("a_f", {"x": 1}),),
        free_form=True,
        rule=f"{CALL}:wrong_func_name",
        mode="wrong_tool",
        target="/actual_invocations/0/tool",
    ),
    Whole(
        id="another tool",
        sent=(("g", {"x": 1}),),
        rule=f"{CALL}:wrong_func_name",
        mode="wrong_tool",
        target="/actual_invocations/0/tool",
    ),
    Whole(
        id="a required argument is missing",
        sent=(("f", {}),),
        rule=f"{CALL}:missing_required",
        mode="schema_error",
        target="/actual_invocations/0/args/x",
    ),
    Whole(
        id="an argument that the answer lists is missing",
        steps=(("f", {"x": 1, "y": 2}),),
        sent=(("f", {"x": 1}),),
        rule=f"{CALL}:missing_optional",
        mode="value_error",
        target="/actual_invocations/0/args/y",
    ),
    Whole(
        id="an argument that the answer does not list",
        sent=(("f", {"x": 1, "y": 2}),),
        rule=f"{CALL}:unexpected_param",
        mode="value_error",
        target="/actual_invocations/0/args/y",
    ),
    Whole(
        id="an argument that the tool does not have",
        sent=(("f", {"x": 1, "z": 2}),),
        rule=f"{CALL}:unexpected_param",
        mode="schema_error",
        target="/actual_invocations/0/args/z",
    ),
    Whole(
        id="the first error alone is told",
        sent=(("f", {"x": "1", "z": 2}),),
        rule="type_error:simple",
        mode="schema_error",
        target="/actual_invocations/0/args/x",
    ),
    Whole(
        id="a call too many",
        sent=(("f", {"x": 1}), ("f", {"x": 1})),
        rule=f"{CALL}:wrong_count",
        mode="extra_call",
        target="/actual_invocations/1",
    ),
    Whole(id="no call", sent=(), rule=f"{CALL}:wrong_count", mode="missed_call", target="/actual_invocations"),
    Whole(
        id="words instead of a call do not decode",
        sent=(),
        answer="Sorry.",
        rule=NO_DECODE,
        mode="missed_call",
        target="/actual_invocations",
    ),
    Whole(
        id="empty arguments do not decode",
        sent=(("f", ""),),
        rule=NO_DECODE,
        mode="unparsable_call",
        target="/actual_invocations/0/args",
    ),
    Whole(
        id="an array is no arguments",
        sent=(("f", "[]"),),
        rule="ast_decoder:decoder_wrong_output_format",
        mode="unparsable_call",
        target="/actual_invocations/0/args",
    ),
    Whole(
        id="several tools, wrong count",
        category="live_multiple",
        sent=(),
        rule="multiple_function_checker:wrong_count",
        mode="missed_call",
        target="/actual_invocations",
    ),
    Whole(
        id="parallel calls come in any order",
        category="parallel",
        steps=(("f", {"x": 1}), ("f", {"x": 2})),
        sent=(("f", {"x": 2}), ("f", {"x": 1})),
    ),
    Whole(
        id="the first answer takes the first call that fits, also where that spoils the second",
        category="parallel",
        steps=TWO,
        sent=(("f", {"x": 1}), ("f", {"x": 2})),
        rule=MATCH,
        mode="value_error",
        target="/actual_invocations/1/args/x",
    ),
    Whole(
        id="a call short",
        category="parallel",
        steps=TWO,
        sent=(("f", {"x": 1}),),
        rule="parallel_function_checker_no_order:wrong_count",
        mode="missing_step",
        target="/actual_invocations",
    ),
    Whole(id="irrelevance: no call", steps=None, wanted="forbidden", sent=()),
    Whole(id="irrelevance: a broken call is none", steps=None, wanted="forbidden", sent=(("f", "{"),)),
    Whole(
        id="irrelevance: a call",
        steps=None,
        wanted="forbidden",
        sent=(("f", "{}"),),
        rule="irrelevance_error:decoder_success",
        mode="over_call",
        target="/actual_invocations/0",
    ),
    Whole(id="relevance: any call", steps=None, wanted="required", sent=(("g", {"z": 1}),)),
    Whole(
        id="relevance: no call",
        steps=None,
        wanted="required",
        sent=(),
        rule="relevance_error:decoder_failed",
        mode="missed_call",
        target="/actual_invocations",
    ),
    Whole(
        id="Java arguments are texts",
        category="simple_java",
        sent=(("f", {"x": 1}),),
        rule="type_error:java",
        mode="schema_error",
        target="/actual_invocations/0/args/x",
    ),
    Whole(id="... that spell literals", category="simple_java", sent=(("f", {"x": "1"}),)),
    Whole(id="... in JavaScript too", category="simple_javascript", sent=(("f", {"x": "1"}),)),
]


def whole(row: Whole) -> Case:
    steps = None if row.steps is None else tuple(ExpectedStep(tool=t, args=a, turn=1) for t, a in row.steps)
    named = {t for t, _ in row.steps or (("f", {}),)}
    return Case(
        task_id="t",
        tags=(row.category,),
        tools=tuple(tool(name, ["x"], x=INTEGER, y=INTEGER) for name in sorted(named)),
        expected_invocations=steps,
        expected_call=row.wanted,
        actual_invocations=tuple(Invocation(tool=t, args=a) for t, a in row.sent),
        final_answer=row.answer,
        pathway="free_form" if row.free_form else "unknown",
    )


@pytest.mark.parametrize("row", [pytest.param(r, id=r.id) for r in WHOLES])
def test_a_case(row: Whole) -> None:
    verdict = grade_case(whole(row), policy="bfcl/1")
    found = next((f for f in verdict.findings if f.gating), None)
    if row.rule is None:
        assert (verdict.status, verdict.mode, found) == ("pass", "none", None)
    else:
        assert found is not None
        assert (found.rule, found.mode, found.target) == (f"bfcl/1:{row.rule}", row.mode, row.target)
        assert (verdict.status, verdict.mode) == ("fail", row.mode)


def test_the_gates_inform_under_their_own_rules() -> None:
    row = Whole(id="", sent=(("f", {"x": 2.5, "z": 1}),))
    verdict = grade_case(whole(row), policy="bfcl/1")
    informative = {(f.check, f.rule) for f in verdict.findings if not f.gating}
    assert {("arguments", "strict/1"), ("schema", "schema/1:type")} <= informative
    assert [f.check for f in verdict.findings if f.gating] == ["bfcl"]
    assert verdict.versions is not None
    assert verdict.versions.policy == "bfcl/1"


UNTOLD: list[tuple[str, Case, str]] = [
    (
        "a matcher that BFCL lacks",
        whole(Whole(id="", steps=(("f", {"x": {"$regex": "1"}}),), sent=(("f", {"x": 1}),))),
        "'$regex'",
    ),
    ("nothing stated", whole(Whole(id="", steps=None, sent=())), "neither"),
    ("an unknown type", Case(task_id="t", tools=(tool(x={"type": "date"}),)), "'date'"),
    ("a tool without schema", Case(task_id="t", tools=(Tool(name="f"),)), "no schema of 'f'"),
]


@pytest.mark.parametrize(("case", "reason"), [pytest.param(c, r, id=i) for i, c, r in UNTOLD])
def test_what_bfcl_cannot_say_is_ungraded(case: Case, reason: str) -> None:
    if case.actual_invocations is None:
        step = ExpectedStep(tool="f", args={"x": 1})
        case = msgspec.structs.replace(
            case, expected_invocations=(step,), actual_invocations=(Invocation(tool="f", args={"x": 1}),)
        )
    verdict = grade_case(case, policy="bfcl/1")
    assert verdict.status == "ungraded"
    assert reason in (verdict.reason or "")


def test_multi_turn_is_ungraded() -> None:
    step = ExpectedStep(tool="f", args={"x": 1}, user_turn=0)
    case = Case(task_id="t", expected_invocations=(step,), actual_invocations=(Invocation(tool="f", args={"x": 1}),))
    assert grade_case(case, policy="bfcl/1").status == "ungraded"


ACCEPTED: list[list[JsonValue]] = [
    [1],
    ["a", "b"],
    ["a", ""],
    [""],
    [[1, 2], [3]],
    [[], ""],
    [{"a": ["x", ""], "b": [[1, 2]]}],
    [[{"a": [1]}, {"a": [2, 3]}]],
    [{"a": [{"b": [1]}]}],
    [{"$and": [1]}],
    [[[1, 2], [3, 4]]],
    [None, True],
]


@pytest.mark.parametrize("accepted", ACCEPTED, ids=str)
def test_accepted_values_survive_the_matcher(accepted: list[JsonValue]) -> None:
    assert accepted_values(accepted_matcher(accepted)) == accepted


def test_a_foreign_matcher_is_told() -> None:
    with pytest.raises(ForeignMatcherError, match="approx"):
        accepted_values({"$approx": 1})


def test_what_is_left_of_a_text() -> None:
    assert plain_text("O'Neil-Sq., 5*^/_.") == 'o"neilsq5'


def test_a_value_is_told_by_its_place() -> None:
    problem = check_value([{"a": 1}, {"a": 3}], [[{"a": [1]}, {"a": [2]}]], list, dict)
    assert problem is not None
    assert (problem.place, problem.wanted, problem.got) == ((1, "a"), [2], 3)


SAMPLES = ["multiple", "live_simple", "live_parallel", "live_relevance"]


@pytest.mark.checkout
def test_parity_with_the_published_verdicts(shared_data: Path) -> None:
    folder = shared_data / "bfcl"
    n, differing, other_rules = 0, list[str](), list[tuple[str, str]]()
    for name in SAMPLES:
        (scores,) = (folder / "sample_results_v4/score").rglob(f"BFCL_v4_{name}_score.json")
        (results,) = (folder / "sample_results_v4/result").rglob(f"BFCL_v4_{name}_result.json")
        failed = {row["id"]: row["error_type"] for row in map(json.loads, scores.read_text().splitlines()[1:])}
        for case in read_cases(results, gold=folder / "v4"):
            verdict = grade_case(case, policy="bfcl/1")
            n += 1
            if verdict.status != ("fail" if case.task_id in failed else "pass"):
                differing.append(case.task_id)
            elif case.task_id in failed and verdict.findings[0].rule != f"bfcl/1:{failed[case.task_id]}":
                other_rules.append((case.task_id, verdict.findings[0].rule))
    assert (n, differing, other_rules) == (490, [], [])
