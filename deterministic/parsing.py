"""Gate: did the call parse? Turns argument texts into objects, or says why that cannot be done.

Pure; nothing is ever evaluated. Duplicate keys, NaN, lone surrogates and numbers beyond a double's range are refused:
two readers of such a text may see two different calls.
"""

from __future__ import annotations

import ast
import json
import math
import re
import warnings
from collections.abc import Iterable, Sequence
from typing import cast

import msgspec

from cases.case import Case, Invocation
from cases.jsonvalue import JsonObject, JsonValue

_DECODER = msgspec.json.Decoder()
_CALL = re.compile(r"\s*\[?\s*[A-Za-z_][\w.]*\s*\(", re.ASCII)
_WRAPPERS = (
    ("tool", "args"),
    ("name", "arguments"),
    ("name", "parameters"),
    ("function", "arguments"),
)
_PYTHON_LIMIT = 100_000


class Unparsable(msgspec.Struct, frozen=True):
    """Why a text is no arguments object."""

    reason: str


def parse_calls(case: Case) -> tuple[Case, dict[int, Unparsable]]:
    """Return the case with every argument text parsed that can be, and the calls (by index) that cannot.

    A case without argument texts is returned as it is.
    """
    calls = case.actual_invocations or ()
    for call in calls:
        if type(call.args) is not dict or call.parse_error is not None:
            break
    else:
        return case, {}
    problems: dict[int, Unparsable] = {}
    parsed: list[Invocation] = []
    for index, call in enumerate(calls):
        if call.parse_error is not None:
            problems[index] = Unparsable(call.parse_error)
            parsed.append(call)
            continue
        args = parse_arguments(call.args, call.tool) if isinstance(call.args, str) else call.args
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
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        return _parse_other(text, tool, str(error).partition(" (")[0])
    problem = _hidden_problem(text)
    return problem or as_arguments(value, tool)


def as_arguments(value: JsonValue, tool: str = "") -> JsonObject | Unparsable:
    """Return ``value`` as an arguments object, or why it is none."""
    if isinstance(value, dict):
        for name_key, args_key in _WRAPPERS:
            if len(value) == 2 and value.get(name_key) == tool and tool and isinstance(value.get(args_key), dict):
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
        return tuple(_python_call(node) for node in nodes)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return Unparsable(f"not a list of Python calls: {str(error).partition(' (')[0]}")


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
        reason = "nested too deeply"
    return Unparsable(reason)


def _hidden_problem(text: str) -> Unparsable | None:
    """Find what a decoder passes over in silence: duplicate keys, deep nesting."""
    try:
        json.loads(text, object_pairs_hook=_unique_object, parse_constant=_refuse_constant)
    except ValueError as error:
        return Unparsable(str(error))
    except RecursionError:
        return Unparsable("nested too deeply")
    return None


def _unique_object(pairs: Sequence[tuple[str, JsonValue]]) -> JsonObject:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"duplicate key {twice!r}")
    return result


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON number")


def _python_call(node: ast.expr) -> tuple[str, JsonObject]:
    if not isinstance(node, ast.Call):
        raise ValueError(f"a {type(node).__name__} where a call belongs")  # noqa: TRY004  # the text is wrong, not the caller
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
    value = ast.literal_eval(node)
    return _as_json(value)


def _as_json(value: object) -> JsonValue:
    kind = type(value).__name__
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else _refuse_constant(str(value))
    if isinstance(value, (list, tuple)):
        return [_as_json(item) for item in cast("Iterable[object]", value)]
    if isinstance(value, dict):
        entries = cast("dict[object, object]", value)
        if all(isinstance(key, str) for key in entries):
            return {str(key): _as_json(item) for key, item in entries.items()}
    raise ValueError(f"a {kind} has no JSON form")


def _kind(value: JsonValue) -> str:
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list):
        return "an array"
    return "a boolean" if isinstance(value, bool) else "a number"
