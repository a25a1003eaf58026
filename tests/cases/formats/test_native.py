"""The native format: what it takes, and how it says no."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cases.formats.documents import Document
from cases.formats.native import read, read_case, recognises
from cases.formats.record import InputFile, Record
from cases.jsonvalue import JsonValue

LAMP = Path(__file__).parents[2] / "data" / "broken_lamp.json"
MakeFile = Callable[[str, bytes], InputFile]


def case(text: str | bytes) -> Record:
    return read_case(Document("c.jsonl:3", text if isinstance(text, bytes) else text.encode()))


def test_the_defining_fixture_loads(memory_file: MakeFile) -> None:
    (record,) = read(memory_file("lamp.json", LAMP.read_bytes()))
    assert record.case is not None
    assert record.case.allowed_tools == ("find_order", "read_refund_rules", "refund", "notify_customer")
    assert [step.tool for step in record.case.expected_invocations or ()] == [
        "find_order",
        "read_refund_rules",
        "refund",
        "notify_customer",
    ]
    assert [call.turn for call in record.case.actual_invocations or ()] == [1, 2, 3]
    assert record.case.final_answer == "Your refund is on its way."


REFUSED: list[tuple[str, str | bytes, str]] = [
    (
        "an unknown key",
        '{"task_id":"t","expected_invocation":[]}',
        "'expected_invocation' at $; did you mean 'expected_invocations'?",
    ),
    (
        "an unknown key of a call",
        '{"task_id":"t","actual_invocations":[{"tool":"f","arg":{}}]}',
        "'arg' at $.actual_invocations[0]; did you mean 'args'?",
    ),
    (
        "an unknown key of a step",
        '{"task_id":"t","expected_invocations":[{"tool":"f","optinal":true}]}',
        "did you mean 'optional'?",
    ),
    (
        "an unknown key of a step in a path",
        '{"task_id":"t","expected_paths":[{"steps":[{"tool":"f","turns":1}]}]}',
        "did you mean 'turn'?",
    ),
    (
        "an unknown key of a tool",
        '{"task_id":"t","tools":[{"name":"f","parameters":{}}]}',
        "unknown key 'parameters' at $.tools[0]",
    ),
    ("an unknown key like none", '{"task_id":"t","zzz":1}', "known keys: task_id, model"),
    ("no task", '{"input":"Hi"}', "missing required key `task_id`"),
    ("an empty task", '{"task_id":""}', "'task_id' is empty"),
    ("a number for a task", '{"task_id":7}', "Expected `str`, got `int` - at `$.task_id`"),
    (
        "a null call list is no list",
        '{"task_id":"t","actual_invocations":[null]}',
        "Expected `object`, got `null` - at `$.actual_invocations[0]`",
    ),
    (
        "a wrong type in the depth",
        '{"task_id":"t","actual_invocations":[{"tool":"f","turn":"1"}]}',
        "at `$.actual_invocations[0].turn`",
    ),
    ("an unknown decision", '{"task_id":"t","expected_call":"perhaps"}', "Invalid enum value 'perhaps'"),
    (
        "both ways to tell the request",
        '{"task_id":"t","input":"Hi","messages":[{"role":"user","content":"Hi"}]}',
        "keep one",
    ),
    ("a duplicate key", '{"task_id":"t","input":"a","input":"b"}', "duplicate key 'input'"),
    (
        "a duplicate argument",
        '{"task_id":"t","actual_invocations":[{"tool":"f","args":{"x":1,"x":2}}]}',
        "duplicate key 'x'",
    ),
    ("a duplicate hidden by an escape", '{"task_id":"t","metadata":{"a":"\\u003a","b":1,"b":2}}', "duplicate key 'b'"),
    ("a truncated record", '{"task_id":"t","inp', "not JSON: Input data was truncated"),
    ("a trailing comma", '{"task_id":"t",}', "not JSON: "),
    ("a number beyond floats", '{"task_id":"t","cost_usd":1e999}', "Number out of range"),
    ("a lone surrogate", '{"task_id":"t","input":"\\ud800"}', "not JSON: "),
    ("bytes that are no text", b'{"task_id":"\xff"}', "not JSON: "),
    ("nesting without end", b'{"task_id":"t","metadata":{"a":' + b"[" * 100_000, "nested too deeply"),
    ("an array", "[1]", "Expected `object`, got `array`"),
]


@pytest.mark.parametrize(("text", "message"), [pytest.param(t, m, id=i) for i, t, m in REFUSED])
def test_what_is_refused(text: str | bytes, message: str) -> None:
    record = case(text)
    assert record.problem is not None
    assert message in record.problem
    assert "\n" not in record.problem
    assert record.source == "c.jsonl:3"


def test_a_bad_record_keeps_its_task_where_it_can_be_read() -> None:
    assert case('{"task_id":"t","zzz":1}').task_id == "t"


TAKEN: list[tuple[str, str]] = [
    ("anything under metadata", '{"task_id":"t","metadata":{"task_id":{"deep":[1,{"x":null}]}}}'),
    ("a colon in a text", '{"task_id":"a:b","input":"12:30 \\u003a"}'),
    ("keys that state a default", '{"task_id":"t","tags":[],"metadata":{},"exact":false}'),
    ("arguments as the raw text", '{"task_id":"t","actual_invocations":[{"tool":"f","args":"{\\"x\\": "}]}'),
    ("a recorded null result", '{"task_id":"t","actual_invocations":[{"tool":"f","result":null}]}'),
    ("equal keys in different objects", '{"task_id":"t","metadata":{"a":{"x":1},"b":{"x":1}}}'),
]


@pytest.mark.parametrize("text", [pytest.param(t, id=i) for i, t in TAKEN])
def test_what_is_taken(text: str) -> None:
    assert case(text).problem is None


KNOWN: list[tuple[str, JsonValue, bool]] = [
    ("calls", {"task_id": "t", "actual_invocations": []}, True),
    ("an expectation", {"task_id": "t", "expected_call": "forbidden"}, True),
    ("only a task, as other logs have", {"task_id": "t", "messages": []}, False),
    ("no object", [1], False),
]


@pytest.mark.parametrize(("value", "wanted"), [pytest.param(v, w, id=i) for i, v, w in KNOWN])
def test_recognises(value: JsonValue, wanted: bool) -> None:
    assert recognises(value) is wanted
