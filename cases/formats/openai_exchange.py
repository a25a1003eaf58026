"""One document of an OpenAI chat log: where its messages, tools, reply and labels stand.

Pure. A document is an object with ``messages``, a pair of request and response, a line of the batch
API, or a completion alone. What is not read stays encoded.
"""

from __future__ import annotations

import re

import msgspec

from cases.errors import InputError
from cases.formats.openai_reply import Reply, read_reply
from cases.formats.rawjson import decode_fields, decode_value, text_field, wrong_kind
from cases.jsonvalue import JsonObject, JsonValue, join_pointer

_REQUEST_KEYS = ("request", "body", "parsed_body", "string")
_REPLY_KEYS = ("response", "completion")
_TOOL_KEYS = ("tools", "functions")
_SECRET = re.compile(r"key|secret|token(?!s)|auth(?!or)|passw|cookie|credential", re.IGNORECASE)
_LABEL_LIMIT = 200
_N_LABELS = 100
_METADATA_LIMIT = 20_000

Fields = dict[str, msgspec.Raw]


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One request with its reply, or a conversation that was kept as messages."""

    source: str
    messages: list[JsonValue]
    messages_place: str
    tools: bytes | None = None
    """The definitions, encoded: equal bytes share one decoded catalog."""
    tools_place: str = ""
    reply: Reply | None = None
    model: str | None = None
    labels: JsonObject
    """Small scalars beside the bodies, and those under ``metadata``; nothing that looks like a secret."""


def exchange_of_messages(raw: bytes, source: str) -> Exchange:
    """Return a bare array of messages.

    Raises:
        InputError: It is no array of JSON values.
    """
    return Exchange(source=source, messages=_messages(raw, ""), messages_place="", labels={})


def read_exchange(raw: bytes, source: str) -> Exchange:
    """Return what one object of a log holds.

    Raises:
        InputError: It has neither messages nor a reply, or a part of it cannot be decoded.
    """
    outer = decode_fields(raw, "")
    request, place = _request(outer)
    reply = _reply(outer)
    messages_place = join_pointer(place, "messages")
    if "messages" in request:
        messages = _messages(bytes(request["messages"]), messages_place)
    elif reply is not None:
        messages = []
    else:
        keys = ", ".join(sorted(outer)[:10])
        raise InputError(f"the document: no 'messages', no 'request' with messages and no 'response'; keys: {keys}")
    tools_key = next((key for key in _TOOL_KEYS if _is_given(request, key)), None)
    labels = _labels(request) if request is not outer else {}
    labels |= _labels(outer)
    return Exchange(
        source=source,
        messages=messages,
        messages_place=messages_place,
        tools=None if tools_key is None else bytes(request[tools_key]),
        tools_place=join_pointer(place, tools_key or ""),
        reply=reply,
        model=_model(request, place),
        labels=labels,
    )


def _messages(raw: bytes, place: str) -> list[JsonValue]:
    value = decode_value(raw, place)
    if isinstance(value, str):
        value = decode_value(value.encode(), place)
    if not isinstance(value, list):
        raise wrong_kind(value, place, "an array of chat messages")
    return value


def _is_given(fields: Fields, key: str) -> bool:
    return key in fields and bytes(fields[key]) != b"null"


def _request(outer: Fields) -> tuple[Fields, str]:
    """Return the request's members and its place: inside wrappers, or the document itself."""
    fields, place = outer, ""
    for _ in range(3):
        key = next((key for key in _REQUEST_KEYS if _is_given(fields, key)), None)
        if "messages" in fields or key is None:
            break
        place = join_pointer(place, key)
        raw = bytes(fields[key])
        if raw.startswith(b'"'):
            text = decode_value(raw, place)
            raw = text.encode() if isinstance(text, str) else raw
        fields = decode_fields(raw, place)
    return fields, place


def _reply(outer: Fields) -> Reply | None:
    for key in _REPLY_KEYS:
        if _is_given(outer, key):
            place = join_pointer("", key)
            return read_reply(decode_value(bytes(outer[key]), place), place)
    if _is_given(outer, "choices") or ("messages" not in outer and _is_given(outer, "error")):
        keys = ("choices", "error", "model", "usage")
        body = {key: decode_value(bytes(outer[key]), f"/{key}") for key in keys if key in outer}
        return read_reply(body, "")
    return None


def _model(request: Fields, place: str) -> str | None:
    if "model" not in request:
        return None
    inner = join_pointer(place, "model")
    return text_field({"model": decode_value(bytes(request["model"]), inner)}, "model")


def _labels(fields: Fields) -> JsonObject:
    """Return the small scalars of an object, those under ``metadata`` behind its own."""
    labels: JsonObject = {}
    if "metadata" in fields and len(raw := bytes(fields["metadata"])) <= _METADATA_LIMIT:
        metadata = decode_value(raw, "/metadata")
        if isinstance(metadata, dict):
            labels |= {key: value for key, value in metadata.items() if _is_label(key, value)}
    for key, value in fields.items():
        raw = bytes(value)
        if key != "metadata" and len(raw) <= _LABEL_LIMIT and raw[:1] not in {b"{", b"["}:
            decoded = decode_value(raw, join_pointer("", key))
            if _is_label(key, decoded):
                labels[key] = decoded
    return dict(list(labels.items())[:_N_LABELS])


def _is_label(key: str, value: JsonValue) -> bool:
    is_small = isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= _LABEL_LIMIT)
    return is_small and _SECRET.search(key) is None
