"""OpenAI Chat Completions logs as people keep them.

Each document is a list of messages, an object with ``messages``, a request with its response, an
array of such pairs, or a completion alone. In an array, a pair whose request repeats the history of
an earlier one continues that conversation; in JSON Lines every line stands for itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from cases.errors import InputError
from cases.formats.documents import Document, read_documents
from cases.formats.openai_case import build_case, task_of
from cases.formats.openai_exchange import Exchange, exchange_of_messages, read_exchange
from cases.formats.rawjson import decode_elements, decode_fields
from cases.formats.record import InputFile, Record
from cases.jsonvalue import JsonValue

_N_OPEN = 8
"""Conversations that a pair of an array may continue: bounds the search in an array of many."""
_EXCHANGE_KEYS = ("messages", "request", "response", "body", "choices")


def read(file: InputFile) -> Iterator[Record]:
    """Yield one record for every conversation of a log: JSON, JSON Lines or YAML."""
    for document in read_documents(file, splits_arrays=False):
        yield from _records(document)


def recognises(value: JsonValue) -> bool:
    """Return whether a decoded document looks like an OpenAI chat log."""
    if _are_messages(value):
        return True
    if not isinstance(value, dict):
        return False
    has_request = isinstance(value.get("request"), (dict, str)) and "response" in value
    is_batch_line = "custom_id" in value and ("body" in value or "response" in value)
    is_completion = isinstance(value.get("choices"), list)
    return has_request or is_batch_line or is_completion or _are_messages(value.get("messages"))


def _are_messages(value: JsonValue) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, dict) and isinstance(first.get("role"), str)


def _records(document: Document) -> Iterator[Record]:
    if not document.raw.lstrip().startswith(b"["):
        yield _one(document)
        return
    try:
        elements = decode_elements(document.raw, "")
    except InputError as error:
        yield Record(source=document.source, problem=str(error))
        return
    parts = [Document(f"{document.source}#/{index}", element) for index, element in enumerate(elements)]
    if elements and elements[0].startswith(b"["):
        yield from (_one(part) for part in parts)
    elif elements and _is_exchange(elements[0]):
        yield from _conversations(parts)
    else:
        yield _one(document)


def _one(document: Document) -> Record:
    exchange = _read(document)
    return exchange if isinstance(exchange, Record) else _record([exchange])


def _conversations(parts: list[Document]) -> Iterator[Record]:
    """Group the pairs of an array into conversations, in order of their first pair."""
    groups: list[list[Exchange]] = []
    for part in parts:
        exchange = _read(part)
        if isinstance(exchange, Record):
            yield exchange
            continue
        recent = reversed(groups[-_N_OPEN:])
        group = next((group for group in recent if _continues(group[-1], exchange)), None)
        if group is None:
            groups.append([exchange])
        else:
            group.append(exchange)
    yield from (_record(group) for group in groups)


def _continues(earlier: Exchange, later: Exchange) -> bool:
    """Return whether ``later`` repeats the history of ``earlier``: longer, or again after a failure."""
    if earlier.reply is None:
        return False
    before, after = _without_system(earlier), _without_system(later)
    is_longer = len(after) > len(before) or earlier.reply.error is not None
    return is_longer and bool(before) and after[: len(before)] == before


def _without_system(exchange: Exchange) -> list[JsonValue]:
    """Return the messages without instructions, which may change from request to request."""
    system = ("system", "developer")
    return [m for m in exchange.messages if not (isinstance(m, dict) and m.get("role") in system)]


def _read(document: Document) -> Exchange | Record:
    try:
        if document.raw.lstrip().startswith(b"["):
            return exchange_of_messages(document.raw, document.source)
        return read_exchange(document.raw, document.source)
    except InputError as error:
        return Record(source=document.source, problem=str(error))


def _record(exchanges: list[Exchange]) -> Record:
    source = exchanges[0].source
    try:
        return Record(source=source, case=build_case(exchanges))
    except InputError as error:
        problem = str(error)
    except RecursionError:
        problem = "nested too deeply; no message or tool needs that"
    return Record(source=source, problem=problem, task_id=task_of(exchanges))


def _is_exchange(raw: bytes) -> bool:
    try:
        fields = decode_fields(raw, "")
    except InputError:
        return False
    return "role" not in fields and any(key in fields for key in _EXCHANGE_KEYS)
