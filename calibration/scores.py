"""Are the grader's probabilities honest? Reliability table, Brier score, expected calibration error.

Pure. A score is the probability of *pass*, 0..1; a label is 1.0 for pass, 0.0 for fail.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from calibration.estimate import LEVEL, Estimate, undefined
from calibration.intervals import Bools, Floats
from calibration.shares import share

N_BINS = 10


@dataclass(frozen=True, kw_only=True)
class Scored:
    """Labelled items with scores, as arrays of shape (n,)."""

    scores: Floats
    """Probability of pass, 0..1."""
    labels: Floats
    """1.0 pass, 0.0 fail."""
    clusters: tuple[str, ...]
    weights: Floats | None = None
    """``None``: every item counts one."""

    @property
    def counts(self) -> Floats:
        """What each item counts."""
        return np.ones(len(self.scores)) if self.weights is None else self.weights

    def only(self, chosen: Bools) -> Scored:
        """Return the chosen items."""
        return Scored(
            scores=self.scores[chosen],
            labels=self.labels[chosen],
            clusters=tuple(cluster for cluster, is_in in zip(self.clusters, chosen, strict=True) if is_in),
            weights=None if self.weights is None else self.weights[chosen],
        )

    def share_of_pass(self, undefined_because: str, level: float) -> Estimate:
        """Return the share of true passes."""
        return share(
            self.labels == 1.0,
            self.clusters,
            undefined_because=undefined_because,
            weights=self.weights,
            level=level,
        )


class ReliabilityBin(msgspec.Struct, frozen=True, kw_only=True):
    """The items whose score lies in [low, high); the last bin includes 1."""

    low: float
    high: float
    mean_score: float | None
    """``None`` for an empty bin."""
    passes: Estimate
    """Share of true passes among them; equals the mean score where scores are honest."""


class ScoreQuality(msgspec.Struct, frozen=True, kw_only=True):
    """How well scores foretell labels."""

    brier: Estimate
    """Mean squared error, 0 (best)..1; 0.25 is what a constant 0.5 gets."""
    ece: Estimate
    """Mean gap between score and share of passes over the bins, 0 (best)..1; biased upwards at small n."""
    bins: tuple[ReliabilityBin, ...]


def score_quality(scored: Scored, *, n_left_out: int = 0, level: float = LEVEL) -> ScoreQuality:
    """Return Brier score, ECE and the reliability table over ``N_BINS`` bins of equal width.

    Args:
        scored: Labelled items with scores, n >= 0 of them.
        n_left_out: Labelled items without a score.

    Source: Brier 1950; ECE as in Naeini et al. 2015: sum over bins of n_b / n |mean label - mean score|; with
    weights where items have them.
    """
    scores, labels = scored.scores, scored.labels
    n = len(scores)
    weights = scored.counts
    place = np.minimum((scores * N_BINS).astype(int), N_BINS - 1)
    bins: list[ReliabilityBin] = []
    gap = 0.0
    for index in range(N_BINS):
        inside = place == index
        weight = float(weights[inside].sum())
        mean_score = float(weights[inside] @ scores[inside]) / weight if weight else None
        passes = scored.only(inside).share_of_pass("no score in this bin", level)
        if mean_score is not None and passes.value is not None:
            gap += weight * abs(passes.value - mean_score)
        bins.append(
            ReliabilityBin(
                low=index / N_BINS,
                high=(index + 1) / N_BINS,
                mean_score=mean_score,
                passes=passes,
            )
        )
    if n == 0:
        nothing = undefined("no labelled item has a score", n_left_out=n_left_out)
        return ScoreQuality(brier=nothing, ece=nothing, bins=tuple(bins))
    brier = float(weights @ (scores - labels) ** 2 / weights.sum())
    return ScoreQuality(
        brier=Estimate(value=brier, interval=None, n=n, n_left_out=n_left_out),
        ece=Estimate(value=gap / float(weights.sum()), interval=None, n=n, n_left_out=n_left_out),
        bins=tuple(bins),
    )
