from __future__ import annotations

import numpy as np
import pytest

from calibration.pairing import Batch
from calibration.predictionpowered import ppi_plus_plus


def test_the_estimate_equals_the_hand_derived_sum() -> None:
    # y 1 1 1 0, f 1 1 0 0, batch 60 % pass of 40. f mean .5, var .25, cov = .5 - .75 * .5 = .125;
    # lambda = .125 / (1.1 * .25) = .454545; value = .454545 * .6 + (.75 - .454545 * .5) = .795455
    found = ppi_plus_plus(np.array([1.0, 1, 1, 0]), np.array([1.0, 1, 0, 0]), np.ones(4), Batch(n_pass=24, n_fail=16))
    assert found.value == pytest.approx(0.795455, abs=1e-6)
    # residuals .545455 .545455 1 0 around .522727: sum of squares .50207; noise = (.50207 / 16) * 4 / 3 = .041839;
    # half = 1.95996 sqrt(.454545^2 * .24 / 40 + .041839) = .40680
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.795455 - 0.40680, abs=1e-5)
    assert found.interval.high == 1.0


def test_a_constant_judge_adds_nothing() -> None:
    found = ppi_plus_plus(np.array([1.0, 1, 1, 0]), np.ones(4), np.ones(4), Batch(n_pass=40, n_fail=0))
    assert found.value == pytest.approx(0.75)


def test_no_residual_is_no_interval() -> None:
    found = ppi_plus_plus(np.ones(3), np.ones(3), np.ones(3), Batch(n_pass=9, n_fail=1))
    assert (found.value, found.interval) == (1.0, None)


@pytest.mark.parametrize(("n", "batch"), [(1, Batch(n_pass=5, n_fail=5)), (3, Batch(n_pass=0, n_fail=0))])
def test_too_little_is_undefined(n: int, batch: Batch) -> None:
    assert ppi_plus_plus(np.ones(n), np.ones(n), np.ones(n), batch).undefined == "needs two labels and a batch"
