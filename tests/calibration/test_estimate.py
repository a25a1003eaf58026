from __future__ import annotations

import math

import pytest

from calibration.estimate import Estimate, Interval, undefined


def test_a_value_needs_no_reason_and_a_reason_no_value() -> None:
    with pytest.raises(ValueError, match="never both or neither"):
        Estimate(value=None, interval=None, n=0)
    with pytest.raises(ValueError, match="never both or neither"):
        Estimate(value=0.5, interval=None, n=1, undefined="because")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_value_is_finite(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        Estimate(value=value, interval=None, n=1)


@pytest.mark.parametrize("limits", [(0.6, 0.4), (math.nan, 0.4)])
def test_an_interval_runs_from_low_to_high(limits: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="low to high"):
        Interval(low=limits[0], high=limits[1], level=0.95, method="wilson")


def test_a_level_is_a_probability() -> None:
    with pytest.raises(ValueError, match=r"level must lie within 0\.\.1"):
        Interval(low=0.0, high=1.0, level=95.0, method="wilson")


def test_no_value_has_no_interval() -> None:
    interval = Interval(low=0.0, high=1.0, level=0.95, method="wilson")
    with pytest.raises(ValueError, match="no interval"):
        Estimate(value=None, interval=interval, n=0, undefined="because")
    nothing = undefined("because", n_left_out=2)
    assert (nothing.low, nothing.high, nothing.n_left_out) == (None, None, 2)
