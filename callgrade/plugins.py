"""Plug-ins: predicates that other distributions offer under the entry-point group ``callgrade.predicates``.

They are found by name when a run begins and imported only when a gold asks for them.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from cases.errors import ExpectationError
from cases.jsonvalue import JsonValue
from deterministic.matchers import Predicate

GROUP = "callgrade.predicates"


def find_predicates() -> dict[str, Predicate]:
    """Return the installed predicates by name."""
    return {entry.name: _Plugin(entry) for entry in entry_points(group=GROUP)}


class _Plugin:
    """A predicate that is imported when it is first asked."""

    def __init__(self, entry: EntryPoint) -> None:
        self._entry = entry

    def __call__(self, value: JsonValue) -> bool:
        return _load(self._entry)(value)


@lru_cache(maxsize=256)
def _load(entry: EntryPoint) -> Predicate:
    try:
        found: Predicate = entry.load()
    except Exception as error:  # whatever a plug-in's import raises, the gold cannot be used with it
        raise ExpectationError(
            f"predicate {entry.name!r} ({entry.value}) cannot be imported: {type(error).__name__}: {error}"
        ) from error
    return found
