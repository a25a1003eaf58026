"""JavaScript literals as BFCL reads them: a text that is no literal of the stated type stays a text. Pure.

Arrays (``[1, 2]``, ``new Array(1, 2)``, one level of arrays in arrays) and objects are cut at commas, quoted ones too.
Patterns run on at most ``LITERAL_LIMIT`` characters and need no nested repetition: the text is hostile.
"""

from __future__ import annotations

import re

from cases.jsonvalue import JsonObject, JsonValue
from deterministic.presets.bfcl_java import LITERAL_LIMIT, read_number

JAVASCRIPT_TYPES: dict[str, type] = {
    **dict.fromkeys(("integer", "Bigint"), int),
    "float": float,
    "Boolean": bool,
    **dict.fromkeys(("String", "any"), str),
    "array": list,
    "dict": dict,
}

_QUOTES = ('"', "'")
_NUMBERS: dict[str, tuple[re.Pattern[str], type[int | float]]] = {
    "integer": (re.compile(r"(-?\d+)$"), int),
    "Bigint": (re.compile(r"(-?\d+)n$"), int),
    "float": (re.compile(r"(-?\d+(?:\.\d+)?)$"), float),
}
_TABLE = re.compile(r"\[\s*\[.*?\]\s*\]|new\s+Array\(\s*\[.*?\]\s*\)", re.DOTALL)
_ROW = re.compile(r"\[([^\n]*?)\]")
_ARRAY = re.compile(r"\[(.*?)\]|new\s+Array\((.*?)\)")
_OBJECT = re.compile(r"\{(.*?)\}")
_MEMBER = re.compile(r"([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)")


def read_javascript(text: str, stated: str, items: str = "") -> JsonValue:
    """Return the value that ``text`` spells as a ``stated`` type (items of an array: ``items``), else the text."""
    if len(text) > LITERAL_LIMIT:
        return text
    if number := _NUMBERS.get(stated):
        pattern, read = number
        return read(found[1]) if (found := pattern.match(text)) else text
    match stated:
        case "String":
            return text[1:-1] if _is_quoted(text) else text
        case "Boolean":
            return text == "true" if text in {"true", "false"} else text
        case "array":
            return _read_array(text.strip(), items)
        case "dict":
            return _read_object(text.strip())
        case _:
            return text


def _is_quoted(text: str) -> bool:
    return any(text.startswith(quote) and text.endswith(quote) for quote in _QUOTES)


def _read_array(text: str, items: str) -> JsonValue:
    if found := _TABLE.match(text):
        rows = [row.strip().removeprefix("[") for row in _ROW.findall(found[0])]
        return [[_read_any(part) for part in row.split(",")] for row in rows]
    found = _ARRAY.match(text)
    if found is None:
        return text
    body = (found[1] if found[1] is not None else found[2]).strip()
    parts = [part.strip() for part in body.split(",")] if body else []
    return [read_javascript(part, items) if items else _read_any(part) for part in parts]


def _read_object(text: str) -> JsonValue:
    if text == "{}":
        return {}
    found = _OBJECT.match(text)
    if found is None:
        return text
    members: JsonObject = {}
    for name, value in _MEMBER.findall(found[1]):
        members[name.strip().strip("'\"")] = _read_member(value.strip())
    return members


def _read_member(text: str) -> JsonValue:
    if text.startswith("[") and text.endswith("]"):
        return _read_array(text, "")
    if text.startswith("{") and text.endswith("}"):
        return _read_object(text)
    return _read_any(text.strip("'\""))


def _read_any(text: str) -> JsonValue:
    text = text.strip()
    if text in {"true", "false"}:
        return text == "true"
    return text[1:-1] if _is_quoted(text) else read_number(text)
