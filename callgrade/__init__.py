"""callgrade: the public API: ``from callgrade import grade, read_cases``.

Names load on first use (PEP 562), so that the ownership check runs before anything that may be
foreign is imported, and so that ``callgrade --help`` pays for nothing it does not show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callgrade.api import grade, grade_case, read_cases, read_catalog
    from cases.case import Case, Invocation, Message, Tool
    from cases.errors import CallgradeError, InputError
    from cases.expectation import ExpectedPath, ExpectedStep
    from cases.finding import Finding
    from cases.verdict import Verdict

__all__ = [
    "CallgradeError",
    "Case",
    "ExpectedPath",
    "ExpectedStep",
    "Finding",
    "InputError",
    "Invocation",
    "Message",
    "Tool",
    "Verdict",
    "grade",
    "grade_case",
    "read_cases",
    "read_catalog",
]

_EXPORTS = {
    "grade": "callgrade.api:grade",
    "grade_case": "callgrade.api:grade_case",
    "read_cases": "callgrade.api:read_cases",
    "read_catalog": "callgrade.api:read_catalog",
    "Case": "cases.case:Case",
    "Invocation": "cases.case:Invocation",
    "Message": "cases.case:Message",
    "Tool": "cases.case:Tool",
    "ExpectedPath": "cases.expectation:ExpectedPath",
    "ExpectedStep": "cases.expectation:ExpectedStep",
    "Finding": "cases.finding:Finding",
    "Verdict": "cases.verdict:Verdict",
    "CallgradeError": "cases.errors:CallgradeError",
    "InputError": "cases.errors:InputError",
}

if not TYPE_CHECKING:  # the checkers would accept every misspelt name if they saw this function

    def __getattr__(name: str) -> object:
        """Load a public name after checking that the packages are ours."""
        from callgrade.ownership import load_owned  # noqa: PLC0415 - on first use, see above

        if name not in _EXPORTS:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = load_owned(_EXPORTS[name])
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
