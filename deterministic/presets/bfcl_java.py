"""Java literals as BFCL reads them: a text that is no literal of the stated type stays a text. Pure.

Numbers carry their suffix (``5L``, ``1.5f``); collections are the few spellings that its answers use
(``new int[]{1, 2}``, ``new ArrayList<>(Arrays.asList(1, 2))``, ``new HashMap<>() {{ put("a", 1); }}``). Elements are
cut at commas, quoted ones too. Patterns run on at most ``LITERAL_LIMIT`` characters: the text is hostile.
"""

from __future__ import annotations

import re

from cases.jsonvalue import JsonObject, JsonValue

LITERAL_LIMIT = 4_000
"""Characters of a literal that is read; a longer one stays a text."""

JAVA_TYPES: dict[str, type] = {
    **dict.fromkeys(("byte", "short", "integer", "long"), int),
    **dict.fromkeys(("float", "double"), float),
    "boolean": bool,
    **dict.fromkeys(("char", "String", "any"), str),
    **dict.fromkeys(("Array", "ArrayList"), list),
    "HashMap": dict,
}

_DECIMAL = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_INTEGER, _LONG = re.compile(r"(-?\d+)$"), re.compile(r"(-?\d+)[lL]$")
_DOUBLE, _FLOAT = re.compile(rf"({_DECIMAL})$"), re.compile(rf"({_DECIMAL})[fF]$")
_NUMBERS: dict[str, tuple[re.Pattern[str], type[int | float]]] = {
    **dict.fromkeys(("byte", "short", "integer"), (_INTEGER, int)),
    "long": (_LONG, int),
    "float": (_FLOAT, float),
    "double": (_DOUBLE, float),
}
_ARRAY = re.compile(r"new\s+\w+\[\]\s*\{([^}\n]*)\}")
_AS_LIST = re.compile(r"new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)")
_ADDED = re.compile(r"new\s+ArrayList<\w*>\(\)\s*\{\{(.+?)\}\}", re.DOTALL)
_ADD = re.compile(r"add\((.+?)\)")
_EMPTY_LIST = re.compile(r"new\s+ArrayList<\w*>\(\)")
_MAP = re.compile(r"new\s+HashMap<[^(]*>\s*\(\)(?:\s*\{([^}]*)\})?")
_PUT = re.compile(r'put\("(.*?)",\s*(.*?)\)')


def read_java(text: str, stated: str, items: str = "") -> JsonValue:
    """Return the value that ``text`` spells as a ``stated`` type (items of an array: ``items``), else the text."""
    if len(text) > LITERAL_LIMIT:
        return text
    if number := _NUMBERS.get(stated):
        pattern, read = number
        return read(found[1]) if (found := pattern.match(text)) else text
    match stated:
        case "boolean":
            return text == "true" if text in {"true", "false"} else text
        case "Array":
            return _read_array(text, items)
        case "ArrayList":
            return _read_list(text, items)
        case "HashMap":
            return _read_map(text)
        case _:
            return text


def _read_array(text: str, items: str) -> JsonValue:
    found = _ARRAY.search(text)
    if found is None:
        return text
    return [read_java(part.strip(), items) for part in found[1].split(",") if part.strip()]


def _read_list(text: str, items: str) -> JsonValue:
    if found := _AS_LIST.search(text):
        return [_read_item(part, items) for part in found[1].split(",")]
    if found := _ADDED.search(text):
        return [_read_item(part, items) for part in _ADD.findall(found[1])]
    return [] if _EMPTY_LIST.search(text) else text


def _read_item(part: str, items: str) -> JsonValue:
    part = part.strip()
    return part[1:-1] if items in {"char", "String"} else read_java(part, items)


def _read_map(text: str) -> JsonValue:
    found = _MAP.search(text)
    if found is None:
        return text
    members: JsonObject = {}
    for name, value in _PUT.findall(found[1] or ""):
        members[name] = _read_any(value.strip())
    return members


def _read_any(text: str) -> JsonValue:
    """Return the value of a literal whose type nobody states."""
    if text in {"true", "false"}:
        return text == "true"
    if text.startswith('"') and text.endswith('"'):
        return text[1:-1]
    if found := _LONG.match(text):
        return int(found[1])
    if found := _FLOAT.match(text):
        return float(found[1])
    return read_number(text)


def read_number(text: str) -> JsonValue:
    """Return the number that Python reads from ``text``, else the text."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text
