"""PPI++: a second estimate of the pass rate from the same labels, by another road, as a check."""

from __future__ import annotations

import numpy as np

from calibration.estimate import LEVEL, Estimate, Interval, undefined
from calibration.intervals import Floats, normal_quantile
from calibration.pairing import Batch


def ppi_plus_plus(
    is_pass: Floats, said_pass: Floats, weights: Floats, batch: Batch, *, level: float = LEVEL
) -> Estimate:
    """Return lambda mean_batch(f) + mean_labels(y - lambda f), clipped to 0..1.

    Args:
        is_pass: Labels y, 0 or 1, shape (n,).
        said_pass: Verdicts f, 0 or 1, shape (n,).
        weights: Inverse inclusion probabilities, shape (n,); ones for a random sample.
        batch: All verdicts of the judge.

    Returns:
        lambda minimises the variance, within 0..1. Undefined below 2 labels; no interval when all
        residuals are equal (the normal approximation would claim certainty).

    Source: Angelopoulos, Duchi & Zrnic 2023 (arXiv 2311.01453), eq. 4 and 6; weights as in Hajek 1971.
    """
    n, size = len(is_pass), batch.n_decided
    if n < 2 or size == 0:
        return undefined("needs two labels and a batch", n=n)
    w = weights / weights.sum()
    f_mean = float(w @ said_pass)
    spread = float(w @ (said_pass - f_mean) ** 2)
    together = float(w @ ((is_pass - float(w @ is_pass)) * (said_pass - f_mean)))
    tuning = min(1.0, max(0.0, together / ((1.0 + n / size) * spread))) if spread > 0.0 else 0.0
    share = batch.n_pass / size
    residual = is_pass - tuning * said_pass
    correction = float(w @ residual)
    value = min(1.0, max(0.0, tuning * share + correction))
    noise = float(w**2 @ (residual - correction) ** 2) * n / (n - 1)
    if noise == 0.0:
        return Estimate(value=value, interval=None, n=n)
    half = normal_quantile(level) * (tuning**2 * share * (1.0 - share) / size + noise) ** 0.5
    low, high = np.clip([value - half, value + half], 0.0, 1.0)
    interval = Interval(low=float(low), high=float(high), level=level, method="ppi++")
    return Estimate(value=value, interval=interval, n=n)
