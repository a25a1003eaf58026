"""The true pass rate of a batch, from TPR and TNR that were measured on other items (Rogan-Gladen).

Pure. Right when the judge errs in the batch as it does on the labelled items, whatever the pass rate of the
two; the only estimator for labels that were not drawn from the batch. Much wider than post-stratification.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from calibration.estimate import LEVEL, Estimate, Interval
from calibration.intervals import Floats, normal_quantile, wilson_limits

STRONG = 0.3
"""Lower limit of TPR + TNR - 1 from which Lee's interval stands alone."""
_WEAK_LEVEL = 0.995
"""Level of the limits that are projected for a weaker judge. A judge near chance passes the refusal only when
its labels flatter it; that selection is what Lee's interval does not know about (it covers 67 % there)."""


def surplus_low(
    fails_found: ArrayLike,
    n_fails: ArrayLike,
    passes_kept: ArrayLike,
    n_passes: ArrayLike,
    z: float,
) -> Floats:
    """Return the lower limit of TPR + TNR - 1, element by element; at or below 0 the judge may be noise.

    Source: square-and-add of Wilson limits (Newcombe 1998, method 10, for a sum).
    """
    found, kept = (np.asarray(hits, dtype=float) for hits in (fails_found, passes_kept))
    m0, m1 = (np.asarray(n, dtype=float) for n in (n_fails, n_passes))
    low_found, _ = wilson_limits(found, m0, z)
    low_kept, _ = wilson_limits(kept, m1, z)
    tpr, tnr = found / m0, kept / m1
    surplus: Floats = tpr + tnr - 1.0 - np.hypot(tpr - low_found, tnr - low_kept)
    return surplus


def rogan_gladen(
    fails_found: float,
    n_fails: float,
    passes_kept: float,
    n_passes: float,
    batch_passes: int,
    batch_size: int,
    *,
    n: int,
    n_left_out: int = 0,
    level: float = LEVEL,
) -> Estimate:
    """Return (p + TPR - 1) / (TPR + TNR - 1), p the share of PASS verdicts in the batch, within 0..1.

    Args:
        fails_found: Labelled fails that the judge called fail, of ``n_fails`` >= 1; effective numbers where
            items share conversations.
        passes_kept: Labelled passes that the judge called pass, of ``n_passes`` >= 1; likewise.
        batch_passes: PASS verdicts in the batch, of ``batch_size`` >= 1; labelled items excluded.
        n: Labels, for the record.

    Raises:
        ValueError: TPR + TNR <= 1: the formula means nothing; ``calibration.chooser`` refuses earlier.

    Source: Rogan & Gladen 1978; interval by ``rogan_gladen_limits``.
    """
    tpr, tnr = fails_found / n_fails, passes_kept / n_passes
    if tpr + tnr <= 1.0:
        raise ValueError(f"TPR + TNR must exceed 1, got {tpr!r} + {tnr!r}")
    value = min(1.0, max(0.0, (batch_passes / batch_size + tpr - 1.0) / (tpr + tnr - 1.0)))
    low, high = (
        float(limit[()])
        for limit in rogan_gladen_limits(
            fails_found, n_fails, passes_kept, n_passes, batch_passes, batch_size, level=level
        )
    )
    weak = surplus_low(fails_found, n_fails, passes_kept, n_passes, normal_quantile(level)) < STRONG
    method = "lee, projected" if weak else "lee"
    interval = Interval(low=min(low, value), high=max(high, value), level=level, method=method)
    return Estimate(value=value, interval=interval, n=n, n_left_out=n_left_out)


def rogan_gladen_limits(
    fails_found: ArrayLike,
    n_fails: ArrayLike,
    passes_kept: ArrayLike,
    n_passes: ArrayLike,
    batch_passes: ArrayLike,
    batch_size: ArrayLike,
    *,
    level: float = LEVEL,
) -> tuple[Floats, Floats]:
    """Return lower and upper limits of the pass rate, element by element, within 0..1.

    Both are 0 or both are 1 where no rate explains the verdicts: then the labels do not fit the batch.

    Lee's interval; where ``surplus_low`` is below ``STRONG``, joined with the projection of the
    three 99.5 % limits.

    Source: Lee et al. 2025 (arXiv 2511.21140), section 3: add z^2/2 pseudo-counts to p and 1 to the others,
    shift by the bias of the ratio, delta-method width.
    """
    found, m0, kept, m1, passes, size = (
        np.asarray(count, dtype=float)
        for count in (fails_found, n_fails, passes_kept, n_passes, batch_passes, batch_size)
    )
    z = normal_quantile(level)
    low, high = _lee(found, m0, kept, m1, passes, size, z)
    wide_low, wide_high = _projection(found, m0, kept, m1, passes, size)
    weak = surplus_low(found, m0, kept, m1, z) < STRONG
    return (
        np.where(weak, np.minimum(low, wide_low), low),
        np.where(weak, np.maximum(high, wide_high), high),
    )


def _lee(
    found: Floats, m0: Floats, kept: Floats, m1: Floats, passes: Floats, size: Floats, z: float
) -> tuple[Floats, Floats]:
    n = size + z * z
    p = (passes + z * z / 2.0) / n
    n0, n1 = m0 + 2.0, m1 + 2.0
    q0, q1 = (found + 1.0) / n0, (kept + 1.0) / n1
    surplus = q0 + q1 - 1.0
    informs = surplus > 0.0
    divisor = np.where(informs, surplus, 1.0)
    rate = (p + q0 - 1.0) / divisor
    v0, v1 = q0 * (1.0 - q0) / n0, q1 * (1.0 - q1) / n1
    shift = 2.0 * z * z * (rate * v1 - (1.0 - rate) * v0)
    half = z * np.sqrt(p * (1.0 - p) / n + (1.0 - rate) ** 2 * v0 + rate**2 * v1) / divisor
    low, high = rate + shift - half, rate + shift + half
    return (
        np.where(informs, np.clip(low, 0.0, 1.0), 0.0),
        np.where(informs, np.clip(high, 0.0, 1.0), 1.0),
    )


def _projection(
    found: Floats, m0: Floats, kept: Floats, m1: Floats, passes: Floats, size: Floats
) -> tuple[Floats, Floats]:
    """Return the range of the rate while share, TPR and TNR range over their limits.

    The rate grows with the share of PASS and with TPR and falls with TNR, so it is extreme at corners.
    """
    z = normal_quantile(_WEAK_LEVEL)
    low_p, high_p = wilson_limits(passes, size, z)
    low_q0, high_q0 = wilson_limits(found, m0, z)
    low_q1, high_q1 = wilson_limits(kept, m1, z)
    return _corner(low_p, low_q0, high_q1, 0.0), _corner(high_p, high_q0, low_q1, 1.0)


def _corner(p: Floats, q0: Floats, q1: Floats, unknown: float) -> Floats:
    surplus = q0 + q1 - 1.0
    informs = surplus > 0.0
    rate = (p + q0 - 1.0) / np.where(informs, surplus, 1.0)
    return np.where(informs, np.clip(rate, 0.0, 1.0), unknown)
