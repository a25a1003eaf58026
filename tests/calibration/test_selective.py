from __future__ import annotations

import numpy as np
import pytest

from calibration.intervals import binomial_lower_bound
from calibration.selective import choose_selective


def test_twenty_nine_without_an_error_are_the_least() -> None:
    # .9^29 = .0471 <= .05 < .9^28
    confidence = np.linspace(1.0, 0.5, 29)
    found = choose_selective(confidence, np.ones(29))
    assert found is not None
    assert (found.coverage, found.agreement, found.n_decided) == (1.0, 1.0, 29)
    assert choose_selective(confidence[:28], np.ones(28)) is None


def test_it_stops_where_agreement_falls() -> None:
    confidence = np.linspace(1.0, 0.0, 300)
    agrees = (confidence > 0.5).astype(float)
    found = choose_selective(confidence, agrees)
    assert found is not None
    # 150 right, then only wrong ones: 9 of 159 is the last that .90 can be certified with
    assert 0.49 < found.coverage < 0.54
    assert binomial_lower_bound(round(found.agreement * found.n_decided), found.n_decided, delta=0.05) >= 0.90


@pytest.mark.parametrize("agrees", [np.zeros(50), np.tile([1.0, 0.0], 25)], ids=["always wrong", "coin"])
def test_a_useless_judge_decides_nothing(agrees: np.ndarray) -> None:
    assert choose_selective(np.linspace(1.0, 0.0, 50), agrees) is None


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_labels_decide_nothing(n: int) -> None:
    assert choose_selective(np.ones(n), np.ones(n)) is None


def test_the_guarantee_holds() -> None:
    # true agreement is 85 % at every confidence, so a certificate of .90 is always false: at most 5 % of them
    generator = np.random.default_rng(0)
    n_false = sum(
        choose_selective(generator.random(200), (generator.random(200) < 0.85).astype(float)) is not None
        for _ in range(400)
    )
    assert n_false <= 0.05 * 400
