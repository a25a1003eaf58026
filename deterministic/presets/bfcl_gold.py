"""What BFCL's answer file said, read back from the expectation: each argument's list of accepted values. Pure.

The inverse of ``cases.formats.bfcl_gold``, up to where ``""`` ("may be left out") stood in a list, which its checker
does not look at. A hand-written plain value is the only accepted one. Other matchers have no meaning for BFCL.
"""

from __future__ import annotations

from typing import TypeAlias

from cases.jsonvalue import JsonObject, JsonValue
from deterministic.equality import is_matcher

Accepted: TypeAlias = list[JsonValue]
"""Accepted values of one argument; ``""`` among them allows it to be left out, members of an object hold such lists."""


class ForeignMatcherError(ValueError):
    """The expectation says something that BFCL cannot."""


def accepted_values(matcher: JsonValue) -> Accepted:
    """Return the accepted values that one argument's matcher stands for.

    Raises:
        ForeignMatcherError: It uses a matcher other than ``$one_of``, ``$optional``, ``$ordered`` and ``$literal``.
    """
    return _accepted(matcher, is_nested=False)


def _accepted(matcher: JsonValue, *, is_nested: bool) -> Accepted:
    if isinstance(matcher, dict) and is_matcher(matcher):
        if "$optional" in matcher:
            wanted = matcher["$optional"]
            return [""] if wanted == "" else [*_accepted(wanted, is_nested=is_nested), ""]
        choices = matcher.get("$one_of")
        if isinstance(choices, list):
            return [_value(choice, is_nested=is_nested) for choice in choices]
    return [_value(matcher, is_nested=is_nested)]


def _value(choice: JsonValue, *, is_nested: bool) -> JsonValue:
    if isinstance(choice, list):
        return [_value(item, is_nested=is_nested) for item in choice]
    if not isinstance(choice, dict):
        return choice
    if not is_matcher(choice):
        return _members(choice, is_nested=is_nested)
    if "$literal" in choice:
        return choice["$literal"]
    if "$ordered" in choice:
        return _value(choice["$ordered"], is_nested=is_nested)
    raise ForeignMatcherError(f"{next(iter(choice))!r} says what BFCL's answers cannot")


def _members(choice: JsonObject, *, is_nested: bool) -> JsonObject:
    if is_nested:
        return {name: _value(member, is_nested=True) for name, member in choice.items()}
    return {name: list(_accepted(member, is_nested=True)) for name, member in choice.items()}
