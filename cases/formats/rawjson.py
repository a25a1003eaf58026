"""Decode parts of a recording, or say in an ``InputError`` where the fault is and what to do.

Pure. Duplicate keys are refused at every depth, because two readers of such a text see two
different recordings. A place is a JSON pointer into the document, led by the file where the caller has one.
"""

from __future__ import annotations

import msgspec

from cases.errors import InputError
from cases.formats.documents import explain_syntax, find_duplicate_key
from cases.jsonvalue import JsonObject, JsonValue, encode, visible

_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ELEMENTS = msgspec.json.Decoder(list[msgspec.Raw])
_VALUE = msgspec.json.Decoder()
_PREVIEW = 80


def decode_value(raw: bytes, place: str) -> JsonValue:
    """Return the value that ``raw`` spells.

    Raises:
        InputError: It is no JSON, has a duplicate key or a lone surrogate.
    """
    try:
        value: JsonValue = _VALUE.decode(raw)
        colons = encode(value).count(b":")
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise _no_json(raw, place, error) from error
    # Decoding keeps the last of duplicate keys, so encoding yields fewer colons.
    if raw.count(b":") != colons or b"\\u003" in raw:
        _refuse_duplicates(raw, place)
    return value


def decode_fields(raw: bytes, place: str) -> dict[str, msgspec.Raw]:
    """Return the members of an object, their values still encoded.

    Raises:
        InputError: It is no JSON object, or has a duplicate key.
    """
    try:
        fields = _FIELDS.decode(raw)
    except msgspec.ValidationError as error:
        value = decode_value(raw, place)
        raise wrong_kind(value, place, "an object") from error
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise _no_json(raw, place, error) from error
    colons = sum(bytes(value).count(b":") + key.count(":") + 1 for key, value in fields.items())
    if raw.count(b":") != colons or b"\\u003" in raw:
        _refuse_duplicates(raw, place)
    return fields


def decode_elements(raw: bytes, place: str) -> list[bytes]:
    """Return the elements of an array, still encoded.

    Raises:
        InputError: It is no JSON array.
    """
    try:
        return [bytes(element) for element in _ELEMENTS.decode(raw)]
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise _no_json(raw, place, error) from error


def wrong_kind(value: JsonValue, place: str, wanted: str, hint: str = "") -> InputError:
    """Return the error for a value that stands where another kind belongs."""
    return InputError(f"{where(place)}: {quoted(value)} where {wanted} belongs{hint}")


def where(place: str) -> str:
    """Return a place for people; the empty pointer is the whole document."""
    return visible(place) or "the document"


def quoted(value: JsonValue) -> str:
    """Return a short rendering of ``value`` that is safe to print."""
    if isinstance(value, dict):
        return f"an object with {len(value)} keys"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return visible(repr(value[:_PREVIEW]) + "…" * (len(value) > _PREVIEW))
    return repr(value)[:_PREVIEW]


def parse_json_text(text: str) -> JsonValue | msgspec.UnsetType:
    """Return the JSON value that a text spells without loss; unset where it spells none."""
    stripped = text.strip()
    if stripped[:1] not in _BEGINNINGS:
        return msgspec.UNSET
    try:
        raw = stripped.encode()
        value: JsonValue = _VALUE.decode(raw)
        colons = encode(value).count(b":")
    except (msgspec.DecodeError, ValueError, RecursionError):
        return msgspec.UNSET
    if raw.count(b":") != colons and find_duplicate_key(raw):
        return msgspec.UNSET
    return value


_BEGINNINGS = frozenset('{["-0123456789tfn')


def text_field(source: JsonObject, key: str) -> str | None:
    """Return a non-empty text under ``key``, else nothing."""
    value = source.get(key)
    return value if isinstance(value, str) and value else None


def _refuse_duplicates(raw: bytes, place: str) -> None:
    if duplicate := find_duplicate_key(raw):
        raise InputError(f"{where(place)}: {visible(duplicate)}")


def _no_json(raw: bytes, place: str, error: Exception) -> InputError:
    problem = visible(explain_syntax(raw, error))
    return InputError(f"{where(place)}: not JSON: {problem}; record the JSON as it was sent")
