"""Steps against calls of one case: what alignment asks about a pair, answered once each. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from cases.expectation import ExpectedStep
from deterministic.arguments import ArgumentDiff, compare_arguments
from deterministic.catalog import Catalog
from deterministic.equality import Comparison
from deterministic.selection import AgentCall


class Pairing:
    """Compares step ``i`` with call ``j``; remembers its answers for as long as one case is graded."""

    __slots__ = ("_calls", "_catalog", "_comparison", "_known", "_steps")

    def __init__(
        self, steps: Sequence[ExpectedStep], calls: Sequence[AgentCall], catalog: Catalog, comparison: Comparison
    ) -> None:
        self._steps = steps
        self._calls = calls
        self._catalog = catalog
        self._comparison = comparison
        self._known: dict[tuple[int, int], ArgumentDiff] = {}

    def diff(self, i: int, j: int) -> ArgumentDiff:
        """Return how call ``j`` differs from what step ``i`` wants."""
        found = self._known.get((i, j))
        if found is None:
            call = self._calls[j]
            got = call.invocation.args if call.is_parsed else None
            tool = self._catalog.tools.get(call.name)
            found = compare_arguments(self._steps[i], got if isinstance(got, dict) else None, self._comparison, tool)
            self._known[i, j] = found
        return found

    def is_plausible(self, i: int, j: int) -> bool:
        """Return whether call ``j`` can stand for step ``i`` under another name: a read is no stand-in for a write."""
        called = self._calls[j].name
        wanted = {self._catalog.effect(name) for name in self._steps[i].tools}
        return bool(called) and ("unknown" in wanted or self._catalog.effect(called) in wanted | {"unknown"})

    def is_near(self, i: int, j: int) -> bool:
        """Return whether both belong to one near-miss family."""
        called = self._calls[j].name
        return any(self._catalog.is_near_miss(name, called) for name in self._steps[i].tools)
