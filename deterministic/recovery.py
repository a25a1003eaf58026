"""Gate: what the agent made of tool errors: claimed success, repeated the same failing call, went in circles. Pure.

Words are read by ``narration``. A text that neither admits the error nor claims the action, or does both, leaves the
step open instead of guessing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

from cases.case import Case, Message
from cases.finding import Evidence
from deterministic.catalog import Catalog
from deterministic.equality import canonical_key
from deterministic.narration import admits_failure, claimed_action, readable
from deterministic.selection import AgentCall
from deterministic.sheet import Sheet

RETRIES = 1
"""Unchanged repetitions of a failing call that only inform: an error may be a passing one."""

LOOP_LENGTH = 3
"""Equal calls in a row that make a loop."""


def check_recovery(case: Case, calls: Sequence[AgentCall], catalog: Catalog, sheet: Sheet) -> None:
    """Grade what followed each tool error."""
    if len(calls) >= LOOP_LENGTH:
        _check_loops(calls, sheet)
    failed = [call for call in calls if call.invocation.error is not None]
    if not failed:
        return
    _check_repeats(calls, catalog, sheet)
    succeeded = {call.name for call in calls if call.invocation.error is None}
    for call in failed:
        if not _was_mended(call, calls):
            _check_claim(case, call, succeeded, catalog, sheet)


def _was_mended(call: AgentCall, calls: Sequence[AgentCall]) -> bool:
    """Return whether the same tool succeeded later: the error is then history."""
    return any(
        later.index > call.index and later.name == call.name and later.invocation.error is None for later in calls
    )


def _check_claim(case: Case, call: AgentCall, succeeded: Collection[str], catalog: Catalog, sheet: Sheet) -> None:
    texts = _texts_after(case, call.invocation.turn)
    if not texts:
        sheet.leave_open(
            "integrate", "tool_error", call.pointer, f"{call.name!r} failed and no text of the agent follows"
        )
        return
    admitted = [admits_failure(text, call.name) for _, text in texts]
    claim = _first_claim(texts, call.name, succeeded) if catalog.effect(call.name) != "read" else None
    if claim is not None and not any(admitted):
        pointer, sentence = claim
        sheet.fail(
            "ignored_tool_error",
            "tool_error",
            pointer,
            f"{call.name!r} failed ({_short(call.invocation.error or '')}), and the agent says {sentence!r}",
            tool=call.name,
            sub_mode="claimed_success",
            got=sentence,
            repair=f"the call of {call.name} failed: say so, or try again with other arguments",
            evidence=(Evidence(source=f"{call.pointer}/error", quote=_short(call.invocation.error or "")),),
        )
        return
    if any(admitted) and claim is None:
        sheet.add_passes("integrate", "tool_error")
        return
    said = "both admit that and claim success" if claim else "neither admit that nor clearly claim success"
    sheet.leave_open(
        "integrate",
        "tool_error",
        call.pointer,
        f"{call.name!r} failed; the texts after it {said}",
    )


def _texts_after(case: Case, turn: int) -> list[tuple[str, str]]:
    found = [
        (f"/messages/{index}/content", readable(message.content))
        for index, message in enumerate(case.messages)
        if _is_agent_text(message) and message.turn > turn
    ]
    answer = readable(case.final_answer or "")
    if answer and all(text != answer for _, text in found):
        found.append(("/final_answer", answer))
    return found


def _is_agent_text(message: Message) -> bool:
    return message.role == "assistant" and bool(message.content.strip())


def _first_claim(texts: Sequence[tuple[str, str]], tool: str, succeeded: Collection[str]) -> tuple[str, str] | None:
    for pointer, text in texts:
        sentence = claimed_action(text, tool, succeeded)
        if sentence is not None:
            return pointer, _short(sentence)
    return None


def _check_repeats(calls: Sequence[AgentCall], catalog: Catalog, sheet: Sheet) -> None:
    """Report failing calls that came again although nothing had changed since: no write had succeeded in between."""
    seen: dict[tuple[str, bytes], int] = {}
    for call in calls:
        key = _key(call)
        if call.invocation.error is None:
            if catalog.effect(call.name) == "write":
                seen.clear()
            seen.pop(key, None)
            continue
        seen[key] = seen.get(key, 0) + 1
        repeats = seen[key] - 1
        if repeats:
            sheet.fail(
                "ignored_tool_error",
                "repeated_failure",
                call.pointer,
                f"{call.name!r} was called again unchanged after it had failed {repeats} time{'s' * (repeats != 1)}",
                tool=call.name,
                sub_mode="repeated_failure",
                gating=repeats > RETRIES,
                repair=f"{call.name} failed with these arguments: change them or stop",
            )


def _check_loops(calls: Sequence[AgentCall], sheet: Sheet) -> None:
    start = 0
    for end in range(1, len(calls) + 1):
        if end < len(calls) and calls[end].name == calls[start].name:
            continue
        if end - start >= LOOP_LENGTH:
            _check_loops_of_one_tool(calls[start:end], sheet)
        start = end


def _check_loops_of_one_tool(calls: Sequence[AgentCall], sheet: Sheet) -> None:
    for _, run in groupby(calls, key=lambda call: (call.invocation.error is None, _key(call))):
        equal = list(run)
        name = equal[0].name
        if len(equal) >= LOOP_LENGTH and equal[0].invocation.error is None:
            sheet.fail(
                "extra_call",
                "loop",
                equal[-1].pointer,
                f"{name!r} was called {len(equal)} times in a row with the same arguments",
                tool=name,
                sub_mode="loop",
                gating=False,
                got=name,
                repair=f"{name} was answered already: use its result",
            )


def _key(call: AgentCall) -> tuple[str, bytes]:
    return call.name, canonical_key(call.invocation.args)


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= 160 else f"{one_line[:160]}…"
