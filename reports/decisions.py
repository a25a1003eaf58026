"""Call decisions: the four cells with the unparsable kept apart, and what follows from them. Pure."""

from __future__ import annotations

import msgspec

from cases.verdict import Decision, Observed

_ATTEMPTED: tuple[Observed, ...] = ("valid", "unparsable")


class DecisionTally(msgspec.Struct, kw_only=True):
    """Addable counts of decisions, wanted by observed; optional ones are outside every rate.

    "Call" is the positive class, and an attempt that did not parse counts as a call.
    """

    required: dict[Observed, int] = {}
    forbidden: dict[Observed, int] = {}
    optional: dict[Observed, int] = {}

    def add(self, decision: Decision) -> None:
        """Count one decision."""
        row = {"required": self.required, "forbidden": self.forbidden, "optional": self.optional}[decision.wanted]
        row[decision.observed] = row.get(decision.observed, 0) + 1

    def merge(self, other: DecisionTally) -> None:
        """Add another tally."""
        for mine, theirs in (
            (self.required, other.required),
            (self.forbidden, other.forbidden),
            (self.optional, other.optional),
        ):
            for observed, n in theirs.items():
                mine[observed] = mine.get(observed, 0) + n

    @property
    def n_hits(self) -> int:
        """Calls that were required and attempted (true positives)."""
        return sum(self.required.get(observed, 0) for observed in _ATTEMPTED)

    @property
    def n_over(self) -> int:
        """Turns in which a call was forbidden and attempted (false positives)."""
        return sum(self.forbidden.get(observed, 0) for observed in _ATTEMPTED)

    @property
    def n_missed(self) -> int:
        """Calls that were required and not attempted (false negatives)."""
        return self.required.get("none", 0)

    @property
    def n_quiet(self) -> int:
        """Turns in which no call was wanted and none was made (true negatives)."""
        return self.forbidden.get("none", 0)

    @property
    def precision(self) -> float | None:
        """Hits / attempted where required or forbidden, 0..1; ``None`` when nothing was attempted."""
        return _ratio(self.n_hits, self.n_hits + self.n_over)

    @property
    def recall(self) -> float | None:
        """Hits / required, 0..1: the accuracy of the class "call"; ``None`` when none was required."""
        return _ratio(self.n_hits, self.n_hits + self.n_missed)

    @property
    def no_call_accuracy(self) -> float | None:
        """Quiet / forbidden, 0..1: the accuracy of the class "no call"; ``None`` when none was forbidden."""
        return _ratio(self.n_quiet, self.n_quiet + self.n_over)

    @property
    def f1(self) -> float | None:
        """2 hits / (2 hits + over + missed), 0..1; ``None`` when there is neither a required nor an over-call."""
        return _ratio(2 * self.n_hits, 2 * self.n_hits + self.n_over + self.n_missed)


def _ratio(k: int, n: int) -> float | None:
    return k / n if n else None
