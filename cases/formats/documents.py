"""Split a file into JSON documents with their places: JSON, JSON Lines, YAML, whatever the suffix says.

Streams JSON Lines; a JSON array or a YAML file is held whole. Every document is handed on as JSON bytes.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence

import msgspec

from cases.errors import InputError
from cases.formats.record import InputFile
from cases.jsonvalue import JsonObject, JsonValue

_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_LINE_SUFFIXES = (".jsonl", ".ndjson")
_YAML_SUFFIXES = (".yaml", ".yml")
_STDIN = "-"
_JSON_BEGINNINGS = frozenset((b"{", b"["))


class Document(msgspec.Struct, frozen=True):
    """One JSON document and where it stands."""

    source: str
    raw: bytes


def read_documents(file: InputFile, *, splits_arrays: bool = True) -> Iterator[Document]:
    """Yield the documents of ``file``.

    Args:
        splits_arrays: Yield the elements of a top-level array one by one instead of the array.

    Raises:
        InputError: The file is empty, no text, or not JSON or YAML at all.
    """
    if file.name.endswith(_YAML_SUFFIXES):
        yield from _yaml_documents(file.name, file.read(), splits_arrays=splits_arrays)
        return
    lines = enumerate(file.lines(), start=1)
    n_blank, first = 0, next(lines, None)
    while first is not None and not first[1].strip():
        n_blank, first = first[0], next(lines, None)
    if first is None:
        raise InputError(f"{file.name}: the file is empty")
    head = _without_bom(first[1], file.name)
    if file.name.endswith(_LINE_SUFFIXES) or _is_complete_object(head):
        for number, line in itertools.chain([(first[0], head)], lines):
            if stripped := line.strip():
                yield Document(f"{file.name}:{number}", stripped)
        return
    # Blank lines stay, so that an error names the line that an editor shows.
    whole = b"".join(itertools.chain([b"\n" * n_blank, head], (line for _, line in lines)))
    if file.name == _STDIN and head.strip()[:1] not in _JSON_BEGINNINGS:
        yield from _yaml_documents(file.name, whole, splits_arrays=splits_arrays)
    else:
        yield from _split(Document(file.name, whole), splits_arrays)


def _yaml_documents(name: str, content: bytes, *, splits_arrays: bool) -> Iterator[Document]:
    from cases.formats.yamltext import yaml_documents  # noqa: PLC0415  # heavy: loads only where it is used

    for place, value in yaml_documents(name, content):
        yield from _split(Document(place, _encode(value, place)), splits_arrays)


def explain_syntax(raw: bytes, error: Exception) -> str:
    """Return what a JSON decoder's error means, with line and column where it names a byte."""
    text = str(error)
    if isinstance(error, RecursionError):
        return "nested too deeply"
    message, _, place = text.partition(" (byte ")
    if place:
        offset = int(place.rstrip(")"))
        line = raw.count(b"\n", 0, offset) + 1
        column = offset - raw.rfind(b"\n", 0, offset)
        return f"{message} at line {line}, column {column}" if b"\n" in raw else f"{message} at column {column}"
    return message


def find_duplicate_key(raw: bytes) -> str | None:
    """Return a message about the first key that stands twice in one object; ``None`` when there is none."""
    try:
        json.loads(raw, object_pairs_hook=_unique)
    except _DuplicateKeyError as error:
        return f"duplicate key {error.args[0]!r}: only one of its values can be meant; keep that one"
    except (ValueError, RecursionError):
        return None
    return None


class _DuplicateKeyError(Exception):
    pass


def _unique(pairs: Sequence[tuple[str, JsonValue]]) -> JsonObject:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(key)
            seen.add(key)
    return result


def _without_bom(head: bytes, name: str) -> bytes:
    if head.startswith(_WIDE_BOMS) or b"\x00" in head[:64]:
        raise InputError(f"{name}: not UTF-8 text (UTF-16 or binary); save it as UTF-8")
    return head.removeprefix(_BOM)


def _is_complete_object(line: bytes) -> bool:
    stripped = line.strip()
    if not (stripped.startswith(b"{") and stripped.endswith(b"}")):
        return False
    try:
        msgspec.json.decode(stripped, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _split(document: Document, splits_arrays: bool) -> Iterator[Document]:
    if not splits_arrays or not document.raw.lstrip().startswith(b"["):
        yield document
        return
    try:
        elements = msgspec.json.decode(document.raw, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{document.source}: not JSON: {explain_syntax(document.raw, error)}; JSON Lines files end in .jsonl"
        ) from error
    for index, element in enumerate(elements):
        yield Document(f"{document.source}#/{index}", bytes(element))


def _encode(value: JsonValue, place: str) -> bytes:
    try:
        return msgspec.json.encode(value)
    except (TypeError, RecursionError, OverflowError, ValueError) as error:
        raise InputError(f"{place}: has no JSON form: {error}") from error
