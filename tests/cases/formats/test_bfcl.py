from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from callgrade.grading import CaseGrader
from cases.case import Case
from cases.errors import InputError
from cases.formats import bfcl
from cases.formats.bfcl_gold import accepted_matcher
from cases.formats.record import InputFile
from cases.joining import Gold
from cases.jsonvalue import JsonObject, JsonValue
from cases.verdict import Verdict
from deterministic.gates import check_expectation
from deterministic.policy import STRICT

MakeFile = Callable[[object, str], InputFile]
DiskFile = Callable[[Path], InputFile]


class Row(msgspec.Struct, frozen=True):
    id: str
    record: dict[str, Any]
    look: Callable[[Case], object]
    seen: object


def asked(task_id: str, *turns: list[dict[str, str]], **more: Any) -> dict[str, Any]:
    return {"id": task_id, "question": list(turns or [[{"role": "user", "content": "hi"}]]), **more}


def truth(task_id: str, answers: list[Any]) -> dict[str, Any]:
    return {"id": task_id, "ground_truth": answers}


def made(result: Any, task_id: str = "simple_python_0", **more: Any) -> dict[str, Any]:
    return {"id": task_id, "result": result, **more}


def calls(case: Case) -> object:
    found = case.actual_invocations
    return None if found is None else [(i.tool, i.args, i.turn) for i in found]


def steps(case: Case) -> object:
    return [(s.tool, s.args, s.turn, s.user_turn) for s in case.expected_invocations or ()]


def attempt(case: Case) -> object:
    return [(i.tool, i.args, i.parse_error is not None) for i in case.actual_invocations or ()]


NO_CALLS: list[object] = []
NO_ARGS: dict[str, object] = {}
CATEGORIES = {
    "simple_python_12": "simple_python",
    "live_simple_0-0-0": "live_simple",
    "multi_turn_base_3": "multi_turn_base",
    "irrelevance_7": "irrelevance",
    "live_parallel_multiple_1-0-1": "live_parallel_multiple",
    "memory_0-customer-0": "memory",
}

