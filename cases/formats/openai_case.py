"""Exchanges of one conversation as a case: messages, calls, catalog, labels, tokens.

Pure. The longest request holds the history, its reply is the last word. Tokens are those of all
replies. Lines that carry the same catalog share one tuple of tools, decoded once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from cases.case import Case, Invocation, Pathway, Tool
from cases.formats.openai_exchange import Exchange
from cases.formats.openai_messages import Conversation, read_messages
from cases.formats.rawjson import decode_value
from cases.formats.tooldefs import read_tools, strict_names
from cases.jsonvalue import JsonObject, JsonValue

_TASK_KEYS = ("task_id", "custom_id", "id")
_ATTEMPT_KEYS = ("attempt", "trial")
_CONVERSATION_KEYS = ("conversation_id", "session_id", "thread_id")


class _Catalog(msgspec.Struct, frozen=True):
    tools: tuple[Tool, ...] = ()
    strict: frozenset[str] = frozenset()


def build_case(exchanges: Sequence[Exchange]) -> Case:
    """Return the case of one conversation.

    Args:
        exchanges: In order of time, one or more; later ones repeat the history of earlier ones.

    Raises:
        InputError: A message or a tool definition is none.
    """
    last = exchanges[-1]
    conversation = read_messages(_entries(last))
    calls = _with_refused_call(last, conversation)
    catalog = _catalog(exchanges)
    labels = _labels(exchanges)
    reply = last.reply
    replies = [exchange.reply for exchange in exchanges if exchange.reply is not None]
    label_model = _text(labels, ("model",))
    return Case(
        task_id=_text(labels, _TASK_KEYS) or last.source,
        model=(reply.model if reply is not None else None) or last.model or label_model,
        attempt=_number(labels, _ATTEMPT_KEYS),
        messages=conversation.messages,
        tools=catalog.tools,
        actual_invocations=calls,
        final_answer=None if reply and reply.refused_call else conversation.final_answer,
        pathway=_pathway(catalog, calls or ()),
        infrastructure_error=None if reply is None else reply.error,
        conversation_id=_text(labels, _CONVERSATION_KEYS),
        trace_id=_text(labels, ("trace_id",)),
        span_id=_text(labels, ("span_id",)),
        n_input_tokens=_total(reply.n_input_tokens for reply in replies),
        n_output_tokens=_total(reply.n_output_tokens for reply in replies),
        metadata=labels | _facts(last),
    )


def task_of(exchanges: Sequence[Exchange]) -> str | None:
    """Return the task that the labels name."""
    return _text(_labels(exchanges), _TASK_KEYS)


def _entries(exchange: Exchange) -> Iterable[tuple[JsonValue, str]]:
    for index, message in enumerate(exchange.messages):
        yield message, f"{exchange.messages_place}/{index}"
    if exchange.reply is not None and exchange.reply.message is not None:
        yield exchange.reply.message, exchange.reply.place


def _with_refused_call(exchange: Exchange, conversation: Conversation) -> tuple[Invocation, ...] | None:
    refused = exchange.reply.refused_call if exchange.reply is not None else None
    if refused is None:
        return conversation.invocations
    call = msgspec.structs.replace(refused, turn=conversation.n_turns - 1)
    return (*(conversation.invocations or ()), call)


def _catalog(exchanges: Sequence[Exchange]) -> _Catalog:
    """Return the tools of all requests; one that came later is ``available_from`` its turn on."""
    whole = _Catalog()
    seen: bytes | None = None
    for exchange in exchanges:
        if exchange.tools is None or exchange.tools == seen:
            continue
        catalog = _read_catalog(exchange.tools, exchange.tools_place)
        whole = catalog if seen is None else _extended(whole, catalog, _n_turns(exchange))
        seen = exchange.tools
    return whole


def _extended(whole: _Catalog, later: _Catalog, turn: int) -> _Catalog:
    names = {tool.name for tool in whole.tools}
    new = tuple(msgspec.structs.replace(tool, available_from=turn) for tool in later.tools if tool.name not in names)
    return _Catalog(whole.tools + new, whole.strict | later.strict)


def _n_turns(exchange: Exchange) -> int:
    tools = ("tool", "function")
    return sum(not (isinstance(m, dict) and m.get("role") in tools) for m in exchange.messages)


@lru_cache(maxsize=16)
def _read_catalog(raw: bytes, place: str) -> _Catalog:
    value = decode_value(raw, place)
    return _Catalog(read_tools(value, place), strict_names(value))


def _pathway(catalog: _Catalog, calls: Sequence[Invocation]) -> Pathway:
    """Return whether the arguments were decoded under their schemas; ``strict`` says so."""
    if not catalog.tools:
        return "unknown"
    names = {call.tool for call in calls} or {tool.name for tool in catalog.tools}
    return "constrained" if names <= catalog.strict else "free_form"


def _labels(exchanges: Sequence[Exchange]) -> JsonObject:
    labels: JsonObject = {}
    for exchange in reversed(exchanges):
        labels |= exchange.labels
    return labels


def _facts(exchange: Exchange) -> JsonObject:
    reply = exchange.reply
    if reply is None:
        return {}
    facts: JsonObject = {"finish_reason": reply.finish_reason} if reply.finish_reason else {}
    if reply.n_choices > 1:
        facts["n_choices"] = reply.n_choices
    return facts


def _text(labels: JsonObject, keys: Iterable[str]) -> str | None:
    """Take the first text or whole number out of the labels."""
    found: str | None = None
    for key in keys:
        value = labels.get(key)
        if found is None and (isinstance(value, str) or type(value) is int) and value != "":
            found = str(labels.pop(key))
    return found


def _number(labels: JsonObject, keys: Iterable[str]) -> int | None:
    for key in keys:
        value = labels.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            del labels[key]
            return value
    return None


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
