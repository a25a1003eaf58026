from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.cells import (
    ac1_of,
    accuracy_of,
    cell_blocks,
    f1_of,
    kappa_of,
    stratum_names,
    within_kappa_of,
)
from calibration.gold import Item
from calibration.records import Verdict

inter_rater: Any = importlib.import_module("statsmodels.stats.inter_rater")

TABLES = [
    [[163, 22], [26, 92]],
    [[1, 0], [0, 1]],
    [[0, 5], [5, 0]],
    [[20, 5], [10, 15]],
]


@pytest.mark.parametrize("table", TABLES)
def test_kappa_equals_statsmodels(table: list[list[int]]) -> None:
    expected = inter_rater.cohens_kappa(np.array(table)).kappa
    assert float(kappa_of(np.array(table, dtype=float))) == pytest.approx(expected)


@pytest.mark.parametrize(
    "table", [[[0, 0], [0, 0]], [[7, 0], [0, 0]], [[0, 0], [0, 1]]], ids=["n=0", "one class", "n=1"]
)
def test_kappa_is_undefined_where_nothing_varies(table: list[list[int]]) -> None:
    assert np.isnan(kappa_of(np.array(table, dtype=float)))


def test_kappa_is_chance_where_gold_is_one_class() -> None:
    # po = pe = .7; statsmodels takes the root of a rounding error here
    assert float(kappa_of(np.array([[0.0, 0.0], [3.0, 7.0]]))) == pytest.approx(0.0)


def test_ac1_equals_the_hand_derived_sum() -> None:
    # [[20, 5], [10, 15]]: po = 35/50 = .7; q(pass) = (25 + 20) / 100 = .45; pe = 2 * .45 * .55 = .495
    # AC1 = (.7 - .495) / (1 - .495) = .4059
    assert float(ac1_of(np.array([[20.0, 5.0], [10.0, 15.0]]))) == pytest.approx(0.205 / 0.505)


def test_ac1_is_high_where_kappa_is_low() -> None:
    # rare class: [[1, 1], [2, 96]]: po = .97; q = (98 + 97) / 200 = .975, pe = .04875: AC1 = .92125 / .95125
    table = np.array([[1.0, 1.0], [2.0, 96.0]])
    assert float(ac1_of(table)) == pytest.approx(0.92125 / 0.95125)
    assert float(kappa_of(table)) == pytest.approx(inter_rater.cohens_kappa(table).kappa)
    assert float(kappa_of(table)) < 0.4


def test_kappa_within_strata_equals_the_hand_derived_sum() -> None:
    # stratum 1, [[4, 1], [1, 4]]: n 10, n po = 8, n pe = (5*5 + 5*5) / 10 = 5: reached 3 of 5
    # stratum 2, [[18, 0], [2, 0]]: n 20, n po = 18, n pe = (18*20 + 2*0) / 20 = 18: reached 0 of 2
    strata = np.array([[[4.0, 1.0], [1.0, 4.0]], [[18.0, 0.0], [2.0, 0.0]]])
    assert float(within_kappa_of(strata)) == pytest.approx(3 / 7)


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 4), min_size=1, max_size=5))
def test_a_grader_that_knows_only_the_stratum_has_no_kappa_within(margins: list[tuple[int, int, int, int]]) -> None:
    strata = np.array([[[a, 0], [b, 0]] if a > b else [[0, a], [0, b]] for a, b, _, _ in margins], dtype=float)
    found = float(within_kappa_of(strata))
    assert np.isnan(found) or found == pytest.approx(0.0)


@given(st.tuples(*[st.integers(0, 40)] * 4))
def test_one_stratum_is_the_pooled_kappa(counts: tuple[int, int, int, int]) -> None:
    table = np.array(counts, dtype=float).reshape(2, 2)
    np.testing.assert_allclose(within_kappa_of(table[None]), kappa_of(table))
    assert np.isnan(kappa_of(table)) or -1.0 <= float(kappa_of(table)) <= 1.0


def test_accuracy_and_f1_of_a_weighted_table() -> None:
    table = np.array([[1.5, 0.5], [1.0, 2.0]])
    assert float(accuracy_of(table)) == pytest.approx(3.5 / 5)
    assert float(f1_of(table)) == pytest.approx(3.0 / 4.5)


def item(name: str, gold: Verdict, stratum: str | None, cluster: str) -> Item:
    return Item(
        item=name,
        gold=gold,
        n_labels=1,
        stratum=stratum,
        cluster=cluster,
        inclusion_probability=None,
        text_length=None,
    )


def test_blocks_hold_each_item_once_with_its_weight() -> None:
    items = [item("1", "fail", "b", "x"), item("2", "pass", None, "y"), item("3", "fail", "b", "x")]
    blocks = cell_blocks(items, [["fail", "fail", "pass"]], np.array([1.0, 2.0, 0.5]))
    assert stratum_names(items) == ("", "b")
    assert blocks.shape == (2, 1, 2, 2, 2)
    assert blocks[0, 0, 1].tolist() == [[1.0, 0.5], [0.0, 0.0]]
    assert blocks[1, 0, 0].tolist() == [[0.0, 0.0], [2.0, 0.0]]
    assert blocks.sum() == 3.5


def test_no_items_are_no_blocks() -> None:
    assert cell_blocks([], [[]], np.ones(0)).shape == (0, 1, 0, 2, 2)