ROWS = [
    *(Row(f"{i} is tagged {c}", asked(i), lambda case: case.tags, (c,)) for i, c in CATEGORIES.items()),
    Row("an id without category has no tag", asked("mine"), lambda c: c.tags, ()),
    Row("irrelevance forbids a call", asked("irrelevance_7"), lambda c: c.expected_call, "forbidden"),
    Row("live irrelevance does too", asked("live_irrelevance_7-0-0"), lambda c: c.expected_call, "forbidden"),
    Row(
        "live relevance requires some call and states no step",
        asked("live_relevance_1-1-0"),
        lambda c: (c.expected_call, c.expected_invocations),
        ("required", None),
    ),
    Row("other categories leave the decision to the answers", asked("multiple_1"), lambda c: c.expected_call, None),
    Row(
        "messages of a later user turn stand after the steps of the one before",
        asked(
            "multi_turn_base_0",
            [{"role": "system", "content": "s"}, {"role": "user", "content": "a"}],
            [],
            [{"role": "user", "content": "b"}],
        ),
        lambda c: [(m.role, m.content, m.turn) for m in c.messages],
        [
            ("system", "s", 0),
            ("user", "a", 0),
            ("user", "I have updated some more functions you can choose from. What about now?", 100),
            ("user", "b", 200),
        ],
    ),
    Row(
        "tools keep their dialect",
        asked("multiple_0", function=[{"name": "a.b", "description": "d", "parameters": {"type": "dict"}}]),
        lambda c: [(t.name, t.description, t.input_schema) for t in c.tools],
        [("a.b", "d", {"type": "dict"})],
    ),
    Row(
        "parallel answers are one unordered group and allow no further call",
        truth("parallel_0", [{"f": {"x": [1]}}, {"f": {"x": [2]}}]),
        lambda c: (steps(c), c.exact),
        ([("f", {"x": 1}, 1, None), ("f", {"x": 2}, 1, None)], True),
    ),
    Row(
        "multi-turn answers are ordered steps of their user turns; positions name unnamed arguments",
        truth("multi_turn_base_0", [["cd(folder='d')", "sort('f.txt')"], [], ["ls()"]]),
        lambda c: (steps(c), c.exact),
        ([("cd", {"folder": "d"}, None, 0), ("sort", {"0": "f.txt"}, None, 0), ("ls", NO_ARGS, None, 2)], False),
    ),
    Row(
        "answers that are no calls say nothing about calls",
        truth("memory_0-customer-0", ["Michael"]),
        lambda c: (c.has_expectation, c.metadata),
        (False, {"accepted_answers": ["Michael"]}),
    ),
    Row(
        "FC arguments pass through as text",
        made([{"a_b": '{"x": 1, "x": 2}'}]),
        lambda c: (calls(c), c.pathway),
        ([("a_b", '{"x": 1, "x": 2}', 1)], "unknown"),
    ),
    Row(
        "parallel FC calls share a turn",
        made([{"f": "{}"}, {"g": {"x": 1}}]),
        calls,
        [("f", "{}", 1), ("g", {"x": 1}, 1)],
    ),
    Row("an empty list made no call", made([]), calls, NO_CALLS),
    Row("an FC call without a name is an attempt", made([{}, 3]), attempt, [("", "{}", True), ("", "3", True)]),
    Row(
        "prompt mode calls are read from the text",
        made('[f(a=1), g.h(b="x")]'),
        lambda c: (calls(c), c.pathway, c.final_answer),
        ([("f", {"a": 1}, 1), ("g.h", {"b": "x"}, 1)], "free_form", None),
    ),
    Row("a code fence is taken off", made("```python\n[f(a=1)]\n```"), calls, [("f", {"a": 1}, 1)]),
    Row("brackets may be missing", made("f(a=1), g()"), calls, [("f", {"a": 1}, 1), ("g", NO_ARGS, 1)]),
    Row("an empty list as text made no call", made("[]"), calls, NO_CALLS),
    Row(
        "prose is an answer, also with a parenthesis or a bracket",
        made("Sorry (I cannot). [Note] f(x) is unknown."),
        lambda c: (calls(c), c.final_answer),
        (NO_CALLS, "Sorry (I cannot). [Note] f(x) is unknown."),
    ),
    Row("a broken call text is an attempt", made("[f(a=1"), attempt, [("", "[f(a=1", True)]),
    Row(
        "a call in another shape is an attempt",
        made('[{"name": "f", "arguments": {}}]'),
        attempt,
        [("", '[{"name": "f", "arguments": {}}]', True)],
    ),
    Row(
        "multi-turn calls advance by step and by user turn",
        made([[[{"f": "{}"}, {"g": "{}"}], [{"h": "{}"}], "Done."], [["k(a=1)"], "Bye."]], "multi_turn_base_0"),
        lambda c: (calls(c), c.final_answer, c.metadata),
        (
            [("f", "{}", 1), ("g", "{}", 1), ("h", "{}", 2), ("", '"k(a=1)"', 101)],
            "Bye.",
            {"intermediate_answers": ["Done."]},
        ),
    ),
    Row(
        "multi-turn prompt mode is read from its texts",
        made([["[f()]", "Ok."], ["[g(a=1)]"]], "multi_turn_base_0"),
        lambda c: (calls(c), c.final_answer),
        ([("f", NO_ARGS, 1), ("g", {"a": 1}, 101)], None),
    ),
    Row(
        "a failed request is the harness's failure, not a missing call",
        made("Error during inference: timeout"),
        lambda c: (c.infrastructure_error, c.actual_invocations),
        ("Error during inference: timeout", None),
    ),
    Row(
        "tokens and latency sum over turns and steps",
        made([], input_token_count=[[5, 6], [7]], output_token_count=3, latency=[[0.5], ["N/A"]]),
        lambda c: (c.n_input_tokens, c.n_output_tokens, c.latency_s),
        (18, 3, 0.5),
    ),
]


@pytest.mark.parametrize("row", [pytest.param(r, id=r.id) for r in ROWS])
def test_a_record_becomes_a_partial_case(row: Row, json_file: MakeFile) -> None:
    (record,) = bfcl.read(json_file(row.record, "f.json"))
    assert record.case is not None, record.problem
    check_expectation(record.case)
    assert record.case.task_id == row.record["id"]
    assert row.look(record.case) == row.seen


