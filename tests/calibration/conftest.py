"""Items, labels and answers by the dozen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from calibration.gold import Gold, Item
from calibration.pairing import Pairing, pair
from calibration.records import Answer, Outcome, Verdict

WORDS: dict[str, Verdict] = {"f": "fail", "p": "pass"}
OUTCOMES: dict[str, Outcome] = {"f": "fail", "p": "pass", "a": "abstained", "e": "errored"}

MakePairing = Callable[..., Pairing]


@pytest.fixture
def make_pairing() -> MakePairing:
    """Build a pairing from two strings of letters, one letter an item.

    Gold: f, p, or "." for no label. Answers: f, p, a (abstained), e (errored), or "." for none.
    """

    def build(
        gold: str,
        said: str,
        *,
        strata: str | None = None,
        probabilities: list[float] | None = None,
        scores: list[float] | None = None,
        lengths: list[int] | None = None,
        judge: str = "judge",
    ) -> Pairing:
        items = [
            Item(
                item=str(index),
                gold=WORDS[letter],
                n_labels=1,
                stratum=strata[index] if strata else None,
                cluster=str(index),
                inclusion_probability=probabilities[index] if probabilities else None,
                text_length=lengths[index] if lengths else None,
            )
            for index, letter in enumerate(gold)
            if letter != "."
        ]
        answers = [
            Answer(
                item=str(index),
                verdict=OUTCOMES[letter],
                judge=judge,
                score=scores[index] if scores else None,
            )
            for index, letter in enumerate(said)
            if letter != "."
        ]
        return pair(answers, Gold(items=tuple(items), n_disputed=0, n_short=0))

    return build
