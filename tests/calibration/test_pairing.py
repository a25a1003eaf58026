from __future__ import annotations

from collections.abc import Callable

import pytest

from calibration.gold import Gold
from calibration.pairing import Pairing, by_judge, pair
from calibration.records import Answer
from cases.errors import InputError


def test_outcomes_stay_apart(make_pairing: Callable[..., Pairing]) -> None:
    found = make_pairing("fpfp.f..", "fppae.pe")
    assert found.said == ("fail", "pass", "pass")
    assert (found.n_abstained, found.n_errored, found.n_unanswered, found.n_left_out) == (1, 0, 1, 2)
    batch = found.batch
    assert (batch.n_fail, batch.n_pass, batch.n_abstained, batch.n_errored, batch.n) == (1, 3, 1, 2, 7)
    assert (found.unlabelled.n_pass, found.unlabelled.n_errored, found.unlabelled.n_decided) == (1, 2, 1)


def test_a_judge_answers_an_item_once() -> None:
    twice = [Answer(item="a", verdict="pass", judge="x"), Answer(item="a", verdict="fail", judge="x")]
    with pytest.raises(InputError, match="judge 'x' answers item 'a' twice"):
        pair(twice, Gold(items=(), n_disputed=0, n_short=0))


def test_judges_are_told_apart() -> None:
    answers = [Answer(item="a", verdict="pass", judge=judge) for judge in ("x", "y")]
    assert {judge: len(group) for judge, group in by_judge(answers).items()} == {"x": 1, "y": 1}


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_a_score_is_a_probability(score: float) -> None:
    with pytest.raises(ValueError, match=r"score must lie within 0\.\.1"):
        Answer(item="a", verdict="pass", score=score)
