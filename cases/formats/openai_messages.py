"""OpenAI chat messages as a conversation: texts, calls with their results, the final answer.

Pure. Every message but a tool's advances ``turn``; the calls of one message share its turn. Results
are paired within the run of calls that await them, by id, then by name, then by order: ids repeat in
real logs, and some endpoints give none. A result that no call awaits stays as ``context``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from cases.case import Invocation, Message, Requestor, Role
from cases.formats.messagetext import text_of
from cases.formats.rawjson import text_field, wrong_kind
from cases.formats.toolresults import answer_text, read_answer
from cases.jsonvalue import JsonObject, JsonValue, json_text

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
}
_TOOL_ROLES = ("tool", "function")
_OVERDUE_LIMIT = 100  # keeps the work linear in hostile logs
_Located = tuple[JsonObject, str]


class Conversation(msgspec.Struct, frozen=True):
    """What the messages of one conversation say."""

    messages: tuple[Message, ...]
    invocations: tuple[Invocation, ...] | None
    """``None`` where no assistant message was recorded."""
    final_answer: str | None
    """Text of the last message, where it is the assistant's and calls nothing; not in ``messages``."""
    n_turns: int


def read_messages(entries: Iterable[tuple[JsonValue, str]]) -> Conversation:
    """Return the conversation that decoded messages form.

    Args:
        entries: Each message with its JSON pointer.

    Raises:
        InputError: Something is no chat message.
    """
    walk = _Walk()
    for value, place in entries:
        if not isinstance(value, dict):
            raise wrong_kind(value, place, "a chat message")
        walk.take(value, place)
    return walk.finish()


def read_calls(message: JsonObject, place: str, *, turn: int) -> tuple[Invocation, ...]:
    """Return the calls of one message: ``tool_calls``, else the legacy ``function_call``.

    Raises:
        InputError: A call has no call's structure. What it says (name, arguments) is never judged here.
    """
    calls, key = message.get("tool_calls"), "tool_calls"
    if calls is None:
        legacy, key = message.get("function_call"), "function_call"
        if legacy is None:
            return ()
        calls = [legacy]
    if not isinstance(calls, list):
        raise wrong_kind(calls, f"{place}/{key}", "an array of calls")
    requestor: Requestor = "user" if message.get("role") == "user" else "agent"
    return tuple(_read_call(call, f"{place}/{key}/{index}", turn, requestor) for index, call in enumerate(calls))


def _read_call(call: JsonValue, place: str, turn: int, requestor: Requestor) -> Invocation:
    if not isinstance(call, dict):
        raise wrong_kind(call, place, "a call")
    inner = call.get("custom") or call.get("function", call)
    if not isinstance(inner, dict):
        raise wrong_kind(inner, f"{place}/function", "name and arguments of a call")
    name = inner.get("name")
    if name is not None and not isinstance(name, str):
        raise wrong_kind(name, f"{place}/name", "the name of a tool")
    return Invocation(
        tool=name or "",
        args=_arguments(inner),
        turn=turn,
        id=text_field(call, "id"),
        requestor=requestor,
    )


def _arguments(call: JsonObject) -> JsonObject | str:
    """Return arguments as recorded: text raw, objects as they are, ``null`` as no text."""
    if "arguments" not in call and isinstance(text := call.get("input"), str):
        return {"input": text}  # a custom tool: free text is its one argument
    arguments = call.get("arguments")
    if isinstance(arguments, (str, dict)):
        return arguments
    return "" if arguments is None else json_text(arguments)


class _Walk:
    """State of one pass over the messages."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._calls: list[Invocation] = []
        self._awaiting: list[int] = []
        self._overdue: list[int] = []
        """Calls that the conversation went past without a result; only their id can still claim one."""
        self._results: list[_Located] = []
        self._turn = -1
        self._has_assistant = False
        self._final: str | None = None

    def take(self, message: JsonObject, place: str) -> None:
        role = message.get("role")
        if role in _TOOL_ROLES:
            self._final = None
            self._results.append((message, place))
        elif isinstance(role, str) and role in _ROLES:
            self._pair_results()
            self._turn += 1
            self._speak(_ROLES[role], message, place)
        else:
            known = ", ".join((*_ROLES, *_TOOL_ROLES))
            raise wrong_kind(role, f"{place}/role", "a role", f"; known roles: {known}")

    def finish(self) -> Conversation:
        self._pair_results()
        if self._final:
            self._messages.pop()
        return Conversation(
            messages=tuple(self._messages),
            invocations=tuple(self._calls) if self._has_assistant else None,
            final_answer=self._final,
            n_turns=self._turn + 1,
        )

    def _speak(self, role: Role, message: JsonObject, place: str) -> None:
        text = text_of(message.get("content"), f"{place}/content")
        text = text or text_field(message, "refusal") or ""
        calls = read_calls(message, place, turn=self._turn)
        if role == "user":
            self._give_up_waiting()
        self._awaiting += range(len(self._calls), len(self._calls) + len(calls))
        self._calls += calls
        self._has_assistant |= role == "assistant" or bool(calls)
        self._final = text if role == "assistant" and not calls else None
        if text:
            self._messages.append(Message(role=role, content=text, turn=self._turn))

    def _pair_results(self) -> None:
        if not self._results:
            return
        left = self._pair(self._results, _id_wanted, _call_id, [*self._awaiting, *self._overdue])
        if left:
            left = self._pair(left, _name_wanted, _call_name, self._awaiting)
            left = self._pair(left, _any, _any, self._awaiting)
        for message, place in left:
            text = answer_text(read_answer(message, place))
            self._messages.append(Message(role="context", content=text, turn=max(self._turn, 0)))
        self._results = []
        self._give_up_waiting()

    def _give_up_waiting(self) -> None:
        self._overdue = [*self._overdue, *self._awaiting][-_OVERDUE_LIMIT:]
        self._awaiting = []

    def _pair(
        self,
        results: list[_Located],
        key_wanted: Callable[[JsonObject], str | None],
        key_of: Callable[[Invocation], str | None],
        candidates: list[int],
    ) -> list[_Located]:
        """Give each result to the first candidate with its key; return the results that found none."""
        waiting: dict[str | None, deque[int]] = {}
        for index in candidates:
            waiting.setdefault(key_of(self._calls[index]), deque()).append(index)
        left: list[_Located] = []
        taken: set[int] = set()
        for message, place in results:
            key = key_wanted(message)
            if key is None or not (queue := waiting.get(key)):
                left.append((message, place))
                continue
            taken.add(index := queue.popleft())
            answer = read_answer(message, place)
            self._calls[index] = msgspec.structs.replace(self._calls[index], result=answer.result, error=answer.error)
        self._awaiting = [index for index in self._awaiting if index not in taken]
        self._overdue = [index for index in self._overdue if index not in taken]
        return left


def _id_wanted(message: JsonObject) -> str | None:
    return text_field(message, "tool_call_id")


def _call_id(call: Invocation) -> str | None:
    return call.id


def _name_wanted(message: JsonObject) -> str | None:
    return text_field(message, "name")


def _call_name(call: Invocation) -> str | None:
    return call.tool


def _any(_: JsonObject | Invocation) -> str:
    return "any"
