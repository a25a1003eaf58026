"""Gate: was calling a tool the right decision? Pure.

An attempt counts as a call, also when it did not parse: a broken call is never credited as "no call".
"""

from __future__ import annotations

from cases.case import Case
from cases.expectation import CallDecision
from deterministic.sheet import Sheet


def wanted_decision(case: Case) -> CallDecision | None:
    """Return whether a call was required, forbidden or optional; ``None`` where nobody said.

    Derived from the paths unless stated: required when every path has a required step, forbidden when no path has any
    step, else optional.
    """
    if case.expected_call is not None:
        return case.expected_call
    paths = case.paths
    if not paths:
        return None
    required = [any(not s.optional and s.requestor == "agent" for s in path.steps) for path in paths]
    if all(required):
        return "required"
    if not any(path.steps for path in paths):
        return "forbidden"
    return "optional"


def check_decision(wanted: CallDecision | None, n_calls: int, first: int, sheet: Sheet) -> None:
    """Grade the decision.

    Args:
        n_calls: Calls that the agent attempted, parsable or not.
        first: Index of the first of them in the case.
    """
    if wanted == "required" and not n_calls:
        sheet.fail(
            "missed_call",
            "call_decision",
            "/actual_invocations",
            "a tool call was required and none was attempted",
            expected="required",
            got="no call",
        )
    elif wanted == "forbidden" and n_calls:
        sheet.fail(
            "over_call",
            "call_decision",
            f"/actual_invocations/{first}",
            f"no tool call was wanted and {n_calls} {'was' if n_calls == 1 else 'were'} attempted",
            expected="forbidden",
            got=f"{n_calls} call{'s' * (n_calls != 1)}",
        )
    elif wanted in {"required", "forbidden"}:
        sheet.add_passes("decide", "call_decision")
