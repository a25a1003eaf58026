"""Edge buckets: which of the classic traps a case's arguments touch. Pure.

A bucket is a property of the task and of the call, not a fault: reports show how an agent fares inside each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import cast

from cases.jsonvalue import JsonObject, JsonValue
from cases.verdict import Bucket

_DATE_FIELD = re.compile(r"(?:^|_)(?:date|time|day|when|deadline|until|since|at|on|start|end)(?:_|$)|Date|Time")
_MONEY_FIELD = re.compile(
    r"(?:^|_)(?:amount|price|total|cost|fee|refund|balance|budget|salary|currency|payment|cents|usd|eur)(?:_|$)"
)
_SPELLED = re.compile(r"-?\d{1,18}(?:\.\d+)?|true|false", re.IGNORECASE)
_NEVER: frozenset[type] = frozenset({int, float, bool})
_SPELLED_STARTS = frozenset("-0123456789tTfF")
_LEAF_LIMIT = 2_000


def find_buckets(args: Sequence[JsonObject], by_name: Iterable[frozenset[Bucket]]) -> tuple[Bucket, ...]:
    """Return the buckets that any of the arguments objects touches, sorted.

    Args:
        by_name: Buckets of the called tools' fields, see :func:`buckets_of_fields`.
    """
    found: set[Bucket] = set()
    for buckets in by_name:
        if buckets:
            found |= buckets
    starts = _SPELLED_STARTS
    for one in args:
        for value in one.values():
            kind = type(value)
            if kind in _NEVER:
                continue
            items = value if kind is list and value else (value,)
            for item in cast("Sequence[JsonValue]", items):
                if type(item) is not str or not item or item[0] in starts or not item.isascii():
                    _scan(item, found)
    return tuple(sorted(found)) if found else ()


def buckets_of_fields(names: Iterable[str]) -> frozenset[Bucket]:
    """Return the buckets that field names alone put a call into: dates and money."""
    return frozenset(bucket for name in names if (bucket := _bucket_of_field(name)) is not None)


def _scan(value: JsonValue, found: set[Bucket]) -> None:
    stack: list[JsonValue] = [value]
    for _ in range(_LEAF_LIMIT):
        if not stack:
            return
        value = stack.pop()
        if isinstance(value, str):
            if not value:
                found.add("empty")
            elif not value.isascii():
                found.add("unicode")
            elif _SPELLED.fullmatch(value):
                found.add("coercion")
        elif value is None:
            found.add("null")
        elif isinstance(value, dict):
            if not value:
                found.add("empty")
            stack.extend(value.values())
        elif isinstance(value, list):
            if not value:
                found.add("empty")
            stack.extend(value)


@lru_cache(maxsize=4096)
def _bucket_of_field(name: str) -> Bucket | None:
    if _DATE_FIELD.search(name):
        return "time_zone"
    return "currency" if _MONEY_FIELD.search(name) else None
