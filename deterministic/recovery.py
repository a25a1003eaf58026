"""Gate: what the agent made of tool errors: claimed success, repeated the same failing call, went in circles. Pure.

Reads English. A text that neither admits the error nor claims the action leaves the step open instead of guessing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from cases.case import Case, Message
from cases.finding import Evidence
from deterministic.equality import canonical_key
from deterministic.families import name_words
from deterministic.selection import AgentCall
from deterministic.sheet import Sheet

RETRIES = 1
"""Unchanged repetitions of a failing call that only inform: an error may be a passing one."""

LOOP_LENGTH = 3
"""Equal calls in a row that make a loop."""

_APOSTROPHE = str.maketrans({"\u2019": "'"})
_ADMITS = re.compile(
    r"\b(?:un(?:able|fortunately|successful)|couldn't|can't|cannot|fail(?:s|ed|ure)?|errors?|problems?|issues?|trouble|"
    r"not (?:been |yet |be )?(?:able|possible|found|processed|completed|available|eligible|allowed|recognized|valid)|"
    r"did(?:n't| not)|was(?:n't| not)|has(?:n't| not)|won't|no (?:such|record|matching)|does(?:n't| not) exist|"
    r"invalid|incorrect|declined|rejected|denied|apolog\w+|sorry|try again|went wrong|"
    r"transfer\w*|human agent|specialist|exceeds?|insufficient|already)\b",
    re.IGNORECASE,
)
_CLAIMS = re.compile(
    r"\b(?:(?:has|have|was|were|is|are)(?: now)?(?: been)? (?:successfully )?\w+(?:ed|en|id|nt|de)|"
    r"(?:i|we)(?:'ve| have)?(?: just| now)?(?: successfully)? \w+(?:ed|en|id|nt|de)|"
    r"successfully \w+|is on its way|all set|is confirmed|is complete|is done)\b",
    re.IGNORECASE,
)
_IRREGULAR = {"send": "sent", "make": "made", "pay": "paid", "give": "given", "get": "got", "write": "written"}
_TEXT_LIMIT = 20_000
_STEM = 4


def check_recovery(case: Case, calls: Sequence[AgentCall], sheet: Sheet) -> None:
    """Grade what followed each tool error."""
    failed = [call for call in calls if call.invocation.error is not None]
    if len(calls) >= LOOP_LENGTH:
        _check_loops(calls, sheet)
    if not failed:
        return
    _check_repeats(calls, sheet)
    for call in failed:
        if not _was_mended(call, calls):
            _check_claim(case, call, sheet)


def _was_mended(call: AgentCall, calls: Sequence[AgentCall]) -> bool:
    """Return whether the same tool succeeded later: the error is then history."""
    return any(
        later.index > call.index and later.name == call.name and later.invocation.error is None for later in calls
    )


def _check_claim(case: Case, call: AgentCall, sheet: Sheet) -> None:
    texts = _texts_after(case, call.invocation.turn)
    if not texts:
        sheet.leave_open(
            "integrate", "tool_error", call.pointer, f"{call.name!r} failed and no text of the agent follows"
        )
        return
    if any(_ADMITS.search(text) for _, text in texts):
        sheet.add_passes("integrate", "tool_error")
        return
    for pointer, text in texts:
        claim = _claimed_action(text, call.name)
        if claim is not None:
            sheet.fail(
                "ignored_tool_error",
                "tool_error",
                pointer,
                f"{call.name!r} failed ({_short(call.invocation.error or '')}), and the agent says {claim!r}",
                tool=call.name,
                sub_mode="claimed_success",
                got=claim,
                repair=f"the call of {call.name} failed: say so, or try again with other arguments",
                evidence=(Evidence(source=f"{call.pointer}/error", quote=_short(call.invocation.error or "")),),
            )
            return
    sheet.leave_open(
        "integrate",
        "tool_error",
        call.pointer,
        f"{call.name!r} failed; the texts after it neither admit that nor clearly claim success",
    )


def _texts_after(case: Case, turn: int) -> list[tuple[str, str]]:
    found = [
        (f"/messages/{index}/content", message.content[:_TEXT_LIMIT].translate(_APOSTROPHE))
        for index, message in enumerate(case.messages)
        if _is_agent_text(message) and message.turn > turn
    ]
    answer = (case.final_answer or "")[:_TEXT_LIMIT].translate(_APOSTROPHE)
    if answer and all(text != answer for _, text in found):
        found.append(("/final_answer", answer))
    return found


def _is_agent_text(message: Message) -> bool:
    return message.role == "assistant" and bool(message.content.strip())


def _claimed_action(text: str, tool: str) -> str | None:
    """Return the sentence in which the agent claims that the tool's action happened."""
    words = [word for word in name_words(tool) if len(word) >= _STEM]
    stems = [word.removesuffix("e") for word in words]
    stems += [past for verb, past in _IRREGULAR.items() if verb in name_words(tool)]
    for sentence in re.split(r"(?<=[.!?\n])\s+", text):
        lower = sentence.lower()
        if _CLAIMS.search(sentence) and any(stem in lower for stem in stems):
            return _short(sentence.strip())
    return None


def _check_repeats(calls: Sequence[AgentCall], sheet: Sheet) -> None:
    seen: dict[tuple[str, bytes], int] = {}
    for call in calls:
        key = _key(call)
        if call.invocation.error is None:
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
    for name, group in groupby(calls, key=lambda call: (call.name, call.invocation.error is None)):
        same_name = list(group)
        if not name[1] or len(same_name) < LOOP_LENGTH:
            continue
        for _, run in groupby(same_name, key=_key):
            equal = list(run)
            if len(equal) >= LOOP_LENGTH:
                sheet.fail(
                    "extra_call",
                    "loop",
                    equal[-1].pointer,
                    f"{name[0]!r} was called {len(equal)} times in a row with the same arguments",
                    tool=name[0],
                    sub_mode="loop",
                    gating=False,
                    repair=f"{name[0]} was answered already: use its result",
                )


def _key(call: AgentCall) -> tuple[str, bytes]:
    return call.name, canonical_key(call.invocation.args)


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= 160 else f"{one_line[:160]}…"
