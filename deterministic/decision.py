"""Gate: was calling a tool the right decision, in each user turn? Pure.

An attempt counts as a call, also when it did not parse: a broken call is never credited as "no call".
"""

from __future__ import annotations

from collections.abc import Sequence

from cases.case import Case
from cases.expectation import CallDecision, ExpectedPath, ExpectedStep
from cases.verdict import Decision, Observed
from deterministic.selection import AgentCall
from deterministic.sheet import Sheet


def wanted_decision(stated: CallDecision | None, paths: Sequence[ExpectedPath]) -> CallDecision | None:
    """Return whether a call was required, forbidden or optional in the case as a whole; ``None`` where nobody said.

    Derived from the paths unless stated: required when every path has a required step, forbidden when no path has any
    step, else optional.
    """
    if stated is not None or not paths:
        return stated
    if all(_needs_call(path) for path in paths):
        return "required"
    return "optional" if any(path.steps for path in paths) else "forbidden"


def _needs_call(path: ExpectedPath) -> bool:
    for step in path.steps:
        if not step.optional and step.requestor == "agent":
            return True
    return False


def states_user_turns(paths: Sequence[ExpectedPath]) -> bool:
    """Return whether the gold says for each user turn what is wanted there."""
    for path in paths:
        for step in path.steps:
            if step.user_turn is not None:
                return True
    return False


def user_turns(case: Case, calls: Sequence[AgentCall]) -> list[int]:
    """Return for each call the index, from 0, of the user message that it follows; 0 before the first one."""
    starts = sorted(message.turn for message in case.timeline if message.role == "user")
    return [max(sum(start <= call.invocation.turn for start in starts) - 1, 0) for call in calls]


def observe(calls: Sequence[AgentCall]) -> Observed:
    """Return what the agent did: no call, a valid call, or only attempts that did not parse."""
    if not calls:
        return "none"
    return "valid" if any(call.is_parsed for call in calls) else "unparsable"


def check_decision(wanted: CallDecision | None, calls: Sequence[AgentCall], sheet: Sheet, where: str = "") -> None:
    """Grade one decision and note it.

    Args:
        wanted: ``None`` where nobody said; such a decision is not graded.
        calls: The agent's attempts in the scope of the decision.
        where: Words that name the user turn, where there are several.
    """
    if wanted is None:
        return
    sheet.decisions.append(Decision(wanted, observe(calls)))
    if wanted == "required" and not calls:
        sheet.fail(
            "missed_call",
            "call_decision",
            "/actual_invocations",
            f"a tool call was required{where} and none was attempted",
            expected="required",
            got="no call",
        )
    elif wanted == "forbidden" and calls:
        n = len(calls)
        names = ", ".join(dict.fromkeys(call.name or "an unnamed tool" for call in calls[:5]))
        sheet.fail(
            "over_call",
            "call_decision",
            calls[0].pointer,
            f"no tool call was wanted{where}, and {names} {'was' if n == 1 else 'were'} called",
            tool=calls[0].name,
            expected="forbidden",
            got=f"{n} call{'s' * (n != 1)}",
            repair="answer without calling a tool",
        )
    elif wanted != "optional":
        sheet.add_passes("decide", "call_decision")


def check_turn_decisions(
    steps: Sequence[ExpectedStep], calls: Sequence[AgentCall], turns: Sequence[int], n_turns: int, sheet: Sheet
) -> None:
    """Grade the decision of every user turn of a gold that states them; a turn without a step wants no call."""
    for turn in range(n_turns):
        here = [step for step in steps if (step.user_turn or 0) == turn]
        made = [call for call, call_turn in zip(calls, turns, strict=True) if call_turn == turn]
        wanted: CallDecision = "forbidden"
        if here:
            wanted = "optional" if all(step.optional for step in here) else "required"
        check_decision(wanted, made, sheet, f" in user turn {turn + 1}")
