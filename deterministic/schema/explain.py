"""Explanations by jsonschema: named leaf errors for arguments that jsonschema-rs refused. Pure.

jsonschema is heavy to import and is only asked about calls that fail. Its own verdict never counts: it refuses 19.99
as a multiple of 0.01, for one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import cast

import msgspec
from jsonschema import FormatChecker, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator, validator_for
from referencing import Registry

from cases.jsonvalue import JsonValue, encode
from deterministic.schema.leaf import BRANCH_KEYWORDS, LeafError, leaf_error, missing_field, pick_branch, unknown_field


def explain_with_jsonschema(schema: JsonValue, value: JsonValue, draft: str = "") -> tuple[LeafError, ...]:
    """Return the leaf errors that jsonschema names; empty when it finds none or cannot work on this schema.

    Args:
        draft: URI of the draft that a schema without ``$schema`` is read under; empty is 2020-12.
    """
    try:
        validator = _validator(encode(schema), draft)
        return tuple(leaf for error in validator.iter_errors(value) for leaf in _leaves(error))
    except Exception:  # noqa: BLE001  # any failure inside the second engine only means that the first one explains
        return ()


@lru_cache(maxsize=1024)
def _validator(encoded: bytes, draft: str) -> Validator:
    schema = msgspec.json.decode(encoded)
    default = validator_for({"$schema": draft}, default=Draft202012Validator)
    cls = validator_for(schema, default=default)
    return cls(schema, registry=Registry(), format_checker=FormatChecker())


def _leaves(error: ValidationError) -> Iterator[LeafError]:
    path = tuple(error.absolute_path)
    keyword, limit = str(error.validator or "falseSchema"), cast("JsonValue", error.validator_value)
    instance = cast("JsonValue", error.instance)
    if keyword in BRANCH_KEYWORDS and error.context:
        branches: dict[object, list[LeafError]] = {}
        for inner in error.context:
            branches.setdefault(inner.relative_schema_path[0], []).extend(_leaves(inner))
        yield from pick_branch(list(branches.values()), path, keyword, instance)
    elif keyword == "required":
        name = ast.literal_eval(error.message.removesuffix(" is a required property"))
        yield missing_field(path, name, keyword)
    elif keyword == "additionalProperties" and isinstance(instance, dict) and isinstance(error.schema, dict):
        known = error.schema.get("properties", {})
        for name, value in instance.items():
            if name not in known:
                yield unknown_field(path, name, keyword, value)
    else:
        yield leaf_error(path, keyword, limit, instance)
