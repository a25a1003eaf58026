from __future__ import annotations

import pytest

from calibration.estimate import Estimate, Interval, undefined
from reports.agreement import decimals, figure


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0.000"),
        (1.0, "1.000"),
        (0.9999, "0.999"),
        (0.0001, "0.001"),
        (-0.0001, "-0.001"),
        (0.5166, "0.517"),
        (-1.0, "-1.000"),
    ],
)
def test_only_an_exact_0_or_1_reads_so(value: float, shown: str) -> None:
    assert decimals(value) == shown


def test_a_figure_carries_its_interval() -> None:
    interval = Interval(low=0.25, high=0.99999, level=0.95, method="wilson")
    assert figure(Estimate(value=0.5, interval=interval, n=4)) == "0.500 [0.250, 0.999]"
    assert figure(Estimate(value=0.5, interval=None, n=4)) == "0.500"
    assert figure(undefined("no item")) == "-"
