"""Arguments against gold, field by field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.case import Tool
from cases.expectation import ExpectedStep
from cases.jsonvalue import JsonObject, JsonValue, resolve_pointer
from deterministic.arguments import UNCOMPARED, ArgumentDiff, FieldError, compare_arguments, narrow
from deterministic.equality import Comparison
from deterministic.matchers import MATCHERS
from deterministic.policy import LENIENT, STRICT

strict = Comparison(STRICT, MATCHERS)
lenient = Comparison(LENIENT, MATCHERS)
TOOL = Tool(
    name="f",
    input_schema={"properties": {"n": {"type": "integer", "default": 10}, "x": {"type": "string"}, "odd": True}},
)


def diff(
    expected: JsonObject | None,
    got: JsonObject | None,
    compare: tuple[str, ...] | None = None,
    ordered: tuple[str, ...] = (),
) -> ArgumentDiff:
    step = ExpectedStep(tool="f", args=expected, compare=compare, ordered=ordered)
    return compare_arguments(step, got, strict, TOOL)


def errors(**relations: str) -> tuple[FieldError, ...]:
    return tuple(FieldError(name, relation) for name, relation in relations.items())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]  # a table of literals


@pytest.mark.parametrize(
    ("expected", "got", "want"),
    [
        pytest.param({}, {}, ArgumentDiff(0, 0), id="none wanted, none sent"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, ArgumentDiff(2, 2), id="all right in any order"),
        pytest.param({"a": 1, "b": 2}, {"a": 1, "b": 3}, ArgumentDiff(1, 2, errors(b="differs")), id="one differs"),
        pytest.param({"a": 1, "b": 2}, {"a": 1}, ArgumentDiff(1, 2, errors(b="missing")), id="one is missing"),
        # The union of {a} and {a, z} has 2 fields, of which 1 is right.
        pytest.param({"a": 1}, {"a": 1, "z": 0}, ArgumentDiff(1, 2, errors(z="unexpected")), id="one is unexpected"),
        # The union of {a, b, c} and {a, b, d} has 4 fields; a alone is right.
        pytest.param(
            {"a": 1, "b": 2, "c": 3},
            {"a": 1, "b": 0, "d": 4},
            ArgumentDiff(1, 4, errors(b="differs", c="missing", d="unexpected")),
            id="all three kinds at once",
        ),
        pytest.param({}, {"z": 0}, ArgumentDiff(0, 1, errors(z="unexpected")), id="none wanted, one sent"),
        pytest.param({"a": None}, {}, ArgumentDiff(0, 1, errors(a="missing")), id="a wanted null is not an absent one"),
        pytest.param({"a": None}, {"a": None}, ArgumentDiff(1, 1), id="a wanted null is sent"),
        pytest.param({"a": 1, "b": {"$optional": 2}}, {"a": 1}, ArgumentDiff(1, 1), id="left out does not count"),
        pytest.param({"a": 1, "b": {"$optional": 2}}, {"a": 1, "b": 2}, ArgumentDiff(2, 2), id="sent right does"),
        pytest.param(
            {"b": {"$absent": True}}, {"b": 2}, ArgumentDiff(0, 1, errors(b="differs")), id="must be absent and is not"
        ),
        pytest.param(None, {"a": 1}, UNCOMPARED, id="gold that says nothing of arguments"),
        pytest.param(None, None, UNCOMPARED, id="nothing said and nothing parsed"),
        # Two must be there; what may be absent is not held against a call that did not parse.
        pytest.param({"a": 1, "b": 2, "c": {"$optional": 3}}, None, ArgumentDiff(0, 2), id="a call that did not parse"),
    ],
)
def test_fields(expected: JsonObject | None, got: JsonObject | None, want: ArgumentDiff) -> None:
    assert diff(expected, got) == want
    assert diff(expected, got).n_wrong == want.n_fields - want.n_right


def test_only_the_named_arguments_are_compared() -> None:
    wanted: JsonObject = {"a": 1, "b": 2}
    assert diff(wanted, {"a": 1, "b": 9, "z": 0}, compare=("a",)) == ArgumentDiff(1, 1)
    assert diff(wanted, {"a": 1, "z": 0}, compare=("a", "z")) == ArgumentDiff(1, 2, errors(z="unexpected"))
    assert diff(wanted, {"z": 0}, compare=()) == ArgumentDiff(0, 0)
    assert diff(wanted, None, compare=("a",)) == ArgumentDiff(0, 1)


def test_order_counts_in_the_named_arrays_alone() -> None:
    wanted: JsonObject = {"a": [1, 2], "b": [1, 2]}
    sent: JsonObject = {"a": [2, 1], "b": [2, 1]}
    assert diff(wanted, sent) == ArgumentDiff(2, 2)
    assert diff(wanted, sent, ordered=("b",)) == ArgumentDiff(1, 2, errors(b="differs"))


@pytest.mark.parametrize(
    ("sent", "tool", "n_right"),
    [
        pytest.param({"n": 10}, TOOL, 1, id="the default"),
        pytest.param({"n": 10.0}, TOOL, 1, id="the default as a double"),
        pytest.param({"n": 11}, TOOL, 0, id="another value"),
        pytest.param({"x": ""}, TOOL, 0, id="a field without default"),
        pytest.param({"odd": True}, TOOL, 0, id="a field whose schema is no object"),
        pytest.param({"z": 10}, TOOL, 0, id="a field that the schema does not know"),
        pytest.param({"n": 10}, None, 0, id="no tool"),
        pytest.param({"n": 10}, Tool(name="f"), 0, id="no schema"),
        pytest.param({"n": 10}, Tool(name="f", input_schema={"properties": [1]}), 0, id="properties that are none"),
    ],
)
def test_a_default_spelled_out_is_right_under_lenient_alone(sent: JsonObject, tool: Tool | None, n_right: int) -> None:
    step = ExpectedStep(tool="f", args={})
    assert compare_arguments(step, sent, lenient, tool).n_right == n_right
    assert compare_arguments(step, sent, strict, tool).n_right == 0


VALUES = st.integers(0, 2) | st.sampled_from(["x", None, True])
ARGS = st.dictionaries(st.sampled_from("abcde"), VALUES)


@given(ARGS, ARGS)
def test_the_fields_are_the_union_and_the_wrong_ones_are_listed(expected: JsonObject, got: JsonObject) -> None:
    found = diff(expected, got)
    assert found.n_fields == len(expected.keys() | got.keys())
    assert len(found.wrong) == found.n_wrong
    assert {error.name for error in found.wrong} == {
        k for k in expected.keys() | got.keys() if not (k in expected and k in got and strict.same(expected[k], got[k]))
    }


@given(ARGS, ARGS, ARGS)
def test_wrong_fields_are_a_metric(a: JsonObject, b: JsonObject, c: JsonObject) -> None:
    # Alignment pairs equal calls first on the strength of the triangle inequality.
    assert diff(a, b).n_wrong == diff(b, a).n_wrong
    assert diff(a, c).n_wrong <= diff(a, b).n_wrong + diff(b, c).n_wrong


@pytest.mark.parametrize(
    ("expected", "got", "pointer"),
    [
        pytest.param(1, 2, "", id="a scalar is the place"),
        pytest.param({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, "/a/c", id="down to the one key"),
        pytest.param([1, {"x/y": 2}], [1, {"x/y": 3}], "/1/x~1y", id="into an array, escaped"),
        pytest.param({"a": 1, "b": 2}, {"a": 2, "b": 1}, "", id="two places: the whole"),
        pytest.param({"a": 1}, {"b": 1}, "", id="other keys: the whole"),
        pytest.param([1, 2], [1], "", id="another length: the whole"),
        pytest.param([1, 2, 3], [3, 2, 1], "", id="nothing but the order: the whole"),
        pytest.param({"a": {"$regex": "x"}}, {"a": {"b": 1}}, "/a", id="a matcher is not looked into"),
        pytest.param({"a": {"b": 1}}, {"a": "b"}, "/a", id="another type"),
    ],
)
def test_the_one_place_that_differs(expected: JsonValue, got: JsonValue, pointer: str) -> None:
    where, wanted, found = narrow(expected, got, strict)
    assert where == pointer
    assert (wanted, found) == (resolve_pointer(expected, pointer), resolve_pointer(got, pointer))


def test_the_place_where_the_order_differs() -> None:
    assert narrow({"a": [[1, 2], 3]}, {"a": [[2, 1], 3]}, strict, ordered=True) == ("/a/0", [1, 2], [2, 1])
