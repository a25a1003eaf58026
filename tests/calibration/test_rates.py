from __future__ import annotations

import importlib
from typing import Any

import pytest

from calibration.estimate import Estimate
from calibration.rates import Rates, plain_rates
from calibration.records import Verdict

metrics: Any = importlib.import_module("sklearn.metrics")
proportion: Any = importlib.import_module("statsmodels.stats.proportion")


def sides(table: tuple[int, int, int, int]) -> tuple[list[Verdict], list[Verdict]]:
    """Gold and verdicts with the given counts: fail as fail, fail as pass, pass as fail, pass as pass."""
    cells: list[tuple[Verdict, Verdict]] = [("fail", "fail"), ("fail", "pass"), ("pass", "fail"), ("pass", "pass")]
    pairs = [cell for cell, count in zip(cells, table, strict=True) for _ in range(count)]
    return [gold for gold, _ in pairs], [said for _, said in pairs]


def rates(table: tuple[int, int, int, int]) -> Rates:
    gold, said = sides(table)
    return plain_rates(gold, said, [str(index) for index in range(len(gold))], n_left_out=4)


@pytest.mark.parametrize("table", [(163, 22, 26, 92), (1, 0, 0, 1), (3, 5, 7, 11), (28, 0, 0, 67), (2, 9, 1, 30)])
def test_rates_equal_sklearn(table: tuple[int, int, int, int]) -> None:
    gold, said = sides(table)
    found = rates(table)
    expected: list[tuple[Estimate, float]] = [
        (found.tpr, metrics.recall_score(gold, said, pos_label="fail")),
        (found.tnr, metrics.recall_score(gold, said, pos_label="pass")),
        (found.precision_of_fail, metrics.precision_score(gold, said, pos_label="fail")),
        (found.precision_of_pass, metrics.precision_score(gold, said, pos_label="pass")),
        (found.accuracy, metrics.accuracy_score(gold, said)),
        (found.f1_of_fail, metrics.f1_score(gold, said, pos_label="fail")),
    ]
    for estimate, value in expected:
        assert estimate.value == pytest.approx(value)
        assert estimate.interval is not None
        assert estimate.interval.low <= value <= estimate.interval.high
        assert estimate.n_left_out == 4


def test_intervals_of_independent_items_are_wilsons() -> None:
    found = rates((163, 22, 26, 92))
    low, high = proportion.proportion_confint(163, 185, method="wilson")
    assert found.tpr.interval is not None
    assert [found.tpr.interval.low, found.tpr.interval.high] == pytest.approx([low, high])
    assert (found.tpr.n, found.tpr.n_hits, found.tpr.n_effective) == (185, 163, None)


UNDEFINED = [
    ((0, 0, 0, 0), {"tpr", "tnr", "precision_of_fail", "precision_of_pass", "accuracy", "f1_of_fail"}),
    ((5, 0, 0, 0), {"tnr", "precision_of_pass"}),
    ((0, 0, 0, 5), {"tpr", "precision_of_fail", "f1_of_fail"}),
    ((0, 5, 0, 5), {"precision_of_fail"}),
    ((5, 0, 5, 0), {"precision_of_pass"}),
]


@pytest.mark.parametrize(
    ("table", "names"), UNDEFINED, ids=["n=0", "all fail", "all pass", "never fail", "always fail"]
)
def test_what_is_undefined_says_why(table: tuple[int, int, int, int], names: set[str]) -> None:
    found = rates(table)
    estimates: dict[str, Estimate] = {name: getattr(found, name) for name in Rates.__struct_fields__}
    assert {name for name, estimate in estimates.items() if estimate.value is None} == names
    assert all(estimates[name].undefined for name in names)


def test_f1_carries_the_limits_of_its_proportion() -> None:
    # TP 8, FP 1, FN 1: j = 8/10 with Wilson 0.4902..0.9433; F1 = 2j/(1+j) = 0.8889, limits 0.6579..0.9708
    found = rates((8, 1, 1, 5)).f1_of_fail
    assert found.interval is not None
    assert [found.value, found.interval.low, found.interval.high] == pytest.approx([16 / 18, 0.6579, 0.9708], abs=5e-5)
