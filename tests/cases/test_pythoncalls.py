from __future__ import annotations

import pytest

from cases.jsonvalue import JsonObject
from cases.pythoncalls import Unparsable, looks_like_call, parse_python_calls

PARSED: list[tuple[str, str, tuple[tuple[str, JsonObject], ...]]] = [
    ("one call", "f(a=1)", (("f", {"a": 1}),)),
    ("a list of dotted calls", '[f(), g.h(b="x")]', (("f", {}), ("g.h", {"b": "x"}))),
    ("positions name what has no name", "f('x', 2, c=None)", (("f", {"0": "x", "1": 2, "c": None}),)),
    (
        "literals of every kind",
        "f(a=-1.5, b=[(1, True)], c={'k': {}})",
        (("f", {"a": -1.5, "b": [[1, True]], "c": {"k": {}}}),),
    ),
    ("nothing", "[]", ()),
]
REFUSED = [
    ("a name where a value belongs", "f(a=b)"),
    ("a call where a value belongs", "f(a=g())"),
    ("no call", "[1]"),
    ("a nameless call", "f()()"),
    ("two stars", "f(**{'a': 1})"),
    ("half a call", "f(a=1"),
    ("infinity", "f(a=1e999)"),
    ("a number beyond a double", f"f(a=1{'0' * 400})"),
    ("a lone surrogate", "f(a='\\ud800')"),
    ("a lone surrogate in a key", "f(a={'\\udfff': 1})"),
    ("a key that is no text", "f(a={1: 2})"),
    ("a set", "f(a={1, 2})"),
    ("deep nesting", f"f(a={'[' * 5_000})"),
    ("a text beyond the limit", f"f(a='{'x' * 100_000}')"),
]


@pytest.mark.parametrize(("text", "calls"), [pytest.param(t, c, id=i) for i, t, c in PARSED])
def test_literal_calls_parse(text: str, calls: tuple[tuple[str, JsonObject], ...]) -> None:
    assert parse_python_calls(text) == calls


@pytest.mark.parametrize("text", [pytest.param(t, id=i) for i, t in REFUSED])
def test_all_else_is_refused_with_a_reason(text: str) -> None:
    refused = parse_python_calls(text)
    assert isinstance(refused, Unparsable)
    assert refused.reason


@pytest.mark.parametrize(("text", "is_call"), [("[f(", True), ("f.g(a=1)", True), ("[]", False), ("see f(x)", False)])
def test_a_call_is_told_by_its_beginning(text: str, is_call: bool) -> None:
    assert looks_like_call(text) is is_call
