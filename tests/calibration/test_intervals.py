from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.intervals import (
    binomial_lower_bound,
    newcombe_difference,
    normal_quantile,
    proportion,
    wilson_limits,
)

second: Any = importlib.import_module("statsmodels.stats.proportion")

COUNTS = [(0, 1), (1, 1), (0, 20), (20, 20), (1, 20), (49, 54), (163, 185), (92, 118), (500, 1000)]


@pytest.mark.parametrize(("hits", "n"), COUNTS)
@pytest.mark.parametrize("level", [0.90, 0.95, 0.99])
def test_wilson_equals_statsmodels(hits: int, n: int, level: float) -> None:
    found = proportion(hits, n, level=level)
    low, high = second.proportion_confint(hits, n, alpha=1 - level, method="wilson")
    assert found.interval is not None
    assert found.interval.low == pytest.approx(low, abs=1e-12)
    assert found.interval.high == pytest.approx(high, abs=1e-12)
    assert (found.value, found.n, found.n_hits) == (hits / n, n, hits)


def test_no_trials_is_no_rate() -> None:
    found = proportion(0, 0, n_left_out=3)
    assert (found.value, found.interval, found.n_left_out) == (None, None, 3)
    assert found.undefined == "no item to count"


def test_nothing_known_is_the_whole_range() -> None:
    low, high = wilson_limits([0.0, 3.0], [0.0, 3.0], normal_quantile(0.95))
    assert (low[0], high[0], high[1]) == (0.0, 1.0, 1.0)


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="hits must lie within"):
        proportion(hits, n)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_limits_hold_the_rate_and_mirror(counts: tuple[int, int]) -> None:
    hits, n = counts
    found, mirrored = proportion(hits, n), proportion(n - hits, n)
    assert found.interval is not None
    assert mirrored.interval is not None
    assert 0.0 <= found.interval.low <= hits / n <= found.interval.high <= 1.0
    assert found.interval.low == pytest.approx(1.0 - mirrored.interval.high)


@pytest.mark.parametrize("counts", [(56, 70, 48, 80), (9, 10, 3, 10), (10, 10, 0, 20), (0, 10, 0, 10)])
def test_newcombe_equals_statsmodels(counts: tuple[int, int, int, int]) -> None:
    found = newcombe_difference(*counts)
    low, high = second.confint_proportions_2indep(*counts, method="newcomb", compare="diff")
    assert found.interval is not None
    assert [found.interval.low, found.interval.high] == pytest.approx([low, high])


def test_newcombe_equals_the_published_example() -> None:
    # Newcombe 1998, table II, (a): 56/70 - 48/80, method 10: 0.0524 to 0.3339
    found = newcombe_difference(56, 70, 48, 80)
    assert found.interval is not None
    assert (round(found.interval.low, 4), round(found.interval.high, 4)) == (0.0524, 0.3339)


def test_a_difference_needs_both_groups() -> None:
    assert newcombe_difference(0, 0, 3, 4).value is None


@pytest.mark.parametrize(("hits", "n"), [(29, 29), (45, 50), (1, 40)])
def test_exact_bound_equals_statsmodels(hits: int, n: int) -> None:
    low, _ = second.proportion_confint(hits, n, alpha=0.10, method="beta")
    assert binomial_lower_bound(hits, n, delta=0.05) == pytest.approx(low)


@pytest.mark.parametrize("n", [0, 7])
def test_no_hits_certify_nothing(n: int) -> None:
    assert binomial_lower_bound(0, n, delta=0.05) == 0.0
