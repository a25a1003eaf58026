"""The parse gate: argument texts become objects, or a reason. Nothing is evaluated, nothing hangs."""

from __future__ import annotations

import ast
import json
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.case import Case, Invocation
from cases.jsonvalue import DEPTH_LIMIT, JsonObject, JsonValue
from cases.pythoncalls import Unparsable, looks_like_call, parse_python_calls
from deterministic.parsing import as_arguments, parse_arguments, parse_calls

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
NESTED_100_000 = 100_000


def reason_of(parsed: JsonObject | Unparsable | tuple[tuple[str, JsonObject], ...]) -> str:
    assert isinstance(parsed, Unparsable)
    return parsed.reason


@pytest.mark.parametrize(
    ("text", "args"),
    [
        pytest.param('{"a": 1}', {"a": 1}, id="a JSON object"),
        pytest.param("", {}, id="an empty text is a call without arguments"),
        pytest.param(" \n", {}, id="so is white space"),
        pytest.param("{}", {}, id="so is an empty object"),
        pytest.param("f()", {}, id="so is a Python call without arguments"),
        pytest.param('f(a=1, b="x")', {"a": 1, "b": "x"}, id="a Python call"),
        pytest.param("[f(a=1)]", {"a": 1}, id="a Python call in a list"),
        pytest.param("f(\n  a=1,\n)", {"a": 1}, id="over several lines"),
        pytest.param("f(1, 'x', c=2)", {"0": 1, "1": "x", "c": 2}, id="positional arguments are numbered"),
        pytest.param(
            "f(a={'k': [1, (2.5, None)], 'b': True}, c=-3)",
            {"a": {"k": [1, [2.5, None]], "b": True}, "c": -3},
            id="nested literals; a tuple is an array",
        ),
        pytest.param(r"f(a='\d')", {"a": "\\d"}, id="an invalid escape warns nobody"),
        pytest.param('{"a": 9007199254740993}', {"a": 2**53 + 1}, id="integers stay exact beyond 2**53"),
        pytest.param('{"a": 1e308}', {"a": 1e308}, id="the largest doubles are numbers"),
        pytest.param('{"a": "\\ud83d\\ude00"}', {"a": "😀"}, id="a pair of surrogates is one character"),
        pytest.param(
            '{"name": "f", "arguments": {}, "x": 1}', {"name": "f", "arguments": {}, "x": 1}, id="no envelope"
        ),
        pytest.param('{"name": "g", "arguments": {}}', {"name": "g", "arguments": {}}, id="arguments that name a tool"),
        pytest.param('{"name": "f", "arguments": 3}', {"name": "f", "arguments": 3}, id="arguments that are a number"),
    ],
)
def test_arguments_that_parse(text: str, args: JsonObject) -> None:
    assert parse_arguments(text, "f") == args


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param('{"a": 1', "Input data was truncated", id="cut off"),
        pytest.param('{"a": 1}}', "JSON is malformed: trailing characters", id="one brace too many"),
        pytest.param("{'a': 1}", "JSON is malformed: object keys must be strings", id="a Python dict"),
        pytest.param('\ufeff{"a": 1}', "JSON is malformed: invalid character", id="a byte order mark"),
        pytest.param('```json\n{"a": 1}\n```', "JSON is malformed: invalid character", id="a code fence"),
        pytest.param("null", "null where an arguments object belongs", id="null"),
        pytest.param("[1]", "an array where an arguments object belongs", id="an array"),
        pytest.param("3", "a number where an arguments object belongs", id="a number"),
        pytest.param("true", "a boolean where an arguments object belongs", id="a boolean"),
        pytest.param('"{}"', "a text where an arguments object belongs", id="JSON within JSON"),
        pytest.param('{"a": NaN}', "NaN is no JSON number", id="NaN"),
        pytest.param('{"a": Infinity}', "Infinity is no JSON number", id="Infinity"),
        pytest.param('{"a": -Infinity}', "-Infinity is no JSON number", id="minus Infinity"),
        pytest.param('{"a": 1e400}', "Number out of range - at `$[...]`", id="beyond a double"),
        pytest.param(
            '{"a": 1' + "0" * 309 + "}",
            "an integer of 310 digits, beyond the range of a double",
            id="an integer beyond a double",
        ),
        pytest.param(
            '{"a": -1' + "0" * 309 + "}",
            "an integer of 310 digits, beyond the range of a double",
            id="a negative integer beyond a double",
        ),
        pytest.param('{"a": ' + "9" * 6_000 + "}", "Integer value out of range - at `$[...]`", id="6,000 digits"),
        pytest.param('{"a": 1, "a": 1}', "duplicate key 'a'", id="a key twice with one value"),
        pytest.param('{"b": [{"a": 1, "a": 2}]}', "duplicate key 'a'", id="a key twice, deep inside"),
        pytest.param('{"a": 1, "\\u0061": 2}', "duplicate key 'a'", id="a key twice, once escaped"),
        pytest.param('{"a": "\\ud800"}', "a lone surrogate, which is half a character", id="a lone surrogate"),
        pytest.param('{"\\uDFFF": 1}', "a lone surrogate, which is half a character", id="a lone surrogate in a key"),
        pytest.param('{"a": "\ud800"}', "a lone surrogate, which is half a character", id="a raw lone surrogate"),
        pytest.param(
            '{"tool": "f", "args": {"a": 1}}',
            "a call envelope {'tool', 'args'} stands where the arguments belong",
            id="an envelope",
        ),
        pytest.param(
            '{"id": "c1", "name": "f", "arguments": "{}"}',
            "a call envelope {'name', 'arguments'} stands where the arguments belong",
            id="an envelope with id and a text inside",
        ),
        pytest.param(
            '{"type": "tool_use", "name": "f", "input": {}}',
            "a call envelope {'name', 'input'} stands where the arguments belong",
            id="another vendor's envelope",
        ),
        pytest.param("g(a=1)", "the text calls g instead of naming arguments", id="a call of another tool"),
        pytest.param("f(a=1), f(a=2)", "the text calls f, f instead of naming arguments", id="two calls"),
    ],
)
def test_arguments_that_do_not_parse(text: str, reason: str) -> None:
    assert reason_of(parse_arguments(text, "f")) == reason


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        pytest.param("f(a=1, a=2)", "duplicate key 'a'", id="a keyword twice"),
        pytest.param("f(a={'x': 1, 'x': 2})", "duplicate key 'x'", id="a key twice"),
        pytest.param("f(**{'a': 1})", "** in a call", id="unpacked keywords"),
        pytest.param("f(*[1])", "a Starred where a literal belongs", id="unpacked positions"),
        pytest.param("f(a={**{}})", "a key that is no text", id="an unpacked dict"),
        pytest.param("f(a={1: 2})", "a key that is no text", id="a number as key"),
        pytest.param("f(a={[]: 1})", "a key that is no text", id="an unhashable key"),
        pytest.param("f(a=f'{1}')", "a JoinedStr where a literal belongs", id="an f-string"),
        pytest.param("f(a=lambda: 1)", "a Lambda where a literal belongs", id="a lambda"),
        pytest.param("f(a=g(1))", "a Call where a literal belongs", id="a call as argument"),
        pytest.param("f(a=x.y)", "a Attribute where a literal belongs", id="an attribute"),
        pytest.param("f(a=x)", "a Name where a literal belongs", id="a name"),
        pytest.param("f(a=true)", "a Name where a literal belongs", id="JSON's true, which Python lacks"),
        pytest.param("f(a=[x for x in y])", "a ListComp where a literal belongs", id="a comprehension"),
        pytest.param("f(a=1+2)", "a BinOp where a literal belongs", id="a sum"),
        pytest.param("f(a=--1)", "a UnaryOp where a literal belongs", id="a double minus"),
        pytest.param("f(a=-True)", "a UnaryOp where a literal belongs", id="minus true"),
        pytest.param("f(a=not 1)", "a UnaryOp where a literal belongs", id="not"),
        pytest.param("f(a={1, 2})", "a Set where a literal belongs", id="a set"),
        pytest.param("f(a=b'x')", "a bytes has no JSON form", id="bytes"),
        pytest.param("f(a=2j)", "a complex has no JSON form", id="a complex number"),
        pytest.param("f(a=...)", "a ellipsis has no JSON form", id="an ellipsis"),
        pytest.param("f(a=1e400)", "inf is no JSON number", id="beyond a double"),
        pytest.param(
            "f(a=1" + "0" * 400 + ")",
            "an integer of 401 digits, beyond the range of a double",
            id="an integer beyond a double",
        ),
        pytest.param("f(a=0x" + "f" * 6_000 + ")", "Exceeds the limit", id="an integer too long to print"),
        pytest.param("f(a=1); import os", "invalid syntax", id="a statement behind it"),
        pytest.param("(f)(a=1).g(b=2)", "the called thing has no name", id="a method of a result"),
        pytest.param("f()()", "the called thing has no name", id="a result that is called"),
        pytest.param("f[0](a=1)", "the called thing has no name", id="an item that is called"),
        pytest.param("f", "a Name where a call belongs", id="a name without a call"),
        pytest.param("f(a='\0')", "source code string cannot contain null bytes", id="a null byte"),
        pytest.param("", "invalid syntax", id="nothing"),
    ],
)
def test_python_texts_that_are_no_calls(expression: str, reason: str) -> None:
    assert reason_of(parse_python_calls(expression)) == f"not a list of Python calls: {reason}"


