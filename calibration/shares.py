"""A share of items that are not independent: items of one conversation count for less than they are.

Pure. Wilson's interval at the *effective number* of items: as many independent items as would know as much.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.estimate import LEVEL, Estimate, Interval, undefined
from calibration.intervals import Bools, Floats, normal_quantile, wilson_limits


def share(
    hit: Bools,
    clusters: Sequence[str],
    *,
    undefined_because: str,
    weights: Floats | None = None,
    n_left_out: int = 0,
    level: float = LEVEL,
) -> Estimate:
    """Return the share of hits with Wilson's interval at the effective number of items.

    Args:
        hit: Shape (n,).
        clusters: The cluster of each item, n of them.
        undefined_because: The reason to give at n = 0.
        weights: Shape (n,), >= 0; ``None``: every item counts one.

    Returns:
        ``n_effective`` is set where it is below n.
    """
    n = len(hit)
    counts = np.ones(n) if weights is None else weights
    total = float(counts.sum())
    if n == 0 or total == 0.0:
        return undefined(undefined_because, n_left_out=n_left_out)
    value = min(1.0, float(counts @ hit) / total)
    n_effective = effective_number(hit, clusters, counts)
    low, high = (float(limit) for limit in wilson_limits(value * n_effective, n_effective, normal_quantile(level)))
    return Estimate(
        value=value,
        interval=Interval(low=min(low, value), high=max(high, value), level=level, method="wilson"),
        n=n,
        n_hits=int(hit.sum()) if weights is None else None,
        n_effective=None if n_effective == n else n_effective,
        n_left_out=n_left_out,
    )


def effective_number(hit: Bools, clusters: Sequence[str], weights: Floats) -> float:
    """Return p (1 - p) / v, v the variance of the share between clusters; at most Kish's number of the items.

    Args:
        hit: Shape (n,), n >= 1.
        clusters: n of them.
        weights: Shape (n,), >= 0, not all 0.

    Returns:
        Within 1..n; n where every item stands alone and counts the same. Where all or none hit, nothing varies
        that could show the dependence: there it is Kish's (sum w)^2 / sum w^2 of the clusters' weights.

    Source: Kish 1965, sections 8.2 and 11.7; ratio estimator with clusters as first stage, Cochran 1977, eq. 11.10.
    """
    of_items = _kish(weights)
    _, codes = np.unique(np.array(clusters), return_inverse=True)
    n_clusters = int(codes.max()) + 1
    if n_clusters == len(hit) and np.ptp(weights) == 0.0:
        return of_items
    p = float(weights @ hit) / float(weights.sum())
    of_clusters = _kish(np.bincount(codes, weights).astype(float))
    if n_clusters == 1 or p in {0.0, 1.0}:
        return of_clusters
    residuals = np.bincount(codes, weights * (hit - p)) / weights.sum()
    variance = float(residuals @ residuals) * n_clusters / (n_clusters - 1)
    return max(1.0, min(of_items, p * (1.0 - p) / variance)) if variance > 0.0 else of_items


def _kish(weights: Floats) -> float:
    total = float(weights.sum())
    return total * total / float(weights @ weights)