MATCHERS: list[tuple[str, JsonValue, JsonValue]] = [
    ("one value stands for itself", [5], 5),
    ("several are alternatives", ["a", "b"], {"$one_of": ["a", "b"]}),
    ("an empty text means it may be left out", ["", True], {"$optional": True}),
    ("left out or alternatives", ["a", "", None], {"$optional": {"$one_of": ["a", None]}}),
    ("an empty text alone", [""], {"$optional": ""}),
    ("nothing accepted matches nothing", [], {"$one_of": []}),
    ("arrays are ordered", [[1, 2], [3]], {"$one_of": [{"$ordered": [1, 2]}, [3]]}),
    (
        "members of an object hold accepted values again",
        [{"a": ["x", ""], "b": [[1, 2]]}],
        {"a": {"$optional": "x"}, "b": {"$ordered": [1, 2]}},
    ),
    (
        "objects in an array do too",
        [[{"a": [1]}, {"a": [2]}]],
        {"$ordered": [{"a": 1}, {"a": 2}]},
    ),
    ("an object inside an object is meant as it stands", [{"a": [{"b": [1]}]}], {"a": {"b": [1]}}),
    ("a member without a list is the only value", [{"a": "x"}], {"a": "x"}),
    ("a value that looks like a matcher is meant literally", [{"$any": 1}], {"$literal": {"$any": 1}}),
]


@pytest.mark.parametrize(("accepted", "matcher"), [pytest.param(a, m, id=i) for i, a, m in MATCHERS])
def test_accepted_values_become_a_matcher(accepted: JsonValue, matcher: JsonValue) -> None:
    assert accepted_matcher(accepted) == matcher


BROKEN: list[tuple[str, object, str]] = [
    ("none of the three", {"id": "a_1", "valid": False}, "neither question nor ground_truth nor result"),
    ("an empty id", {"id": "", "result": []}, "'id' is empty"),
    ("a result of null", {"id": "a_1", "result": None}, "$.result: null is neither a list of calls nor a text"),
    ("an answer without arguments", truth("a_1", [{"f": 3}]), "$.ground_truth[0].f: 3 names no arguments"),
    ("an answer that names nothing", truth("a_1", [{}]), "$.ground_truth[0]: {} names no tool"),
    ("an answer text that is no call", truth("a_1", [["x"]]), "$.ground_truth[0][0]: 'x' is no call"),
    ("a question of a wrong kind", {"id": "a_1", "question": 3}, "$.question: Expected `array | null`, got `int`: 3"),
]


@pytest.mark.parametrize(("record", "problem"), [pytest.param(r, p, id=i) for i, r, p in BROKEN])
def test_a_broken_record_is_told(record: object, problem: str, json_file: MakeFile) -> None:
    (read,) = bfcl.read(json_file(record, "f.json"))
    assert read.problem is not None
    assert read.problem.startswith(problem)


COMPANIONS: list[tuple[str, JsonValue]] = [
    ("tool definitions", {"name": "f", "description": "d", "parameters": {"type": "dict"}}),
    ("ids by category", {"parallel": ["parallel_0"], "multiple": ["multiple_0"]}),
    ("the totals of a score", {"accuracy": 0.5, "correct_count": 1, "total_count": 2}),
]


@pytest.mark.parametrize("value", [pytest.param(v, id=i) for i, v in COMPANIONS])
def test_what_lies_beside_the_records_in_bfcls_folders_is_passed_over(value: JsonValue, json_file: MakeFile) -> None:
    assert bfcl.recognises(value)
    assert list(bfcl.read(json_file(value, "f.json"))) == []


def test_another_object_without_id_is_an_input_error(json_file: MakeFile) -> None:
    with pytest.raises(InputError, match="no 'id'"):
        list(bfcl.read(json_file({"messages": [], "tools": 3}, "f.json")))


