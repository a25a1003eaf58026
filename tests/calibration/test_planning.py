from __future__ import annotations

import pytest

from calibration.intervals import proportion
from calibration.planning import labels_for_half_width, labels_to_certify

# 49 of 54 has Wilson's lower limit .801, 48 of 53 .797; 121 of 127 .901
CERTIFIED = [(0.80, 0.90, 54), (0.90, 0.95, 127), (0.80, 1.00, 16), (0.50, 1.00, 4)]


@pytest.mark.parametrize(("bar", "rate", "n"), CERTIFIED)
def test_labels_to_certify(bar: float, rate: float, n: int) -> None:
    assert labels_to_certify(bar, rate) == n
    reached, short = proportion(round(rate * n), n), proportion(round(rate * (n - 1)), n - 1)
    assert reached.low is not None
    assert short.low is not None
    assert reached.low >= bar > short.low


@pytest.mark.parametrize(("bar", "rate"), [(0.80, 0.80), (0.80, 0.70), (0.80, 0.8001)])
def test_out_of_reach_is_no_number(bar: float, rate: float) -> None:
    assert labels_to_certify(bar, rate) is None


@pytest.mark.parametrize(("half_width", "n"), [(0.05, 139), (0.03, 385)])
def test_labels_for_a_width(half_width: float, n: int) -> None:
    assert labels_for_half_width(half_width, 0.90) == n


def test_a_width_is_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        labels_for_half_width(0.0, 0.90)
