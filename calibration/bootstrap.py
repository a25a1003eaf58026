"""Bootstrap over clusters, for statistics of tables that add up.

Pure; the only randomness is the generator that is passed in. A cluster is a conversation: its items are not
independent, so conversations are drawn and not items. Each replicate is a weighted sum of blocks.
"""

from __future__ import annotations

import numpy as np

from calibration.estimate import LEVEL, Estimate, Interval, undefined
from calibration.intervals import Floats

N_REPLICATES = 2_000
_MAX_CHUNK = 4_000_000
"""Largest number of multiplicities held at a time."""
_MAX_UNDEFINED = 0.05
"""Share of replicates without a value, above which there is no interval."""


def resample(blocks: Floats, generator: np.random.Generator, *, n_replicates: int = N_REPLICATES) -> Floats:
    """Return sums of ``blocks`` over clusters drawn with replacement.

    Args:
        blocks: Shape (clusters, ...), at least one cluster.
        n_replicates: Number of draws of as many clusters as there are.

    Returns:
        Shape (n_replicates, ...).

    Source: Efron & Tibshirani 1993, section 8.4; the cluster is the unit.
    """
    n_clusters = len(blocks)
    flat = blocks.reshape(n_clusters, -1)
    chance = np.full(n_clusters, 1.0 / n_clusters)
    step = max(1, _MAX_CHUNK // n_clusters)
    sums = [
        generator.multinomial(n_clusters, chance, size=min(step, n_replicates - start)) @ flat
        for start in range(0, n_replicates, step)
    ]
    return np.concatenate(sums).reshape(n_replicates, *blocks.shape[1:])


def bootstrap_estimate(
    value: float,
    replicates: Floats,
    *,
    n: int,
    undefined_because: str,
    n_left_out: int = 0,
    level: float = LEVEL,
) -> Estimate:
    """Return the estimate with its percentile interval.

    Args:
        value: The statistic on the data; NaN when it is undefined.
        replicates: The statistic on each replicate, shape (n_replicates,); NaN where undefined.
        undefined_because: The reason to give when ``value`` is NaN.

    Returns:
        No interval when more than 5 % of the replicates are undefined: the data are too thin for one.
    """
    if np.isnan(value):
        return undefined(undefined_because, n=n, n_left_out=n_left_out)
    interval = None
    if np.isnan(replicates).mean() <= _MAX_UNDEFINED:
        tail = (1.0 - level) / 2.0
        low, high = np.nanquantile(replicates, [tail, 1.0 - tail])
        interval = Interval(low=float(low), high=float(high), level=level, method="cluster bootstrap")
    return Estimate(value=float(value), interval=interval, n=n, n_left_out=n_left_out)
