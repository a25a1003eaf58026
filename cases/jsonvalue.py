"""JSON values under one alias, JSON pointers (RFC 6901), and text that is safe to print.

Pure. Everything that came out of a JSON document has the type ``JsonValue``; nothing else is a bare dict.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

if TYPE_CHECKING:
    JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
else:
    JsonValue = Any  # msgspec knows no recursive alias; Any decodes to exactly these types

JsonObject: TypeAlias = dict[str, JsonValue]

PREVIEW_LIMIT = 2_000
"""Characters of JSON text that a finding quotes; the whole value stays in the case, at the pointer."""

DEPTH_LIMIT = 128
"""Levels of nesting that a value may have; below the own limits of every decoder, validator and interpreter here, which
lie between 200 and 1,000 and move with the depth of the stack."""

_CONTROL = {code: f"\\u{code:04x}" for code in [*range(0x20), *range(0x7F, 0xA0)]}
_BIDI = {code: f"\\u{code:04x}" for code in [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]}
_HALVES = {code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)}  # lone surrogates: printing one raises
_UNSAFE = {**_CONTROL, **_BIDI, **_HALVES, 0x2028: "\\u2028", 0x2029: "\\u2029"}


def escape_token(token: str) -> str:
    """Return one reference token of a JSON pointer: ``~`` is ``~0``, ``/`` is ``~1``."""
    if "~" in token or "/" in token:
        return token.replace("~", "~0").replace("/", "~1")
    return token


def join_pointer(base: str, *tokens: str | int) -> str:
    """Return ``base`` extended by tokens: ``join_pointer("/a", "b/c", 0)`` is ``/a/b~1c/0``."""
    return base + "".join(f"/{escape_token(str(token))}" for token in tokens)


def resolve_pointer(document: JsonValue, pointer: str) -> JsonValue:
    """Return the value at ``pointer``.

    Raises:
        LookupError: The pointer names nothing in the document.

    Source: RFC 6901, section 4.
    """
    if pointer and not pointer.startswith("/"):
        raise LookupError(f"a JSON pointer is empty or begins with '/', got {pointer!r}")
    value = document
    for raw in pointer.split("/")[1:]:
        key = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and _INDEX.fullmatch(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            raise LookupError(f"nothing at {pointer!r}")
    return value


_INDEX = re.compile(r"0|[1-9][0-9]{0,18}")
"""Digits of other scripts are no index (RFC 6901), and a longer one is beyond any array."""


def is_nested_deeper(value: JsonValue, limit: int) -> bool:
    """Return whether ``value`` has more than ``limit`` levels of arrays and objects; ``[[]]`` has two."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(limit):
        if not level:
            return False
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent)
            if isinstance(child, (dict, list))
        ]
    return bool(level)


def unique_object(pairs: Sequence[tuple[str, JsonValue]]) -> JsonObject:
    """Return the object of ``pairs``.

    Raises:
        ValueError: A key stands there twice: two readers of such a text see two different objects.
    """
    result = dict(pairs)
    if len(result) != len(pairs):
        n_each = Counter(name for name, _ in pairs)
        raise ValueError(f"duplicate key {next(name for name in n_each if n_each[name] > 1)!r}")
    return result


def bounded_int(digits: str | int) -> int:
    """Return the integer.

    Raises:
        ValueError: No double can stand for it, so that other readers would see another number or none.
    """
    number = int(digits)
    if abs(number) >= _FLOAT_LIMIT:
        raise ValueError(f"an integer of {len(str(number).lstrip('-'))} digits, beyond the range of a double")
    return number


_FLOAT_LIMIT = 1 << 1024


def encode(value: object) -> bytes:
    """Return compact JSON, keys as they come."""
    return _ENCODER.encode(value)


_ENCODER = msgspec.json.Encoder()


def json_text(value: object) -> str:
    """Return ``value`` as JSON text of one line, for people; a lone surrogate is spelled as its escape."""
    try:
        return _ENCODER.encode(value).decode()
    except UnicodeEncodeError:  # no JSON, but YAML and Python texts can hold one, and a message must not fail
        return json.dumps(value, separators=(",", ":"))


def visible(text: str) -> str:
    """Return ``text`` with control and direction characters spelled out, so that it cannot steer a terminal."""
    return text.translate(_UNSAFE)


def preview(value: JsonValue) -> JsonValue:
    """Return ``value``, or a cut text with a visible mark where its JSON exceeds ``PREVIEW_LIMIT``."""
    if not isinstance(value, (str, list, dict)):
        return value
    if isinstance(value, str):
        text = value
    elif len(text := json_text(value)) <= PREVIEW_LIMIT:
        return value
    if len(text) <= PREVIEW_LIMIT:
        return value
    return f"{text[:PREVIEW_LIMIT]}…[cut: {len(text)} characters]"
