from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from calibration.bootstrap import bootstrap_estimate, resample
from calibration.cells import ac1_of, kappa_of
from calibration.intervals import Floats
from calibration.kappa import chance_corrected

inter_rater: Any = importlib.import_module("statsmodels.stats.inter_rater")


def singles(table: Floats) -> Floats:
    """One block an item."""
    corners = np.eye(4).reshape(4, 2, 2)
    return np.repeat(corners, table.astype(int).ravel(), axis=0)


def test_each_replicate_draws_as_many_clusters_as_there_are() -> None:
    blocks = np.ones((7, 3))
    assert resample(blocks, np.random.default_rng(0), n_replicates=20).tolist() == [[7.0] * 3] * 20


def test_same_seed_same_replicates() -> None:
    blocks = np.arange(10.0).reshape(5, 2)
    one, other = (resample(blocks, np.random.default_rng(3), n_replicates=50) for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_the_interval_of_kappa_agrees_with_the_analytic_one() -> None:
    # independent items, n = 303: the bootstrap must come close to the large-sample interval
    table = np.array([[163.0, 22.0], [26.0, 92.0]])
    replicates = kappa_of(resample(singles(table), np.random.default_rng(0)))
    found = bootstrap_estimate(float(kappa_of(table)), replicates, n=303, undefined_because="")
    second = inter_rater.cohens_kappa(table)
    assert found.interval is not None
    assert found.value == pytest.approx(second.kappa)
    assert found.interval.low == pytest.approx(second.kappa_low, abs=0.01)
    assert found.interval.high == pytest.approx(second.kappa_upp, abs=0.01)


def test_items_of_one_conversation_are_drawn_together() -> None:
    # ten copies of each item in one cluster carry no more information than one item
    blocks = singles(np.array([[6.0, 2.0], [2.0, 6.0]]))
    alone = kappa_of(resample(blocks, np.random.default_rng(1)))
    together = kappa_of(resample(10.0 * blocks, np.random.default_rng(1)))
    np.testing.assert_allclose(alone, together)


def test_no_interval_where_replicates_are_undefined() -> None:
    replicates = np.array([0.5] * 90 + [np.nan] * 10)
    found = bootstrap_estimate(0.5, replicates, n=3, undefined_because="")
    assert (found.value, found.interval) == (0.5, None)


def test_an_undefined_value_says_why() -> None:
    found = bootstrap_estimate(np.nan, np.full(9, np.nan), n=3, undefined_because="one class")
    assert (found.value, found.undefined) == (None, "one class")


def test_perfect_agreement_is_not_certain() -> None:
    table = np.array([[10.0, 0.0], [0.0, 10.0]])
    replicates = resample(singles(table), np.random.default_rng(0))
    found = chance_corrected(kappa_of, table, replicates, n=20, n_clusters=20)
    # Wilson's lower limit of 20 of 20 is 20 / (20 + 1.96^2) = .8389; kappa there is (.8389 - .5) / .5
    assert found.interval is not None
    assert (found.value, found.interval.high) == (1.0, 1.0)
    assert found.interval.low == pytest.approx((0.8389 - 0.5) / 0.5, abs=1e-4)


def test_perfect_agreement_on_one_item_has_an_ac1_and_no_kappa() -> None:
    table = np.array([[1.0, 0.0], [0.0, 0.0]])
    replicates = resample(singles(table), np.random.default_rng(0))
    assert chance_corrected(kappa_of, table, replicates, n=1, n_clusters=1).value is None
    found = chance_corrected(ac1_of, table, replicates, n=1, n_clusters=1)
    assert found.value == 1.0
    assert found.low is not None
    assert found.low < 0.5
