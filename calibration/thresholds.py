"""The threshold that turns scores into verdicts: chosen on dev, reported on test.

Pure. The count of looks is passed in and handed back, because only the caller remembers.
"""

from __future__ import annotations

import msgspec
import numpy as np

from calibration.confusion import Confusion, tabulate
from calibration.estimate import LEVEL, Estimate
from calibration.rates import Rates, plain_rates
from calibration.records import Verdict
from calibration.scores import Scored


class ThresholdReport(msgspec.Struct, frozen=True, kw_only=True):
    """One threshold and what it does on items that had no say in choosing it."""

    threshold: float
    """Scores (probability of pass) at or above it are PASS."""
    n_dev: int
    balanced_accuracy_dev: float
    """(TPR + TNR) / 2 on dev: optimistic, never to be quoted."""
    table: Confusion
    """Counts on test."""
    tpr: Estimate
    tnr: Estimate
    n_looks: int
    """How often test was looked at, this time included; each look wears it down."""


def choose_threshold(dev: Scored) -> float | None:
    """Return the threshold with the best balanced accuracy on dev.

    Returns:
        The midpoint between two neighbouring scores; among equals the one nearest to 0.5. ``None`` when a
        class is missing or all scores are the same.
    """
    values = np.unique(dev.scores)
    by_score = np.argsort(dev.scores, kind="stable")
    passes = (dev.counts * dev.labels)[by_score]
    fails = (dev.counts * (1.0 - dev.labels))[by_score]
    if len(values) < 2 or min(passes.sum(), fails.sum()) == 0.0:
        return None
    cuts = (values[1:] + values[:-1]) / 2.0
    below = np.searchsorted(dev.scores[by_score], cuts)
    passes_kept = 1.0 - np.concatenate([[0.0], np.cumsum(passes)])[below] / passes.sum()
    fails_found = np.concatenate([[0.0], np.cumsum(fails)])[below] / fails.sum()
    balanced = (passes_kept + fails_found) / 2.0
    best = np.flatnonzero(balanced >= balanced.max() - 1e-12)
    return float(cuts[best[np.abs(cuts[best] - 0.5).argmin()]])


def report_threshold(
    threshold: float, dev: Scored, test: Scored, *, n_earlier_looks: int, level: float = LEVEL
) -> ThresholdReport:
    """Report ``threshold`` on test.

    Args:
        threshold: From ``choose_threshold`` on ``dev``.
        dev: Items it was chosen on.
        test: Items of other conversations.
        n_earlier_looks: How often this test set was looked at before.
    """
    on_dev, on_test = _rates(threshold, dev, level), _rates(threshold, test, level)
    return ThresholdReport(
        threshold=threshold,
        n_dev=len(dev.scores),
        balanced_accuracy_dev=((on_dev.tpr.value or 0.0) + (on_dev.tnr.value or 0.0)) / 2.0,
        table=tabulate(*_sides(threshold, test)),
        tpr=on_test.tpr,
        tnr=on_test.tnr,
        n_looks=n_earlier_looks + 1,
    )


def _rates(threshold: float, scored: Scored, level: float) -> Rates:
    return plain_rates(*_sides(threshold, scored), scored.clusters, weights=scored.weights, level=level)


def _sides(threshold: float, scored: Scored) -> tuple[list[Verdict], list[Verdict]]:
    gold: list[Verdict] = [_word(label == 1.0) for label in scored.labels]
    return gold, [_word(score >= threshold) for score in scored.scores]


def _word(is_pass: bool) -> Verdict:
    return "pass" if is_pass else "fail"
