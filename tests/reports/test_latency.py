"""Latency percentiles within one per cent of exact ones, whatever is merged."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.latency import LatencyTally


def tally(seconds: list[float]) -> LatencyTally:
    found = LatencyTally()
    for one in seconds:
        found.add(one)
    return found


def exact(seconds: list[float], percent: int) -> float:
    """The nearest-rank percentile: the smallest value with at least ``percent`` of all at or below it."""
    rank = max(1, -(-percent * len(seconds) // 100))
    return sorted(seconds)[rank - 1]


@given(st.lists(st.floats(1e-5, 1e5), min_size=1, max_size=300), st.sampled_from([1, 7, 28, 50, 55, 95, 99, 100]))
def test_within_one_per_cent_of_the_exact_percentile(seconds: list[float], percent: int) -> None:
    found = tally(seconds).percentile(percent / 100)
    assert found == pytest.approx(exact(seconds, percent), rel=0.0100001)


@pytest.mark.parametrize("n", [20, 40, 100, 200, 300, 700, 1000])
@pytest.mark.parametrize("percent", [50, 55, 95, 99])
def test_the_rank_is_not_off_by_one_in_floating_point(n: int, percent: int) -> None:
    seconds = [1.05**place for place in range(n)]
    assert tally(seconds).percentile(percent / 100) == pytest.approx(exact(seconds, percent), rel=0.0100001)


@given(st.lists(st.floats(0, 1e4)), st.lists(st.floats(0, 1e4)))
def test_parts_add_up(one: list[float], other: list[float]) -> None:
    merged = tally(one)
    merged.merge(tally(other))
    assert merged == tally(one + other)


@pytest.mark.parametrize(
    ("seconds", "n"),
    [
        pytest.param(0.0, 1, id="zero counts as a microsecond"),
        pytest.param(-0.5, 0, id="a negative one is not counted"),
        pytest.param(math.nan, 0, id="nor one that is no number"),
        pytest.param(math.inf, 0, id="nor an endless one"),
    ],
)
def test_odd_values(seconds: float, n: int) -> None:
    assert tally([seconds]).n == n


def test_without_calls_there_is_no_percentile() -> None:
    assert LatencyTally().percentile(0.5) is None
