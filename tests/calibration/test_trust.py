from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from calibration.agreement import measure
from calibration.pairing import Pairing
from calibration.sampling import Plan
from calibration.trust import Bar, Trust, judge_trust


def trust(pairing: Pairing, plan: Plan = "random") -> Trust:
    return judge_trust(measure(pairing, plan, np.random.default_rng(0)), Bar())


def test_a_judge_that_always_fails_is_useless(make_pairing: Callable[..., Pairing]) -> None:
    found = trust(make_pairing("f" * 30 + "p" * 70, "f" * 100))
    assert found.status == "untrusted"
    assert (
        "useless: not shown to do better than the trivial grader 'majority' (kappa 0.00 against 0.00)" in found.sentence
    )
    assert "keeps only 0.00 [0.00, 0.05] of the true passes; the bar is 0.80" in found.sentence


@pytest.mark.parametrize("seed", range(5))
def test_a_coin_is_useless(make_pairing: Callable[..., Pairing], seed: int) -> None:
    generator = np.random.default_rng(seed)
    gold, said = ("".join(generator.choice(["f", "p"], 150)) for _ in range(2))
    found = trust(make_pairing(gold, said))
    assert found.status == "untrusted"
    assert found.sentence.startswith("untrusted: useless: not shown to do better")


def test_a_good_judge_with_20_labels_has_too_few(make_pairing: Callable[..., Pairing]) -> None:
    # 10 of 10 and 10 of 10: Wilson's lower limit is .7225; 16 of 16 reach .80
    found = trust(make_pairing("f" * 10 + "p" * 10, "f" * 10 + "p" * 10))
    assert found.status == "too_few_labels"
    assert found.sentence == (
        "too few labels: 6 more labels of class fail to certify TPR >= 0.80;"
        " 6 more labels of class pass to certify TNR >= 0.80"
    )


def test_a_good_judge_that_erred_once_in_20(make_pairing: Callable[..., Pairing]) -> None:
    # 9 of 10 fails: 54 of class fail certify .80 at .90, so 44 more
    found = trust(make_pairing("f" * 10 + "p" * 10, "f" * 9 + "p" * 11))
    assert found.status == "too_few_labels"
    assert (found.more[0].n, found.more[0].of_class) == (44, "fail")


def test_a_good_judge_with_enough_labels_is_trusted(make_pairing: Callable[..., Pairing]) -> None:
    found = trust(make_pairing("f" * 60 + "p" * 60, "f" * 57 + "p" * 3 + "p" * 58 + "f" * 2))
    assert found.status == "trusted"
    assert found.sentence.startswith("trusted: finds 0.95 [")
    assert "beats 'majority' by kappa 0.92" in found.sentence


def test_accuracy_without_precision_is_untrusted(make_pairing: Callable[..., Pairing]) -> None:
    # 20 fails all found, 980 passes of which 60 called fail: accuracy .94, precision of FAIL .25
    found = trust(make_pairing("f" * 20 + "p" * 980, "f" * 80 + "p" * 920))
    assert found.status == "untrusted"
    assert found.sentence == "untrusted: only 0.25 [0.17, 0.35] of its FAILs are right; the bar is 0.50"


def test_precision_is_not_asked_of_labels_from_elsewhere(make_pairing: Callable[..., Pairing]) -> None:
    found = trust(make_pairing("f" * 20 + "p" * 980 + ".." * 5, "f" * 80 + "p" * 920 + "fp" * 5), "elsewhere")
    assert found.status == "trusted"


def test_a_missing_class_asks_for_labels(make_pairing: Callable[..., Pairing]) -> None:
    found = trust(make_pairing("p" * 40, "p" * 40))
    assert found.status == "too_few_labels"
    assert found.sentence == "too few labels: 54 more labels of class fail to certify TPR >= 0.80"


def test_a_judge_that_mostly_abstains_is_untrusted(make_pairing: Callable[..., Pairing]) -> None:
    found = trust(make_pairing("f" * 30 + "p" * 30 + "." * 60, "f" * 30 + "p" * 30 + "a" * 40 + "e" * 20))
    assert found.status == "untrusted"
    assert "gives no verdict on 60 of 120 items (40 abstained, 20 errored)" in found.sentence


def test_the_stratum_alone_unmasks_a_judge(make_pairing: Callable[..., Pairing]) -> None:
    # says fail for stratum x and pass for y; so do the labels, mostly
    gold = "f" * 90 + "p" * 10 + "p" * 90 + "f" * 10
    found = trust(make_pairing(gold, "f" * 100 + "p" * 100, strata="x" * 100 + "y" * 100))
    assert found.status == "untrusted"
    assert found.sentence.startswith(
        "untrusted: useless: not shown to do better than the trivial grader 'stratum only'"
    )


@pytest.mark.parametrize("gold", ["", "f", "fp"])
def test_next_to_nothing_is_never_trusted(make_pairing: Callable[..., Pairing], gold: str) -> None:
    assert trust(make_pairing(gold + ".", gold + "f")).status == "too_few_labels"
