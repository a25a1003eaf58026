"""Gate: did the call parse? Turns argument texts into objects, or says why that cannot be done.

Pure; nothing is ever evaluated. Duplicate keys, NaN, lone surrogates, numbers beyond a double's range and nesting below
``DEPTH_LIMIT`` are refused: two readers of such a text may see two different calls.
"""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from collections.abc import Sequence

import msgspec

from cases.case import Case, Invocation
from cases.jsonvalue import DEPTH_LIMIT, JsonObject, JsonValue, is_nested_deeper

_DECODER = msgspec.json.Decoder()
_CALL = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]*\s*\(", re.ASCII)
_WRAPPERS = (
    ("tool", "args"),
    ("name", "arguments"),
    ("name", "parameters"),
    ("name", "input"),
    ("function", "arguments"),
)
_ENVELOPE_EXTRAS = frozenset({"id", "type", "call_id"})
_PYTHON_LIMIT = 100_000
_FLOAT_LIMIT = 1 << 1024
"""First integer that no double can stand for."""
_LONG_NUMBER = re.compile(r"\d{309}", re.ASCII)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_TOO_DEEP = f"nested deeper than {DEPTH_LIMIT} levels"
_SPLIT_CHARACTER = "a lone surrogate, which is half a character"


class Unparsable(msgspec.Struct, frozen=True):
    """Why a text is no arguments object."""

    reason: str


def parse_calls(case: Case) -> tuple[Case, dict[int, Unparsable]]:
    """Return the case with every argument text parsed that can be, and the calls (by index) that cannot.

    A case without argument texts is returned as it is.
    """
    calls = case.actual_invocations or ()
    if all(type(call.args) is dict and call.parse_error is None and not _is_too_deep(call.args) for call in calls):
        return case, {}
    problems: dict[int, Unparsable] = {}
    parsed: list[Invocation] = []
    for index, call in enumerate(calls):
        if call.parse_error is not None:
            problems[index] = Unparsable(call.parse_error)
            parsed.append(call)
            continue
        args: JsonObject | Unparsable
        if isinstance(call.args, str):
            args = parse_arguments(call.args, call.tool)
        else:
            args = Unparsable(_TOO_DEEP) if _is_too_deep(call.args) else call.args
        if isinstance(args, Unparsable):
            problems[index] = args
            parsed.append(call)
        else:
            parsed.append(msgspec.structs.replace(call, args=args))
    return msgspec.structs.replace(case, actual_invocations=tuple(parsed)), problems


def parse_arguments(text: str, tool: str = "") -> JsonObject | Unparsable:
    """Return the arguments object that ``text`` spells.

    Args:
        text: JSON object as the model emitted it, a Python call (``f(a=1)``), or empty for a call without arguments.
        tool: Name of the called tool; a Python call must name it.
    """
    if not text.strip():
        return {}
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        return Unparsable(_TOO_DEEP)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        return _parse_other(text, tool, str(error).partition(" (")[0])
    if is_nested_deeper(value, DEPTH_LIMIT):
        return Unparsable(_TOO_DEEP)
    return _hidden_problem(text) or as_arguments(value, tool)


def as_arguments(value: JsonValue, tool: str = "") -> JsonObject | Unparsable:
    """Return ``value`` as an arguments object, or why it is none."""
    if isinstance(value, dict):
        for name_key, args_key in _WRAPPERS:
            if tool and value.get(name_key) == tool and _is_envelope(value, name_key, args_key):
                return Unparsable(f"a call envelope {{{name_key!r}, {args_key!r}}} stands where the arguments belong")
        return value
    if value is None:
        return Unparsable("null where an arguments object belongs")
    return Unparsable(f"{_kind(value)} where an arguments object belongs")


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
        return Unparsable(_SPLIT_CHARACTER)
    except (RecursionError, MemoryError):  # the parser's own limits, far above ours
        return Unparsable(_TOO_DEEP)
    except (SyntaxError, ValueError) as error:
        return Unparsable(f"not a list of Python calls: {str(error).partition(' (')[0]}")
    if any(is_nested_deeper(args, DEPTH_LIMIT) for _, args in calls):
        return Unparsable(_TOO_DEEP)
    return calls


def _parse_other(text: str, tool: str, reason: str) -> JsonObject | Unparsable:
    if looks_like_call(text):
        calls = parse_python_calls(text)
        if isinstance(calls, Unparsable):
            return calls
        if len(calls) == 1 and calls[0][0] == tool:
            return calls[0][1]
        return Unparsable(f"the text calls {', '.join(name for name, _ in calls)} instead of naming arguments")
    try:
        json.loads(text, parse_constant=_refuse_constant)
    except ValueError as error:
        reason = str(error) if "is no JSON number" in str(error) else reason
    except RecursionError:
        return Unparsable(_TOO_DEEP)
    else:
        if _SURROGATE.search(text):
            reason = _SPLIT_CHARACTER
    return Unparsable(reason)


def _is_too_deep(args: JsonObject | str) -> bool:
    return isinstance(args, dict) and is_nested_deeper(args, DEPTH_LIMIT)


def _is_envelope(value: JsonObject, name_key: str, args_key: str) -> bool:
    inner = value.get(args_key)
    return isinstance(inner, (dict, str)) and value.keys() - _ENVELOPE_EXTRAS == {name_key, args_key}


def _hidden_problem(text: str) -> Unparsable | None:
    """Find what a decoder passes over in silence: duplicate keys, integers beyond a double's range."""
    parse_int = _bounded_int if _LONG_NUMBER.search(text) else None  # a hook on every number is dear
    try:
        json.loads(text, object_pairs_hook=_unique_object, parse_constant=_refuse_constant, parse_int=parse_int)
    except ValueError as error:
        return Unparsable(str(error))
    return None


def _unique_object(pairs: Sequence[tuple[str, JsonValue]]) -> JsonObject:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise ValueError(f"duplicate key {twice!r}")
    return result


def _bounded_int(digits: str | int) -> int:
    number = int(digits)
    if abs(number) >= _FLOAT_LIMIT:
        raise ValueError(f"an integer of {len(str(number).lstrip('-'))} digits, beyond the range of a double")
    return number


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON number")


def _python_call(node: ast.expr) -> tuple[str, JsonObject]:
    if not isinstance(node, ast.Call):
        raise ValueError(f"a {type(node).__name__} where a call belongs")  # noqa: TRY004  # the text is wrong, not the caller
    name = _dotted(node.func)
    pairs = [(str(index), _literal(arg)) for index, arg in enumerate(node.args)]
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError("** in a call")
        pairs.append((keyword.arg, _literal(keyword.value)))
    return name, _unique_object(pairs)


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
            return _unique_object([(_key(k), _literal(v)) for k, v in zip(keys, values, strict=True)])
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
        return _bounded_int(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _refuse_constant(str(value))
    raise ValueError(f"a {type(value).__name__} has no JSON form")


def _kind(value: JsonValue) -> str:
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list):
        return "an array"
    return "a boolean" if isinstance(value, bool) else "a number"
