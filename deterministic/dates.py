"""Dates across formats: does one text name the same day or instant as another? Pure.

ISO 8601, ``May 20th, 2024``, ``20 May 2024`` and unambiguous numeric forms are read. ``05/06/2024`` has two readings
and therefore equals nothing but itself; a missing year never equals a full date.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

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
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.ASCII)
_WORD = re.compile(r"[a-z]+|\d+", re.ASCII)
_NUMERIC = re.compile(r"(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})", re.ASCII)
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
        return a.astimezone(UTC) == b.astimezone(UTC) if a.tzinfo else a == b
    return type(a) is type(b) and a == b


def read_moment(text: str) -> date | datetime | None:
    """Return the day or instant that ``text`` names; ``None`` when it names none or more than one."""
    stripped = text.strip()
    if not stripped or len(stripped) > _LIMIT:
        return None
    for parse in (date.fromisoformat, datetime.fromisoformat):
        try:
            return parse(stripped)
        except ValueError:
            continue
    return _numeric_date(stripped) or _worded_date(stripped)


def _numeric_date(text: str) -> date | None:
    found = _NUMERIC.fullmatch(text)
    if found is None:
        return None
    first, middle, last = found.groups()
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
    words = _WORD.findall(_ORDINAL.sub("", text.lower()))
    months = [_MONTH[word] for word in words if word in _MONTH]
    years = [int(word) for word in words if word.isdecimal() and len(word) == 4]
    days = [int(word) for word in words if word.isdecimal() and len(word) <= 2]
    known = len(months) + len(years) + len(days)
    if (len(months), len(years), len(days)) != (1, 1, 1) or len(words) - known > 2:
        return None
    return _day(years[0], months[0], days[0])


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
