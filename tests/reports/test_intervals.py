"""Wilson's interval and percentages that do not lie."""

from __future__ import annotations

import pytest

from reports.intervals import percent, rate

# Newcombe 1998, table I, method 3 (Wilson without continuity correction); the published values have four decimals.
PUBLISHED = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("k", "n", "low", "high"), PUBLISHED)
def test_wilson_agrees_with_newcombes_table(k: int, n: int, low: float, high: float) -> None:
    found = rate(k, n)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_the_interval_by_hand() -> None:
    # k = 1, n = 2, z^2 = 3.8415: centre 0.5 + 0.9604 = 1.4604, spread 1.96 * sqrt(0.125 + 0.2401) = 1.1843,
    # scale 2.9207: (1.4604 - 1.1843) / 2.9207 = 0.0945 and (1.4604 + 1.1843) / 2.9207 = 0.9055
    found = rate(1, 2)
    assert found is not None
    assert (round(found.low, 4), found.value, round(found.high, 4)) == (0.0945, 0.5, 0.9055)


def test_ends_are_exact_and_nothing_has_no_rate() -> None:
    none, every = rate(0, 5), rate(5, 5)
    assert none is not None
    assert every is not None
    assert (none.low, every.high) == (0.0, 1.0)
    assert rate(0, 0) is None


SHOWN = [(0.0, "0%"), (1.0, "100%"), (0.00001, "0.1%"), (0.99999, "99.9%"), (0.5, "50.0%"), (0.1234, "12.3%")]


@pytest.mark.parametrize(("value", "wanted"), SHOWN)
def test_percent(value: float, wanted: str) -> None:
    assert percent(value) == wanted