SAMPLES = {
    "non_live/BFCL_v4_multiple": 200,
    "live/BFCL_v4_live_simple": 258,
    "live/BFCL_v4_live_parallel": 16,
    "live/BFCL_v4_live_relevance": 16,
}
KNOWN_DIFFERENCES = {
    "multiple_29": "BFCL strips '*' and blanks: '3*x+2' for '3x + 2'",
    "multiple_99": "BFCL strips '*': '2*x**2' for '2x**2'",
    "multiple_172": "BFCL ignores case: 'LeBron James' for 'Lebron James'",
    "live_simple_20-4-0": "BFCL strips blanks: 'no onions,extra cheese'",
    "live_simple_155-95-12": "BFCL ignores case: 'date /T' for 'date /t'",
    "live_relevance_14-14-0": "BFCL asks only whether a call was made; its argument is outside the enum",
}
"""Where strict/1 fails what BFCL passes; there is no case the other way round."""


@pytest.fixture(scope="module")
def gold(shared_data: Path, disk_file: DiskFile) -> Gold:
    folder = shared_data / "bfcl/v4"
    paths = sorted(path for path in folder.rglob("*") if path.suffix in {".json", ".gz"})
    records = [record for path in paths for record in bfcl.read(disk_file(path))]
    assert [r.problem for r in records if r.problem] == []
    cases = [record.case for record in records if record.case is not None]
    assert len(cases) == 8252
    for case in cases:
        check_expectation(case)
    return Gold(cases)


@pytest.mark.parametrize("name", SAMPLES)
def test_strict_verdicts_differ_from_bfcls_own_only_where_known(
    name: str, gold: Gold, shared_data: Path, disk_file: DiskFile
) -> None:
    folder = shared_data / "bfcl/sample_results_v4"
    records = list(bfcl.read(disk_file(folder / f"result/{name}_result.json")))
    scores = (folder / f"score/{name}_score.json").read_text().splitlines()[1:]
    failed = {json.loads(line)["id"] for line in scores}
    assert len(records) == SAMPLES[name]
    verdicts = [_verdict(record.case, gold) for record in records]
    assert {v.status for v in verdicts} <= {"pass", "fail"}
    differing = {v.task_id for v in verdicts if (v.status == "fail") != (v.task_id in failed)}
    known = {task for task in KNOWN_DIFFERENCES if task in {v.task_id for v in verdicts}}
    assert differing == known
    assert differing.isdisjoint(failed)


def _verdict(attempted: Case | None, gold: Gold) -> Verdict:
    assert attempted is not None
    case = gold.join(attempted)
    assert case is not None
    return CaseGrader(STRICT).grade(case).verdict


IMPOSSIBLE = {"live_simple_106-63-0", "live_simple_112-68-0"}
PLAYED_BACK = [
    *("simple_python", "multiple", "parallel", "parallel_multiple", "live_simple", "live_parallel"),
    *("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context"),
]


@pytest.mark.parametrize("category", PLAYED_BACK)
def test_gold_played_back_is_right_but_for_gold_that_breaks_its_own_schema(
    category: str, gold: Gold, shared_data: Path, json_file: MakeFile
) -> None:
    answers = (shared_data / f"bfcl/v4/possible_answer/BFCL_v4_{category}.json").read_text().splitlines()
    results = [_played_back(json.loads(line)) for line in answers]
    verdicts = [_verdict(record.case, gold) for record in bfcl.read(json_file(results, "f.json"))]
    assert len(verdicts) == len(answers)
    others = {v.task_id for v in verdicts if v.mode not in {"none", "schema_error"}}
    others |= {v.task_id for v in verdicts if "value_error" in v.secondary}
    assert others <= IMPOSSIBLE


def _played_back(record: dict[str, Any]) -> JsonObject:
    truth: list[JsonValue] = record["ground_truth"]
    result: list[JsonValue] = []
    for answer in truth:
        if isinstance(answer, list):
            result.append([f"[{call}]" for call in answer])
        elif isinstance(answer, dict):
            result.extend({tool: _first_members(args, depth=1)} for tool, args in answer.items())
    return {"id": record["id"], "result": result}


def _first_members(value: JsonValue, depth: int) -> JsonValue:
    """Take the first accepted value of each member; objects hold accepted values again, one level deep."""
    if isinstance(value, list):
        return [_first_members(item, depth) if isinstance(item, dict) else item for item in value]
    if not isinstance(value, dict):
        return value
    taken: JsonObject = {}
    for name, accepted in value.items():
        values = [v for v in accepted if v != ""] if isinstance(accepted, list) else [accepted]
        if values:
            taken[name] = _first_members(values[0], depth - 1) if depth else values[0]
    return taken
