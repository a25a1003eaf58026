"""A number that knows how far it can be believed: value, interval, n, and how many were left out.

An undefined number is ``None`` with the reason; it is never NaN and never 0.
"""

from __future__ import annotations

import math

import msgspec

LEVEL = 0.95
"""Confidence level of every interval that does not say otherwise."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A two-sided confidence interval."""

    low: float
    high: float
    level: float
    """Nominal coverage, within 0..1, both ends excluded."""
    method: str
    """How it was made, e.g. ``wilson``, ``cluster bootstrap``."""

    def __post_init__(self) -> None:
        if not self.low <= self.high:  # refuses NaN too
            raise ValueError(f"an interval runs from low to high, got {self.low!r}..{self.high!r}")
        if not 0.0 < self.level < 1.0:
            raise ValueError(f"level must lie within 0..1, got {self.level!r}")


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """One figure about a grader."""

    value: float | None
    interval: Interval | None
    n: int
    """Items that the figure rests on."""
    n_hits: int | None = None
    """The numerator, where the figure is a plain proportion of ``n``."""
    n_effective: float | None = None
    """Independent items that would know as much, where items share conversations or weights differ."""
    n_left_out: int = 0
    """Items that belong to the question and have no answer to it."""
    undefined: str | None = None
    """Why there is no value; set exactly when there is none."""

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError("an estimate has a value or a reason why not, never both or neither")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"a value must be finite, got {self.value!r}")
        if self.value is None and self.interval is not None:
            raise ValueError("no value, no interval")

    @property
    def low(self) -> float | None:
        """Lower confidence limit; ``None`` where there is no interval."""
        return None if self.interval is None else self.interval.low

    @property
    def high(self) -> float | None:
        """Upper confidence limit; ``None`` where there is no interval."""
        return None if self.interval is None else self.interval.high


def undefined(why: str, *, n: int = 0, n_left_out: int = 0) -> Estimate:
    """Return the estimate that says why there is no number."""
    return Estimate(value=None, interval=None, n=n, n_left_out=n_left_out, undefined=why)
