"""BFCL's model results as calls: FC mode, prompt mode, and turns of steps of either.

A result is a list of ``{tool: arguments}`` (FC mode, arguments a JSON text), a text (prompt mode,
or an answer), or for multi-turn tasks a list of turns, each a list of steps of either kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from cases.case import Invocation, Pathway
from cases.formats.shape import Misfit
from cases.jsonvalue import JsonValue, json_text
from cases.pythoncalls import Unparsable, parse_python_calls

TURNS_PER_USER_TURN = 100
"""Room for the steps that answer one user message; BFCL itself stops after 20."""

_ATTEMPT = re.compile(
    r"""\[\s*[A-Za-z_][\w.]*\s*\(  # [f(
    | [A-Za-z_][\w.]*\(            # f( -- prose puts a blank before its parenthesis
    | \[?\s*\{\s*["'] """,  # {"name": ... : a call in a shape that BFCL does not ask for
    re.ASCII | re.VERBOSE,
)
_FENCE = re.compile(r"```[a-z_]*\n", re.ASCII)


class Output(msgspec.Struct, frozen=True):
    """What the model did."""

    invocations: tuple[Invocation, ...]
    answers: tuple[str, ...]
    """Texts that are no calls, in their order."""
    final_answer: str | None
    """The last of them, unless a call came after it."""
    pathway: Pathway
    """Free-form where a call was written as text; FC mode does not tell how it was decoded."""


def read_output(result: JsonValue) -> Output | Misfit:
    """Return the calls and texts of one result."""
    if isinstance(result, str):
        return _collect([(1, result)])
    if not isinstance(result, list):
        shown = json_text(result)[:60]
        return Misfit(f"$.result: {shown} is neither a list of calls nor a text; run the task again")
    if not any(isinstance(item, list) for item in result):
        return _collect([(1, result)])
    return _collect(_steps(result))


def _steps(turns: Sequence[JsonValue]) -> Iterator[tuple[int, JsonValue]]:
    last = 0
    for user_turn, steps in enumerate(turns):
        last = max(last, user_turn * TURNS_PER_USER_TURN)
        for step in steps if isinstance(steps, list) else [steps]:
            last += 1
            yield last, step


def _collect(steps: Sequence[tuple[int, JsonValue]] | Iterator[tuple[int, JsonValue]]) -> Output:
    calls: list[Invocation] = []
    answers: list[str] = []
    is_text_last = is_free_form = False
    for turn, step in steps:
        made = _text_calls(step, turn) if isinstance(step, str) else tuple(_calls(step, turn))
        if made is None:
            answers.append(str(step))
            is_text_last = True
        elif made:
            calls.extend(made)
            is_text_last = False
            is_free_form |= isinstance(step, str)
    final = answers.pop() if is_text_last else None
    pathway: Pathway = "free_form" if is_free_form else "unknown"
    return Output(tuple(calls), tuple(answers), final, pathway)


def _calls(step: JsonValue, turn: int) -> Iterator[Invocation]:
    for item in step if isinstance(step, list) else [step]:
        if not isinstance(item, dict) or not item:
            yield _broken(json_text(item), turn, "no object {tool: arguments}")
            continue
        for tool, args in item.items():
            text = args if isinstance(args, (str, dict)) else json_text(args)
            yield Invocation(tool=tool, args=text, turn=turn)


def _text_calls(text: str, turn: int) -> tuple[Invocation, ...] | None:
    """Return the calls that a text writes, or one that did not parse; ``None`` for prose."""
    body = _unfenced(text)
    if body == "[]":
        return ()
    if _ATTEMPT.match(body) is None:
        return None
    calls = parse_python_calls(body)
    if isinstance(calls, Unparsable):
        return (_broken(text, turn, calls.reason),)
    return tuple(Invocation(tool=tool, args=args, turn=turn) for tool, args in calls)


def _broken(text: str, turn: int, reason: str) -> Invocation:
    return Invocation(tool="", args=text, turn=turn, parse_error=reason)


def _unfenced(text: str) -> str:
    stripped = text.strip()
    found = _FENCE.match(stripped)
    return stripped[found.end() if found else 0 :].strip("`\n ")
