from __future__ import annotations

import time

import pytest

from cases.jsonvalue import JsonValue
from deterministic.presets.bfcl_java import LITERAL_LIMIT, read_java
from deterministic.presets.bfcl_javascript import read_javascript

JAVA: list[tuple[str, str, str, JsonValue]] = [
    ("-12", "integer", "", -12),
    ("1.5", "integer", "", "1.5"),
    ("5L", "long", "", 5),
    ("5", "long", "", "5"),
    ("1.5f", "float", "", 1.5),
    ("1.5", "float", "", "1.5"),
    ("2e3", "double", "", 2000.0),
    ("true", "boolean", "", True),
    ("True", "boolean", "", "True"),
    ("a", "String", "", "a"),
    ("'a'", "char", "", "'a'"),
    ("new int[]{1, 2}", "Array", "integer", [1, 2]),
    ("new String[] { }", "Array", "String", []),
    ("{1, 2}", "Array", "integer", "{1, 2}"),
    ('new ArrayList<>(Arrays.asList("a", "b"))', "ArrayList", "String", ["a", "b"]),
    ("new ArrayList<Long>() {{ add(1L); add(2); }}", "ArrayList", "long", [1, "2"]),
    ("new ArrayList<>()", "ArrayList", "String", []),
    ("names", "ArrayList", "String", "names"),
    ('new HashMap<String, Object>() {{ put("a", 1); put("b", "x"); }}', "HashMap", "", {"a": 1, "b": "x"}),
    ('new HashMap<>() { { put("a", 2L); put("b", 1.5f); put("c", y); } }', "HashMap", "", {"a": 2, "b": 1.5, "c": "y"}),
    ("new HashMap<>()", "HashMap", "", {}),
    ("map", "HashMap", "", "map"),
]


@pytest.mark.parametrize(("text", "stated", "items", "value"), JAVA)
def test_java(text: str, stated: str, items: str, value: JsonValue) -> None:
    read = read_java(text, stated, items)
    assert (read, type(read)) == (value, type(value))


JAVASCRIPT: list[tuple[str, str, str, JsonValue]] = [
    ("'a'", "String", "", "a"),
    ("a", "String", "", "a"),
    ("12", "integer", "", 12),
    ("12n", "Bigint", "", 12),
    ("1.5", "float", "", 1.5),
    ("1e3", "float", "", "1e3"),
    ("false", "Boolean", "", False),
    ("[1, 2]", "array", "integer", [1, 2]),
    ("new Array('a', \"b\")", "array", "String", ["a", "b"]),
    ("[1, 'two', true, x]", "array", "", [1, "two", True, "x"]),
    ("[]", "array", "String", []),
    ("[[1, 2], [ 3 ]]", "array", "array", [[1, 2], [3]]),
    ("new Array([1], [2])", "array", "array", [[1], [2]]),
    ("items", "array", "String", "items"),
    ('{"a": 1, \'b\': "x", c: [1, 2]}', "dict", "", {"a": 1, "b": "x", "c": [1, 2]}),
    ("{}", "dict", "", {}),
    ("thing", "dict", "", "thing"),
]


@pytest.mark.parametrize(("text", "stated", "items", "value"), JAVASCRIPT)
def test_javascript(text: str, stated: str, items: str, value: JsonValue) -> None:
    read = read_javascript(text, stated, items)
    assert (read, type(read)) == (value, type(value))


HOSTILE = [
    "[[a]," + "[a]," * 900,
    "[" + " " * 3_900,
    "{" + "a:" * 1_900,
    "{a:" + "," * 3_900,
    'new HashMap<>(){put("' * 180,
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:8])
def test_a_hostile_literal_ends_soon(text: str) -> None:
    start = time.perf_counter()
    for stated in ("array", "dict"):
        read_javascript(text, stated)
    for stated in ("Array", "ArrayList", "HashMap"):
        read_java(text, stated)
    assert time.perf_counter() - start < 1.0


def test_a_long_literal_stays_a_text() -> None:
    text = "1" * (LITERAL_LIMIT + 1)
    assert read_java(text, "integer") == read_javascript(text, "integer") == text
