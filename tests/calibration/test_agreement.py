from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from calibration.agreement import Agreement, measure
from calibration.comparison import compare
from calibration.pairing import Pairing
from calibration.sampling import Plan
from calibration.scored import measure_scores


def run(pairing: Pairing, plan: Plan = "random") -> Agreement:
    return measure(pairing, plan, np.random.default_rng(0))


def test_one_judge_from_end_to_end(make_pairing: Callable[..., Pairing]) -> None:
    # stratum x: [[4, 1], [1, 4]]; stratum y: [[18, 0], [2, 0]] (hand-derived in test_cells)
    gold = "fffff" + "ppppp" + "f" * 18 + "pp"
    said = "ffffp" + "fpppp" + "f" * 20
    found = run(make_pairing(gold + "pf", said + "ae", strata="x" * 10 + "y" * 22))
    assert found.kappa_within.value == pytest.approx(3 / 7)
    assert [(each.stratum, each.table.n) for each in found.strata] == [("x", 10), ("y", 20)]
    assert [each.kappa.value for each in found.strata] == pytest.approx([0.6, 0.0])
    assert (found.rates.tpr.value, found.rates.tnr.value) == (22 / 23, 4 / 7)
    assert (found.abstained.value, found.errored.value) == (1 / 32, 1 / 32)
    assert (found.table.n_left_out, found.kappa.n_left_out) == (2, 2)
    assert [each.name for each in found.baselines] == ["majority", "stratum only"]
    assert found.baselines[0].kappa.value == pytest.approx(0.0)
    assert found.baselines[0].lead.value == found.kappa.value


def test_over_sampled_fails_do_not_flatter_tpr(make_pairing: Callable[..., Pairing]) -> None:
    # batch of 1000: 100 FAIL, 900 PASS. Labelled 20 of each: FAILs 16 right, PASSes 18 right.
    # P(fail) = .1 * .8 + .9 * .1 = .17, of which called fail .08: TPR .4706; the plain table says 16 / 18
    gold = "f" * 16 + "p" * 4 + "f" * 2 + "p" * 18 + "." * 960
    said = "f" * 20 + "p" * 20 + "f" * 80 + "p" * 880
    pairing = make_pairing(gold, said)
    assert run(pairing, "random").rates.tpr.value == pytest.approx(16 / 18)
    found = run(pairing, "by_verdict")
    assert found.rates.tpr.value == pytest.approx(0.08 / 0.17)
    assert found.rates.tnr.value == pytest.approx(0.81 / 0.83)
    assert found.rates.precision_of_fail.value == pytest.approx(0.8)
    assert found.rates.accuracy.value == pytest.approx(0.89)
    assert found.rates.f1_of_fail.value == pytest.approx(0.16 / (0.16 + 0.02 + 0.09))
    # kappa of the weighted table [[.08, .09], [.02, .81]]: pe = .17 * .1 + .83 * .9 = .764
    assert found.kappa.value == pytest.approx((0.89 - 0.764) / 0.236)
    assert found.rates.tpr.interval is not None
    assert found.rates.tpr.interval.low < 0.3
    assert found.rates.tpr.interval.high > 0.7


@pytest.mark.parametrize(
    ("gold", "said", "has_kappa"),
    [
        ("", "", False),
        ("f", "f", False),
        ("ffff", "ffff", False),
        ("fp", "fp", True),
        ("..", "fp", False),
        ("fp", "ae", False),
    ],
    ids=["nothing", "n=1", "one class", "all agree", "no labels", "no verdicts"],
)
def test_degenerate_sets_are_reported_without_a_made_up_number(
    make_pairing: Callable[..., Pairing], gold: str, said: str, has_kappa: bool
) -> None:
    if not said:
        gold, said = ".", "e"
    found = run(make_pairing(gold, said))
    assert (found.kappa.value is not None) == has_kappa
    assert has_kappa or found.kappa.undefined
    assert found.kappa_within.value is None


def test_a_report_does_not_depend_on_the_order_of_judges(make_pairing: Callable[..., Pairing]) -> None:
    pairing = make_pairing("fpfpfpfp", "fpfpffpp")
    assert run(pairing) == run(pairing)