@pytest.mark.parametrize("text", ["f(a='\\ud800')", "f(a='\ud800')", "f(a={'\\udfff': 1})"])
def test_a_python_text_with_half_a_character(text: str) -> None:
    assert reason_of(parse_python_calls(text)) == "a lone surrogate, which is half a character"


def test_a_very_long_call_text_is_not_compiled() -> None:
    assert (
        reason_of(parse_python_calls("f(" + "1," * 50_000 + ")")) == "a call text of 100003 characters (limit 100000)"
    )


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        pytest.param("[f(a=1), g.h(b='x')]", (("f", {"a": 1}), ("g.h", {"b": "x"})), id="a list with a dotted name"),
        pytest.param("f(a=1), f(a=2)", (("f", {"a": 1}), ("f", {"a": 2})), id="without brackets"),
        pytest.param("[]", (), id="no call"),
    ],
)
def test_python_calls(text: str, calls: tuple[tuple[str, JsonObject], ...]) -> None:
    assert parse_python_calls(text) == calls


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('touch {mark}')",
        "f(a=__import__('os').system('touch {mark}'))",
        "f(a=[open('{mark}', 'w') for _ in [1]])",
        "f(a=(lambda: open('{mark}', 'w'))())",
        "f(a=f\"{{open('{mark}', 'w')}}\")",
        "f.__class__.__base__.__subclasses__()(open('{mark}', 'w'))",
        "f(a:=open('{mark}', 'w'))",
    ],
)
def test_nothing_is_ever_evaluated(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    mark = tmp_path_factory.mktemp("evaluated") / "mark"
    hostile = text.format(mark=mark)
    eval(f"lambda: {hostile}")  # noqa: S307  # builds a function and does not call it: the attack is valid Python
    assert isinstance(parse_python_calls(hostile), Unparsable)
    assert isinstance(parse_arguments(hostile, "f"), Unparsable)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("text", "is_call"),
    [
        ("f(", True),
        (" [ns.f (a=1)]", True),
        ("_f(1)", True),
        ("I can call f(a=1).", False),
        ('{"a": 1}', False),
        ("(f)(1)", False),
        ("é(1)", False),
        ("", False),
    ],
)
def test_what_begins_like_a_call(text: str, is_call: bool) -> None:
    assert looks_like_call(text) is is_call


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * NESTED_100_000, id="opening brackets"),
        pytest.param("[" * NESTED_100_000 + "]" * NESTED_100_000, id="closed again"),
        pytest.param('{"a":' * NESTED_100_000 + "1" + "}" * NESTED_100_000, id="objects"),
        pytest.param('{"a":' + "[" * 900 + "]" * 900 + "}", id="what decoders take and validators do not"),
        pytest.param('{"a":' + "[" * DEPTH_LIMIT + "]" * DEPTH_LIMIT + "}", id="one level too many"),
        pytest.param('{"a": "\\ud800", "b":' + "[" * 5_000, id="behind half a character"),
        pytest.param("f(a=" + "-" * 50_000 + "1)", id="signs in a Python call"),
        pytest.param("f(a=" + "1+" * 40_000 + "1)", id="sums in a Python call"),
        pytest.param("a" + ".b" * 40_000 + "()", id="attributes in a Python call"),
        pytest.param("f(a=" + "[" * DEPTH_LIMIT + "]" * DEPTH_LIMIT + ")", id="one level too many in a Python call"),
    ],
)
def test_deep_nesting_is_refused(text: str) -> None:
    assert reason_of(parse_arguments(text, "f")) == f"nested deeper than {DEPTH_LIMIT} levels"


