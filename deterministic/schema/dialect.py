"""Dialects: turn the schemas that tools really carry into JSON Schema. Pure.

BFCL writes ``dict``, ``float``, ``any``, ``tuple`` and Java's type names; all else passes unchanged. A schema that
needs no change is returned as the same object.
"""

from __future__ import annotations

from cases.jsonvalue import JsonObject, JsonValue

SCHEMA_VERSION = "schema/1"
"""Version of the normalisation and of the rules around the validator."""

_ALIASES: dict[str, str | None] = {
    "dict": "object",
    "hashmap": "object",
    "map": "object",
    "float": "number",
    "double": "number",
    "int": "integer",
    "long": "integer",
    "short": "integer",
    "byte": "integer",
    "bool": "boolean",
    "str": "string",
    "char": "string",
    "list": "array",
    "tuple": "array",
    "arraylist": "array",
    "set": "array",
    "any": None,
    "": None,
    "none": "null",
}
"""Foreign type names, lower case, to JSON Schema's; ``None`` admits every type."""

_STANDARD = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_MAPS = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLES = (
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
)


def to_json_schema(schema: JsonValue) -> JsonValue:
    """Return ``schema`` with foreign type names replaced, at every depth where a schema may stand."""
    if isinstance(schema, list):  # draft 4-7 tuples: items as a list of schemas
        return _same_or_new_list(schema)
    if not isinstance(schema, dict):
        return schema
    changed: JsonObject = {}
    kind = schema.get("type")
    if isinstance(kind, str) and kind not in _STANDARD:
        alias = _ALIASES.get(kind.lower(), kind.lower() if kind.lower() in _STANDARD else kind)
        changed["type"] = alias
    for key in _MAPS:
        inner = schema.get(key)
        if isinstance(inner, dict):
            converted: JsonObject = {name: to_json_schema(child) for name, child in inner.items()}
            if any(converted[name] is not inner[name] for name in inner):
                changed[key] = converted
    for key in _LISTS:
        inner = schema.get(key)
        if isinstance(inner, list) and (new := _same_or_new_list(inner)) is not inner:
            changed[key] = new
    for key in _SINGLES:
        inner = schema.get(key)
        if (
            isinstance(inner, (dict, list))
            and (converted_one := to_json_schema(inner)) is not inner
        ):
            changed[key] = converted_one
    if not changed:
        return schema
    merged = {**schema, **changed}
    if merged.get("type", "") is None:
        del merged["type"]
    return merged


def _same_or_new_list(schemas: list[JsonValue]) -> list[JsonValue]:
    converted = [to_json_schema(child) for child in schemas]
    return (
        converted if any(c is not s for c, s in zip(converted, schemas, strict=True)) else schemas
    )
