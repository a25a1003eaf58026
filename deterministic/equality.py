"""When two JSON values are the same: exact by type, arrays as multisets, matchers where the gold has them.

Pure. 3 equals 3.0 and never "3"; ``true`` is not 1; null equals only null. A matcher may stand at any depth.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from cases.jsonvalue import JsonObject, JsonValue
from deterministic.normalisers import NORMALISERS
from deterministic.policy import Policy

MATCHER_MARK = b'"$'
"""What the JSON text of a value holds wherever a matcher stands in it; without the mark it is plain."""

ASSIGNMENT_LIMIT = 64
"""Array length above which unequal elements are paired greedily instead of exhaustively."""

MatcherFunction = Callable[[JsonObject, JsonValue, "Comparison"], bool]


class Comparison:
    """Compares values under one policy; hold one per policy, it keeps no state between calls."""

    def __init__(self, policy: Policy, matchers: dict[str, MatcherFunction]) -> None:
        self._coerces = policy.coerces
        self._multiset = policy.arrays == "multiset"
        self._normalise = NORMALISERS[policy.text_normaliser] if policy.text_normaliser else None
        self._matchers = matchers
        self.policy = policy

    def same(self, expected: JsonValue, got: JsonValue, *, ordered: bool = False) -> bool:
        """Return whether ``got`` is what ``expected`` asks for.

        Args:
            expected: A value or a matcher, which may stand at any depth.
            ordered: Compare arrays in order, whatever the policy says.
        """
        kind = type(expected)
        if kind is type(got):
            if kind is dict:
                return self._same_object(expected, got, ordered)  # type: ignore[arg-type]  # both are dicts here
            if kind is list:
                return self._same_array(expected, got, ordered)  # type: ignore[arg-type]  # both are lists here
            if expected == got:
                return True
            if kind is str and self._normalise is not None:
                return self._normalise(expected) == self._normalise(got)  # type: ignore[arg-type]  # both are str
            return False
        if kind is dict and is_matcher(expected):
            return self._match(expected, got)  # type: ignore[arg-type]  # a matcher is a dict
        if (kind is int and type(got) is float) or (kind is float and type(got) is int):
            return expected == got
        return self._coerces and coerced_equal(expected, got)

    def _same_object(self, expected: JsonObject, got: JsonObject, ordered: bool) -> bool:
        if is_matcher(expected):
            return self._match(expected, got)
        if len(expected) != len(got):
            return self._same_with_optional_keys(expected, got, ordered)
        for key, value in expected.items():
            if key not in got:
                return self._same_with_optional_keys(expected, got, ordered)
            if not self.same(value, got[key], ordered=ordered):
                return False
        return True

    def _same_with_optional_keys(self, expected: JsonObject, got: JsonObject, ordered: bool) -> bool:
        for key, value in expected.items():
            if key in got:
                if not self.same(value, got[key], ordered=ordered):
                    return False
            elif not may_be_absent(value):
                return False
        return got.keys() <= expected.keys()

    def _same_array(self, expected: list[JsonValue], got: list[JsonValue], ordered: bool) -> bool:
        if len(expected) != len(got):
            return False
        if all(self.same(e, g, ordered=ordered) for e, g in zip(expected, got, strict=True)):
            return True
        if ordered or not self._multiset:
            return False
        return self._same_multiset(expected, got)

    def _same_multiset(self, expected: list[JsonValue], got: list[JsonValue]) -> bool:
        if len(expected) > ASSIGNMENT_LIMIT:
            return sorted(map(canonical_key, expected)) == sorted(map(canonical_key, got))
        edges = [[j for j, g in enumerate(got) if self.same(e, g)] for e in expected]
        return all(edges) and has_perfect_matching(edges, len(got))

    def _match(self, matcher: JsonObject, got: JsonValue) -> bool:
        name = next(iter(matcher))
        return self._matchers[name](matcher, got, self)


def is_matcher(value: JsonValue) -> bool:
    """Return whether ``value`` is an object whose first key begins with ``$``."""
    return isinstance(value, dict) and bool(value) and next(iter(value)).startswith("$")


def may_be_absent(value: JsonValue) -> bool:
    """Return whether the expected value allows the argument to be left out."""
    return isinstance(value, dict) and ("$optional" in value or "$absent" in value) and is_matcher(value)


def coerced_equal(expected: JsonValue, got: JsonValue) -> bool:
    """Return whether a text spells the other side's number or boolean: "3" and 3, "true" and true.

    Null never equals a text, and an empty text never equals anything else.
    """
    if isinstance(expected, str):
        expected, got = got, expected
    if not isinstance(got, str) or expected is None or isinstance(expected, (str, list, dict)):
        return False
    spelled = got.strip()
    if isinstance(expected, bool):
        return spelled.lower() == ("true" if expected else "false")
    if not spelled.isascii() or "_" in spelled or len(spelled) > 40:
        return False
    try:
        return float(spelled) == expected
    except (ValueError, OverflowError):
        return False


def canonical_key(value: JsonValue) -> bytes:
    """Return bytes that are equal exactly for equal values (numbers by value, objects without order, arrays sorted)."""
    return _ENCODER.encode(_canonical(value))


_ENCODER = msgspec.json.Encoder(order="deterministic")


def _canonical(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    if isinstance(value, list):
        items = [_canonical(item) for item in value]
        return sorted(items, key=_ENCODER.encode)
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items()}
    return value


def has_perfect_matching(edges: list[list[int]], n_right: int) -> bool:
    """Return whether every left node can have a right node of its own.

    Args:
        edges: For each left node, the right nodes (0..n_right-1) that it may take.

    Source: augmenting paths (Kuhn 1955), iterative depth bounded by the number of nodes.
    """
    owner = [-1] * n_right
    return all(_augment(left, edges, owner, [False] * n_right) for left in range(len(edges)))


def _augment(left: int, edges: list[list[int]], owner: list[int], seen: list[bool]) -> bool:
    for right in edges[left]:
        if seen[right]:
            continue
        seen[right] = True
        if owner[right] < 0 or _augment(owner[right], edges, owner, seen):
            owner[right] = left
            return True
    return False
