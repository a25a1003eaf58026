"""Agreement beyond chance with intervals: kappa pooled, kappa within strata, Gwet's AC1.

The randomness is the replicates' (``calibration.bootstrap``).
"""

from __future__ import annotations

from collections.abc import Callable

from calibration.bootstrap import bootstrap_estimate
from calibration.estimate import LEVEL, Estimate, Interval
from calibration.intervals import Floats, normal_quantile, wilson_limits

CONSTANT = "gold and verdict are one and the same class throughout"
"""Why a kappa has no value: 0 / 0."""


def chance_corrected(
    statistic: Callable[[Floats], Floats],
    tables: Floats,
    replicates: Floats,
    *,
    n: int,
    n_clusters: int,
    n_left_out: int = 0,
    level: float = LEVEL,
) -> Estimate:
    """Return ``statistic`` of ``tables`` with a cluster bootstrap interval.

    Args:
        statistic: ``kappa_of``, ``within_kappa_of`` or ``ac1_of`` of ``calibration.cells``.
        tables: Shape (2, 2), or (strata, 2, 2) for the statistic within strata.
        replicates: The same tables resampled, shape (n_replicates, ...).
        n: Items in the tables.
        n_clusters: Independent units among them.

    Returns:
        Value within -1..1; undefined when nothing but one class occurs. At perfect agreement every
        replicate is perfect too and the bootstrap would claim certainty; there the lower limit is
        the statistic of a table whose agreement is Wilson's limit over ``n_clusters``.
    """
    value = float(statistic(tables))
    estimate = bootstrap_estimate(
        value,
        statistic(replicates),
        n=n,
        undefined_because=CONSTANT if n else "no item",
        n_left_out=n_left_out,
        level=level,
    )
    if estimate.value is None or tables[..., 0, 1].any() or tables[..., 1, 0].any():
        return estimate
    low, _ = wilson_limits(n_clusters, n_clusters, normal_quantile(level))
    worse = float(statistic(_at_agreement(float(low), tables)))
    interval = Interval(low=worse, high=estimate.value, level=level, method="wilson")
    return Estimate(value=estimate.value, interval=interval, n=n, n_left_out=n_left_out)


def _at_agreement(agreement: float, tables: Floats) -> Floats:
    """Return perfect ``tables`` with a share ``1 - agreement`` of each gold class moved to the wrong verdict."""
    wrong = tables[..., ::-1] * (1.0 - agreement)
    worse: Floats = tables * agreement + wrong
    return worse
