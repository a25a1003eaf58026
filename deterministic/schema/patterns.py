r"""Patterns that JavaScript reads and stricter engines refuse, written so that both read the same. Pure.

In ``[\\w-\\.]`` JavaScript takes the hyphen for itself, because no range can begin with a class; the common e-mail
patterns are written so.
"""

from __future__ import annotations

import re

from cases.jsonvalue import JsonObject, JsonValue

_ESCAPE_AND_HYPHEN = re.compile(r"(\\.)(-(?!\]))?", re.DOTALL)
_CLASSES = frozenset("dDsSwW")


def with_portable_patterns(schema: JsonValue) -> JsonValue:
    """Return ``schema`` with the patterns at every depth rewritten; the same object when none needs it."""
    if isinstance(schema, list):
        items = [with_portable_patterns(item) for item in schema]
        return items if any(new is not old for new, old in zip(items, schema, strict=True)) else schema
    if not isinstance(schema, dict):
        return schema
    changed: JsonObject = {}
    for key, value in schema.items():
        new = portable(value) if key == "pattern" and isinstance(value, str) else with_portable_patterns(value)
        changed[key] = new
    return changed if any(changed[key] is not schema[key] for key in schema) else schema


def portable(pattern: str) -> str:
    r"""Return ``pattern`` with a hyphen behind a class escape (``\\w-``) escaped; the same text when there is none."""
    new = _ESCAPE_AND_HYPHEN.sub(_escape_hyphen, pattern)
    return pattern if new == pattern else new


def _escape_hyphen(found: re.Match[str]) -> str:
    escape, hyphen = found[1], found[2] or ""
    return escape + (r"\-" if hyphen and escape[1] in _CLASSES else hyphen)
