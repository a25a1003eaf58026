from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from calibration.intervals import Floats
from calibration.platt import apply_platt, fit_platt, logit
from calibration.scores import Scored, score_quality

metrics: Any = importlib.import_module("sklearn.metrics")
linear: Any = importlib.import_module("sklearn.linear_model")

GENERATOR = np.random.default_rng(5)
SCORES = GENERATOR.beta(3.0, 1.0, 300)
LABELS = (GENERATOR.random(300) < 0.2 + 0.7 * SCORES).astype(float)


def scored(scores: Sequence[float] | Floats, labels: Sequence[float] | Floats, weights: Floats | None = None) -> Scored:
    clusters = tuple(str(index) for index in range(len(scores)))
    return Scored(
        scores=np.array(scores, dtype=float), labels=np.array(labels, dtype=float), clusters=clusters, weights=weights
    )


def test_a_weight_of_two_is_two_items() -> None:
    once = scored(SCORES, LABELS, np.where(SCORES > 0.5, 2.0, 1.0))
    chosen = np.concatenate([np.arange(300), np.flatnonzero(SCORES > 0.5)])
    twice = scored(SCORES[chosen], LABELS[chosen])
    one, other = score_quality(once), score_quality(twice)
    assert one.brier.value == pytest.approx(other.brier.value)
    assert one.ece.value == pytest.approx(other.ece.value)
    fitted, again = fit_platt(once), fit_platt(twice)
    assert fitted is not None
    assert again is not None
    assert (fitted.slope, fitted.offset) == pytest.approx((again.slope, again.offset))


def test_brier_equals_sklearn() -> None:
    assert score_quality(scored(SCORES, LABELS)).brier.value == pytest.approx(metrics.brier_score_loss(LABELS, SCORES))


def test_ece_equals_the_hand_derived_sum() -> None:
    # bin [.8, .9): scores .80 .84, labels 1 0: gap |.5 - .82| = .32, weight 2/4
    # bin [.2, .3): score .25, label 0: gap .25, weight 1/4; last bin: score 1.0, label 1: gap 0
    found = score_quality(scored([0.80, 0.84, 0.25, 1.0], [1.0, 0.0, 0.0, 1.0]))
    assert found.ece.value == pytest.approx(0.5 * 0.32 + 0.25 * 0.25)
    assert [row.passes.n for row in found.bins] == [0, 0, 1, 0, 0, 0, 0, 0, 2, 1]
    assert found.bins[8].mean_score == pytest.approx(0.82)
    assert found.bins[0].mean_score is None


def test_no_score_is_no_figure() -> None:
    found = score_quality(scored([], []), n_left_out=4)
    assert (found.brier.value, found.ece.value, found.brier.n_left_out) == (None, None, 4)


def test_platt_equals_sklearn_on_smoothed_targets() -> None:
    n_pass = float(LABELS.sum())
    n_fail = len(LABELS) - n_pass
    targets: Floats = np.where(LABELS == 1.0, (n_pass + 1) / (n_pass + 2), 1 / (n_fail + 2))
    x = logit(SCORES)[:, None]
    second = linear.LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000)
    second.fit(np.vstack([x, x]), np.repeat([1, 0], len(x)), sample_weight=np.concatenate([targets, 1.0 - targets]))
    found = fit_platt(scored(SCORES, LABELS))
    assert found is not None
    assert found.slope == pytest.approx(second.coef_[0, 0], abs=1e-5)
    assert found.offset == pytest.approx(second.intercept_[0], abs=1e-5)


def test_platt_makes_scores_honest_on_average() -> None:
    found = fit_platt(scored(SCORES, LABELS))
    assert found is not None
    scaled = apply_platt(found, SCORES)
    before, after = score_quality(scored(SCORES, LABELS)), score_quality(scored(scaled, LABELS))
    assert before.brier.value is not None
    assert after.brier.value is not None
    assert after.brier.value < before.brier.value
    assert scaled.mean() == pytest.approx(LABELS.mean(), abs=0.01)


def test_platt_stays_finite_on_separable_scores() -> None:
    found = fit_platt(scored([0.0, 0.1, 0.9, 1.0], [0.0, 0.0, 1.0, 1.0]))
    assert found is not None
    assert np.isfinite([found.slope, found.offset]).all()


@pytest.mark.parametrize(
    ("scores", "labels"),
    [([], []), ([0.5], [1.0]), ([0.2, 0.9], [1.0, 1.0]), ([0.5, 0.5], [0.0, 1.0])],
    ids=["n=0", "n=1", "one class", "one score"],
)
def test_platt_needs_two_classes_and_two_scores(scores: list[float], labels: list[float]) -> None:
    assert fit_platt(scored(scores, labels)) is None
