"""Every matcher: what it takes, what it does not take, and the broken forms that are the gold's fault."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cases.errors import ExpectationError
from cases.jsonvalue import JsonValue
from deterministic.equality import Comparison
from deterministic.matchers import MATCHERS, check_matchers
from deterministic.policy import LENIENT, STRICT

strict = Comparison(STRICT, MATCHERS)
lenient = Comparison(LENIENT, MATCHERS)

TAKEN: list[tuple[str, JsonValue, JsonValue]] = [
    ("anything", {"$any": True}, {"x": [1]}),
    ("null is anything", {"$any": True}, None),
    ("an object that looks like a matcher", {"$literal": {"$any": True}}, {"$any": True}),
    ("that object in an array, in any order", {"$literal": [{"$any": 1}, 2]}, [2, {"$any": 1}]),
    ("that object within another", {"$literal": {"a": {"$optional": 1}}}, {"a": {"$optional": 1}}),
    ("a plain literal", {"$literal": 3}, 3.0),
    ("the first of several", {"$one_of": [1, "x"]}, 1),
    ("the last of several", {"$one_of": [1, "x"]}, "x"),
    ("a choice that is a matcher", {"$one_of": [{"$regex": "a+"}, 3]}, "aaa"),
    ("an array as a choice", {"$one_of": [[1, 2]]}, [2, 1]),
    ("an optional value that was sent", {"$optional": 3}, 3),
    ("an optional key that was left out", {"a": 1, "b": {"$optional": 3}}, {"a": 1}),
    ("an optional key that was sent", {"a": 1, "b": {"$optional": 3}}, {"a": 1, "b": 3}),
    ("a key that must be absent and is", {"a": 1, "b": {"$absent": True}}, {"a": 1}),
    ("a whole match", {"$regex": "[A-Z]{2}\\d+"}, "AB12"),
    ("an alternative that is anchored as a whole", {"$regex": "a|bc"}, "bc"),
    ("the empty text", {"$regex": ""}, ""),
    ("case by flag", {"$regex": "(?i)abc"}, "ABC"),
    ("decimal fractions", {"$approx": 0.3}, 0.1 + 0.2),
    ("an integer for a double", {"$approx": 3.0}, 3),
    ("within the absolute tolerance", {"$approx": 10, "abs": 0.5}, 10.5),
    ("within the relative tolerance", {"$approx": -200, "rel": 0.01}, -202),
    ("the larger of both tolerances", {"$approx": 100, "abs": 5, "rel": 0.01}, 104),
    ("a day in another format", {"$date": "2024-05-20"}, "May 20th, 2024"),
    ("text in another case", {"$text": "New York"}, " new  YORK "),
    ("an array in order", {"$ordered": [1, [2, 3]]}, [1, [2, 3]]),
    ("an array with more in it", {"$contains": [1, {"a": 2}]}, [{"a": 2}, 5, 1]),
    ("nothing in particular", {"$contains": []}, []),
    ("duplicates where there are as many", {"$contains": [1, 1]}, [1, 2, 1]),
    ("the wanted ones, whichever way they pair", {"$contains": [{"$any": True}, 1]}, [1, 2]),
    ("part of what is allowed", {"$subset_of": [1, 2, 3]}, [3, 1]),
    ("none of what is allowed", {"$subset_of": [1]}, []),
    ("a duplicate that is allowed twice", {"$subset_of": [1, 1]}, [1, 1]),
    ("the wanted fields among others", {"$fields": {"a": 1}}, {"a": 1, "b": 2}),
    ("an optional field that is absent", {"$fields": {"a": {"$optional": 1}}}, {"b": 2}),
    ("a matcher deep inside", {"a": [{"b": {"$any": True}}]}, {"a": [{"b": 7}]}),
]
REFUSED: list[tuple[str, JsonValue, JsonValue]] = [
    ("a literal that is another object", {"$literal": {"$any": True}}, {"$any": False}),
    ("a literal in an array is no matcher", {"$literal": [{"$any": 1}]}, [{"$any": 2}]),
    ("a literal within another is no matcher", {"$literal": {"a": {"$any": 1}}}, {"a": {"$any": 2}}),
    ("a literal optional key is a key", {"$literal": {"a": {"$optional": 1}}}, {}),
    ("none of several", {"$one_of": [1, "x"]}, "1"),
    ("no choice at all, which BFCL's gold has seven times", {"$one_of": []}, None),
    ("another value for an optional one", {"$optional": 3}, 4),
    ("null for an optional one", {"$optional": 3}, None),
    ("another optional key", {"a": 1, "b": {"$optional": 3}}, {"a": 1, "c": 3}),
    ("a key that must be absent", {"b": {"$absent": True}}, {"b": 1}),
    ("null for what must be absent", {"b": {"$absent": True}}, {"b": None}),
    ("a match in the middle", {"$regex": "b"}, "abc"),
    ("a match at the beginning", {"$regex": "a|ab"}, "abc"),
    ("a line break behind", {"$regex": "ab"}, "ab\n"),
    ("a number for a pattern", {"$regex": "\\d"}, 3),
    ("digits of another script", {"$regex": "\\d"}, "٣"),
    ("beyond the absolute tolerance", {"$approx": 10, "abs": 0.5}, 10.6),
    ("beyond the relative tolerance", {"$approx": 100, "rel": 0.01}, 101.1),
    ("a neighbour without tolerance", {"$approx": 100}, 100.0001),
    ("the text of a number", {"$approx": 3}, "3"),
    ("true for 1", {"$approx": 1}, True),
    ("an integer beyond a double", {"$approx": 1.5}, 10**400),
    ("another sign", {"$approx": 5}, -5),
    ("the next day", {"$date": "2024-05-20"}, "May 21, 2024"),
    ("a number for a day", {"$date": "2024-05-20"}, 20240520),
    ("text with another sign", {"$text": "-5"}, "5"),
    ("a number for a text", {"$text": "5"}, 5),
    ("an array out of order", {"$ordered": [1, 2]}, [2, 1]),
    ("an array in the array out of order", {"$ordered": [[1, 2]]}, [[2, 1]]),
    ("an array that lacks one", {"$contains": [1, 2]}, [1, 3]),
    ("one for two", {"$contains": [1, 1]}, [1]),
    ("one for two matchers", {"$contains": [{"$any": True}, {"$any": True}]}, [1]),
    ("a text that contains", {"$contains": ["a"]}, "abc"),
    ("one that is not allowed", {"$subset_of": [1, 2]}, [1, 4]),
    ("a duplicate that is allowed once", {"$subset_of": [1, 2]}, [1, 1]),
    ("a text for a subset", {"$subset_of": ["a"]}, "a"),
    ("a wanted field that differs", {"$fields": {"a": 1}}, {"a": 2}),
    ("a wanted field that is absent", {"$fields": {"a": 1}}, {"b": 1}),
    ("an array for fields", {"$fields": {"a": 1}}, [1]),
]


@pytest.mark.parametrize(("matcher", "got"), [pytest.param(m, g, id=name) for name, m, g in TAKEN])
def test_taken(matcher: JsonValue, got: JsonValue) -> None:
    check_matchers(matcher, "")
    assert strict.same(matcher, got)
    assert lenient.same(matcher, got)


@pytest.mark.parametrize(("matcher", "got"), [pytest.param(m, g, id=name) for name, m, g in REFUSED])
def test_refused(matcher: JsonValue, got: JsonValue) -> None:
    check_matchers(matcher, "")
    assert not strict.same(matcher, got)


def test_every_matcher_has_examples_and_counter_examples() -> None:
    def names(rows: list[tuple[str, JsonValue, JsonValue]]) -> set[str]:
        return {name for name in MATCHERS for _, matcher, _ in rows if f"'{name}'" in repr(matcher)}

    assert names(TAKEN) == set(MATCHERS) - {"$predicate"}  # asks plug-ins: tests/callgrade/test_plugins.py
    assert names(REFUSED) == set(MATCHERS) - {"$predicate"}  # asks plug-ins: tests/callgrade/test_plugins.py


def test_a_matcher_compares_under_the_policy() -> None:
    assert lenient.same({"$one_of": [3, "x"]}, "3")
    assert lenient.same({"$literal": "Abc"}, "aBC")
    assert not strict.same({"$literal": "Abc"}, "aBC")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param({"$regexp": "a"}, "/x: unknown matcher '$regexp'; known are $any, ", id="an unknown name"),
        pytest.param({"$any": True, "a": 1}, "/x: $any takes no 'a'", id="a key too many"),
        pytest.param({"$date": "2024-05-20", "abs": 1}, "/x: $date takes no 'abs'", id="another matcher's option"),
        pytest.param({"$any": None}, '/x: write {"$any": true}, got null', id="any of nothing"),
        pytest.param({"$absent": False}, '/x: write {"$absent": true}, got false', id="not absent"),
        pytest.param({"$one_of": 3}, "/x: $one_of wants an array, got 3", id="a choice that is no array"),
        pytest.param({"$ordered": "ab"}, '/x: $ordered wants an array, got "ab"', id="a text to order"),
        pytest.param({"$contains": {}}, "/x: $contains wants an array, got {}", id="an object to contain"),
        pytest.param({"$subset_of": None}, "/x: $subset_of wants an array, got null", id="null as a set"),
        pytest.param({"$regex": 3}, "/x: $regex wants a text, got 3", id="a number as pattern"),
        pytest.param({"$regex": "("}, "/x: $regex '(' does not compile", id="a pattern that does not close"),
        pytest.param({"$regex": "a)|(?:b"}, "/x: $regex 'a)|(?:b' does not compile", id="a pattern that breaks out"),
        pytest.param({"$regex": "(a)\\1"}, "/x: $regex '(a)\\\\1' does not compile", id="a back-reference"),
        pytest.param({"$regex": "(?=a)"}, "/x: $regex '(?=a)' does not compile", id="a look-ahead"),
        pytest.param({"$regex": "(a{1000}){1000}"}, "/x: $regex '(a{1000}){1000}' does not", id="a huge pattern"),
        pytest.param({"$approx": "3"}, '/x: $approx wants a number, got "3"', id="a text near"),
        pytest.param({"$approx": True}, "/x: $approx wants a number, got true", id="true near"),
        pytest.param({"$approx": 1, "abs": "x"}, '/x: abs wants a number, got "x"', id="a text as tolerance"),
        pytest.param(
            {"$approx": 1, "abs": -1}, "/x: abs wants a finite number, tolerances from 0 up, got -1", id="< 0"
        ),
        pytest.param({"$approx": float("nan")}, "/x: $approx wants a finite number, tolerances from", id="NaN"),
        pytest.param({"$date": 3}, "/x: $date wants a text, got 3", id="a number as day"),
        pytest.param({"$date": "05/06/2024"}, "/x: $date '05/06/2024' names no day or more than one", id="two days"),
        pytest.param({"$date": "2024-02-30"}, "/x: $date '2024-02-30' names no day", id="no such day"),
        pytest.param({"$text": ["a"]}, '/x: $text wants a text, got ["a"]', id="an array as text"),
        pytest.param({"$fields": [1]}, "/x: $fields wants a plain object, got [1]", id="an array of fields"),
        pytest.param({"$fields": {"$any": True}}, "/x: $fields wants a plain object, got {", id="a matcher of fields"),
        pytest.param({"a/b": [0, {"$x": 1}]}, "/x/a~1b/1: unknown matcher '$x'", id="the place is a pointer"),
        pytest.param({"$optional": {"$one_of": 1}}, "/x/$optional: $one_of wants an array", id="inside a matcher"),
        pytest.param([{"$x": 1}, {"$y": 1}], "/x/0: unknown matcher '$x'", id="the first in the document is told"),
    ],
)
def test_broken_gold_is_told_with_its_place(value: JsonValue, message: str) -> None:
    with pytest.raises(ExpectationError) as raised:
        check_matchers(value, "/x")
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param({"$literal": {"$unknown": {"$regex": 3}}}, id="a literal is not looked into"),
        pytest.param({"a": 1, "$unknown": 1}, id="a dollar key that does not come first"),
        pytest.param("$any", id="a text"),
    ],
)
def test_what_is_no_matcher_is_not_checked(value: JsonValue) -> None:
    check_matchers(value, "/x")


def test_matchers_are_checked_at_any_depth() -> None:
    value: JsonValue = {"$unknown": 1}
    for _ in range(2_000):
        value = [value]
    with pytest.raises(ExpectationError, match="unknown matcher"):
        check_matchers(value, "")


CATASTROPHIC = r"""
from deterministic.equality import Comparison
from deterministic.matchers import MATCHERS, check_matchers
from deterministic.policy import STRICT
for pattern in ["(a+)+b", "(a|a)*b", "(a|aa)+b", "(.*)*b", "(a*)*(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y"]:
    check_matchers({"$regex": pattern}, "")
    assert not Comparison(STRICT, MATCHERS).same({"$regex": pattern}, "a" * 100_000)
"""


def test_a_catastrophic_pattern_does_not_hang_on_hostile_text() -> None:
    # A back-tracking engine needs 2**100,000 steps for the first of them.
    subprocess.run([sys.executable, "-c", CATASTROPHIC], check=True, timeout=60)
