from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.estimate import Estimate
from calibration.intervals import proportion
from calibration.pairing import Batch
from calibration.poststratified import LabelledVerdicts, PostStratified, post_stratify


def estimate(verdicts: tuple[float, float, float, float], batch: Batch, seed: int = 0) -> PostStratified:
    right, n_passes, wrong, n_fails = verdicts
    counts = LabelledVerdicts(passes_right=right, n_passes=n_passes, fails_wrong=wrong, n_fails=n_fails)
    return post_stratify(counts, batch, np.random.default_rng(seed), n=round(n_passes + n_fails))


def width(found: Estimate) -> float:
    assert found.interval is not None
    return found.interval.high - found.interval.low


def test_figures_equal_the_hand_derived_sums() -> None:
    # said pass .8, of which 18/20 right; said fail .2, of which 4/10 wrong:
    # pass = .72 + .08 = .80; TPR = .12 / (.12 + .08) = .6; TNR = .72 / .80 = .9
    found = estimate((18, 20, 4, 10), Batch(n_pass=800, n_fail=200))
    values = (found.pass_rate.value, found.tpr.value, found.tnr.value)
    assert values == pytest.approx((0.80, 0.60, 0.90))
    for figure, value in zip((found.pass_rate, found.tpr, found.tnr), values, strict=True):
        assert figure.interval is not None
        assert value is not None
        assert figure.interval.low < value < figure.interval.high


def test_same_seed_same_interval() -> None:
    batch = Batch(n_pass=800, n_fail=200)
    assert estimate((18, 20, 4, 10), batch) == estimate((18, 20, 4, 10), batch)
    assert estimate((18, 20, 4, 10), batch) != estimate((18, 20, 4, 10), batch, seed=1)


def test_a_worthless_judge_leaves_the_labels_alone() -> None:
    # 60 of 100 pass whatever it says: the width is that of the labels, within 5 %
    found = estimate((30, 50, 30, 50), Batch(n_pass=1000, n_fail=1000))
    assert found.pass_rate.value == pytest.approx(0.6)
    assert width(found.pass_rate) == pytest.approx(width(proportion(60, 100)), rel=0.05)


def test_a_perfect_judge_narrows_the_interval() -> None:
    found = estimate((50, 50, 0, 50), Batch(n_pass=1000, n_fail=1000))
    assert width(found.pass_rate) < width(proportion(50, 100)) / 2


def test_a_verdict_without_a_label_may_be_anything() -> None:
    found = estimate((10, 10, 0, 0), Batch(n_pass=50, n_fail=50))
    assert found.pass_rate.value == pytest.approx(0.75)
    assert found.pass_rate.interval is not None
    assert found.pass_rate.interval.low < 0.55
    assert found.pass_rate.interval.high > 0.95


@pytest.mark.parametrize(
    ("verdicts", "batch", "why"),
    [
        ((0, 0, 0, 0), Batch(n_pass=5, n_fail=5), "no label"),
        ((3, 4, 0, 0), Batch(n_pass=0, n_fail=0), "no verdict in the batch"),
    ],
)
def test_without_labels_or_batch_nothing_is_claimed(
    verdicts: tuple[float, float, float, float], batch: Batch, why: str
) -> None:
    found = estimate(verdicts, batch)
    assert {found.pass_rate.undefined, found.tpr.undefined, found.tnr.undefined} == {why}


def test_a_class_that_does_not_occur_has_no_rate() -> None:
    found = estimate((10, 10, 10, 10), Batch(n_pass=10, n_fail=10))
    assert found.tpr.undefined == "no fail among the labels"
    assert found.tnr.value == pytest.approx(0.5)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 5))
def test_oversampling_a_verdict_moves_nothing(right: int, wrong: int, factor: int) -> None:
    batch = Batch(n_pass=700, n_fail=300)
    one = estimate((right, 20, wrong, 20), batch)
    more = estimate((right, 20, wrong * factor, 20 * factor), batch)
    assert one.pass_rate.value == pytest.approx(more.pass_rate.value)
    assert one.tpr.value == (None if more.tpr.value is None else pytest.approx(more.tpr.value))
