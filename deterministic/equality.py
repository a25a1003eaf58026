"""When two JSON values are the same: exact by type, arrays as multisets, matchers where the gold has them.

Pure. 3 equals 3.0 and never "3"; ``true`` is not 1; null equals only null. A matcher may stand at any depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

import msgspec

from cases.jsonvalue import JsonObject, JsonValue
from deterministic.normalisers import NORMALISERS
from deterministic.policy import Policy

MATCHER_MARK = b'"$'
"""What the JSON text of a value holds wherever a matcher stands in it; without the mark it is plain."""

EXHAUSTIVE_ELEMENTS = 256
"""Elements up to which unordered arrays are paired in every way; of longer ones, equal elements are taken out first."""

MatcherFunction = Callable[[JsonObject, JsonValue, "Comparison"], bool]
Known = dict[tuple[int, int], bool]
"""Answers found already, by the identity of both values; lives for one comparison."""


class Comparison:
    """Compares values under one policy; hold one per policy, it keeps no state between calls."""

    def __init__(self, policy: Policy, matchers: dict[str, MatcherFunction]) -> None:
        """Take the rules.

        Args:
            matchers: Functions by name; without any, an object that looks like a matcher is a plain object.
        """
        self._coerces = policy.coerces
        self._multiset = policy.arrays == "multiset"
        self._normalise = NORMALISERS[policy.text_normaliser] if policy.text_normaliser else None
        self._matchers = matchers
        self.policy = policy

    @property
    def literally(self) -> Comparison:
        """The same rules without matchers."""
        return Comparison(self.policy, {})

    def same(self, expected: JsonValue, got: JsonValue, *, ordered: bool = False, known: Known | None = None) -> bool:
        """Return whether ``got`` is what ``expected`` asks for.

        Args:
            expected: A value or a matcher, which may stand at any depth.
            ordered: Compare arrays in order, whatever the policy says.
            known: Shared by the parts of one comparison, so that none is compared twice.
        """
        kind = type(expected)
        if kind is type(got):
            if kind is dict:
                return self._same_object(expected, got, ordered, known)  # type: ignore[arg-type]  # both are dicts here
            if kind is list:
                return self._same_array(expected, got, ordered, known)  # type: ignore[arg-type]  # both are lists here
            if expected == got:
                return True
            if kind is str and self._normalise is not None:
                return self._normalise(expected) == self._normalise(got)  # type: ignore[arg-type]  # both are str
            return False
        if kind is dict and self._matchers and is_matcher(expected):
            return self._match(expected, got)  # type: ignore[arg-type]  # a matcher is a dict
        if (kind is int and type(got) is float) or (kind is float and type(got) is int):
            return expected == got
        return self._coerces and coerced_equal(expected, got)

    def _same_object(self, expected: JsonObject, got: JsonObject, ordered: bool, known: Known | None) -> bool:
        if self._matchers and is_matcher(expected):
            return self._match(expected, got)
        n_absent = 0
        for key, value in expected.items():
            if key in got:
                if not self.same(value, got[key], ordered=ordered, known=known):
                    return False
            elif self._matchers and may_be_absent(value):
                n_absent += 1
            else:
                return False
        return len(got) == len(expected) - n_absent

    def _same_array(self, expected: list[JsonValue], got: list[JsonValue], ordered: bool, known: Known | None) -> bool:
        if len(expected) != len(got):
            return False
        if ordered or not self._multiset:
            return all(self.same(e, g, ordered=ordered, known=known) for e, g in zip(expected, got, strict=True))
        # Without the memory, arrays in arrays whose difference lies deep would cost 5 ** depth.
        known = {} if known is None else known
        place = (id(expected), id(got))
        if (answer := known.get(place)) is None:
            answer = known[place] = self._same_multiset(expected, got, known)
        return answer

    def _same_multiset(self, expected: list[JsonValue], got: list[JsonValue], known: Known) -> bool:
        if all(self.same(e, g, known=known) for e, g in zip(expected, got, strict=True)):
            return True
        if len(expected) > EXHAUSTIVE_ELEMENTS:
            expected, got = _without_equals(expected, got)
            if len(expected) > EXHAUSTIVE_ELEMENTS:
                return False
        return self.covers(expected, got, known)

    def covers(self, expected: Sequence[JsonValue], got: Sequence[JsonValue], known: Known | None = None) -> bool:
        """Return whether each expected element can have an equal element of ``got`` of its own."""
        edges: list[list[int]] = []
        for e in expected:
            edges.append([j for j, g in enumerate(got) if self.same(e, g, known=known)])
            if not edges[-1]:
                return False
        return has_perfect_matching(edges, len(got))

    def _match(self, matcher: JsonObject, got: JsonValue) -> bool:
        name = next(iter(matcher))
        return self._matchers[name](matcher, got, self)


_MATCHER_KEY = re.compile(rb'"\$[^"]*":')


def _without_equals(expected: list[JsonValue], got: list[JsonValue]) -> tuple[list[JsonValue], list[JsonValue]]:
    """Return what is left of both once literally equal elements are taken out in pairs.

    An element with a matcher inside stays, and so does its counterpart. An equal pair never stands in the way of a full
    pairing: whatever else either could pair with, pairs with what the other leaves. (Coercion, where 3 is "3" and "3.0"
    and these two differ, can break that; then the longer array is called unequal, never equal.)
    """
    free: dict[bytes, list[int]] = {}
    for j, g in enumerate(got):
        free.setdefault(canonical_key(g), []).append(j)
    taken: set[int] = set()
    rest: list[JsonValue] = []
    for e in expected:
        key = canonical_key(e)
        if not _MATCHER_KEY.search(key) and free.get(key):
            taken.add(free[key].pop())
        else:
            rest.append(e)
    return rest, [g for j, g in enumerate(got) if j not in taken]


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
    if len(spelled) > _NUMBER_LIMIT or not _NUMBER.fullmatch(spelled):
        return False
    if isinstance(expected, float):
        return float(spelled) == expected
    return Decimal(spelled) == expected  # exact: 2**53 + 1 is not its neighbour


_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_NUMBER_LIMIT = 40


def canonical_key(value: JsonValue) -> bytes:
    """Return bytes that are equal exactly for equal values (numbers by value, objects without order, arrays sorted)."""
    return _ENCODER.encode(_canonical(value))


_ENCODER = msgspec.json.Encoder(order="deterministic")


def _canonical(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and value.is_integer():
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

    Source: augmenting paths (Kuhn 1955), its depth bounded by the number of nodes.
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
