"""callgrade: the public API: ``from callgrade import grade, read_cases``.

Names load on first use (PEP 562), so that the ownership check runs before anything that may be
foreign is imported, and so that ``callgrade --help`` pays for nothing it does not show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cases.errors import CallgradeError, InputError

__all__ = ["CallgradeError", "InputError"]

_EXPORTS = {
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
