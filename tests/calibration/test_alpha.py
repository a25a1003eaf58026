from __future__ import annotations

import importlib
from typing import Any, Literal

import numpy as np
import pytest

from calibration.alpha import ceiling
from calibration.records import Label
from cases.errors import InputError

krippendorff: Any = importlib.import_module("krippendorff")

Word = Literal["pass", "fail", "unsure"]
WORDS: dict[str, Word] = {"1": "pass", "0": "fail", "?": "unsure"}

# one string an item, one character a labeller; "." is no label
TABLES = [
    ["11", "11", "00", "10"],
    ["11", "00", "00", "11"],
    ["1.1", "00.", ".10", "111", "0.0", "1.."],
    ["110", "100", "011", "000", "111"],
    ["1?1", "000", "?10"],
]


def labels(table: list[str]) -> tuple[Label, ...]:
    return tuple(
        Label(item=str(index), label=WORDS[character], labeller=str(labeller))
        for index, row in enumerate(table)
        for labeller, character in enumerate(row)
        if character != "."
    )


@pytest.mark.parametrize("table", TABLES)
def test_alpha_equals_krippendorff(table: list[str]) -> None:
    values = [
        [float(row[column]) if row[column] in "01" else np.nan for row in table] for column in range(len(table[0]))
    ]
    expected = krippendorff.alpha(reliability_data=np.array(values), level_of_measurement="nominal")
    found = ceiling(labels(table), np.random.default_rng(0))
    assert found.alpha.value == pytest.approx(expected)
    assert found.alpha.n == sum(sum(character in "01" for character in row) >= 2 for row in table)


def test_kappa_is_first_against_second_and_unanimity_is_counted() -> None:
    # 4 items: 11, 11, 00, 10: po = 3/4; passes 3/4 and 2/4: pe = .375 + .125 = .5; kappa = .5
    found = ceiling(labels(TABLES[0]), np.random.default_rng(0))
    assert found.kappa.value == pytest.approx(0.5)
    assert (found.unanimous.n_hits, found.unanimous.n) == (3, 4)


@pytest.mark.parametrize(
    "table", [[], ["1", "0"], ["1?", "?0"]], ids=["no labels", "one labeller", "unsure is no side"]
)
def test_without_two_labels_on_an_item_there_is_no_ceiling(table: list[str]) -> None:
    found = ceiling(labels(table), np.random.default_rng(0))
    assert {found.alpha.value, found.kappa.value, found.unanimous.value} == {None}
    assert found.alpha.undefined == "no item has two labels that take a side"


def test_one_class_has_no_alpha() -> None:
    found = ceiling(labels(["11", "11"]), np.random.default_rng(0))
    assert found.alpha.undefined == "all labels are one and the same class"
    assert found.unanimous.value == 1.0


def test_a_labeller_labels_an_item_once() -> None:
    twice = (Label(item="a", label="pass"), Label(item="a", label="fail"))
    with pytest.raises(InputError, match="'a' is labelled twice by 'human'"):
        ceiling(twice, np.random.default_rng(0))
