"""A streamed chat completion (server-sent events, or its chunks) put together as one completion. Pure.

Texts and argument texts are concatenated, calls are told apart by ``index`` and, where an endpoint
gives every call the same index, by ``id``.
"""

from __future__ import annotations

from cases.formats.rawjson import decode_value, text_field, wrong_kind
from cases.jsonvalue import JsonObject, JsonValue, join_pointer

_FIELD_STARTS = ("data:", "event:", "id:", "retry:", ":")
_DONE = "[DONE]"
_TEXT_KEYS = ("content", "refusal")
_ENVELOPE_KEYS = ("id", "model", "usage", "error")


def is_event_stream(text: str) -> bool:
    """Return whether a body is server-sent events."""
    return text.lstrip().startswith(_FIELD_STARTS)


def completion_of_events(text: str, place: str) -> JsonObject:
    """Return the completion that an event stream spells.

    Raises:
        InputError: An event is no chunk of a chat completion.
    """
    chunks: list[JsonValue] = []
    is_done = False
    for event in text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        lines = [line[5:].removeprefix(" ") for line in event.split("\n") if line[:5] == "data:"]
        payload = "\n".join(lines).strip()
        if payload == _DONE:
            is_done = True
        elif payload:
            chunks.append(decode_value(payload.encode(), join_pointer(place, len(chunks))))
    return completion_of_chunks(chunks, place, is_done=is_done)


def completion_of_chunks(chunks: list[JsonValue], place: str, *, is_done: bool = False) -> JsonObject:
    """Return the completion that decoded chunks add up to, in the shape of one that was not streamed.

    Args:
        is_done: The stream said that it was complete; else a chunk has to give a ``finish_reason``.

    Raises:
        InputError: Something is no chunk of a chat completion.
    """
    answer = _Answer()
    for index, chunk in enumerate(chunks):
        answer.add_chunk(chunk, join_pointer(place, index))
    return answer.as_completion(is_done=is_done)


class _Call:
    """One call, as far as it has arrived."""

    def __init__(self, call_id: str | None) -> None:
        self.id = call_id
        self._kind = "function"
        self._name: str | None = None
        self._texts: dict[str, list[str]] = {}
        self._arguments: JsonObject | None = None

    def add(self, kind: str, part: JsonObject, place: str) -> None:
        self._kind = kind
        self._name = self._name or text_field(part, "name")
        if isinstance(part.get("arguments"), dict):
            self._arguments = _object(part["arguments"], place)
            return
        for key in ("arguments", "input"):
            _append(self._texts, key, part.get(key), place)

    def inner(self) -> JsonObject:
        texts: JsonObject = {key: "".join(pieces) for key, pieces in self._texts.items()}
        if self._arguments is not None:
            texts["arguments"] = self._arguments
        return {"name": self._name, **texts}

    def as_call(self) -> JsonObject:
        return {"id": self.id, "type": self._kind, self._kind: self.inner()}


class _Answer:
    """The first choice of a completion, as far as it has arrived."""

    def __init__(self) -> None:
        self._whole: JsonObject = {}
        self._texts: dict[str, list[str]] = {}
        self._calls: list[_Call] = []
        self._latest: dict[int, _Call] = {}
        self._legacy: _Call | None = None
        self._finish_reason: JsonValue = None

    def add_chunk(self, value: JsonValue, place: str) -> None:
        chunk = _object(value, place)
        for key in _ENVELOPE_KEYS:
            if chunk.get(key) is not None:
                self._whole[key] = chunk[key]
        choices_place = f"{place}/choices"
        for index, entry in enumerate(_array(chunk.get("choices"), choices_place)):
            inner = join_pointer(choices_place, index)
            choice = _object(entry, inner)
            if choice.get("index", 0) == 0:
                self._finish_reason = choice.get("finish_reason") or self._finish_reason
                self._add_delta(_object(choice.get("delta") or {}, f"{inner}/delta"), inner)

    def as_completion(self, *, is_done: bool) -> JsonObject:
        message: JsonObject = {"role": "assistant"}
        message |= {key: "".join(pieces) for key, pieces in self._texts.items()}
        if self._calls:
            message["tool_calls"] = [call.as_call() for call in self._calls]
        if self._legacy is not None:
            message["function_call"] = self._legacy.inner()
        if self._finish_reason is None and not is_done:
            self._whole.setdefault("error", {"message": "the stream ended before the answer did"})
        choice: JsonObject = {"message": message, "finish_reason": self._finish_reason}
        return {"choices": [choice], **self._whole}

    def _add_delta(self, delta: JsonObject, choice_place: str) -> None:
        place = f"{choice_place}/delta"
        for key in _TEXT_KEYS:
            _append(self._texts, key, delta.get(key), place)
        if (legacy := delta.get("function_call")) is not None:
            self._legacy = self._legacy or _Call(None)
            self._legacy.add("function", _object(legacy, f"{place}/function_call"), place)
        for index, entry in enumerate(_array(delta.get("tool_calls"), f"{place}/tool_calls")):
            inner = f"{place}/tool_calls/{index}"
            part = _object(entry, inner)
            call = self._call_of(part, inner)
            for kind in ("function", "custom"):
                if part.get(kind) is not None:
                    call.add(kind, _object(part[kind], f"{inner}/{kind}"), f"{inner}/{kind}")

    def _call_of(self, part: JsonObject, place: str) -> _Call:
        """Return the call that ``part`` continues, or a new one."""
        index, call_id = part.get("index"), text_field(part, "id")
        if index is None:
            index = -1
        if not isinstance(index, int):
            raise wrong_kind(index, f"{place}/index", "the index of a call")
        known = self._latest.get(index)
        if known is not None and (call_id is None or known.id in {None, call_id}):
            known.id = known.id or call_id
            return known
        self._latest[index] = new = _Call(call_id)
        self._calls.append(new)
        return new


def _object(value: JsonValue, place: str) -> JsonObject:
    if not isinstance(value, dict):
        raise wrong_kind(value, place, "an object of a streamed completion")
    return value


def _array(value: JsonValue, place: str) -> list[JsonValue]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise wrong_kind(value, place, "an array")
    return value


def _append(texts: dict[str, list[str]], key: str, piece: JsonValue, place: str) -> None:
    if piece is None:
        return
    if not isinstance(piece, str):
        raise wrong_kind(piece, f"{place}/{key}", "a piece of text")
    texts.setdefault(key, []).append(piece)
