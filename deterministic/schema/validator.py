"""The schema validator: jsonschema-rs screens every call and decides; what fails is explained as leaf errors.

Pure and bounded: references are never fetched, patterns run in a linear-time engine (one with look-around runs under a
back-tracking limit). A schema that does not compile is a problem of the catalog, not of the agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import jsonschema_rs
import msgspec

from cases.jsonvalue import DEPTH_LIMIT, JsonValue, encode, is_nested_deeper, join_pointer
from deterministic.schema.dialect import to_json_schema
from deterministic.schema.leaf import LeafError, Path, from_jsonschema_rs, leaf_error
from deterministic.schema.patterns import with_portable_patterns
from deterministic.schema.recursion import explainable_depth

BACKTRACK_LIMIT = 10_000
"""Steps of the back-tracking pattern engine before a text counts as not matching."""

_BUILDERS: tuple[tuple[str, Callable[..., jsonschema_rs.Validator]], ...] = (
    ("", jsonschema_rs.validator_for),
    ("", jsonschema_rs.Draft202012Validator),
    ("http://json-schema.org/draft-07/schema#", jsonschema_rs.Draft7Validator),
    ("http://json-schema.org/draft-04/schema#", jsonschema_rs.Draft4Validator),
)
"""What a schema is tried under, in this order, by the URI of the draft."""
_EXPLAIN_LIMIT = 20_000
"""Bytes of arguments above which jsonschema, whose cost is not linear, is not asked."""
PLAIN_KEYWORDS = frozenset(
    {
        *("type", "enum", "const", "required", "additionalProperties", "pattern", "format", "multipleOf"),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"),
        *("minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    }
)
"""Keywords whose error is one place and one limit: both engines name them alike."""
_PATTERN_MARKS = (b'"pattern"', b'"patternProperties"', b'"$dynamicRef"', b'"$recursiveRef"')


class CompiledSchema:
    """One tool's argument schema, ready to validate."""

    __slots__ = ("_asks_jsonschema", "_draft", "_explainable_depth", "_validator", "is_valid", "schema")

    def __init__(
        self, schema: JsonValue, validator: jsonschema_rs.Validator, *, draft: str, asks_jsonschema: bool
    ) -> None:
        self.schema = schema
        self.is_valid: Callable[[JsonValue], bool] = validator.is_valid
        self._validator = validator
        self._draft = draft
        self._asks_jsonschema = asks_jsonschema
        self._explainable_depth: int | None = None  # only known once a call fails

    def explain(self, value: JsonValue) -> tuple[LeafError, ...]:
        """Return every leaf error of ``value``, in the schema's order; empty exactly when it is valid.

        jsonschema-rs, which decided, names the errors of plain keywords. Errors of keywords that combine schemas
        (``anyOf``, ``if`` ...) are named by jsonschema, unless it finds other places or keywords (it refuses 19.99 as
        a multiple of 0.01, say) or would be unsafe (patterns, large values).
        """
        if self.is_valid(value):
            return ()
        if self._explainable_depth is None:
            self._explainable_depth = explainable_depth(self.schema)
        if is_nested_deeper(value, self._explainable_depth):
            return (leaf_error((), "$ref", "a value that fits the recursive schema", value),)
        errors = list(self._validator.iter_errors(value))
        decided = tuple(leaf for error in errors for leaf in from_jsonschema_rs(error))
        is_plain = all(error.kind.name in PLAIN_KEYWORDS for error in errors)
        if is_plain or not self._asks_jsonschema or len(encode(value)) > _EXPLAIN_LIMIT:
            return decided
        from deterministic.schema.explain import (  # noqa: PLC0415  # heavy: loads only where a call fails
            explain_with_jsonschema,
        )

        named = explain_with_jsonschema(self.schema, value, self._draft)
        return named if _places(named) == _places(decided) else decided


def _places(leaves: Iterable[LeafError]) -> set[tuple[Path, str]]:
    return {(leaf.path, leaf.keyword) for leaf in leaves}


class SchemaProblem(msgspec.Struct, frozen=True):
    """Why a catalog's schema cannot validate anything."""

    reason: str


def compile_schema(
    schema: JsonValue, *, asserts_formats: bool = True, registry: jsonschema_rs.Registry | None = None
) -> CompiledSchema | SchemaProblem:
    """Return a validator for one tool's arguments, from the cache where the same schema was met before.

    Args:
        schema: JSON Schema (draft by ``$schema`` where it names one, else the first of 2020-12, 7
            and 4 that it compiles under) in any known dialect.
        asserts_formats: Treat ``format`` as an assertion.
        registry: Documents that a ``$ref`` may name by URI; any other reference is a problem of the schema, because
            nothing is ever fetched.
    """
    if is_nested_deeper(schema, DEPTH_LIMIT):
        return SchemaProblem(f"nested deeper than {DEPTH_LIMIT} levels")
    if registry is not None:
        return _build(to_json_schema(schema), asserts_formats, registry)
    return _compile(encode(schema), asserts_formats)


@lru_cache(maxsize=8192)
def _compile(encoded: bytes, asserts_formats: bool) -> CompiledSchema | SchemaProblem:
    return _build(to_json_schema(msgspec.json.decode(encoded)), asserts_formats, None)


def _build(
    schema: JsonValue, asserts_formats: bool, registry: jsonschema_rs.Registry | None
) -> CompiledSchema | SchemaProblem:
    encoded = encode(schema)
    if not isinstance(schema, (dict, bool)):
        return SchemaProblem(f"a schema is an object, got {encoded[:80].decode(errors='replace')}")
    reasons: list[str] = []
    built = _try_drafts(schema, asserts_formats, registry, reasons)
    if built is None and (portable := with_portable_patterns(schema)) is not schema:
        built = _try_drafts(portable, asserts_formats, registry, reasons)
    return built or SchemaProblem(reasons[0])


def _try_drafts(
    schema: JsonValue, asserts_formats: bool, registry: jsonschema_rs.Registry | None, reasons: list[str]
) -> CompiledSchema | None:
    encoded = encode(schema)
    for draft, build in _BUILDERS:
        for options in _PATTERN_ENGINES:
            try:
                validator = build(
                    schema, validate_formats=asserts_formats, offline=True, pattern_options=options, registry=registry
                )
            except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
                reasons.append(_reason(error))
            else:
                is_safe = registry is None and not any(mark in encoded for mark in _PATTERN_MARKS)
                agrees = asserts_formats or b'"format"' not in encoded
                return CompiledSchema(schema, validator, draft=draft, asks_jsonschema=is_safe and agrees)
    return None


_PATTERN_ENGINES = (
    jsonschema_rs.RegexOptions(),
    jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT),
)


def _reason(error: Exception) -> str:
    """Return what is wrong and where in the schema."""
    first = str(error).partition("\n")[0]
    if not isinstance(error, jsonschema_rs.ValidationError) or not error.instance_path:
        return first
    return f"{first} at {join_pointer('', *error.instance_path)}"