def test_nesting_at_the_limit_is_fine() -> None:
    n = DEPTH_LIMIT - 1  # the object is the first level
    assert isinstance(parse_arguments('{"a":' + "[" * n + "]" * n + "}"), dict)


HOSTILE = """
from cases.pythoncalls import parse_python_calls
from deterministic.parsing import parse_arguments
for text in [
    "f(a=" + "(" * 90_000, "f(a=" + "not " * 24_000 + "1)", "f(a=" + "~" * 99_000 + "1)",
    "f(a=" + "lambda:" * 14_000 + "1)",
    "f(a=" + "1 if 1 else " * 8_000 + "1)", "f(a=" + "x**" * 30_000 + "1)", "f(a=" + "await " * 16_000 + "1)",
    "f(a=" + "f'{" * 30_000 + ")", "f(a=" + "[x for x in " * 8_000 + ")", "f" + "(1)" * 30_000, "f" + "[1]" * 30_000,
    "f(a=" + "'x' " * 24_000 + ")", "f(" + "1," * 49_000 + ")", "f(a=" + "{'a':" * 19_000 + ")", "f(a=9**9**9**9**9)",
    "f(a='x' * 10**12)", "f(a=" + "1 < " * 24_000 + "1)", "f(a=" + "x:=" * 30_000 + "1)",
]:
    parse_python_calls(text)
names = [str(n) for n in range(60_000)]
parse_arguments("{" + ",".join(f'"{n}":1' for n in [*names, names[-1]]) + "}")
"""


