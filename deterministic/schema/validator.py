"""The schema validator: jsonschema-rs screens every call and decides; what fails is explained as leaf errors.

Pure and bounded: references are never fetched, patterns run in a linear-time engine (one with look-around runs under a
back-tracking limit). A schema that does not compile is a problem of the catalog, not of the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import jsonschema_rs
import msgspec

from cases.jsonvalue import JsonValue, encode
from deterministic.schema.dialect import to_json_schema
from deterministic.schema.leaf import LeafError, from_jsonschema_rs

BACKTRACK_LIMIT = 10_000
"""Steps of the back-tracking pattern engine before a text counts as not matching."""

_DRAFTS: tuple[Callable[..., jsonschema_rs.Validator], ...] = (
    jsonschema_rs.Draft7Validator,
    jsonschema_rs.Draft4Validator,
)
_EXPLAIN_LIMIT = 20_000
"""Bytes of arguments above which jsonschema, whose cost is not linear, is not asked."""
_PATTERN_MARKS = (b'"pattern"', b'"patternProperties"', b'"$dynamicRef"', b'"$recursiveRef"')


class CompiledSchema:
    """One tool's argument schema, ready to validate."""

    __slots__ = ("_is_hostile_to_jsonschema", "_validator", "is_valid", "schema")

    def __init__(self, schema: JsonValue, validator: jsonschema_rs.Validator) -> None:
        self.schema = schema
        self.is_valid: Callable[[JsonValue], bool] = validator.is_valid
        self._validator = validator
        encoded = encode(schema)
        self._is_hostile_to_jsonschema = any(mark in encoded for mark in _PATTERN_MARKS)

    def explain(self, value: JsonValue) -> tuple[LeafError, ...]:
        """Return every leaf error of ``value``, in document order; empty exactly when it is valid.

        jsonschema names the errors; where it finds none, fails or would be unsafe (patterns, large values),
        jsonschema-rs, which decided, explains too.
        """
        if self.is_valid(value):
            return ()
        if not self._is_hostile_to_jsonschema and len(encode(value)) <= _EXPLAIN_LIMIT:
            from deterministic.schema.explain import (  # noqa: PLC0415  # heavy: loads only where it is used
                explain_with_jsonschema,
            )  # heavy; only where a call fails

            if errors := explain_with_jsonschema(self.schema, value):
                return errors
        return tuple(self._explain_with_rs(value))

    def _explain_with_rs(self, value: JsonValue) -> Iterator[LeafError]:
        for error in self._validator.iter_errors(value):
            yield from from_jsonschema_rs(error)


class SchemaProblem(msgspec.Struct, frozen=True):
    """Why a catalog's schema cannot validate anything."""

    reason: str


def compile_schema(schema: JsonValue, *, asserts_formats: bool = True) -> CompiledSchema | SchemaProblem:
    """Return a validator for one tool's arguments, from the cache where the same schema was met before.

    Args:
        schema: JSON Schema (draft by ``$schema``, else 2020-12, else what compiles of 7 and 4) in any known dialect.
        asserts_formats: Treat ``format`` as an assertion.
    """
    return _compile(encode(schema), asserts_formats)


@lru_cache(maxsize=8192)
def _compile(encoded: bytes, asserts_formats: bool) -> CompiledSchema | SchemaProblem:
    schema = to_json_schema(msgspec.json.decode(encoded))
    if not isinstance(schema, (dict, bool)):
        return SchemaProblem(f"a schema is an object, got {encoded[:80].decode(errors='replace')}")
    first = ""
    for build in (jsonschema_rs.validator_for, *_DRAFTS):
        for options in (
            jsonschema_rs.RegexOptions(),
            jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT),
        ):
            try:
                validator = build(schema, validate_formats=asserts_formats, offline=True, pattern_options=options)
            except (
                jsonschema_rs.ValidationError,
                jsonschema_rs.ReferencingError,
                ValueError,
            ) as error:
                first = first or str(error).partition("\n")[0]
            else:
                return CompiledSchema(schema, validator)
    return SchemaProblem(first)
