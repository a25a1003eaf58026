"""Steps against calls of one case: what alignment asks about a pair, answered once each. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from cases.expectation import ExpectedStep
from cases.jsonvalue import encode
from deterministic.arguments import ArgumentDiff, compare_arguments
from deterministic.catalog import Catalog
from deterministic.equality import MATCHER_MARK, Comparison
from deterministic.selection import AgentCall


class Pairing:
    """Compares step ``i`` with call ``j``; remembers its answers for as long as one case is graded."""

    __slots__ = ("_call_texts", "_calls", "_catalog", "_comparison", "_known", "_step_texts", "_steps")

    def __init__(
        self, steps: Sequence[ExpectedStep], calls: Sequence[AgentCall], catalog: Catalog, comparison: Comparison
    ) -> None:
        self._steps = steps
        self._calls = calls
        self._catalog = catalog
        self._comparison = comparison
        self._known: dict[tuple[int, int], ArgumentDiff] = {}
        self._step_texts = [encode(step.args) for step in steps]
        self._call_texts = [encode(call.invocation.args) for call in calls]

    def diff(self, i: int, j: int) -> ArgumentDiff:
        """Return how call ``j`` differs from what step ``i`` wants."""
        found = self._known.get((i, j))
        if found is not None:
            return found
        step, call = self._steps[i], self._calls[j]
        got = call.invocation.args if call.is_parsed else None
        text = self._step_texts[i]
        if text == self._call_texts[j] and isinstance(got, dict) and step.compare is None and MATCHER_MARK not in text:
            found = ArgumentDiff(len(got), len(got))
        else:
            tool = self._catalog.tools.get(call.name)
            found = compare_arguments(step, got if isinstance(got, dict) else None, self._comparison, tool)
        self._known[i, j] = found
        return found

    def is_plain(self, i: int) -> bool:
        """Return whether differing fields are a metric for step ``i``, so that equal pairs may stay paired."""
        step = self._steps[i]
        return (
            step.args is not None
            and step.gating
            and not step.optional
            and isinstance(step.tool, str)
            and MATCHER_MARK not in self._step_texts[i]
        )

    def is_plausible(self, i: int, j: int) -> bool:
        """Return whether call ``j`` can stand for step ``i`` under another name: a read is no stand-in for a write."""
        called = self._calls[j].name
        wanted = {self._catalog.effect(name) for name in self._steps[i].tools}
        return bool(called) and ("unknown" in wanted or self._catalog.effect(called) in wanted | {"unknown"})

    def is_near(self, i: int, j: int) -> bool:
        """Return whether both belong to one near-miss family."""
        called = self._calls[j].name
        return any(self._catalog.is_near_miss(name, called) for name in self._steps[i].tools)