def test_two_judges_are_compared_on_the_items_both_decided(make_pairing: Callable[..., Pairing]) -> None:
    first = make_pairing("ffffpppp", "ffffppfa", judge="a")
    second = make_pairing("ffffpppp", "fpffpapp", judge="b")
    found = compare(first, second, np.random.default_rng(0))
    # both decided items 0-4 and 6: the second misses item 1, the first item 6
    assert (found.n, found.n_left_out) == (6, 2)
    assert (found.right.n_only_first, found.right.n_only_second, found.right.p_value) == (1, 1, 1.0)
    assert found.lead_within.undefined == "all items share one stratum"
    assert found.lead.interval is None  # six items: too many replicates hold one class


def test_a_judge_leads_itself_by_nothing(make_pairing: Callable[..., Pairing]) -> None:
    pairing = make_pairing("ffffpppp", "ffffppfp")
    found = compare(pairing, pairing, np.random.default_rng(0))
    assert found.lead.value == 0.0
    assert (found.lead.low, found.lead.high) == (0.0, 0.0)


def test_scores_are_measured_on_both_parts(make_pairing: Callable[..., Pairing]) -> None:
    generator = np.random.default_rng(2)
    scores = [float(score) for score in generator.random(300)]
    gold = "".join("p" if generator.random() < score else "f" for score in scores)
    said = "".join("p" if score >= 0.5 else "f" for score in scores)
    found = measure_scores(make_pairing(gold, said, scores=scores), "random", n_earlier_looks=4)
    assert found is not None
    assert found.threshold is not None
    assert found.scaled is not None
    assert found.threshold.n_looks == 5
    assert found.threshold.n_dev + found.threshold.table.n == 300
    assert found.scaled.brier.n == found.threshold.table.n
    assert found.threshold.threshold == pytest.approx(0.5, abs=0.2)


def test_without_scores_there_is_no_such_report(make_pairing: Callable[..., Pairing]) -> None:
    assert measure_scores(make_pairing("fp", "fp"), "random") is None


def test_one_scored_item_is_enough_for_a_brier_score_and_nothing_else(make_pairing: Callable[..., Pairing]) -> None:
    found = measure_scores(make_pairing("f", "f", scores=[0.25]), "random")
    assert found is not None
    assert found.raw.brier.value == pytest.approx(0.0625)
    assert (found.platt, found.scaled, found.threshold, found.selective) == (None, None, None, None)
    assert found.no_selective == "nothing can be certified"


def test_scores_of_over_sampled_fails_are_weighted_back(make_pairing: Callable[..., Pairing]) -> None:
    # 8000 items, score .9 or .3, honest to the tenth; FAILs are labelled five times as often as PASSes
    generator = np.random.default_rng(3)
    gold, said, scores, probabilities = "", "", list[float](), list[float]()
    for score in generator.choice([0.3, 0.9], 8000, p=[0.2, 0.8]):
        probability = 0.1 if score > 0.5 else 0.5
        is_pass, is_labelled = generator.random() < score, generator.random() < probability
        gold += ("p" if is_pass else "f") if is_labelled else "."
        said += "p" if score > 0.5 else "f"
        scores.append(float(score))
        probabilities.append(probability)
    pairing = make_pairing(gold, said, scores=scores, probabilities=probabilities)
    flat, weighted = measure_scores(pairing, "random"), measure_scores(pairing, "by_verdict")
    assert flat is not None
    assert weighted is not None
    assert flat.threshold is not None
    assert weighted.threshold is not None
    # true TPR over the batch: .2 * .7 / (.2 * .7 + .8 * .1) = .636; unweighted .07 / (.07 + .008) = .897
    assert flat.threshold.tpr.value == pytest.approx(0.897, abs=0.06)
    assert weighted.threshold.tpr.value == pytest.approx(0.636, abs=0.1)
    assert weighted.threshold.tpr.interval is not None
    assert weighted.threshold.tpr.interval.low < 0.636 < weighted.threshold.tpr.interval.high
    # the Brier score of honest scores is .2 * .3 * .7 + .8 * .9 * .1 = .114
    assert weighted.raw.brier.value == pytest.approx(0.114, abs=0.02)
    assert weighted.no_selective == "needs labels that were drawn evenly"
