"""How many labels it takes."""

from __future__ import annotations

import math

import numpy as np

from calibration.estimate import LEVEL
from calibration.intervals import normal_quantile, wilson_limits

EXPECTED_RATE = 0.90
"""Rate assumed where nothing has been observed yet."""
MAX_LABELS = 100_000
"""A bar that takes more than this is out of reach."""


def labels_to_certify(bar: float, rate: float, *, level: float = LEVEL) -> int | None:
    """Return how many labels of one class put Wilson's lower limit at or above ``bar``.

    Args:
        bar: The rate to certify, within 0..1.
        rate: The rate expected to be observed, within 0..1; need not be a whole number of labels.

    Returns:
        The smallest n at which the whole number of hits nearest to ``rate * n`` certifies; ``None`` when
        ``rate <= bar`` or n would exceed ``MAX_LABELS``. If the true rate is ``rate``, the certificate is
        reached about every second time at this n.

    Source: a scan of ``wilson_limits``; .90 certifies .80 with 54 (49 of 54), .95 certifies .90 with 127.
    """
    if rate <= bar:
        return None
    n = np.arange(1, MAX_LABELS + 1)
    low, _ = wilson_limits(np.rint(rate * n), n, normal_quantile(level))
    enough = low >= bar
    return int(n[enough.argmax()]) if enough.any() else None


def labels_for_half_width(half_width: float, rate: float, *, level: float = LEVEL) -> int:
    """Return how many labels bring the interval of a rate to plus or minus ``half_width``.

    Source: n = z^2 p (1 - p) / h^2, the normal approximation; .90 to within .05 takes 139.

    Raises:
        ValueError: ``half_width`` is not positive.
    """
    if half_width <= 0.0:
        raise ValueError(f"half_width must be positive, got {half_width!r}")
    z = normal_quantile(level)
    return math.ceil(z * z * rate * (1.0 - rate) / half_width**2)
