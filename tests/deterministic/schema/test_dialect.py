"""Dialects: the type names that tools really carry."""

from __future__ import annotations

import pytest

from cases.jsonvalue import JsonValue
from deterministic.schema.dialect import to_json_schema


@pytest.mark.parametrize(
    ("foreign", "standard"),
    [
        ("dict", "object"),
        ("HashMap", "object"),
        ("float", "number"),
        ("double", "number"),
        ("int", "integer"),
        ("long", "integer"),
        ("bool", "boolean"),
        ("Boolean", "boolean"),
        ("str", "string"),
        ("String", "string"),
        ("char", "string"),
        ("tuple", "array"),
        ("ArrayList", "array"),
        ("Array", "array"),
        ("none", "null"),
        (["int", "null"], ["integer", "null"]),
        (["String", "float"], ["string", "number"]),
    ],
)
def test_a_foreign_type_name_becomes_the_standard_one(foreign: JsonValue, standard: JsonValue) -> None:
    assert to_json_schema({"type": foreign, "title": "t"}) == {"type": standard, "title": "t"}


@pytest.mark.parametrize("anything", ["any", "Any", "", ["string", "any"]])
def test_any_admits_every_type(anything: JsonValue) -> None:
    assert to_json_schema({"type": anything, "title": "t"}) == {"title": "t"}


@pytest.mark.parametrize(
    ("schema", "converted"),
    [
        pytest.param(
            {"properties": {"type": {"type": "float"}}},
            {"properties": {"type": {"type": "number"}}},
            id="a property that is called type",
        ),
        pytest.param({"items": {"type": "dict"}}, {"items": {"type": "object"}}, id="items"),
        pytest.param({"items": [{"type": "int"}, True]}, {"items": [{"type": "integer"}, True]}, id="items of a tuple"),
        pytest.param(
            {"anyOf": [{"type": "any"}, {"type": "null"}]}, {"anyOf": [{}, {"type": "null"}]}, id="alternatives"
        ),
        pytest.param(
            {"$defs": {"a": {"additionalProperties": {"type": "str"}}}},
            {"$defs": {"a": {"additionalProperties": {"type": "string"}}}},
            id="definitions and free fields",
        ),
    ],
)
def test_at_every_depth_where_a_schema_may_stand(schema: JsonValue, converted: JsonValue) -> None:
    assert to_json_schema(schema) == converted


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param({"type": "object", "properties": {"a": {"type": ["string", "null"]}}}, id="standard names"),
        pytest.param({"enum": ["dict", "float"]}, id="values of an enum"),
        pytest.param({"default": {"type": "dict"}, "const": {"type": "any"}}, id="values of defaults and constants"),
        pytest.param({"type": "tensor"}, id="an unknown name"),
        pytest.param({"type": {"a": 1}}, id="a type that is no name"),
        pytest.param({"properties": ["a"]}, id="properties that are no object"),
        pytest.param(True, id="true"),
        pytest.param([{"type": "string"}], id="a list"),
    ],
)
def test_what_needs_no_change_is_the_same_object(schema: JsonValue) -> None:
    assert to_json_schema(schema) is schema


def test_the_source_is_not_changed() -> None:
    schema: JsonValue = {"type": "dict", "properties": {"a": {"type": "any"}}}
    to_json_schema(schema)
    assert schema == {"type": "dict", "properties": {"a": {"type": "any"}}}
