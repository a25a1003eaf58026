from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from calibration.baselines import baselines
from calibration.pairing import Pairing


def said(pairing: Pairing) -> dict[str, str]:
    return {baseline.name: "".join(verdict[0] for verdict in baseline.said) for baseline in baselines(pairing.items)}


@pytest.mark.parametrize(("gold", "expected"), [("ffp", "fff"), ("fpp", "ppp"), ("fp", "ff"), ("p", "p")])
def test_majority_answers_with_the_frequent_class(
    make_pairing: Callable[..., Pairing], gold: str, expected: str
) -> None:
    assert said(make_pairing(gold, gold)) == {"majority": expected}


def test_the_stratum_alone_tells_what_it_can(make_pairing: Callable[..., Pairing]) -> None:
    gold = "f" * 30 + "p" * 30 + "f" * 5
    found = said(make_pairing(gold, gold, strata="x" * 30 + "y" * 35))
    assert found["stratum only"] == "f" * 30 + "p" * 35


def test_a_stratum_of_one_item_is_not_learnt_by_heart(make_pairing: Callable[..., Pairing]) -> None:
    # each item its own stratum: the others decide, by their majority
    strata = "".join(chr(ord("A") + index) for index in range(40))
    gold = "f" * 30 + "p" * 10
    assert said(make_pairing(gold, gold, strata=strata))["stratum only"] == "f" * 40


def test_length_is_cut_in_the_direction_that_works(make_pairing: Callable[..., Pairing]) -> None:
    gold = "p" * 40 + "f" * 40
    for lengths in ([*range(40), *range(100, 140)], [*range(100, 140), *range(40)]):
        found = said(make_pairing(gold, gold, lengths=lengths))["text length"]
        # items next to the gap may fall on the wrong side when their fold is held out
        assert sum(one != other for one, other in zip(gold, found, strict=True)) <= 2


def test_noise_in_the_length_does_not_pay(make_pairing: Callable[..., Pairing]) -> None:
    generator = np.random.default_rng(0)
    gold = "".join(generator.choice(["f", "p"], 200))
    lengths = [int(length) for length in generator.integers(10, 999, 200)]
    found = said(make_pairing(gold, gold, lengths=lengths))["text length"]
    right = sum(one == other for one, other in zip(gold, found, strict=True))
    assert right < 120


def test_without_strata_or_lengths_only_majority_is_left(make_pairing: Callable[..., Pairing]) -> None:
    assert set(said(make_pairing("fp", "fp", strata="xx"))) == {"majority"}
