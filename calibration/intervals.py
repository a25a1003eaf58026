"""Confidence limits for proportions and for the difference of two of them.

Pure. The limits never leave 0..1 and are never empty at 0 of n, where the textbook (Wald) limits are.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, ndtri

from calibration.estimate import LEVEL, Estimate, Interval, undefined

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def normal_quantile(level: float) -> float:
    """Return z such that a standard normal lies within -z..z with probability ``level``."""
    return float(ndtri((1.0 + level) / 2.0))


def wilson_limits(hits: ArrayLike, n: ArrayLike, z: float) -> tuple[Floats, Floats]:
    """Return Wilson's lower and upper limits, element by element.

    Args:
        hits: Number of hits, 0..n; need not be whole (weighted or planned counts).
        n: Number of trials, >= 0; same shape as ``hits`` or broadcast.
        z: Normal quantile, see ``normal_quantile``.

    Returns:
        Two arrays within 0..1; 0 and 1 where n is 0 (nothing is known).

    Source: Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4.
    """
    x, m = np.broadcast_arrays(np.asarray(hits, dtype=float), np.asarray(n, dtype=float))
    known = np.maximum(m, np.finfo(float).tiny)
    p = np.where(m > 0, x / known, 0.5)
    scale = m + z * z
    centre = (m * p + z * z / 2.0) / scale
    half = z * np.sqrt(m * p * (1.0 - p) + z * z / 4.0) / scale
    low = np.where(x <= 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(x >= m, 1.0, np.minimum(centre + half, 1.0))
    return low, high


def proportion(n_hits: int, n: int, *, n_left_out: int = 0, level: float = LEVEL) -> Estimate:
    """Return ``n_hits / n`` with Wilson's interval; undefined at n = 0.

    Raises:
        ValueError: The counts are negative or ``n_hits`` exceeds ``n``.
    """
    if not 0 <= n_hits <= n:
        raise ValueError(f"hits must lie within 0..n, got {n_hits!r} of {n!r}")
    if n == 0:
        return undefined("no item to count", n_left_out=n_left_out)
    low, high = wilson_limits(n_hits, n, normal_quantile(level))
    interval = Interval(low=float(low), high=float(high), level=level, method="wilson")
    return Estimate(value=n_hits / n, interval=interval, n=n, n_hits=n_hits, n_left_out=n_left_out)


def newcombe_difference(hits_a: int, n_a: int, hits_b: int, n_b: int, *, level: float = LEVEL) -> Estimate:
    """Return the difference a - b of two independent proportions with Newcombe's hybrid interval.

    Returns:
        Value within -1..1, n = n_a + n_b; undefined when either n is 0.

    Source: Newcombe 1998, method 10 (square-and-add of Wilson limits, no continuity correction).
    """
    if n_a == 0 or n_b == 0:
        return undefined("one of the two groups is empty", n=n_a + n_b)
    z = normal_quantile(level)
    (low_a, high_a), (low_b, high_b) = (
        tuple(float(limit) for limit in wilson_limits(hits, n, z)) for hits, n in ((hits_a, n_a), (hits_b, n_b))
    )
    a, b = hits_a / n_a, hits_b / n_b
    low = a - b - math.hypot(a - low_a, high_b - b)
    high = a - b + math.hypot(high_a - a, b - low_b)
    interval = Interval(low=low, high=high, level=level, method="newcombe")
    return Estimate(value=a - b, interval=interval, n=n_a + n_b)


def binomial_lower_bound(n_hits: int, n: int, *, delta: float) -> float:
    """Return the exact one-sided lower bound: the true rate lies below it with probability <= ``delta``.

    Returns:
        Within 0..1; 0 when there are no hits (n = 0 included).

    Source: Clopper & Pearson 1934: the ``delta`` quantile of Beta(hits, n - hits + 1).
    """
    return 0.0 if n_hits == 0 else float(betaincinv(n_hits, n - n_hits + 1, delta))
