"""Wilson's interval for a rate, for the few places that must not load scipy. Pure."""

from __future__ import annotations

import math

import msgspec

Z95 = 1.959963984540054
"""97.5 % point of the standard normal distribution."""


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """k of n with its 95 % interval."""

    k: int
    n: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """K / n, 0..1."""
        return self.k / self.n


def rate(k: int, n: int) -> Rate | None:
    """Return k / n with Wilson's 95 % interval; ``None`` for n = 0, which has no rate.

    Source: Wilson 1927; (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    """
    if n == 0:
        return None
    p, z2 = k / n, Z95 * Z95
    centre = p + z2 / (2 * n)
    spread = Z95 * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    scale = 1 + z2 / n
    low = 0.0 if k == 0 else (centre - spread) / scale
    high = 1.0 if k == n else (centre + spread) / scale
    return Rate(k=k, n=n, low=low, high=high)


def percent(value: float) -> str:
    """Return a rate as a percentage that says 0 % or 100 % only when it is exact."""
    if value in {0.0, 1.0}:
        return f"{value:.0%}"
    shown = min(max(value, 0.001), 0.999)
    return f"{shown:.1%}"
