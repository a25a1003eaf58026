"""What the scores of one judge are worth: honesty, Platt scaling, threshold and selective rule, dev against test.

Pure. Exists for judges that give a score; a judge with verdicts alone has no such report.
"""

from __future__ import annotations

import msgspec
import numpy as np

from calibration.estimate import LEVEL
from calibration.pairing import Pairing
from calibration.platt import Platt, apply_platt, fit_platt
from calibration.sampling import Plan, is_even, weights_of
from calibration.scores import Scored, ScoreQuality, score_quality
from calibration.selective import SelectiveRule, choose_selective
from calibration.split import part_of
from calibration.thresholds import ThresholdReport, choose_threshold, report_threshold


class ScoreReport(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of one judge against the labels; weighted back to the batch where labels were drawn unevenly."""

    raw: ScoreQuality
    """All scored items, scores as they come."""
    platt: Platt | None
    """Fitted on dev; ``None`` where dev lacks a class."""
    scaled: ScoreQuality | None
    """Test items after Platt scaling."""
    threshold: ThresholdReport | None
    selective: SelectiveRule | None
    """On all scored items, confidence = distance of the score from 0.5."""
    no_selective: str | None
    """Why there is no rule; set exactly when there is none."""


def measure_scores(
    pairing: Pairing, plan: Plan, *, n_earlier_looks: int = 0, level: float = LEVEL
) -> ScoreReport | None:
    """Measure the scores; ``None`` when no labelled item has one.

    Args:
        plan: How the labelled items were drawn.
        n_earlier_looks: How often the test half was looked at before.
    """
    kept = [index for index, score in enumerate(pairing.scores) if score is not None]
    if not kept:
        return None
    items = [pairing.items[index] for index in kept]
    scored = Scored(
        scores=np.array([pairing.scores[index] for index in kept], dtype=float),
        labels=np.array([item.gold == "pass" for item in items], dtype=float),
        clusters=tuple(item.cluster for item in items),
        weights=None if is_even(plan) else weights_of(pairing, plan)[kept],
    )
    on_dev = np.array([part_of(item.cluster) == "dev" for item in items])
    dev, test = scored.only(on_dev), scored.only(~on_dev)
    platt, threshold = fit_platt(dev), choose_threshold(dev)
    agrees = np.array([item.gold == pairing.said[index] for index, item in zip(kept, items, strict=True)], dtype=float)
    selective = choose_selective(np.abs(scored.scores - 0.5), agrees) if is_even(plan) else None
    return ScoreReport(
        raw=score_quality(scored, n_left_out=len(pairing.items) - len(kept) + pairing.n_left_out, level=level),
        platt=platt,
        scaled=_scaled(platt, test, level) if platt else None,
        threshold=None
        if threshold is None
        else report_threshold(threshold, dev, test, n_earlier_looks=n_earlier_looks, level=level),
        selective=selective,
        no_selective=None if selective else _why_not(plan),
    )


def _why_not(plan: Plan) -> str:
    if is_even(plan):
        return "nothing can be certified"
    return "needs labels that were drawn evenly"


def _scaled(platt: Platt, test: Scored, level: float) -> ScoreQuality:
    scaled = Scored(
        scores=apply_platt(platt, test.scores), labels=test.labels, clusters=test.clusters, weights=test.weights
    )
    return score_quality(scaled, level=level)
