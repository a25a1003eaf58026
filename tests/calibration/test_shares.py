from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from calibration.intervals import proportion
from calibration.shares import effective_number, share

regression: Any = importlib.import_module("statsmodels.api")


def test_independent_items_have_the_plain_interval() -> None:
    hit = np.array([True] * 9 + [False])
    found = share(hit, [str(index) for index in range(10)], undefined_because="")
    assert found == proportion(9, 10)


def test_copies_of_an_item_add_nothing() -> None:
    hit = np.repeat([True, True, True, False], 5)
    clusters = [str(index // 5) for index in range(20)]
    # residual sums 5 * (.25 .25 .25 -.75) / 20; v = (3 * .0625^2 + .1875^2) * 4 / 3 = .0625; .1875 / .0625 = 3
    assert effective_number(hit, clusters, np.ones(20)) == pytest.approx(3.0)
    found = share(hit, clusters, undefined_because="")
    assert (found.value, found.n, found.n_hits) == (0.75, 20, 15)
    assert found.n_effective == pytest.approx(3.0)


def test_the_variance_equals_statsmodels_cluster_robust_one() -> None:
    generator = np.random.default_rng(0)
    codes = generator.integers(0, 30, 200)
    hit = generator.random(200) < 0.3 + 0.5 * (codes % 2)
    fit = regression.OLS(hit.astype(float), np.ones(200)).fit(
        cov_type="cluster", cov_kwds={"groups": codes, "use_correction": False}
    )
    variance = float(fit.cov_params()[0, 0]) * 30 / 29
    p = hit.mean()
    assert effective_number(hit, [str(code) for code in codes], np.ones(200)) == pytest.approx(p * (1 - p) / variance)


def test_where_all_hit_each_conversation_counts_one() -> None:
    found = share(np.ones(12, dtype=bool), [str(index // 3) for index in range(12)], undefined_because="")
    assert found.value == 1.0
    assert found.n_effective == pytest.approx(4.0)


def test_unequal_weights_count_as_fewer() -> None:
    # (4 + 1 + 1)^2 / (16 + 1 + 1) = 2
    assert effective_number(np.array([True, False, True]), ["a", "b", "c"], np.array([4.0, 1.0, 1.0])) == 2.0


@pytest.mark.parametrize("clusters", [["a"], ["a", "a", "a"]])
def test_one_conversation_is_one_item(clusters: list[str]) -> None:
    hit = np.array([True, False, True])[: len(clusters)]
    assert effective_number(hit, clusters, np.ones(len(clusters))) == 1.0


def test_no_item_is_no_share() -> None:
    assert share(np.zeros(0, dtype=bool), [], undefined_because="nobody").undefined == "nobody"
    weightless = share(np.ones(1, dtype=bool), ["a"], undefined_because="nobody", weights=np.zeros(1))
    assert weightless.value is None


def test_the_interval_holds_where_the_plain_one_fails() -> None:
    # 40 conversations of 5 items; each conversation has its own rate, Beta(2, .5), mean .8
    generator = np.random.default_rng(1)
    clusters = [str(index // 5) for index in range(200)]
    n_held = n_plain = 0
    for _ in range(400):
        hit = generator.random(200) < np.repeat(generator.beta(2.0, 0.5, 40), 5)
        found, plain = share(hit, clusters, undefined_because=""), proportion(int(hit.sum()), 200)
        assert found.interval is not None
        assert plain.interval is not None
        n_held += found.interval.low <= 0.8 <= found.interval.high
        n_plain += plain.interval.low <= 0.8 <= plain.interval.high
    assert n_held >= 0.92 * 400
    assert n_plain < 0.89 * 400
