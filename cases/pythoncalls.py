"""Calls that are written as Python: ``[f(a=1), g.h(b="x")]``. Pure; nothing is ever evaluated."""

from __future__ import annotations

import ast
import math
import re
import warnings

import msgspec

from cases.jsonvalue import DEPTH_LIMIT, JsonObject, JsonValue, bounded_int, is_nested_deeper, unique_object

TOO_DEEP = f"nested deeper than {DEPTH_LIMIT} levels"
HALF_CHARACTER = "a lone surrogate, which is half a character"

_CALL = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]*\s*\(", re.ASCII)
_PYTHON_LIMIT = 100_000


class Unparsable(msgspec.Struct, frozen=True):
    """Why a text is no arguments object."""

    reason: str


def looks_like_call(text: str) -> bool:
    """Return whether free text begins like a call: ``[f(`` or ``f(``."""
    return _CALL.match(text) is not None


def parse_python_calls(text: str) -> tuple[tuple[str, JsonObject], ...] | Unparsable:
    """Return name and arguments of each call in ``[f(a=1), g.h(b="x")]`` or ``f(a=1)``; literals only.

    Positional arguments become ``"0"``, ``"1"`` ... because their names are unknown.
    """
    if len(text) > _PYTHON_LIMIT:
        return Unparsable(f"a call text of {len(text)} characters (limit {_PYTHON_LIMIT})")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in hostile text warns; it must not fail a run under -W error
            body = ast.parse(text.strip(), mode="eval").body
        nodes = body.elts if isinstance(body, (ast.List, ast.Tuple)) else [body]
        calls = tuple(_python_call(node) for node in nodes)
    except UnicodeEncodeError:
        return Unparsable(HALF_CHARACTER)
    except (RecursionError, MemoryError):  # the parser's own limits, far above ours
        return Unparsable(TOO_DEEP)
    except (SyntaxError, ValueError) as error:
        return Unparsable(f"not a list of Python calls: {str(error).partition(' (')[0]}")
    if any(is_nested_deeper(args, DEPTH_LIMIT) for _, args in calls):
        return Unparsable(TOO_DEEP)
    return calls


def _python_call(node: ast.expr) -> tuple[str, JsonObject]:
    if not isinstance(node, ast.Call):
        raise ValueError(f"a {type(node).__name__} where a call belongs")  # noqa: TRY004  # the text is wrong, not the caller
    name = _dotted(node.func)
    pairs = [(str(index), _literal(arg)) for index, arg in enumerate(node.args)]
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError("** in a call")
        pairs.append((keyword.arg, _literal(keyword.value)))
    return name, unique_object(pairs)


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise ValueError("the called thing has no name")


def _literal(node: ast.expr) -> JsonValue:
    """Return the JSON value of a literal; written out because ``ast.literal_eval`` keeps the last of two equal keys."""
    match node:
        case ast.Constant(value=value):
            return _json_constant(value)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_literal(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            return unique_object([(_key(k), _literal(v)) for k, v in zip(keys, values, strict=True)])
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)) if number is not True:
            return _json_constant(-number)
        case _:
            raise ValueError(f"a {type(node).__name__} where a literal belongs")


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return str(_json_constant(node.value))
    raise ValueError("a key that is no text")


def _json_constant(value: object) -> JsonValue:
    if isinstance(value, str):
        value.encode()  # refuses lone surrogates
        return value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return bounded_int(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _refuse_infinity(value)
    raise ValueError(f"a {type(value).__name__} has no JSON form")


def _refuse_infinity(value: float) -> JsonValue:
    raise ValueError(f"{value} is no JSON number")
