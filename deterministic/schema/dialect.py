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
_MAPS = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
"""Keywords that hold schemas by name."""

_SCHEMAS = frozenset(
    {
        *("anyOf", "oneOf", "allOf", "prefixItems", "items", "contains", "not", "if", "then", "else"),
        *("additionalProperties", "propertyNames"),
    }
)
"""Keywords that hold a schema or a list of schemas."""


def to_json_schema(schema: JsonValue) -> JsonValue:
    """Return ``schema`` with foreign type names replaced, at every depth where a schema may stand."""
    if isinstance(schema, list):  # a list of schemas: alternatives, or a tuple's items in drafts 4 to 7
        items = [to_json_schema(child) for child in schema]
        return items if any(new is not old for new, old in zip(items, schema, strict=True)) else schema
    if not isinstance(schema, dict):
        return schema
    changed: JsonObject = {}
    for key, inner in schema.items():
        if key == "type":
            new: JsonValue = _standard_type(inner)
        elif key in _MAPS:
            new = _convert_values(inner)
        elif key in _SCHEMAS:
            new = to_json_schema(inner)
        else:
            continue
        if new is not inner:
            changed[key] = new
    if not changed:
        return schema
    merged = {**schema, **changed}
    if "type" in changed and changed["type"] is None:
        del merged["type"]
    return merged


def _standard_type(name: JsonValue) -> JsonValue:
    """Return the standard name, or names, of a type; ``None`` where every type is admitted."""
    if isinstance(name, list):
        names = [_standard_type(item) for item in name]
        if None in names:
            return None
        return names if names != name else name
    if not isinstance(name, str) or name in _STANDARD:
        return name
    lower = name.lower()
    return lower if lower in _STANDARD else _ALIASES.get(lower, name)


def _convert_values(mapping: JsonValue) -> JsonValue:
    if not isinstance(mapping, dict):
        return mapping
    converted: JsonObject = {name: to_json_schema(child) for name, child in mapping.items()}
    return converted if any(converted[name] is not mapping[name] for name in mapping) else mapping
