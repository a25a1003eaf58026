"""Dates across formats: does one text name the same day or instant as another? Pure.

ISO 8601, ``May 20th, 2024``, ``Mon, 20 May 2024`` and unambiguous numeric forms are read. ``05/06/2024`` has two
readings and therefore equals nothing but itself; a missing year never equals a full date, and a text that says more
than a date ("before May 20, 2024") is none.
"""

from __future__ import annotations

import re
from datetime import date, datetime

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = {name[:length]: i + 1 for i, name in enumerate(_MONTHS) for length in (3, len(name))} | {"sept": 9}
_WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_WEEKDAY = {name[:n]: i for i, name in enumerate(_WEEKDAYS) for n in (3, len(name))} | {
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}
_ISO_TIME = re.compile(r"\d{4}-?(?:\d\d-?\d\d|W\d\d-?\d)(?:[T ][\d:.,]+(?:Z|[+-][\d:.]+)?)?", re.ASCII | re.IGNORECASE)
_NUMERIC = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})", re.ASCII)
_WORDED = re.compile(
    r"(?:(?P<weekday>[a-z]{3,9})\.?,?[ ]+)?"
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?[ ./-](?:of[ ])?(?P<month>[a-z]{3,9})\.?,?[ ./-]"
    r"|(?P<month2>[a-z]{3,9})\.?[ ](?:the[ ])?(?P<day2>\d{1,2})(?:st|nd|rd|th)?,?[ ])"
    r"(?P<year>\d{4})",
    re.ASCII,
)
_LIMIT = 64


def same_moment(left: str, right: str) -> bool:
    """Return whether both texts name the same day, or the same instant where both carry a time.

    An instant with an offset equals the same instant in another zone; one without an offset equals only one without.
    """
    a, b = read_moment(left), read_moment(right)
    if a is None or b is None:
        return left.strip() == right.strip()
    if isinstance(a, datetime) and isinstance(b, datetime):
        if (a.tzinfo is None) != (b.tzinfo is None):
            return False
        return a == b
    return type(a) is type(b) and a == b


def read_moment(text: str) -> date | datetime | None:
    """Return the day or instant that ``text`` names; ``None`` when it names none or more than one."""
    stripped = text.strip()
    if not stripped or len(stripped) > _LIMIT:
        return None
    for parse in (date.fromisoformat, datetime.fromisoformat) if _ISO_TIME.fullmatch(stripped) else ():
        try:
            return parse(stripped)
        except ValueError:
            continue
    return _numeric_date(stripped) or _worded_date(stripped)


def _numeric_date(text: str) -> date | None:
    found = _NUMERIC.fullmatch(text)
    if found is None:
        return None
    first, _, middle, last = found.groups()
    if len(first) == 4:
        return _day(int(first), int(middle), int(last))
    if len(last) != 4:
        return None
    readings = {
        _day(int(last), int(first), int(middle)),
        _day(int(last), int(middle), int(first)),
    } - {None}
    return readings.pop() if len(readings) == 1 else None


def _worded_date(text: str) -> date | None:
    """Read a date that names its month; a weekday must fit it, and no other word may stand there ("before May 20")."""
    found = _WORDED.fullmatch(" ".join(text.lower().split()))
    if found is None:
        return None
    month = _MONTH.get(found["month"] or found["month2"])
    day = month and _day(int(found["year"]), month, int(found["day"] or found["day2"]))
    if not day or found["weekday"] is None:
        return day or None
    return day if _WEEKDAY.get(found["weekday"]) == day.weekday() else None


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