def test_hostile_texts_neither_hang_nor_crash() -> None:
    # A process of its own: a parser that overflows its C stack would take the test run with it. All take under 5 s.
    subprocess.run([sys.executable, "-c", HOSTILE], check=True, timeout=120)


@given(st.dictionaries(st.text(), JSON))
def test_every_json_object_parses_to_itself(args: JsonObject) -> None:
    assert parse_arguments(json.dumps(args)) == args


@given(st.dictionaries(st.from_regex(r"[a-z]{1,8}", fullmatch=True).map("k_{}".format), JSON))
def test_every_json_object_survives_as_a_python_call(args: JsonObject) -> None:
    text = f"ns.f({', '.join(f'{name}={value!r}' for name, value in args.items())})"
    ast.parse(text)
    assert parse_arguments(text, "ns.f") == args


@given(st.text())
def test_any_text_is_arguments_or_a_reason(text: str) -> None:
    parsed = parse_arguments(text, "f")
    assert isinstance(parsed, dict) or parsed.reason


def test_the_same_text_gives_the_same_reason() -> None:
    # Reasons stand in verdicts, which are byte-identical between runs: no memory address may leak into one.
    reasons = {reason_of(parse_arguments("f(a=lambda: 1)", "f")) for _ in range(20)}
    assert reasons == {"not a list of Python calls: a Lambda where a literal belongs"}


def case_of(*calls: Invocation) -> Case:
    return Case(task_id="t", actual_invocations=calls)


def test_a_case_without_argument_texts_is_the_same_case() -> None:
    case = case_of(Invocation(tool="f", args={"a": 1}), Invocation(tool="g"))
    assert parse_calls(case) == (case, {})
    assert parse_calls(case)[0] is case


def test_calls_are_parsed_each_on_its_own() -> None:
    calls = [
        Invocation(tool="f", args='{"a": 1}', id="keeps the rest"),
        Invocation(tool="f", args="{"),
        Invocation(tool="f", args="{}", parse_error="known by the recording"),
        Invocation(tool="f", args={"b": 2}),
    ]
    case, problems = parse_calls(case_of(*calls))
    assert case.actual_invocations is not None
    assert [call.args for call in case.actual_invocations] == [{"a": 1}, "{", "{}", {"b": 2}]
    assert case.actual_invocations[0].id == "keeps the rest"
    assert problems == {1: Unparsable("Input data was truncated"), 2: Unparsable("known by the recording")}


def test_a_parsed_object_that_is_too_deep_is_refused_as_well() -> None:
    args: JsonValue = {}
    for _ in range(DEPTH_LIMIT):
        args = {"a": args}
    assert isinstance(args, dict)
    case = case_of(Invocation(tool="f", args=args))
    assert parse_calls(case)[1] == {0: Unparsable(f"nested deeper than {DEPTH_LIMIT} levels")}
    assert msgspec.json.encode(parse_calls(case)[0]) == msgspec.json.encode(case)


def test_a_case_that_was_not_evaluated_has_no_problems() -> None:
    assert parse_calls(Case(task_id="t"))[1] == {}


def test_an_envelope_needs_a_known_tool() -> None:
    assert as_arguments({"name": "", "arguments": {}}) == {"name": "", "arguments": {}}
