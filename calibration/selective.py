"""Selective judging: from which confidence on may the grader decide alone, with a guarantee?

Pure. Below the threshold the grader abstains (a person or a stronger judge decides).
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from calibration.intervals import Floats, binomial_lower_bound

N_STEPS = 50


class SelectiveRule(msgspec.Struct, frozen=True, kw_only=True):
    """Decide alone at this confidence or above."""

    min_confidence: float
    n_decided: int
    """Labelled items at or above it."""
    coverage: float
    """Their share."""
    agreement: float
    """Share of them on which the grader agrees with the label."""
    target: float
    """With probability ``1 - delta`` over the draw of the labels, the true agreement is at least this."""
    delta: float


def choose_selective(
    confidence: Floats, agrees: Floats, *, target: float = 0.90, delta: float = 0.05
) -> SelectiveRule | None:
    """Return the loosest confidence threshold whose agreement is certified, by fixed-sequence testing.

    Thresholds are tried from strict to loose along quantiles of the confidences, which do not depend on the
    labels; the first that the exact binomial bound cannot certify ends the search. That keeps the
    chance of any false certificate at ``delta`` without a correction for the number of tries.

    Args:
        confidence: Any number that grows with certainty, shape (n,).
        agrees: 1.0 where grader and label agree, else 0.0, shape (n,); independent items.
        target: Agreement to guarantee, within 0..1, both ends excluded.
        delta: Chance that the guarantee is wrong, within 0..1, both ends excluded.

    Returns:
        ``None`` when no threshold is certified; log(delta) / log(target) labels without a single error
        are the least that it takes (29 for .90 at .05).

    Source: Jung et al. 2024 (arXiv 2407.18370), section 3; Bauer 1991 for fixed sequences.
    """
    n_least = math.ceil(math.log(delta) / math.log(target))
    n = len(confidence)
    if n < n_least:
        return None
    strict_first = np.sort(confidence)[::-1]
    ranks = np.unique(np.linspace(n_least, n, N_STEPS).astype(int))
    found: SelectiveRule | None = None
    for rank in ranks:
        threshold = float(strict_first[rank - 1])
        decided = confidence >= threshold
        n_decided, n_agree = int(decided.sum()), int(agrees[decided].sum())
        if binomial_lower_bound(n_agree, n_decided, delta=delta) < target:
            break
        found = SelectiveRule(
            min_confidence=threshold,
            n_decided=n_decided,
            coverage=n_decided / n,
            agreement=n_agree / n_decided,
            target=target,
            delta=delta,
        )
    return found
