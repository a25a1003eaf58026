"""OpenAI chat logs: every way people keep them becomes the same case; what is broken says where."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec
import pytest

from cases.case import Case, Invocation, Message, Pathway, Tool
from cases.formats.openai_chat import read
from cases.formats.record import InputFile, Record
from cases.jsonvalue import JsonObject, JsonValue

MakeFile = Callable[[str, bytes], InputFile]

USER: JsonObject = {"role": "user", "content": "Weather in Oslo?"}
DONE: JsonObject = {"role": "assistant", "content": "Rain."}


def call(name: str, arguments: JsonValue = "{}", call_id: str | None = None) -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(*calls: JsonValue, content: JsonValue = None) -> JsonObject:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(content: JsonValue, call_id: str | None = None, **more: JsonValue) -> JsonObject:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def completion(message: JsonValue, finish_reason: str = "stop", **more: JsonValue) -> JsonObject:
    choice: JsonObject = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {"id": "chatcmpl-1", "object": "chat.completion", "model": "gpt-x", "choices": [choice], **more}


WEATHER_CALL = call("weather", '{"city": "Oslo"}', "c1")
HISTORY: list[JsonValue] = [USER, asks(WEATHER_CALL), result('{"sky": "rain"}', "c1")]
WEATHER = Invocation(tool="weather", args='{"city": "Oslo"}', turn=1, id="c1", result={"sky": "rain"})


@pytest.fixture
def read_log(memory_file: MakeFile) -> Callable[..., list[Record]]:
    def read_text(value: JsonValue, name: str = "log.json") -> list[Record]:
        text = value if isinstance(value, str) else json.dumps(value, indent=1)
        return list(read(memory_file(name, text.encode())))

    return read_text


ReadLog = Callable[..., list[Record]]


def only_case(records: list[Record]) -> Case:
    (record,) = records
    assert record.case is not None, record.problem
    return record.case


class Shape(msgspec.Struct, frozen=True):
    id: str
    value: JsonValue


REQUEST: JsonObject = {"model": "gpt-x", "messages": HISTORY}
SHAPES = [
    Shape("a list of messages", [*HISTORY, DONE]),
    Shape("an object with messages", {"messages": [*HISTORY, DONE]}),
    Shape("messages as JSON text", {"messages": json.dumps([*HISTORY, DONE])}),
    Shape("request and response", {"request": REQUEST, "response": completion(DONE)}),
    Shape("bodies as JSON text", {"request": json.dumps(REQUEST), "response": json.dumps(completion(DONE))}),
    Shape("bodies in HTTP wrappers", {"request": {"body": REQUEST}, "response": {"body": completion(DONE)}}),
    Shape(
        "cassette bodies",
        {"request": {"body": json.dumps(REQUEST)}, "response": {"body": {"string": completion(DONE)}}},
    ),
    Shape("messages beside a response", {**REQUEST, "response": completion(DONE)}),
    Shape("messages beside a completion", {**REQUEST, "completion": completion(DONE)}),
    Shape("messages beside choices", {**REQUEST, "choices": completion(DONE)["choices"]}),
    Shape("a response that is the bare message", {**REQUEST, "response": DONE}),
    Shape(
        "a batch input line with its output",
        {"custom_id": "t", "body": REQUEST, "response": {"status_code": 200, "body": completion(DONE)}},
    ),
    Shape(
        "pairs that repeat the history",
        [
            {"request": {"messages": [USER]}, "response": completion(asks(WEATHER_CALL), "tool_calls")},
            {"request": REQUEST, "response": completion(DONE)},
        ],
    ),
    Shape(
        "a pair sent again after a failure",
        [
            {"request": REQUEST, "response": {"error": {"message": "overloaded"}}},
            {"request": REQUEST, "response": completion(DONE)},
        ],
    ),
    Shape("a list of lists", [[*HISTORY, DONE]]),
]


@pytest.mark.parametrize("shape", [pytest.param(s, id=s.id) for s in SHAPES])
def test_shapes(read_log: ReadLog, shape: Shape) -> None:
    case = only_case(read_log(shape.value))
    assert case.messages == (Message(role="user", content="Weather in Oslo?"),)
    assert case.actual_invocations == (WEATHER,)
    assert case.final_answer == "Rain."
    assert case.infrastructure_error is None


def test_json_lines_are_one_case_each(read_log: ReadLog) -> None:
    lines: list[JsonValue] = [[USER, DONE], {"messages": [USER]}, completion(DONE)]
    records = read_log("\n".join(json.dumps(line) for line in lines), "log.jsonl")
    assert [(r.source, r.case and r.case.task_id) for r in records] == [
        ("log.jsonl:1", "log.jsonl:1"),
        ("log.jsonl:2", "log.jsonl:2"),
        ("log.jsonl:3", "chatcmpl-1"),
    ]


def test_pairs_of_two_conversations_stay_apart(read_log: ReadLog) -> None:
    other: JsonObject = {"role": "user", "content": "Hi"}
    pairs: list[JsonValue] = [
        {"request": {"messages": [USER]}, "response": completion(asks(WEATHER_CALL))},
        {"request": {"messages": [other]}, "response": completion(DONE)},
        {"request": {"messages": HISTORY}, "response": completion(DONE)},
    ]
    first, second = read_log(pairs)
    assert first.case is not None
    assert first.case.actual_invocations == (WEATHER,)
    assert second.source == "log.json#/1"


def test_the_same_question_twice_is_two_attempts(read_log: ReadLog) -> None:
    pair: JsonObject = {"request": {"messages": [USER]}, "response": completion(DONE)}
    assert len(read_log([pair, pair])) == 2


class Pairing(msgspec.Struct, frozen=True):
    id: str
    messages: list[JsonValue]
    results: list[JsonValue | msgspec.UnsetType]


PAIRINGS = [
    Pairing(
        "by id, whatever the order",
        [asks(call("f", call_id="a"), call("g", call_id="b")), result("2", "b"), result("1", "a")],
        [1, 2],
    ),
    Pairing("by order where ids are missing", [asks(call("f"), call("g")), result("1"), result("2")], [1, 2]),
    Pairing(
        "by order where one id repeats in a message",
        [asks(call("f", call_id="a"), call("g", call_id="a")), result("1", "a"), result("2", "a")],
        [1, 2],
    ),
    Pairing(
        "an id used again belongs to the later call",
        [asks(call("f", call_id="a")), result("1", "a"), asks(call("f", call_id="a")), result("2", "a")],
        [1, 2],
    ),
    Pairing(
        "a foreign id does not take another's place",
        [asks(call("f", call_id="a"), call("g", call_id="b")), result("2", "x"), result("1", "a")],
        [1, 2],
    ),
    Pairing("by name before order", [asks(call("f"), call("g")), result("2", name="g"), result("1", name="f")], [1, 2]),
    Pairing(
        "calls of two messages in a row",
        [asks(call("f", call_id="a")), asks(call("g", call_id="b")), result("1", "a"), result("2", "b")],
        [1, 2],
    ),
    Pairing(
        "a result that comes after a remark",
        [asks(call("f", call_id="a"), call("g", call_id="b")), result("1", "a"), DONE, result("2", "b")],
        [1, 2],
    ),
    Pairing(
        "no result is unset", [asks(call("f", call_id="a")), USER, asks(call("g")), result("2")], [msgspec.UNSET, 2]
    ),
    Pairing(
        "legacy function results go by name",
        [
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
            {"role": "function", "name": "f", "content": "1"},
        ],
        [1],
    ),
]


@pytest.mark.parametrize("pairing", [pytest.param(p, id=p.id) for p in PAIRINGS])
def test_results_find_their_calls(read_log: ReadLog, pairing: Pairing) -> None:
    case = only_case(read_log([USER, *pairing.messages]))
    assert [c.result for c in case.actual_invocations or ()] == pairing.results


def test_a_result_that_no_call_awaits_stays_as_context(read_log: ReadLog) -> None:
    case = only_case(read_log([USER, result('{"a": 1}', "x"), DONE]))
    assert case.messages[1] == Message(role="context", content='{"a":1}', turn=0)


ANSWERS: list[tuple[str, JsonObject, JsonValue | msgspec.UnsetType, str | None]] = [
    ("JSON is parsed", result('{"a": 1}'), {"a": 1}, None),
    ("text stays text", result("sunny"), "sunny", None),
    ("text that begins like JSON stays text", result("[sic] 007"), "[sic] 007", None),
    ("an empty text is a result", result(""), "", None),
    ("null is a recorded null", result(None), None, None),
    ("an object is taken as it is", result({"a": 1}), {"a": 1}, None),
    ("text parts are joined", result([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "a\nb", None),
    ("duplicate keys stay visible", result('{"a": 1, "a": 2}'), '{"a": 1, "a": 2}', None),
    ("no content is no result", {"role": "tool", "tool_call_id": "a"}, msgspec.UNSET, None),
    ("Error: is an error", result("Error: no such user"), msgspec.UNSET, "Error: no such user"),
    ("an exception is an error", result("ValueError: x"), msgspec.UNSET, "ValueError: x"),
    ("a text about errors is not", result("Errors found: none"), "Errors found: none", None),
    ("an error key", result('{"error": "gone"}'), msgspec.UNSET, "gone"),
    (
        "an error key keeps what stands beside it",
        result('{"error": "gone", "id": 7}'),
        msgspec.UNSET,
        '{"error":"gone","id":7}',
    ),
    ("error null is none", result('{"error": null, "a": 1}'), {"error": None, "a": 1}, None),
    ("a measured error is none", result('{"error": 0.02}'), {"error": 0.02}, None),
    ("the message's flag", result("gone", is_error=True), msgspec.UNSET, "gone"),
    ("the message's status", result("gone", status="error"), msgspec.UNSET, "gone"),
    ("the result's status", result('{"status": "error"}'), msgspec.UNSET, '{"status":"error"}'),
]


@pytest.mark.parametrize(("message", "wanted", "error"), [pytest.param(m, w, e, id=i) for i, m, w, e in ANSWERS])
def test_what_a_tool_answers(
    read_log: ReadLog, message: JsonObject, wanted: JsonValue | msgspec.UnsetType, error: str | None
) -> None:
    case = only_case(read_log([USER, asks(call("f", call_id="a")), message]))
    assert [(c.result, c.error) for c in case.actual_invocations or ()] == [(wanted, error)]


ARGUMENTS: list[tuple[str, JsonValue, JsonObject | str]] = [
    ("text is passed through raw", call("f", '{"a":'), '{"a":'),
    ("an object is taken as it is", call("f", {"a": 1}), {"a": 1}),
    ("null is no text", call("f", None), ""),
    ("an array is kept as its text", call("f", [1]), "[1]"),
    ("a flat call is read", {"name": "f", "arguments": "{}"}, "{}"),
    (
        "a custom tool's text is its one argument",
        {"type": "custom", "custom": {"name": "f", "input": "SELECT"}},
        {"input": "SELECT"},
    ),
]


@pytest.mark.parametrize(("emitted", "args"), [pytest.param(c, a, id=i) for i, c, a in ARGUMENTS])
def test_arguments_are_not_judged(read_log: ReadLog, emitted: JsonValue, args: JsonObject | str) -> None:
    case = only_case(read_log([USER, asks(emitted)]))
    assert case.actual_invocations == (Invocation(tool="f", args=args, turn=1),)


def test_turns_texts_and_roles(read_log: ReadLog) -> None:
    parts: JsonValue = [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": "x"}}]
    case = only_case(
        read_log(
            [
                {"role": "developer", "content": "Be brief."},
                {"role": "user", "content": parts},
                asks(call("f", call_id="a"), call("g", call_id="b"), content="One moment."),
                result("1", "a"),
                result("2", "b"),
                {"role": "assistant", "content": None, "refusal": "I cannot."},
            ]
        )
    )
    assert case.messages == (
        Message(role="system", content="Be brief.", turn=0),
        Message(role="user", content="Look\n[image_url]", turn=1),
        Message(role="assistant", content="One moment.", turn=2),
    )
    assert [c.turn for c in case.actual_invocations or ()] == [2, 2]
    assert case.final_answer == "I cannot."


OPEN_ENDS: list[tuple[str, list[JsonValue], int | None, str | None]] = [
    ("nobody has answered", [USER], None, None),
    ("answered without a call", [USER, DONE], 0, "Rain."),
    ("the user has the last word", [USER, DONE, USER], 0, None),
    ("a call has the last word", [USER, asks(WEATHER_CALL)], 1, None),
    ("a result has the last word", HISTORY, 1, None),
]


@pytest.mark.parametrize(("messages", "n_calls", "answer"), [pytest.param(m, n, a, id=i) for i, m, n, a in OPEN_ENDS])
def test_open_ends(read_log: ReadLog, messages: list[JsonValue], n_calls: int | None, answer: str | None) -> None:
    case = only_case(read_log(messages))
    calls = case.actual_invocations
    assert (None if calls is None else len(calls), case.final_answer) == (n_calls, answer)


FAILURES: list[tuple[str, JsonValue, str]] = [
    ("an error body", {"error": {"message": "quota\x1b"}}, "the endpoint failed: quota\\u001b"),
    ("the token limit", completion(DONE, "length"), "the answer was cut off (finish_reason 'length')"),
    ("a content filter", completion(DONE, "content_filter"), "the answer was cut off (finish_reason 'content_filter')"),
    ("no choices", {"choices": []}, "the response has no message"),
    (
        "a stream that broke",
        'data: {"choices":[{"index":0,"delta":{"content":"R"}}]}\n\n',
        "the endpoint failed: the stream ended before the answer did",
    ),
]


@pytest.mark.parametrize(("response", "error"), [pytest.param(r, e, id=i) for i, r, e in FAILURES])
def test_an_attempt_without_its_answer_is_not_the_agents_failure(
    read_log: ReadLog, response: JsonValue, error: str
) -> None:
    assert only_case(read_log({"request": REQUEST, "response": response})).infrastructure_error == error


def test_a_call_that_the_endpoint_refused_is_a_call(read_log: ReadLog) -> None:
    generated = '{"name": "weather", "arguments": {"city": 5'
    error: JsonObject = {"code": "tool_use_failed", "message": "bad call", "failed_generation": generated}
    case = only_case(read_log({"request": {"messages": [USER]}, "response": {"error": error}}))
    assert case.actual_invocations == (
        Invocation(tool="", args=generated, turn=1, parse_error="the endpoint refused it: bad call"),
    )
    assert (case.final_answer, case.infrastructure_error) == (None, None)


def test_streams_are_put_together(read_log: ReadLog) -> None:
    deltas: list[JsonObject] = [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}],
        },
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"x"'}}]},
        {"tool_calls": [{"index": 1, "id": "b", "function": {"name": "g", "arguments": None}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]},
        {"tool_calls": [{"index": 1, "id": "c", "function": {"name": "h", "arguments": "{}"}}]},
        {"content": "Wa"},
        {"content": "it."},
    ]
    events = [{"model": "gpt-x-1", "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    usage: JsonObject = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
    stream = "".join(f"data: {json.dumps(event)}\r\n\r\n" for event in [*events, usage]) + "data: [DONE]\r\n\r\n"
    case = only_case(read_log({"request": {"messages": [USER]}, "response": stream}))
    assert [(c.tool, c.args, c.id) for c in case.actual_invocations or ()] == [
        ("f", '{"x": 1}', "a"),
        ("g", "", "b"),
        ("h", "{}", "c"),
    ]
    assert case.messages[-1].content == "Wait."
    assert (case.model, case.n_input_tokens, case.n_output_tokens) == ("gpt-x-1", 7, 3)


def test_labels_name_the_case_and_secrets_stay_out(read_log: ReadLog) -> None:
    case = only_case(
        read_log(
            {
                "messages": [USER],
                "custom_id": "t-1",
                "model": "gpt-x",
                "api_key": "sk-1",
                "region": "eu",
                "headers": {"authorization": "Bearer x"},
                "note": "x" * 500,
                "metadata": {"trial": 2, "session_id": "s", "trace_id": "tr", "auth_header": "x", "author": "me"},
            }
        )
    )
    assert (case.case_id, case.conversation_id, case.trace_id) == ("t-1@gpt-x#2", "s", "tr")
    assert case.metadata == {"region": "eu", "author": "me"}


def test_tokens_of_all_replies_count(read_log: ReadLog) -> None:
    usage: JsonObject = {"prompt_tokens": 10, "completion_tokens": 2}
    pairs: list[JsonValue] = [
        {"request": {"messages": [USER]}, "response": completion(asks(WEATHER_CALL), usage=usage)},
        {"request": {"messages": HISTORY}, "response": completion(DONE, usage=usage)},
    ]
    case = only_case(read_log(pairs))
    assert (case.n_input_tokens, case.n_output_tokens) == (20, 4)


def tools(*names: str, strict: bool = False) -> list[JsonValue]:
    return [{"type": "function", "function": {"name": name, "strict": strict}} for name in names]


PATHWAYS: list[tuple[str, JsonObject, Pathway]] = [
    ("no tools recorded", {}, "unknown"),
    ("the called tool is strict", {"tools": [*tools("weather", strict=True), *tools("other")]}, "constrained"),
    ("the called tool is not", {"tools": [*tools("weather"), *tools("other", strict=True)]}, "free_form"),
    ("legacy functions know no strict", {"functions": [{"name": "weather"}]}, "free_form"),
]


@pytest.mark.parametrize(("extra", "pathway"), [pytest.param(e, p, id=i) for i, e, p in PATHWAYS])
def test_pathway(read_log: ReadLog, extra: JsonObject, pathway: Pathway) -> None:
    assert only_case(read_log({**REQUEST, **extra})).pathway == pathway


def test_lines_with_the_same_catalog_share_its_tools(read_log: ReadLog) -> None:
    line = json.dumps({"messages": [USER], "tools": tools("a", "b")})
    first, second = read_log(f"{line}\n{line}\n", "log.jsonl")
    assert first.case is not None
    assert second.case is not None
    assert first.case.tools is second.case.tools
    assert first.case.tools == (Tool(name="a"), Tool(name="b"))


def test_a_tool_that_came_later_is_available_from_then(read_log: ReadLog) -> None:
    pairs: list[JsonValue] = [
        {"request": {"messages": [USER], "tools": tools("a")}, "response": completion(asks(WEATHER_CALL))},
        {"request": {"messages": HISTORY, "tools": tools("a", "b")}, "response": completion(DONE)},
    ]
    assert only_case(read_log(pairs)).tools == (Tool(name="a"), Tool(name="b", available_from=2))


PROBLEMS: list[tuple[str, str, str]] = [
    ("no chat log", '{"a": 1}', "the document: no 'messages', no 'request'"),
    ("a number", "5", "the document: 5 where an object belongs"),
    ("a message that is none", '[{"role": "user", "content": "x"}, 7]', "/1: 7 where a chat message belongs"),
    ("an unknown role", '[{"role": "critic"}]', "/0/role: 'critic' where a role belongs; known roles: system"),
    ("content that is none", '{"messages": [{"role": "user", "content": 5}]}', "/messages/0/content: 5 where a text"),
    ("calls that are no array", '[{"role": "assistant", "tool_calls": "f"}]', "/0/tool_calls: 'f' where an array"),
    (
        "a name that is none",
        '[{"role": "assistant", "tool_calls": [{"function": {"name": 1}}]}]',
        "/0/tool_calls/0/name: 1",
    ),
    ("a bad tool", '{"messages": [], "tools": [3]}', "/tools/0: 3 where a tool definition belongs"),
    ("a response that is HTML", '{"messages": [], "response": "<html>"}', "/response: not JSON: "),
    (
        "a duplicate key",
        '{"messages": [{"role": "user", "content": "a", "content": "b"}]}',
        "/messages: duplicate key 'content'",
    ),
    ("a lone surrogate", '[{"role": "user", "content": "\\ud800"}]', "the document: not JSON: "),
    ("truncated", '[{"role": "user", "content": "x"', "the document: not JSON: "),
    (
        "too deep",
        '[{"role": "user", "content": ' + "[" * 5000 + "]" * 5000 + "}]",
        "the document: not JSON: nested too deeply",
    ),
]


@pytest.mark.parametrize(("text", "problem"), [pytest.param(t, p, id=i) for i, t, p in PROBLEMS])
def test_what_is_broken_says_where(read_log: ReadLog, text: str, problem: str) -> None:
    (record,) = read_log(text)
    assert record.case is None
    assert (record.problem or "").startswith(problem)


def test_a_bad_line_leaves_the_others(read_log: ReadLog) -> None:
    records = read_log('[{"role": "user", "content": "x"}]\n{"messages": 5}\n{nonsense\n', "log.jsonl")
    assert [(r.source, r.case is None) for r in records] == [
        ("log.jsonl:1", False),
        ("log.jsonl:2", True),
        ("log.jsonl:3", True),
    ]


def test_a_bad_record_still_names_its_task(read_log: ReadLog) -> None:
    (record,) = read_log({"metadata": {"task_id": "t-1"}, "messages": [5]})
    assert (record.task_id, record.problem) == ("t-1", "/messages/0: 5 where a chat message belongs")
