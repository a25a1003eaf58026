"""Edge buckets: which of the classic traps a case's arguments touch. Pure.

A bucket is a property of the task and of the call, not a fault: reports show how an agent fares inside each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from cases.jsonvalue import JsonObject, JsonValue
from cases.verdict import Bucket

_DATE_FIELD = re.compile(r"(?:^|_)(?:date|time|day|when|deadline|until|since|at|on|start|end)(?:_|$)|Date|Time")
_MONEY_FIELD = re.compile(
    r"(?:^|_)(?:amount|price|total|cost|fee|refund|balance|budget|salary|currency|payment|cents|usd|eur)(?:_|$)"
)
_SPELLED = re.compile(r"-?\d{1,18}(?:\.\d+)?|true|false", re.IGNORECASE)
_SPELLED_STARTS = frozenset("-0123456789tTfF")
_SPELLED_LIMIT = 24
_LEAF_LIMIT = 2_000


def find_buckets(args: Sequence[JsonObject]) -> tuple[Bucket, ...]:
    """Return the buckets that any of the arguments objects touches, sorted."""
    found: set[Bucket] = set()
    for one in args:
        _scan(one, found)
    return tuple(sorted(found)) if found else ()


def _scan(args: JsonObject, found: set[Bucket]) -> None:
    stack: list[tuple[str, JsonValue]] = list(args.items())
    for _ in range(_LEAF_LIMIT):
        if not stack:
            return
        name, value = stack.pop()
        if isinstance(value, str):
            if not value:
                found.add("empty")
            elif not value.isascii():
                found.add("unicode")
            elif value[0] in _SPELLED_STARTS and len(value) < _SPELLED_LIMIT and _SPELLED.fullmatch(value):
                found.add("coercion")
        elif value is None:
            found.add("null")
        elif isinstance(value, (dict, list)):
            if not value:
                found.add("empty")
            elif isinstance(value, dict):
                stack.extend(value.items())
            else:
                stack.extend((name, item) for item in value)
        if (bucket := _bucket_of_field(name)) is not None:
            found.add(bucket)


@lru_cache(maxsize=4096)
def _bucket_of_field(name: str) -> Bucket | None:
    if _DATE_FIELD.search(name):
        return "time_zone"
    return "currency" if _MONEY_FIELD.search(name) else None
