"""Decode a machine-written record into its shape, or say where it differs and what stands there."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from cases.formats.documents import explain_syntax
from cases.jsonvalue import JsonValue, json_text

T = TypeVar("T")

_PLACE = re.compile(r" - at `\$(?P<path>[^`]*)`$")
_TOKEN = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_VALUE_LIMIT = 60


class Misfit(msgspec.Struct, frozen=True):
    """Why a record does not have the shape that its format promises."""

    problem: str


def decode_shape(raw: bytes, decoder: msgspec.json.Decoder[T], wanted: str) -> T | Misfit:
    """Return the record in ``raw``.

    Args:
        raw: One JSON document.
        decoder: Decodes the shape.
        wanted: What the record should be, for the advice in the message.
    """
    try:
        return decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Misfit(f"{_explain(raw, error)}; {wanted} is wanted here")


def _explain(raw: bytes, error: Exception) -> str:
    if not isinstance(error, msgspec.ValidationError):
        return f"not JSON: {explain_syntax(raw, error)}"
    text = str(error)
    found = _PLACE.search(text)
    what, path = (text[: found.start()], found["path"]) if found else (text, "")
    if "missing required field" in what or "[...]" in path:
        return f"${path}: {what}"
    try:
        value = json_text(_value_at(raw, path))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # broken behind that place as well
        return f"${path}: {what}"
    shown = value if len(value) <= _VALUE_LIMIT else f"{value[:_VALUE_LIMIT]}…"
    return f"${path}: {what}: {shown}"


def _value_at(raw: bytes, path: str) -> JsonValue:
    value: JsonValue = msgspec.json.decode(raw)
    for name, index in _TOKEN.findall(path):
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and index:
            value = value[int(index)]
    return value
