"""Matchers: what the gold may say instead of a plain value. One function and one table entry each.

A matcher is an object whose first key begins with ``$``. Pure; patterns run in a linear-time engine, because the text
they meet is hostile. A matcher that is wrong in itself raises :class:`~cases.errors.ExpectationError` when it is
checked, before anything is graded with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import jsonschema_rs

from cases.errors import ExpectationError
from cases.jsonvalue import JsonObject, JsonValue, json_text
from deterministic.dates import same_moment
from deterministic.equality import Comparison, MatcherFunction, is_matcher
from deterministic.normalisers import text_1


def _any(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return True


def _literal(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return _plain_same(matcher["$literal"], got, compare)


def _plain_same(expected: JsonValue, got: JsonValue, compare: Comparison) -> bool:
    if is_matcher(expected) and isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(
            _plain_same(value, got[key], compare) for key, value in expected.items()
        )
    return not is_matcher(expected) and compare.same(expected, got)


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
    tolerance = max(_number(matcher, "abs", 0.0), _number(matcher, "rel", 0.0) * abs(wanted))
    return abs(got - wanted) <= tolerance + 1e-12 * max(abs(wanted), abs(got))


def _date(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return isinstance(got, str) and same_moment(_text(matcher, "$date"), got)


def _normalised_text(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return isinstance(got, str) and text_1(got) == text_1(_text(matcher, "$text"))


def _ordered(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return compare.same(_list(matcher, "$ordered"), got, ordered=True)


def _contains(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return isinstance(got, list) and all(
        any(compare.same(wanted, item) for item in got) for wanted in _list(matcher, "$contains")
    )


def _subset_of(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    return isinstance(got, list) and all(
        any(compare.same(allowed, item) for allowed in _list(matcher, "$subset_of")) for item in got
    )


def _fields(matcher: JsonObject, got: JsonValue, compare: Comparison) -> bool:
    wanted = matcher["$fields"]
    if not isinstance(wanted, dict) or not isinstance(got, dict):
        return False
    kept: JsonObject = {key: got[key] for key in wanted if key in got}
    return compare.same(wanted, kept)


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
}

_LIST_MATCHERS = frozenset({"$one_of", "$ordered", "$contains", "$subset_of"})
_OPTIONS = {"$approx": {"abs", "rel"}}


def check_matchers(value: JsonValue, pointer: str) -> None:
    """Check every matcher in an expected value.

    Raises:
        ExpectationError: A matcher is unknown, lacks what it needs, or its pattern does not compile.
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
        if name in _LIST_MATCHERS:
            _list(matcher, name, where)
        elif name == "$regex":
            _check_pattern(_text(matcher, name, where), where)
        elif name == "$approx":
            for option in matcher:
                _number(matcher, option, where=where)
        elif name in {"$date", "$text"}:
            _text(matcher, name, where)
        elif name == "$fields" and not isinstance(matcher[name], dict):
            raise ExpectationError(f"{where}: $fields wants an object, got {json_text(matcher[name])}")


def _walk(value: JsonValue, pointer: str) -> Iterator[tuple[str, JsonObject]]:
    stack: list[tuple[str, JsonValue]] = [(pointer, value)]
    while stack:
        where, item = stack.pop()
        if isinstance(item, list):
            stack.extend((f"{where}/{index}", child) for index, child in enumerate(item))
        elif isinstance(item, dict):
            if is_matcher(item):
                yield where, item
                if "$literal" in item:
                    continue
            stack.extend((f"{where}/{key}", child) for key, child in item.items())


@lru_cache(maxsize=1024)
def _pattern(pattern: str) -> jsonschema_rs.Validator:
    anchored = {"type": "string", "pattern": f"^(?:{pattern})$"}
    return jsonschema_rs.validator_for(anchored, pattern_options=jsonschema_rs.RegexOptions())


def _check_pattern(pattern: str, where: str) -> None:
    try:
        _pattern(pattern)
    except (jsonschema_rs.ValidationError, ValueError) as error:
        raise ExpectationError(
            f"{where}: $regex {pattern!r} does not compile in the linear-time engine "
            "(no look-around, no back-references); rewrite it"
        ) from error


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
