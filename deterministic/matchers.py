"""Matchers: what the gold may say instead of a plain value. One function and one table entry each.

A matcher is an object whose first key begins with ``$``. Pure; patterns run in a linear-time engine, because the text
they meet is hostile. A matcher that is wrong in itself raises :class:`~cases.errors.ExpectationError` when it is
checked, before anything is graded with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial

import jsonschema_rs

from cases.errors import ExpectationError
from cases.jsonvalue import JsonObject, JsonValue, join_pointer, json_text
from deterministic.dates import read_moment, same_moment
from deterministic.equality import Comparison, MatcherFunction, has_perfect_matching, is_matcher
from deterministic.normalisers import text_1

Predicate = Callable[[JsonValue], bool]
"""A user's own test of one value; installed under the entry-point group ``callgrade.predicates``."""


def _any(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return True


def _literal(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return compare.literally.same(matcher["$literal"], got)


def _one_of(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return any(compare.same(choice, got) for choice in _list(matcher, "$one_of"))


def _optional(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return compare.same(matcher["$optional"], got)


def _absent(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return False


def _regex(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return isinstance(got, str) and _pattern(_text(matcher, "$regex")).is_valid(got)


def _approx(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return False
    wanted = _number(matcher, "$approx")
    try:
        tolerance = max(_number(matcher, "abs", 0.0), _number(matcher, "rel", 0.0) * abs(wanted))
        return abs(got - wanted) <= tolerance + _ROUNDING * max(abs(wanted), abs(got))
    except OverflowError:  # an integer that no double can stand for is near no double
        return False


_ROUNDING = 1e-12
"""Relative slack of every ``$approx``: what decimal fractions lose in doubles (0.1 + 0.2 is 0.3)."""


def _date(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return isinstance(got, str) and same_moment(_text(matcher, "$date"), got)


def _normalised_text(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return isinstance(got, str) and text_1(got) == text_1(_text(matcher, "$text"))


def _ordered(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return compare.same(_list(matcher, "$ordered"), got, ordered=True)


def _contains(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return isinstance(got, list) and compare.covers(_list(matcher, "$contains"), got)


def _subset_of(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    if not isinstance(got, list):
        return False
    allowed = _list(matcher, "$subset_of")
    edges = [[j for j, choice in enumerate(allowed) if compare.same(choice, item)] for item in got[: len(allowed) + 1]]
    return len(got) <= len(allowed) and has_perfect_matching(edges, len(allowed))


def _fields(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    wanted = matcher["$fields"]
    if not isinstance(wanted, dict) or not isinstance(got, dict):
        return False
    kept: JsonObject = {key: got[key] for key in wanted if key in got}
    return compare.same(wanted, kept)


def _predicate(predicates: Mapping[str, Predicate], matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    name = _text(matcher, "$predicate")
    if name not in predicates:
        known = ", ".join(sorted(predicates)) or "none is"
        raise ExpectationError(f"no predicate {name!r} is installed ({known}); see docs/native-format.md")
    return predicates[name](got) is True


def with_predicates(predicates: Mapping[str, Predicate]) -> dict[str, MatcherFunction]:
    """Return all matchers, ``$predicate`` asking these functions by name."""
    return {**MATCHERS, "$predicate": partial(_predicate, predicates)}


MATCHERS: dict[str, MatcherFunction] = {
    "$any": _any,
    "$literal": _literal,
    "$one_of": _one_of,
    "$optional": _optional,
    "$absent": _absent,
    "$regex": _regex,
    "$approx": _approx,
    "$date": _date,
    "$text": _normalised_text,
    "$ordered": _ordered,
    "$contains": _contains,
    "$subset_of": _subset_of,
    "$fields": _fields,
    "$predicate": partial(_predicate, {}),
}

_OPTIONS = {"$approx": {"abs", "rel"}}


def check_matchers(value: JsonValue, pointer: str) -> None:
    """Check every matcher in an expected value, in document order.

    Raises:
        ExpectationError: A matcher is unknown, lacks what it needs, can match nothing, or its pattern does not compile.
    """
    for where, matcher in _walk(value, pointer):
        name = next(iter(matcher))
        if name not in MATCHERS:
            raise ExpectationError(
                f"{where}: unknown matcher {name!r}; known are {', '.join(MATCHERS)} "
                '(a literal object with such a key is written {"$literal": {...}})'
            )
        if extra := matcher.keys() - {name} - _OPTIONS.get(name, set()):
            raise ExpectationError(f"{where}: {name} takes no {min(extra)!r}")
        _CHECKS.get(name, _check_nothing)(matcher, where)


def _check_nothing(matcher: JsonObject, where: str) -> None:
    pass


def _check_true(matcher: JsonObject, where: str) -> None:
    name = next(iter(matcher))
    if matcher[name] is not True:
        raise ExpectationError(f'{where}: write {{"{name}": true}}, got {json_text(matcher[name])}')


def _check_regex(matcher: JsonObject, where: str) -> None:
    pattern = _text(matcher, "$regex", where)
    try:
        jsonschema_rs.validator_for({"pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions())  # "a)|(b" fails
        _pattern(pattern)
    except (jsonschema_rs.ValidationError, ValueError) as error:
        raise ExpectationError(
            f"{where}: $regex {pattern!r} does not compile in the linear-time engine "
            "(no look-around, no back-references, bounded size); rewrite it"
        ) from error


def _check_approx(matcher: JsonObject, where: str) -> None:
    for option in matcher:
        number = _number(matcher, option, where=where)
        if not math.isfinite(number) or (option != "$approx" and number < 0):
            raise ExpectationError(f"{where}: {option} wants a finite number, tolerances from 0 up, got {number!r}")


def _check_date(matcher: JsonObject, where: str) -> None:
    text = _text(matcher, "$date", where)
    if read_moment(text) is None:
        raise ExpectationError(
            f"{where}: $date {text!r} names no day or more than one; write it as in 2024-05-20 or 2024-05-20T10:00:00Z"
        )


def _check_fields(matcher: JsonObject, where: str) -> None:
    if not isinstance(matcher["$fields"], dict) or is_matcher(matcher["$fields"]):
        raise ExpectationError(f"{where}: $fields wants a plain object, got {json_text(matcher['$fields'])}")


_CHECKS: dict[str, Callable[[JsonObject, str], object]] = {
    "$any": _check_true,
    "$absent": _check_true,
    "$one_of": lambda matcher, where: _list(matcher, "$one_of", where),
    "$regex": _check_regex,
    "$approx": _check_approx,
    "$date": _check_date,
    "$predicate": lambda matcher, where: _text(matcher, "$predicate", where),
    "$text": lambda matcher, where: _text(matcher, "$text", where),
    "$ordered": lambda matcher, where: _list(matcher, "$ordered", where),
    "$contains": lambda matcher, where: _list(matcher, "$contains", where),
    "$subset_of": lambda matcher, where: _list(matcher, "$subset_of", where),
    "$fields": _check_fields,
}


def _walk(value: JsonValue, pointer: str) -> Iterator[tuple[str, JsonObject]]:
    stack: list[tuple[str, JsonValue]] = [(pointer, value)]
    while stack:
        where, item = stack.pop()
        if isinstance(item, list):
            stack.extend((join_pointer(where, index), child) for index, child in reversed([*enumerate(item)]))
        elif isinstance(item, dict):
            if is_matcher(item):
                yield where, item
                if "$literal" in item:
                    continue
            stack.extend((join_pointer(where, key), child) for key, child in reversed(item.items()))


@lru_cache(maxsize=1024)
def _pattern(pattern: str) -> jsonschema_rs.Validator:
    anchored = {"type": "string", "pattern": f"^(?:{pattern})$"}
    return jsonschema_rs.validator_for(anchored, pattern_options=jsonschema_rs.RegexOptions())


def _list(matcher: JsonObject, name: str, where: str = "matcher") -> list[JsonValue]:
    value = matcher[name]
    if not isinstance(value, list):
        raise ExpectationError(f"{where}: {name} wants an array, got {json_text(value)}")
    return value


def _text(matcher: JsonObject, name: str, where: str = "matcher") -> str:
    value = matcher[name]
    if not isinstance(value, str):
        raise ExpectationError(f"{where}: {name} wants a text, got {json_text(value)}")
    return value


def _number(matcher: JsonObject, name: str, default: float | None = None, where: str = "matcher") -> float:
    value = matcher.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ExpectationError(f"{where}: {name} wants a number, got {json_text(value)}")
    return value
