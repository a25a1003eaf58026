from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from calibration.intervals import Floats
from calibration.scores import Scored
from calibration.split import part_of
from calibration.thresholds import choose_threshold, report_threshold

metrics: Any = importlib.import_module("sklearn.metrics")


def scored(scores: Sequence[float] | Floats, labels: Sequence[float] | Floats) -> Scored:
    clusters = tuple(str(index) for index in range(len(scores)))
    return Scored(scores=np.array(scores, dtype=float), labels=np.array(labels, dtype=float), clusters=clusters)


def balanced(threshold: float, scores: Floats, labels: Floats) -> float:
    value: float = metrics.balanced_accuracy_score(labels, scores >= threshold)
    return value


@pytest.mark.parametrize("seed", range(5))
def test_no_cut_is_better_by_sklearn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    scores = generator.random(60).round(2)
    labels = (generator.random(60) < scores).astype(float)
    chosen = choose_threshold(scored(scores, labels))
    assert chosen is not None
    assert balanced(chosen, scores, labels) == pytest.approx(
        max(balanced(float(cut), scores, labels) for cut in np.unique(scores))
    )


def test_among_equals_the_cut_nearest_to_one_half() -> None:
    # between .3 and .6 every cut separates; the midpoint is .45
    assert choose_threshold(scored([0.1, 0.3, 0.6], [0.0, 0.0, 1.0])) == pytest.approx(0.45)


@pytest.mark.parametrize(("scores", "labels"), [([], []), ([0.2, 0.7], [1.0, 1.0]), ([0.5, 0.5], [0.0, 1.0])])
def test_nothing_to_choose_from(scores: list[float], labels: list[float]) -> None:
    assert choose_threshold(scored(scores, labels)) is None


def test_what_is_chosen_on_dev_is_reported_on_test() -> None:
    test = scored([0.2, 0.6, 0.4, 0.5], [0.0, 0.0, 1.0, 1.0])
    found = report_threshold(0.5, scored([0.1, 0.9], [0.0, 1.0]), test, n_earlier_looks=2)
    assert (found.balanced_accuracy_dev, found.tpr.value, found.tnr.value) == (1.0, 0.5, 0.5)
    assert (found.n_dev, found.table.n, found.n_looks) == (2, 4, 3)


def test_a_conversation_keeps_its_part() -> None:
    # frozen: a changed hash would leak dev into test
    assert [part_of(name) for name in "abcdef"] == ["dev", "dev", "dev", "test", "dev", "test"]
    assert 450 < sum(part_of(str(index)) == "dev" for index in range(1000)) < 550
