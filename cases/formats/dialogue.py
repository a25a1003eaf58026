"""Build a case's messages and calls from a chat log in which each result follows its call.

Results pair with calls by order inside the latest group of calls, because ids repeat within a
conversation in real logs.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cases.case import Invocation, Message, Role
from cases.jsonvalue import JsonValue

_ERROR_PREFIX = "Error"


class Dialogue:
    """Collects one conversation in the order of its log."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._calls: list[Invocation] = []
        self._waiting: list[int] = []

    def say(self, role: Role, text: str | None, turn: int) -> None:
        """Add a text; an empty one says nothing and is left out."""
        if text:
            self._messages.append(Message(role=role, content=text, turn=turn))

    def call(self, calls: Sequence[Invocation]) -> None:
        """Add one message's calls; earlier calls that got no result so far get none."""
        self._waiting = list(range(len(self._calls), len(self._calls) + len(calls)))
        self._calls.extend(calls)

    def answer(self, call_id: str | None, content: str, turn: int, *, is_error: bool) -> None:
        """Add a result: of the first waiting call with this id, else of the first waiting call.

        A result that no call waits for is kept as context, so that nothing of the log is lost.
        """
        if not self._waiting:
            self.say("context", content, turn)
            return
        same_id = (index for index in self._waiting if self._calls[index].id == call_id)
        index = next(same_id, self._waiting[0])
        self._waiting.remove(index)
        call = self._calls[index]
        if is_error:
            self._calls[index] = msgspec.structs.replace(call, error=content)
        else:
            self._calls[index] = msgspec.structs.replace(call, result=result_value(content))

    @property
    def calls(self) -> tuple[Invocation, ...]:
        """All calls in order of emission."""
        return tuple(self._calls)

    def split_final(self) -> tuple[tuple[Message, ...], str | None]:
        """Return the messages without the final answer, and that answer.

        The final answer is the last text of the agent, unless the agent called a tool with it or
        after it; a text stands in one place only, so that no claim is graded twice.
        """
        places = [i for i, message in enumerate(self._messages) if message.role == "assistant"]
        if not places:
            return tuple(self._messages), None
        final = self._messages[places[-1]]
        if any(call.requestor == "agent" and call.turn >= final.turn for call in self._calls):
            return tuple(self._messages), None
        kept = self._messages[: places[-1]] + self._messages[places[-1] + 1 :]
        return tuple(kept), final.content


def is_error_text(content: str) -> bool:
    """Return whether a result is a benchmark's error text (``Error: payment method not found``)."""
    return content.startswith((f"{_ERROR_PREFIX}:", f"{_ERROR_PREFIX} "))


def result_value(content: str) -> JsonValue:
    """Return the JSON value that a result text spells, else the text."""
    try:
        value: JsonValue = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return content
    return value
