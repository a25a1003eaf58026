"""Gate: the deterministic part of telling the truth about results. Pure.

What an answer claims about a result is graded by evidence; until that has run, the step is ungraded and says so.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cases.case import Case, Invocation
from deterministic.sheet import Sheet


def check_claims(case: Case, calls: Sequence[Invocation], sheet: Sheet) -> None:
    """Leave the step open where an answer follows a result; without either there is nothing to grade."""
    if not case.final_answer:
        return
    for call in calls:
        if call.result is not msgspec.UNSET and call.requestor == "agent":
            sheet.leave_open("integrate", "claims", "/final_answer", "no grader of claims has run on this answer")
            return
