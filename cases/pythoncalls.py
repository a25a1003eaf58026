"""Calls that are written as Python: ``[f(a=1), g.h(b="x")]``. Pure; nothing is ever evaluated."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

from cases.jsonvalue import JsonObject, JsonValue

_CALL = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]*\s*\(", re.ASCII)
_PYTHON_LIMIT = 100_000


class Unparsable(msgspec.Struct, frozen=True):
    """Why a text is no arguments object."""

    reason: str


def looks_like_call(text: str) -> bool:
    """Return whether free text begins like a call: ``[f(`` or ``f(``."""
    return _CALL.match(text) is not None


def parse_python_calls(text: str) -> tuple[tuple[str, JsonObject], ...] | Unparsable:
    """Return name and arguments of each call in ``[f(a=1), g.h(b="x")]`` or ``f(a=1)``.

    Literals only; positional arguments become ``"0"``, ``"1"`` ... because their names are unknown.
    """
    if len(text) > _PYTHON_LIMIT:
        return Unparsable(f"a call text of {len(text)} characters (limit {_PYTHON_LIMIT})")
    try:
        with warnings.catch_warnings():
            # "\d" in hostile text warns; it must not fail a run under -W error
            warnings.simplefilter("ignore")
            body = ast.parse(text.strip(), mode="eval").body
        nodes = body.elts if isinstance(body, (ast.List, ast.Tuple)) else [body]
        return tuple(_python_call(node) for node in nodes)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Unparsable(f"not a list of Python calls: {str(error).partition(' (')[0]}")


def _python_call(node: ast.expr) -> tuple[str, JsonObject]:
    if not isinstance(node, ast.Call):
        raise ValueError(f"a {type(node).__name__} where a call belongs")  # noqa: TRY004  # as below
    args: JsonObject = {str(index): _literal(arg) for index, arg in enumerate(node.args)}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError("** in a call")
        args[keyword.arg] = _literal(keyword.value)
    return _dotted(node.func), args


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise ValueError("the called thing has no name")


def _literal(node: ast.expr) -> JsonValue:
    value: object = ast.literal_eval(node)
    return _as_json(value)


def _as_json(value: object) -> JsonValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _encodable(value)
    if isinstance(value, (int, float)):
        if not abs(value) <= sys.float_info.max:  # refuses NaN too
            raise ValueError("a number beyond a double's range")
        return value
    if isinstance(value, (list, tuple)):
        return [_as_json(item) for item in cast("Sequence[object]", value)]
    if isinstance(value, dict):
        return _as_object(cast("Mapping[object, object]", value))
    raise ValueError(f"a {type(value).__name__} has no JSON form")


def _as_object(value: Mapping[object, object]) -> JsonObject:
    members: JsonObject = {}
    for key, member in value.items():
        if not isinstance(key, str):
            raise ValueError(f"{key!r:.40} is no key of a JSON object")  # noqa: TRY004  # the one error that is caught
        members[_encodable(key)] = _as_json(member)
    return members


def _encodable(text: str) -> str:
    """Refuse lone surrogates: such a text can be held and not be written."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("a lone surrogate in a text")
    return text
