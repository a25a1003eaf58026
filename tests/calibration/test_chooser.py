from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from calibration.chooser import CorrectedRate, correct
from calibration.pairing import Pairing
from calibration.poststratified import post_stratify
from calibration.rates import plain_rates
from calibration.sampling import Plan, labelled_verdicts, weights_of


def choose(pairing: Pairing, plan: Plan) -> CorrectedRate:
    weights = weights_of(pairing, plan)
    rates = plain_rates([item.gold for item in pairing.items], pairing.said, [item.cluster for item in pairing.items])
    verdicts = labelled_verdicts(pairing, weights)
    stratified = post_stratify(verdicts, pairing.batch, np.random.default_rng(0), n=len(pairing.items))
    return correct(pairing, plan, rates, stratified, weights)


GOOD = ("f" * 12 + "p" * 12 + "." * 30, "f" * 11 + "p" * 13 + "f" * 10 + "p" * 20)
"""12 fails (11 found), 12 passes (all kept), then 30 answers without labels."""


@pytest.mark.parametrize("plan", ["random", "by_verdict", "weighted"])
def test_labels_from_the_batch_are_post_stratified(make_pairing: Callable[..., Pairing], plan: Plan) -> None:
    found = choose(make_pairing(*GOOD), plan)
    assert (found.estimator, found.plan) == ("post_stratified", plan)
    assert found.because.endswith("post-stratified on the verdict")
    # batch 33 PASS, 21 FAIL; 12/13 of the PASSes and 0/11 of the FAILs are right: 33 / 54 * 12 / 13
    assert found.corrected.value == pytest.approx(33 / 54 * 12 / 13)
    assert found.raw.value == pytest.approx(33 / 54)
    assert found.check.value == pytest.approx(found.corrected.value, abs=0.03)


def test_labels_from_elsewhere_take_rogan_gladen_on_the_rest(make_pairing: Callable[..., Pairing]) -> None:
    found = choose(make_pairing(*GOOD), "elsewhere")
    assert found.estimator == "rogan_gladen"
    # 20 of 30 unlabelled are PASS; TPR 11/12, TNR 1: (2/3 + 11/12 - 1) / (11/12)
    assert found.corrected.value == pytest.approx((2 / 3 - 1 / 12) / (11 / 12))
    assert found.raw.n == 30
    assert found.check.undefined == "PPI++ needs labels drawn from the batch"


REFUSALS: list[tuple[str, Plan, str, str, str]] = [
    ("plan unknown", "unknown", *GOOD, "say how the labels were drawn"),
    ("few labels", "random", "fpp...", "fppfpf", "7 more labels (at least 10 in all)"),
    (
        "few of one class",
        "elsewhere",
        "f" * 7 + "p" * 12 + "..",
        "f" * 7 + "p" * 12 + "fp",
        "3 more labels of class fail",
    ),
    ("no batch", "elsewhere", "f" * 12 + "p" * 12, "f" * 12 + "p" * 12, "answers to items without labels"),
    (
        "labels that contradict the batch",
        "elsewhere",
        "f" * 40 + "p" * 40 + "." * 90,
        "f" * 40 + "p" * 30 + "f" * 10 + "p" * 90,
        "labels that fit the batch: with this TPR and TNR no pass rate explains its verdicts",
    ),
    ("coin", "elsewhere", "fp" * 20 + "..", "ffpp" * 10 + "fp", "TPR + TNR may be <= 1"),
]


@pytest.mark.parametrize(
    ("plan", "gold", "said", "missing"), [pytest.param(*case[1:], id=case[0]) for case in REFUSALS]
)
def test_a_refusal_says_what_is_missing(
    make_pairing: Callable[..., Pairing], plan: Plan, gold: str, said: str, missing: str
) -> None:
    found = choose(make_pairing(gold, said), plan)
    assert (found.estimator, found.corrected.value) == ("none", None)
    assert found.corrected.undefined is not None
    assert found.corrected.undefined.startswith("refused; missing: ")
    assert missing in found.corrected.undefined
