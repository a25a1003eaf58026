from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from calibration.pairing import Pairing
from calibration.sampling import Plan, is_even, labelled_verdicts, plan_of, weights_of
from cases.errors import InputError

PLANS: list[tuple[str, list[float] | None, str, Plan]] = [
    ("nothing recorded", None, "ffpp", "unknown"),
    ("one probability", [0.1] * 4, "ffpp", "random"),
    ("one a verdict", [0.5, 0.5, 0.1, 0.1], "ffpp", "by_verdict"),
    ("several within a verdict", [0.5, 0.4, 0.1, 0.1], "ffpp", "weighted"),
    ("drawn by another judge's verdict", [0.5, 0.1, 0.5, 0.1], "ffpp", "weighted"),
]


@pytest.mark.parametrize(("probabilities", "said", "plan"), [pytest.param(*case[1:], id=case[0]) for case in PLANS])
def test_the_plan_follows_from_the_probabilities(
    make_pairing: Callable[..., Pairing], probabilities: list[float] | None, said: str, plan: Plan
) -> None:
    assert plan_of(make_pairing("fpfp....", said + "pppf", probabilities=probabilities)) == plan


def test_labels_on_the_whole_batch_are_a_random_sample(make_pairing: Callable[..., Pairing]) -> None:
    assert plan_of(make_pairing("fpfp", "ffpe")) == "random"
    assert plan_of(make_pairing("....", "ffpp")) == "unknown"


def test_half_recorded_is_an_error(make_pairing: Callable[..., Pairing]) -> None:
    whole, half = make_pairing("f.", "fp", probabilities=[0.5, 0.5]), make_pairing(".p", "fp")
    mixed = Pairing(
        judge="judge",
        items=whole.items + half.items,
        said=whole.said + half.said,
        scores=(None, None),
        batch=whole.batch,
        unlabelled=half.unlabelled,
        n_abstained=0,
        n_errored=0,
        n_unanswered=0,
    )
    with pytest.raises(InputError, match="item '1' has no inclusion_probability while others have one"):
        plan_of(mixed)


def test_uneven_labels_are_weighted_back_to_the_batch(make_pairing: Callable[..., Pairing]) -> None:
    # batch: 2 FAIL, 8 PASS; labelled: 2 FAIL, 2 PASS. Shares .2 and .8, so each FAIL weighs .1, each PASS .4,
    # times 4 / 1: mean 1
    pairing = make_pairing("fppf......", "ffpppppppp", probabilities=[1.0, 1.0, 0.25, 0.25] + [1.0] * 6)
    assert not is_even("by_verdict")
    np.testing.assert_allclose(weights_of(pairing, "by_verdict"), [0.4, 0.4, 1.6, 1.6])
    np.testing.assert_allclose(weights_of(pairing, "weighted"), [0.4, 0.4, 1.6, 1.6])
    np.testing.assert_allclose(weights_of(pairing, "random"), [1.0] * 4)
    counts = labelled_verdicts(pairing, weights_of(pairing, "by_verdict"))
    assert (counts.passes_right, counts.n_passes, counts.fails_wrong, counts.n_fails) == pytest.approx((1, 2, 1, 2))


def test_unequal_weights_count_as_fewer_labels(make_pairing: Callable[..., Pairing]) -> None:
    # three PASS labels with weights 4 : 1 : 1: effective n = 36 / 18 = 2, right share 4 / 6
    pairing = make_pairing("pff", "ppp", probabilities=[0.25, 1.0, 1.0])
    counts = labelled_verdicts(pairing, weights_of(pairing, "weighted"))
    assert (counts.passes_right, counts.n_passes, counts.n_fails) == pytest.approx((2 * 4 / 6, 2.0, 0.0))


def test_no_labels_have_no_weights(make_pairing: Callable[..., Pairing]) -> None:
    assert weights_of(make_pairing("..", "fp"), "by_verdict").shape == (0,)
