"""Edge buckets: which of the classic traps a case's arguments touch. Pure.

A bucket is a property of the task and of the call, not a fault: reports show how an agent fares inside each.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from cases.case import Case
from cases.jsonvalue import JsonObject, JsonValue

Bucket = Literal["null", "empty", "unicode", "coercion", "time_zone", "currency"]

LEAF_LIMIT = 2_000
"""Values of one arguments object that are looked at; what lies beyond touches no bucket."""

_DATE_FIELD = re.compile(r"(?:^|_)(?:date|time|day|when|deadline|until|since|at|on|start|end)(?:_|$)|Date|Time")
_MONEY_FIELD = re.compile(
    r"(?:^|_)(?:amount|price|total|cost|fee|refund|balance|budget|salary|currency|payment|cents|usd|eur)(?:_|$)"
)
_SPELLED = re.compile(r"-?\d{1,18}(?:\.\d+)?|true|false", re.IGNORECASE)


def find_buckets(case: Case) -> tuple[Bucket, ...]:
    """Return the buckets that the wanted or sent arguments of a case touch, sorted.

    ``time_zone`` and ``currency`` go by a field's name, ``coercion`` is a text that spells a number or boolean.
    """
    found: set[Bucket] = set()
    for path in case.paths:
        for step in path.steps:
            if step.args:
                _scan(step.args, found)
    for call in case.actual_invocations or ():
        if isinstance(call.args, dict) and call.requestor == "agent":
            _scan(call.args, found)
    return tuple(sorted(found))


def _scan(args: JsonObject, found: set[Bucket]) -> None:
    stack: list[JsonValue] = [args]
    for _ in range(LEAF_LIMIT):
        if not stack:
            return
        value = stack.pop()
        if isinstance(value, dict):
            found.update(bucket for name in value if (bucket := bucket_of_field(name)) is not None)
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
        if (touched := _bucket_of_value(value)) is not None and value is not args:
            found.add(touched)


def _bucket_of_value(value: JsonValue) -> Bucket | None:
    if value is None:
        return "null"
    if value in ("", [], {}):
        return "empty"
    if not isinstance(value, str):
        return None
    if not value.isascii():
        return "unicode"
    return "coercion" if _SPELLED.fullmatch(value) else None


@lru_cache(maxsize=4096)
def bucket_of_field(name: str) -> Bucket | None:
    """Return the bucket that a field's name alone puts a call into: dates and money."""
    if _DATE_FIELD.search(name):
        return "time_zone"
    return "currency" if _MONEY_FIELD.search(name) else None
