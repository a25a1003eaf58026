"""When two JSON values are the same."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.jsonvalue import DEPTH_LIMIT, JsonValue
from deterministic.equality import (
    EXHAUSTIVE_ELEMENTS,
    Comparison,
    canonical_key,
    coerced_equal,
    has_perfect_matching,
    is_matcher,
    may_be_absent,
)
from deterministic.matchers import MATCHERS
from deterministic.policy import LENIENT, STRICT, Policy

strict = Comparison(STRICT, MATCHERS)
lenient = Comparison(LENIENT, MATCHERS)
ordered = Comparison(Policy(id="test/1", summary="arrays in order", arrays="ordered"), MATCHERS)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 1.0, -2.0, 1e300])
    | st.text(alphabet="abA1é ", max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=10,
)

SAME: list[object] = [
    pytest.param(3, 3.0, id="an integer and the double of its value"),
    pytest.param(0, -0.0, id="zero and minus zero"),
    pytest.param(2**53, float(2**53), id="2**53 as a double"),
    pytest.param(10**22, 1e22, id="the last power of ten that a double holds"),
    pytest.param(None, None, id="null is null"),
    pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, id="keys in another order"),
    pytest.param([1, 2, 2], [2, 1, 2], id="arrays are multisets"),
    pytest.param([[1, 2], [3]], [[3], [2, 1]], id="at every depth"),
    pytest.param([{"a": [1, 2]}, {"a": [3]}], [{"a": [3]}, {"a": [2, 1]}], id="with objects in them"),
    pytest.param([1, 2.0], [2, 1.0], id="numbers in arrays by value"),
    pytest.param({"": 1}, {"": 1}, id="an empty key"),
    pytest.param({"a": 1, "$any": 2}, {"a": 1, "$any": 2}, id="a dollar key that does not come first is a key"),
]
DIFFERENT: list[object] = [
    pytest.param(3, "3", id="a number is not its text"),
    pytest.param(True, 1, id="true is not 1"),
    pytest.param(True, 1.0, id="true is not 1.0"),
    pytest.param(False, 0, id="false is not 0"),
    pytest.param(True, "true", id="true is not its text"),
    pytest.param(None, "null", id="null is not its text"),
    pytest.param(None, 0, id="null is not 0"),
    pytest.param(None, False, id="null is not false"),
    pytest.param(None, "", id="null is not the empty text"),
    pytest.param(None, [], id="null is not the empty array"),
    pytest.param(-5, "5", id="minus five is not the text 5"),
    pytest.param("-5", "5", id="a sign counts"),
    pytest.param("1.5", "15", id="a point counts"),
    pytest.param("a-b", "ab", id="a hyphen counts"),
    pytest.param("A", "a", id="case counts"),
    pytest.param("a ", "a", id="white space counts"),
    pytest.param("é", "e\u0301", id="code points count"),
    pytest.param(2**53 + 1, float(2**53), id="an integer and its double neighbour"),
    pytest.param(10**300, 1e300, id="a huge integer and a double near it"),
    pytest.param([1, 1, 2], [1, 2, 2], id="other duplicates"),
    pytest.param([1, 1], [1], id="a duplicate missing"),
    pytest.param([True], [1], id="true is not 1 in arrays either"),
    pytest.param([[1, 2]], [[1], [2]], id="other nesting"),
    pytest.param({"a": 1}, {"a": 1, "b": None}, id="a null key more"),
    pytest.param({"a": None}, {}, id="a null key less"),
    pytest.param({"a": 1, "b": 2}, {"a": 1, "c": 2}, id="another key"),
    pytest.param({}, [], id="an object is no array"),
    pytest.param([], "", id="an empty array is no text"),
    pytest.param({"a": 1}, {"$any": True}, id="the answer's matcher is text, not a rule"),
]


@pytest.mark.parametrize(("expected", "got"), SAME)
def test_same_under_strict(expected: JsonValue, got: JsonValue) -> None:
    assert strict.same(expected, got)
    assert strict.same(got, expected)
    assert lenient.same(expected, got)


@pytest.mark.parametrize(("expected", "got"), DIFFERENT)
def test_different_under_strict(expected: JsonValue, got: JsonValue) -> None:
    assert not strict.same(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        pytest.param(3, "3", id="a number's text"),
        pytest.param("3", 3, id="a text's number"),
        pytest.param(3, "3.0", id="the text of its double"),
        pytest.param(True, "True", id="a boolean's text"),
        pytest.param("Café  LATTE", "cafe\u0301 latte", id="case, composition, white space"),
        pytest.param({"a": ["X", 1]}, {"a": ["1", "x"]}, id="inside arrays"),
    ],
)
def test_same_under_lenient_alone(expected: JsonValue, got: JsonValue) -> None:
    assert lenient.same(expected, got)
    assert not strict.same(expected, got)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        pytest.param(-5, "5", id="a sign"),
        pytest.param("-5", "5", id="a sign in a text"),
        pytest.param("1.5", "15", id="a point"),
        pytest.param(True, 1, id="true and 1"),
        pytest.param(None, "null", id="null and its text"),
        pytest.param(0, "", id="zero and nothing"),
        pytest.param(False, "", id="false and nothing"),
        pytest.param("3", "3.0", id="two texts stay texts"),
        pytest.param([1, 2], ["1", "1"], id="an array with a duplicate"),
    ],
)
def test_different_under_lenient(expected: JsonValue, got: JsonValue) -> None:
    assert not lenient.same(expected, got)


@pytest.mark.parametrize(
    ("expected", "got", "is_equal"),
    [
        pytest.param(3, "3", True, id="digits"),
        pytest.param(3, " 3 ", True, id="with space around"),
        pytest.param(3, "+3", True, id="with a plus"),
        pytest.param(300, "3e2", True, id="with an exponent"),
        pytest.param(0.1, "0.1", True, id="a fraction"),
        pytest.param(0.1, "0.10000000000000001", True, id="digits beyond a double"),
        pytest.param(2**53 + 1, "9007199254740993", True, id="exact beyond 2**53"),
        pytest.param(2**53, "9007199254740993", False, id="not the neighbour"),
        pytest.param(True, "TRUE", True, id="true in capitals"),
        pytest.param(False, "false", True, id="false"),
        pytest.param(True, "yes", False, id="yes is a word"),
        pytest.param(True, "1", False, id="a boolean is not spelled in digits"),
        pytest.param(1, "true", False, id="a number is not spelled in words"),
        pytest.param(1_000, "1_000", False, id="Python's underscores"),
        pytest.param(1_000, "1,000", False, id="a separator has two readings"),
        pytest.param(3, "٣", False, id="digits of another script"),
        pytest.param(16, "0x10", False, id="hexadecimal"),
        pytest.param(float("inf"), "inf", False, id="infinity"),
        pytest.param(3, "nan", False, id="not a number"),
        pytest.param(0, "1e-999", False, id="a small number is not zero"),
        pytest.param(1, "1" + "0" * 50, False, id="a text too long to be a number that anyone means"),
        pytest.param("3", "3", False, id="two texts are nothing to coerce"),
        pytest.param(3, 3, False, id="nor two numbers"),
        pytest.param([3], "[3]", False, id="arrays are not spelled"),
        pytest.param({}, "{}", False, id="objects are not spelled"),
        pytest.param(None, "", False, id="null is not spelled"),
    ],
)
def test_coerced_equal(expected: JsonValue, got: JsonValue, is_equal: bool) -> None:
    assert coerced_equal(expected, got) is is_equal
    assert coerced_equal(got, expected) is is_equal


@given(JSON)
def test_a_value_is_itself(value: JsonValue) -> None:
    assert strict.same(value, value)
    assert lenient.same(value, value)
    assert ordered.same(value, value)


@given(JSON, JSON)
def test_literal_equality_is_symmetric(left: JsonValue, right: JsonValue) -> None:
    for comparison in (strict, lenient, ordered):
        assert comparison.same(left, right) == comparison.same(right, left)


def shuffled(value: JsonValue, rng: random.Random) -> JsonValue:
    if isinstance(value, list):
        items = [shuffled(item, rng) for item in value]
        rng.shuffle(items)
        return items
    if isinstance(value, dict):
        pairs = [(key, shuffled(item, rng)) for key, item in value.items()]
        rng.shuffle(pairs)
        return dict(pairs)
    return float(value) if type(value) is int else value


@given(JSON, st.randoms(use_true_random=False))
def test_the_order_of_keys_and_elements_does_not_count(value: JsonValue, rng: random.Random) -> None:
    assert strict.same(value, shuffled(value, rng))
    assert canonical_key(value) == canonical_key(shuffled(value, rng))


@given(JSON, JSON)
def test_the_canonical_key_says_the_same(left: JsonValue, right: JsonValue) -> None:
    assert (canonical_key(left) == canonical_key(right)) == strict.same(left, right)


@given(st.lists(JSON, max_size=4), st.lists(JSON, max_size=4))
def test_a_multiset_is_some_permutation(left: list[JsonValue], right: list[JsonValue]) -> None:
    by_hand = any(ordered.same(left, list(p)) for p in permutations(right))
    if by_hand:  # the other way round, elements may themselves be permuted
        assert strict.same(left, right)
    assert ordered.same(left, right) <= by_hand


def test_ordered_arrays_count_at_every_depth() -> None:
    assert not strict.same({"a": [[1, 2]]}, {"a": [[2, 1]]}, ordered=True)
    assert strict.same({"a": [[1, 2]]}, {"a": [[1, 2]]}, ordered=True)
    assert not ordered.same([1, 2], [2, 1])


LONG = EXHAUSTIVE_ELEMENTS + 44


@pytest.mark.parametrize(
    ("expected", "got", "is_same"),
    [
        pytest.param([*range(LONG)], [*range(LONG)][::-1], True, id="reversed"),
        pytest.param([*range(LONG)], [float(i) for i in range(LONG)][::-1], True, id="reversed and as doubles"),
        pytest.param([2**64, *range(LONG)], [*range(LONG), float(2**64)], True, id="a large double"),
        pytest.param([2**53 + 1, *range(LONG)], [*range(LONG), float(2**53)], False, id="a neighbour"),
        pytest.param([True, *range(LONG)], [*range(LONG), 1], False, id="true is not 1"),
        pytest.param([7, 7, *range(LONG)], [*range(LONG), 7, 8], False, id="a duplicate"),
        pytest.param([{"$any": True}, *range(LONG)], [*range(LONG), "x"], True, id="a matcher takes what is left"),
        pytest.param([{"$regex": "y"}, *range(LONG)], [*range(LONG), "x"], False, id="a matcher refuses what is left"),
        pytest.param([f"${i}" for i in range(LONG)], [f"${i}" for i in range(LONG)][::-1], True, id="prices"),
        pytest.param(["x"] * LONG, ["y"] * LONG, False, id="all different"),
    ],
)
def test_arrays_longer_than_what_is_paired_in_every_way(
    expected: list[JsonValue], got: list[JsonValue], is_same: bool
) -> None:
    assert strict.same(expected, got) is is_same


def test_long_arrays_are_lenient_too() -> None:
    assert lenient.same(["A", *range(LONG)], [*range(LONG), "a"])


def test_a_greedy_choice_does_not_lose_a_pairing() -> None:
    # {"$any"} could take 1 first and leave "2" for 1; each element needs a partner of its own.
    assert strict.same([{"$any": True}, 1], [1, 2])
    assert strict.same([{"$one_of": [1, 2]}, {"$one_of": [1, 3]}, {"$one_of": [2, 3]}], [3, 1, 2])
    assert not strict.same([{"$one_of": [1, 2]}, {"$one_of": [1, 2]}, {"$any": True}], [1, 3, 4])


def test_a_difference_deep_in_swapped_arrays_does_not_cost_its_power() -> None:
    # 40 levels of arrays that differ at the innermost leaf: trying every pairing again on each level is 5**40 steps.
    def pair(depth: int) -> tuple[JsonValue, JsonValue]:
        left: JsonValue = 0
        right: JsonValue = 1
        for _ in range(depth):
            left, right = [left, right, 2], [right, right, 2]
        return left, right

    left, right = pair(40)
    assert not strict.same([left, right], [right, right])
    assert strict.same([left, right], [right, left])


def test_nesting_at_the_limit_is_compared() -> None:
    left: JsonValue = 1
    right: JsonValue = 1
    other: JsonValue = 2
    for _ in range(DEPTH_LIMIT // 2):
        left, right, other = [{"a": left}], [{"a": right}], [{"a": other}]
    assert strict.same(left, right)
    assert not strict.same(left, other)


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ({"$any": True}, True),
        ({"$unknown": 1}, True),
        ({"a": 1, "$any": True}, False),
        ({}, False),
        ({"a": {"$any": True}}, False),
        ("$any", False),
        (["$any"], False),
    ],
)
def test_what_is_a_matcher(value: JsonValue, is_one: bool) -> None:
    assert is_matcher(value) is is_one


@pytest.mark.parametrize(
    ("value", "may"),
    [
        ({"$optional": 1}, True),
        ({"$absent": True}, True),
        ({"$any": True}, False),
        ({"a": 1, "$optional": 1}, False),
        (None, False),
    ],
)
def test_what_may_be_absent(value: JsonValue, may: bool) -> None:
    assert may_be_absent(value) is may


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_a_perfect_matching_is_found_when_there_is_one(n_left: int, n_right: int, data: st.DataObject) -> None:
    edges = [data.draw(st.lists(st.integers(0, n_right - 1), unique=True)) for _ in range(n_left)]
    exists = any(
        all(right in edges[left] for left, right in enumerate(chosen))
        for chosen in permutations(range(n_right), n_left)
    )
    assert has_perfect_matching(edges, n_right) is exists
