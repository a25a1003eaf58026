"""Gate: what the agent made of tool errors: claimed success, repeated the same failing call, went in circles. Pure.

Reads English. A text that neither admits the error nor claims the action leaves the step open instead of guessing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from cases.case import Case, Message
from cases.finding import Evidence
from deterministic.catalog import Catalog
from deterministic.equality import canonical_key
from deterministic.families import name_words
from deterministic.selection import AgentCall
from deterministic.sheet import Sheet

RETRIES = 1
"""Unchanged repetitions of a failing call that only inform: an error may be a passing one."""

LOOP_LENGTH = 3
"""Equal calls in a row that make a loop."""

_APOSTROPHE = str.maketrans({"\u2019": "'"})
_SMALL_TALK = re.compile(r"\bno (?:problem|worries|issues?|trouble)s?\b", re.IGNORECASE)
_ADMITS = re.compile(
    r"\b(?:unable|unfortunately|unsuccessful|cannot|fail(?:s|ed|ure)?|errors?|problems?|issues?|trouble|refus(?:ed|al|es)|"
    r"(?:could|can|did|was|were|is|are|has|have|had|does|do|will|would)(?:n't| not)|not (?:been|be|yet|able|possible|"
    r"found|made|valid|eligible|available|allowed)|no (?:such|record|matching|money|order)|nothing (?:was|has|is)|"
    r"invalid|incorrect|declined|rejected|denied|went wrong|too late|another \w+ format|human agent|specialist|"
    r"exceeds?|insufficient|above what)\b",
    re.IGNORECASE,
)
_COMPLETION = re.compile(
    r"\b(?:on its way|all set|done|completed?|confirmed|processed|approved|issued|sent|successful(?:ly)?|through)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\?|\b(?:if|would you|shall i|should i|want|like|let me|going to|about to|need to)\b", re.IGNORECASE
)
_PAST = ("ed", "en", "nt", "id", "de")
_IRREGULAR = {"send": "sent", "make": "made", "pay": "paid", "give": "given", "write": "written"}
_TEXT_LIMIT = 20_000
_STEM = 4
_SENTENCE_END = re.compile(r"(?<=[.!?\n])\s+")
_WORD = re.compile(r"[a-z]+")


def check_recovery(case: Case, calls: Sequence[AgentCall], catalog: Catalog, sheet: Sheet) -> None:
    """Grade what followed each tool error."""
    if len(calls) >= LOOP_LENGTH:
        _check_loops(calls, sheet)
    failed = [call for call in calls if call.invocation.error is not None]
    if not failed:
        return
    _check_repeats(calls, sheet)
    for call in failed:
        if not _was_mended(call, calls):
            _check_claim(case, call, catalog, sheet)


def _was_mended(call: AgentCall, calls: Sequence[AgentCall]) -> bool:
    """Return whether the same tool succeeded later: the error is then history."""
    return any(
        later.index > call.index and later.name == call.name and later.invocation.error is None for later in calls
    )


def _check_claim(case: Case, call: AgentCall, catalog: Catalog, sheet: Sheet) -> None:
    texts = _texts_after(case, call.invocation.turn)
    if not texts:
        sheet.leave_open(
            "integrate", "tool_error", call.pointer, f"{call.name!r} failed and no text of the agent follows"
        )
        return
    if any(_ADMITS.search(_SMALL_TALK.sub("", text)) for _, text in texts):
        sheet.add_passes("integrate", "tool_error")
        return
    for pointer, text in texts if catalog.effect(call.name) != "read" else ():
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
    """Return the sentence in which the agent claims that the tool's action happened.

    The sentence names the action in a past form (``refunded`` for ``refund_order``), or names a word of the tool beside
    a word of completion (``your refund is on its way``); questions and intentions are no claims.
    """
    words = [word for word in name_words(tool) if len(word) >= _STEM or word in _IRREGULAR]
    stems = tuple(_IRREGULAR.get(word) or word.removesuffix("e") for word in words)
    for sentence in _SENTENCE_END.split(text):
        found = [word for word in _WORD.findall(sentence.lower()) if word.startswith(stems)]
        is_past = any(word.endswith(_PAST) for word in found)
        if found and (is_past or _COMPLETION.search(sentence)) and not _OPEN.search(sentence):
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
                repair=f"{name} was answered already: use its result",
            )


def _key(call: AgentCall) -> tuple[str, bytes]:
    return call.name, canonical_key(call.invocation.args)


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= 160 else f"{one_line[:160]}…"
