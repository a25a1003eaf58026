from __future__ import annotations

from typing import Literal

import pytest

from calibration.gold import settle
from calibration.records import Label
from cases.errors import InputError

Word = Literal["pass", "fail", "unsure"]


def votes(*words: Word) -> tuple[Label, ...]:
    return tuple(Label(item="a", label=word, labeller=str(index)) for index, word in enumerate(words))


CASES: list[tuple[str, tuple[Label, ...], int, tuple[list[str], int, int]]] = [
    ("no labels", (), 1, ([], 0, 0)),
    ("one label is enough by default", votes("fail"), 1, (["fail"], 0, 0)),
    ("one label is short of two", votes("fail"), 2, ([], 0, 1)),
    ("two that agree", votes("pass", "pass"), 2, (["pass"], 0, 0)),
    ("two that do not are disputed", votes("pass", "fail"), 1, ([], 1, 0)),
    ("a majority settles nothing", votes("pass", "fail", "pass"), 2, ([], 1, 0)),
    ("unsure takes no side", votes("unsure", "pass"), 1, (["pass"], 0, 0)),
    ("unsure is no label", votes("unsure", "pass"), 2, ([], 0, 1)),
    ("all unsure", votes("unsure"), 1, ([], 0, 1)),
]


@pytest.mark.parametrize(("labels", "min_labels", "expected"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_settle(labels: tuple[Label, ...], min_labels: int, expected: tuple[list[str], int, int]) -> None:
    gold = settle(labels, min_labels=min_labels)
    assert ([item.gold for item in gold.items], gold.n_disputed, gold.n_short) == expected


def test_an_item_without_a_cluster_stands_alone() -> None:
    (item,) = settle(votes("pass")).items
    assert item.cluster == "a"


def test_labels_must_describe_the_item_alike() -> None:
    labels = (
        Label(item="a", label="pass", labeller="ann", stratum="x"),
        Label(item="a", label="pass", labeller="bob", stratum="y"),
    )
    with pytest.raises(InputError, match="item 'a' has stratum 'x' in one label and 'y' in another"):
        settle(labels)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"inclusion_probability": 0.0}, "inclusion_probability must lie above 0"),
        ({"inclusion_probability": 1.5}, "inclusion_probability must lie above 0"),
        ({"text_length": -1}, "text_length must be >= 0"),
    ],
)
def test_impossible_descriptions_are_refused(fields: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Label(item="a", label="pass", **fields)  # type: ignore[arg-type]  # the point of the test
