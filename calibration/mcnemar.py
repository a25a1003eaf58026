"""Did two graders, or one grader before and after, really differ on the same items?"""

from __future__ import annotations

import msgspec
from scipy.special import bdtr


class McNemar(msgspec.Struct, frozen=True, kw_only=True):
    """Exact McNemar test."""

    n_only_first: int
    """Items that only the first got right."""
    n_only_second: int
    """Items that only the second got right."""
    p_value: float
    """Two-sided; 1 when no item differs."""


def mcnemar(n_only_first: int, n_only_second: int) -> McNemar:
    """Test whether the two discordant counts could come from a fair coin.

    p = min(1, 2 P(X <= min(b, c))) with X binomial (b + c, 1/2). Source: McNemar 1947, exact form.

    Raises:
        ValueError: A count is negative.
    """
    if n_only_first < 0 or n_only_second < 0:
        raise ValueError(f"counts must be >= 0, got {n_only_first!r} and {n_only_second!r}")
    tail = float(bdtr(min(n_only_first, n_only_second), n_only_first + n_only_second, 0.5))
    return McNemar(n_only_first=n_only_first, n_only_second=n_only_second, p_value=min(1.0, 2.0 * tail))
