"""Call decisions as rates: an attempt is a call, optional decisions are in no rate, nothing is guessed."""

from __future__ import annotations

import pytest

from cases.expectation import CallDecision
from cases.verdict import Decision, Observed
from reports.decisions import DecisionTally


def tally(*decisions: tuple[CallDecision, Observed]) -> DecisionTally:
    found = DecisionTally()
    for wanted, observed in decisions:
        found.add(Decision(wanted, observed))
    return found


HIT: tuple[CallDecision, Observed] = ("required", "valid")
MISSED: tuple[CallDecision, Observed] = ("required", "none")
QUIET: tuple[CallDecision, Observed] = ("forbidden", "none")
FREE: tuple[CallDecision, Observed] = ("optional", "valid")
MIXED: list[tuple[CallDecision, Observed]] = [
    *[HIT] * 5,
    ("required", "unparsable"),  # a hit too: it was decided to call
    *[MISSED] * 2,
    *[QUIET] * 3,
    ("forbidden", "valid"),  # over
    ("forbidden", "unparsable"),  # over: never credited as no call
    *[FREE] * 7,
]


def test_rates() -> None:
    found = tally(*MIXED)
    assert found.precision == 6 / 8  # 6 hits of 8 attempts
    assert found.recall == 6 / 8  # 6 hits of 8 required
    assert found.no_call_accuracy == 3 / 5
    assert found.f1 == 12 / (12 + 2 + 2)


UNDEFINED = [
    pytest.param([], (None, None, None, None), id="nothing decided"),
    pytest.param([("optional", "valid")], (None, None, None, None), id="only free decisions"),
    pytest.param([("forbidden", "none")], (None, None, None, 1.0), id="only quiet ones"),
    pytest.param([("required", "none")], (None, 0.0, 0.0, None), id="nothing attempted has no precision"),
    pytest.param([("forbidden", "valid")], (0.0, None, 0.0, 0.0), id="nothing required has no recall"),
]


@pytest.mark.parametrize(("decisions", "rates"), UNDEFINED)
def test_undefined_rates_are_none(
    decisions: list[tuple[CallDecision, Observed]], rates: tuple[float | None, ...]
) -> None:
    found = tally(*decisions)
    assert (found.precision, found.recall, found.f1, found.no_call_accuracy) == rates


def test_parts_add_up() -> None:
    merged = tally(*MIXED[:4])
    merged.merge(tally(*MIXED[4:]))
    assert merged == tally(*MIXED)
