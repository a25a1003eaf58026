"""The whole road from answers and labels to the corrected rate, often enough to see whether its interval holds.

The grid with 4,000 replications a cell is ``benchmarks/coverage.py``.
"""

from __future__ import annotations

import numpy as np
import pytest

from calibration.chooser import Estimator, correct
from calibration.gold import Gold, Item
from calibration.pairing import pair
from calibration.poststratified import post_stratify
from calibration.rates import plain_rates
from calibration.records import Answer, Verdict
from calibration.sampling import Plan, labelled_verdicts, weights_of

RATE, TPR, TNR = 0.85, 0.80, 0.92
BATCH, N_LABELS, N_RUNS = 400, 60, 150


def word(is_pass: bool) -> Verdict:
    return "pass" if is_pass else "fail"


def draw_labelled(plan: Plan, is_pass: np.ndarray, says_pass: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return the indices of the labelled items."""
    if plan == "random":
        return generator.choice(len(is_pass), N_LABELS, replace=False)
    by = says_pass if plan == "by_verdict" else is_pass
    half = N_LABELS // 2
    return np.concatenate([generator.choice(np.flatnonzero(by == side), half, replace=False) for side in (False, True)])


CASES: list[tuple[Plan, Estimator]] = [
    ("random", "post_stratified"),
    ("by_verdict", "post_stratified"),
    ("elsewhere", "rogan_gladen"),
]


@pytest.mark.parametrize(("plan", "estimator"), CASES)
def test_the_interval_holds_the_truth(plan: Plan, estimator: Estimator) -> None:
    generator = np.random.default_rng(11)
    n_held = 0
    for _ in range(N_RUNS):
        is_pass = generator.random(BATCH) < RATE
        says_pass = generator.random(BATCH) < np.where(is_pass, TNR, 1.0 - TPR)
        labelled = draw_labelled(plan, is_pass, says_pass, generator)
        answers = [Answer(item=str(index), verdict=word(bool(says))) for index, says in enumerate(says_pass)]
        items = tuple(
            Item(
                item=str(index),
                gold=word(bool(is_pass[index])),
                n_labels=1,
                stratum=None,
                cluster=str(index),
                inclusion_probability=None,
                text_length=None,
            )
            for index in labelled
        )
        pairing = pair(answers, Gold(items=items, n_disputed=0, n_short=0))
        weights = weights_of(pairing, plan)
        verdicts = labelled_verdicts(pairing, weights)
        stratified = post_stratify(verdicts, pairing.batch, generator, n=N_LABELS)
        rates = plain_rates(
            [item.gold for item in pairing.items], pairing.said, [item.cluster for item in pairing.items]
        )
        found = correct(pairing, plan, rates, stratified, weights)
        assert found.estimator == estimator
        interval = found.corrected.interval
        assert interval is not None
        n_held += interval.low <= RATE <= interval.high
    assert n_held >= 0.91 * N_RUNS
