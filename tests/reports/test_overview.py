"""The overview: what it says in words, and what it does not claim."""

from __future__ import annotations

import msgspec
import pytest

from callgrade.api import grade
from cases.case import Case, Invocation
from cases.expectation import ExpectedStep
from reports.overview import headline, overview_lines, rate_text, share_text, worst_tools
from reports.summary import summarise
from reports.tally import Tally

RATES = [
    (0, 0, "none (n = 0)"),
    (1, 1, "1 of 1, too few for a rate"),
    (9, 9, "9 of 9, too few for a rate"),
    (10, 10, "100% (n = 10, 95 % 72.2% to 100%)"),
    (0, 10, "0% (n = 10, 95 % 0% to 27.8%)"),
    (5, 10, "50.0% (n = 10, 95 % 23.7% to 76.3%)"),
]


@pytest.mark.parametrize(("k", "n", "wanted"), RATES)
def test_rate_text(k: int, n: int, wanted: str) -> None:
    assert rate_text(k, n) == wanted


SHARES = [
    (0, 0, "n/a"),
    (1, 2, "1/2"),
    (5, 10, "5/10  50.0%"),
    (10, 10, "10/10   100%"),
    (9999, 10000, "9999/10000  99.9%"),
]


@pytest.mark.parametrize(("k", "n", "wanted"), SHARES)
def test_share_text(k: int, n: int, wanted: str) -> None:
    assert share_text(k, n) == wanted


def test_the_headline_leaves_the_ungraded_out_and_says_so() -> None:
    tally = Tally(n_cases=3, statuses={"pass": 1, "fail": 1, "ungraded": 1})
    assert headline(tally, "strict/1") == (
        "3 cases under strict/1: 1 pass, 1 fail, 1 ungraded (left out of the rate).  "
        "Pass rate 1 of 2, too few for a rate"
    )


def case(number: int, model: str, called: str) -> Case:
    step, call = ExpectedStep(tool="f"), Invocation(tool=called)
    return Case(task_id=f"t{number}", model=model, expected_invocations=(step,), actual_invocations=(call,))


def shown(*cases: Case, name_limit: int | None = None) -> list[str]:
    lines = overview_lines(summarise(grade(cases)), "strict/1", name_limit=name_limit)
    return ["".join(text for text, _ in line).rstrip() for line in lines]


def test_models_stand_side_by_side_only_when_there_are_several() -> None:
    one = shown(case(1, "m", "f"))
    two = shown(case(1, "m", "f"), case(2, "n", "g"))
    assert [line for line in one if line.startswith("Models")] == []
    assert [line.split()[:2] for line in two if line.startswith(("m ", "n "))] == [["m", "1/1"], ["n", "0/1"]]


def test_names_are_cut_only_when_asked() -> None:
    long = case(1, "m", "g" * 100)
    long = msgspec.structs.replace(long, expected_invocations=(ExpectedStep(tool="f" * 100),))
    assert any("f" * 100 in line for line in shown(long))
    assert any(line.startswith("fffffffff…  ") for line in shown(long, name_limit=10))


def test_worst_tools_come_by_failed_cases() -> None:
    tally = summarise(grade([case(1, "m", "g"), case(2, "m", "f")])).overall
    assert [name for name, _ in worst_tools(tally)] == ["f"]
