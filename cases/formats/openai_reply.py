"""The response side of an OpenAI chat log: a completion, streamed or not, a bare message, or an error.

Pure. A reply that was cut off (``length``, ``content_filter``, a stream that broke) carries an
``error``: nobody can tell which call, argument or sentence is missing, so the attempt is ungraded and
counts neither for nor against the agent. One exception is the agent's own: an endpoint that refuses
what the model generated as a tool call (``tool_use_failed``) has recorded a call that did not parse.
"""

from __future__ import annotations

import msgspec

from cases.case import Invocation
from cases.errors import InputError
from cases.formats.openai_stream import (
    completion_of_chunks,
    completion_of_events,
    is_event_stream,
)
from cases.formats.rawjson import decode_value, parse_json_text, text_field, where, wrong_kind
from cases.jsonvalue import JsonObject, JsonValue, join_pointer, json_text, preview, visible

_WRAPPERS = ("body", "parsed_body", "string")
_WRAPPER_LIMIT = 4
_CUT_OFF = ("length", "content_filter")
_CALL_STARTS = ("{", "[", "<")
_HINT = "; record the response's body, as an object, its JSON text or its event stream"


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What one request was answered."""

    message: JsonObject | None = None
    """The assistant's message; of several choices the first."""
    place: str
    refused_call: Invocation | None = None
    """A call that the endpoint refused to parse."""
    finish_reason: str | None = None
    error: str | None = None
    """Why the agent did not get to answer."""
    model: str | None = None
    n_input_tokens: int | None = None
    n_output_tokens: int | None = None
    n_choices: int = 1


def read_reply(value: JsonValue, place: str) -> Reply:
    """Return the reply that a decoded response holds.

    Raises:
        InputError: It is no chat completion, chunk stream, message or error.
    """
    body, place = _unwrapped(value, place)
    if isinstance(body, list):
        body = completion_of_chunks(body, place)
    if not isinstance(body, dict):
        raise wrong_kind(body, place, "a chat completion", _HINT)
    if "role" in body:
        return Reply(message=body, place=place)
    error = body.get("error")
    if error and "choices" not in body:
        return _failed(error, place)
    choices = body.get("choices")
    if not isinstance(choices, list):
        raise wrong_kind(choices, f"{place}/choices", "an array of choices", _HINT)
    return _completion(body, choices, place)


def _unwrapped(value: JsonValue, place: str, depth: int = 0) -> tuple[JsonValue, str]:
    """Return the body inside HTTP wrappers and JSON text."""
    if depth > _WRAPPER_LIMIT:
        raise InputError(f"{where(place)}: wrapped too often{_HINT}")
    if isinstance(value, str):
        if is_event_stream(value):
            return completion_of_events(value, place), place
        return _unwrapped(decode_value(value.encode(), place), place, depth + 1)
    if isinstance(value, dict):
        for key in _WRAPPERS:
            if key in value:
                return _unwrapped(value[key], join_pointer(place, key), depth + 1)
    return value, place


def _completion(body: JsonObject, choices: list[JsonValue], place: str) -> Reply:
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    choice: JsonValue = choices[0] if choices else {}
    if not isinstance(choice, dict):
        raise wrong_kind(choice, f"{place}/choices/0", "a choice")
    message = choice.get("message")
    if message is not None and not isinstance(message, dict):
        raise wrong_kind(message, f"{place}/choices/0/message", "a chat message")
    finish_reason = text_field(choice, "finish_reason")
    return Reply(
        message=None if message is None else {"role": "assistant", **message},
        place=f"{place}/choices/0/message",
        finish_reason=finish_reason,
        error=_why_unanswered(body, message, finish_reason),
        model=text_field(body, "model"),
        n_input_tokens=_count(usage.get("prompt_tokens")),
        n_output_tokens=_count(usage.get("completion_tokens")),
        n_choices=len(choices),
    )


def _why_unanswered(body: JsonObject, message: JsonObject | None, finish_reason: str | None) -> str | None:
    if body.get("error"):
        return f"the endpoint failed: {_error_text(body['error'])}"
    if finish_reason in _CUT_OFF:
        return f"the answer was cut off (finish_reason {finish_reason!r})"
    return "the response has no message" if message is None else None


def _failed(error: JsonValue, place: str) -> Reply:
    text = _error_text(error)
    if not isinstance(error, dict) or error.get("code") != "tool_use_failed":
        return Reply(place=place, error=f"the endpoint failed: {text}")
    generated = text_field(error, "failed_generation") or ""
    if not generated.lstrip().startswith(_CALL_STARTS):
        return Reply(message={"role": "assistant", "content": generated}, place=place)
    meant = parse_json_text(generated)
    name = text_field(meant, "name") if isinstance(meant, dict) else None
    call = Invocation(tool=name or "", args=generated, parse_error=f"the endpoint refused it: {text}")
    return Reply(message={"role": "assistant"}, place=place, refused_call=call)


def _error_text(error: JsonValue) -> str:
    if isinstance(error, dict) and (text := text_field(error, "message")):
        error = text
    shown = preview(error)
    return visible(shown if isinstance(shown, str) else json_text(shown))


def _count(value: JsonValue) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_count and isinstance(value, int) else None
