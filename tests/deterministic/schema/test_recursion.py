"""Recursive schemas: how deep a value is explained, so that nobody's catalog can hang the grader."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cases.jsonvalue import DEPTH_LIMIT, JsonValue
from deterministic.schema.recursion import explainable_depth
from deterministic.schema.validator import CompiledSchema, compile_schema

TREE: JsonValue = {
    "type": "object",
    "properties": {"children": {"items": {"$ref": "#"}}, "id": {"type": "integer"}},
}


@pytest.mark.parametrize(
    ("schema", "depth"),
    [
        pytest.param({"type": "object"}, DEPTH_LIMIT, id="no reference"),
        pytest.param(True, DEPTH_LIMIT, id="true"),
        pytest.param({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}}, DEPTH_LIMIT, id="a chain"),
        pytest.param({"anyOf": [{"$ref": "#/definitions/a"}] * 9, "definitions": {"a": {}}}, DEPTH_LIMIT, id="often"),
        pytest.param({"properties": {"$ref": {"type": "string"}}}, DEPTH_LIMIT, id="a property of that name"),
        # 2**9 = 512 and 2**10 = 1,024: nine levels stay below 1,000.
        pytest.param(TREE, 9, id="one reference to the root"),
        pytest.param({"properties": {"a": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}}}, 9, id="two to the root"),
        pytest.param({"properties": {"a": {"anyOf": [{"$ref": "#"}] * 10}}}, 3, id="ten: 10**3 is 1,000"),
        pytest.param(
            {
                "$ref": "#/$defs/a",
                "$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"not": {"$ref": "#/$defs/a"}}},
            },
            6,
            id="a circle of two definitions and one into it: 3**6 is 729",
        ),
        pytest.param({"properties": {"a": {"$ref": "#anchor"}}, "$anchor": "anchor"}, 9, id="an unusual reference"),
    ],
)
def test_depth(schema: JsonValue, depth: int) -> None:
    assert explainable_depth(schema) == depth


def test_a_tree_is_explained_field_by_field() -> None:
    compiled = compile_schema(TREE)
    assert isinstance(compiled, CompiledSchema)
    (leaf,) = compiled.explain({"children": [{"children": [{"id": "x"}]}]})
    assert leaf.pointer == "/children/0/children/0/id"


DEEP = """
from deterministic.schema.validator import compile_schema
compiled = compile_schema({"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}}})
value = 3
for _ in range(100):
    value = {"a": value}
(leaf,) = compiled.explain(value)
assert (leaf.pointer, leaf.keyword) == ("", "$ref")
assert leaf.repair.startswith("field arguments failed $ref: expected a value that fits the recursive schema")
"""


def test_a_deep_value_under_doubling_branches_is_told_as_one_error() -> None:
    # Field by field these are 2**100 explanations.
    subprocess.run([sys.executable, "-c", DEEP], check=True, timeout=60)
