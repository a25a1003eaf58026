from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.intervals import normal_quantile, wilson_limits
from calibration.rogangladen import STRONG, rogan_gladen, rogan_gladen_limits, surplus_low


def test_the_rate_equals_the_hand_derived_sum() -> None:
    # TPR .9, TNR .8, judged pass .66: (.66 + .9 - 1) / (.9 + .8 - 1) = .56 / .7 = .8
    found = rogan_gladen(90, 100, 80, 100, 660, 1000, n=200)
    assert found.value == pytest.approx(0.8)
    assert found.n == 200
    assert found.interval is not None
    assert found.interval.method == "lee"


def test_lee_equals_the_hand_derived_sum() -> None:
    # with pseudo-counts: p = (660 + 1.9207) / 1003.8415 = .65939, q0 = 91/102 = .89216, q1 = 81/102 = .79412,
    # surplus .68627, rate (.65939 + .89216 - 1) / .68627 = .80368; v0 = .89216 * .10784 / 102 = .00094326,
    # v1 = .79412 * .20588 / 102 = .0016029; shift = 7.68292 (.80370 v1 - .19630 v0) = .0084749;
    # half = 1.95996 sqrt(.65939 * .34061 / 1003.8415 + .19630^2 v0 + .80368^2 v1) / .68627 = .10279
    low, high = rogan_gladen_limits(90, 100, 80, 100, 660, 1000)
    assert float(low) == pytest.approx(0.80368 + 0.00847 - 0.10279, abs=5e-5)
    assert float(high) == pytest.approx(0.80368 + 0.00847 + 0.10279, abs=5e-5)


def test_the_surplus_is_a_square_and_add_limit() -> None:
    z = normal_quantile(0.95)
    low, _ = wilson_limits(90, 100, z)
    other, _ = wilson_limits(80, 100, z)
    expected = 0.7 - math.hypot(0.9 - float(low), 0.8 - float(other))
    assert float(surplus_low(90, 100, 80, 100, z)) == pytest.approx(expected)


def test_a_weak_judge_gets_a_wider_interval() -> None:
    z = normal_quantile(0.95)
    assert 0.0 < float(surplus_low(14, 20, 14, 20, z)) < STRONG
    low, high = rogan_gladen_limits(14, 20, 14, 20, 600, 1000)
    assert (float(low), float(high)) == (0.0, 1.0)


@pytest.mark.parametrize("counts", [(10, 20, 10, 20), (2, 20, 3, 20)], ids=["chance", "worse than chance"])
def test_a_judge_at_or_below_chance_is_refused(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"TPR \+ TNR must exceed 1"):
        rogan_gladen(*counts, 600, 1000, n=40)


@given(
    st.integers(11, 40).flatmap(lambda n: st.tuples(st.integers(n // 2 + 1, n), st.just(n))),
    st.integers(11, 40).flatmap(lambda n: st.tuples(st.integers(n // 2 + 1, n), st.just(n))),
    st.integers(0, 500),
)
def test_the_interval_lies_within_0_and_1_and_holds_the_rate(
    fails: tuple[int, int], passes: tuple[int, int], judged_pass: int
) -> None:
    found = rogan_gladen(*fails, *passes, judged_pass, 500, n=fails[1] + passes[1])
    assert found.value is not None
    assert found.interval is not None
    assert 0.0 <= found.interval.low <= found.value <= found.interval.high <= 1.0
