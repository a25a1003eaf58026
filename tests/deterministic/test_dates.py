"""Dates across formats: what names the same day or instant, and what only looks like it."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deterministic.dates import read_moment, same_moment

SAME = [
    pytest.param("2024-05-20", "20240520", id="basic and extended"),
    pytest.param("2024-05-20", "2024-W21-1", id="week date"),  # 2024-05-20 is the Monday of ISO week 21
    pytest.param("2024-05-20", "2024/5/20", id="slashes, year first"),
    pytest.param("2024-05-20", "20/05/2024", id="only one reading: there is no month 20"),
    pytest.param("2024-05-20", "5/20/2024", id="only one reading the other way round"),
    pytest.param("2024-05-20", "20.05.2024", id="points"),
    pytest.param("2024-05-05", "05/05/2024", id="both readings are one day"),
    pytest.param("2024-05-20", "May 20, 2024", id="month first"),
    pytest.param("2024-05-20", "may 20th 2024", id="ordinal, small letters, no comma"),
    pytest.param("2024-05-20", "20 May 2024", id="day first"),
    pytest.param("2024-05-20", "20-May-2024", id="hyphens"),
    pytest.param("2024-05-20", "20th of May, 2024", id="of"),
    pytest.param("2024-09-03", "Sept. 3, 2024", id="abbreviated with a point"),
    pytest.param("2024-05-20", "Mon, 20 May 2024", id="with its weekday"),
    pytest.param("2024-05-20", "  Monday,  May 20, 2024 ", id="with its weekday and more space"),
    pytest.param("2024-05-20T10:00:00Z", "2024-05-20T12:00:00+02:00", id="one instant in two zones"),
    pytest.param("2024-05-20T23:30:00-02:00", "2024-05-21T01:30:00Z", id="one instant on two days"),
    pytest.param("2024-05-20T10:00", "2024-05-20 10:00:00", id="seconds left out, a space for T"),
    pytest.param("2024-05-20T10:00:00.5Z", "2024-05-20T10:00:00.500000+00:00", id="fractions"),
    pytest.param("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00", id="before the first day in UTC"),
    pytest.param("9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59-14:00", id="after the last day in UTC"),
    pytest.param("05/06/2024", " 05/06/2024", id="two readings equal themselves"),
    pytest.param("2024-02-30", "2024-02-30", id="no day equals itself as a text"),
    pytest.param("tomorrow", "tomorrow", id="so does a word"),
]
DIFFERENT = [
    pytest.param("2024-05-20", "May 21, 2024", id="the next day"),
    pytest.param("2024-05-20", "20 May 2025", id="the next year"),
    pytest.param("05/06/2024", "2024-05-06", id="two readings are not the American one"),
    pytest.param("05/06/2024", "2024-06-05", id="nor the European one"),
    pytest.param("05/06/2024", "06/05/2024", id="nor their mirror"),
    pytest.param("2024-02-30", "2024-03-01", id="30 February does not roll over"),
    pytest.param("2023-02-29", "2023-03-01", id="nor does 29 February outside leap years"),
    pytest.param("2024-05-20", "May 20", id="a missing year"),
    pytest.param("2024-05-20", "20/05/24", id="a year of two digits"),
    pytest.param("2024-05-20", "May 2024", id="a missing day"),
    pytest.param("2024-05-20", "2024-W21", id="a whole week"),
    pytest.param("2024-05-20", "2024-05-20T00:00:00", id="a day is not its midnight"),
    pytest.param("2024-05-20T10:00:00Z", "2024-05-20T10:00:00", id="an offset and none"),
    pytest.param("2024-05-20T10:00:00Z", "2024-05-20T10:00:00+02:00", id="another instant"),
    pytest.param("2024-05-20T10:00:00Z", "2024-05-20T10:00:01Z", id="a second later"),
    pytest.param("2024-05-20", "before May 20, 2024", id="a word before it"),
    pytest.param("2024-05-20", "not May 20, 2024", id="a negation before it"),
    pytest.param("2024-05-20", "May 20, 2024 or later", id="words behind it"),
    pytest.param("2024-05-20", "Tuesday, May 20, 2024", id="a weekday that contradicts it"),
    pytest.param("2024-05-20", "2024-05.20", id="mixed separators"),
    pytest.param("2024-05-20", "12024-05-20", id="five digits of year"),
    pytest.param("2024-05-20", "-2024-05-20", id="a sign"),
    pytest.param("2024-05-20", "2024-05-20?", id="a question mark"),
    pytest.param("2024-05-20T10:00:00", "2024-05-20X10:00:00", id="another letter for T"),
    pytest.param("2024-05-05", "$5 May 2024", id="a currency sign"),
    pytest.param("2024-05-03", "May 3.5 2024", id="a fraction"),
    pytest.param("2024-05-20", "\u0662\u0660\u0662\u0664-\u0660\u0665-\u0662\u0660", id="digits of another script"),
    pytest.param("2024-05-20", "20 Mai 2024", id="a month of another language"),
    pytest.param("2024-05-20", "", id="nothing"),
    pytest.param("2024-05-20", "May 20, 2024" + " " * 50 + "x", id="a long text"),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_same(left: str, right: str) -> None:
    assert same_moment(left, right)
    assert same_moment(right, left)


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different(left: str, right: str) -> None:
    assert not same_moment(left, right)
    assert not same_moment(right, left)


WRITTEN = ["%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%B %d, %Y", "%b %d %Y", "%A, %d %b %Y", "%Y%m%d", "%G-W%V-%u"]


@given(st.dates(min_value=date(1000, 1, 1)), st.sampled_from(WRITTEN), st.sampled_from(WRITTEN), st.integers(0, 3))
def test_a_day_is_itself_in_every_format_and_no_other_day(day: date, left: str, right: str, later: int) -> None:
    other = day + timedelta(days=later) if day.year < 9999 else day
    assert same_moment(day.strftime(left), other.strftime(right)) is (day == other)


@given(st.text(max_size=80))
def test_any_text_is_read_or_is_none(text: str) -> None:
    moment = read_moment(text)
    assert moment is None or isinstance(moment, date)
    assert same_moment(text, text)


def test_a_text_that_goes_on_is_not_read() -> None:
    assert read_moment("2024-05-20T10:00:00." + "0" * 45) is None
    assert read_moment("2024-05-20T10:00:00.000000") == datetime(2024, 5, 20, 10)  # noqa: DTZ001  # no offset was given
