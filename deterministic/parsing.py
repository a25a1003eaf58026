"""Gate: did the call parse? Turns argument texts into objects, or says why that cannot be done.

Pure; nothing is ever evaluated. Duplicate keys, NaN, lone surrogates, numbers beyond a double's range and nesting below
``DEPTH_LIMIT`` are refused: two readers of such a text may see two different calls.
"""

from __future__ import annotations

import json
import re

import msgspec

from cases.case import Case, Invocation
from cases.jsonvalue import DEPTH_LIMIT, JsonObject, JsonValue, bounded_int, is_nested_deeper, unique_object
from cases.pythoncalls import HALF_CHARACTER, TOO_DEEP, Unparsable, looks_like_call, parse_python_calls

_DECODER = msgspec.json.Decoder()
_WRAPPERS = (
    ("tool", "args"),
    ("name", "arguments"),
    ("name", "parameters"),
    ("name", "input"),
    ("function", "arguments"),
)
_ENVELOPE_EXTRAS = frozenset({"id", "type", "call_id"})
_LONG_NUMBER = re.compile(r"\d{309}", re.ASCII)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")

_CONTAINERS: frozenset[type] = frozenset({dict, list})


def parse_calls(case: Case) -> tuple[Case, dict[int, Unparsable]]:
    """Return the case with every argument text parsed that can be, and the calls (by index) that cannot.

    A case without argument texts is returned as it is.
    """
    calls = case.actual_invocations or ()
    for call in calls:
        if type(call.args) is not dict or call.parse_error is not None or _is_too_deep(call.args):
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
        args: JsonObject | Unparsable
        if isinstance(call.args, str):
            args = parse_arguments(call.args, call.tool)
        else:
            args = Unparsable(TOO_DEEP) if _is_too_deep(call.args) else call.args
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
        return Unparsable(TOO_DEEP)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        return _parse_other(text, tool, str(error).partition(" (")[0])
    if is_nested_deeper(value, DEPTH_LIMIT):
        return Unparsable(TOO_DEEP)
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
        return Unparsable(TOO_DEEP)
    else:
        if _SURROGATE.search(text):
            reason = HALF_CHARACTER
    return Unparsable(reason)


def _is_too_deep(args: JsonObject | str) -> bool:
    if type(args) is dict:
        for value in args.values():  # most arguments are flat or lists of scalars, and this runs for every call
            if type(value) is dict or (type(value) is list and not _CONTAINERS.isdisjoint(map(type, value))):
                return is_nested_deeper(args, DEPTH_LIMIT)
    return False


def _is_envelope(value: JsonObject, name_key: str, args_key: str) -> bool:
    inner = value.get(args_key)
    return isinstance(inner, (dict, str)) and value.keys() - _ENVELOPE_EXTRAS == {name_key, args_key}


def _hidden_problem(text: str) -> Unparsable | None:
    """Find what a decoder passes over in silence: duplicate keys, integers beyond a double's range."""
    parse_int = bounded_int if _LONG_NUMBER.search(text) else None  # a hook on every number is dear
    try:
        json.loads(text, object_pairs_hook=unique_object, parse_constant=_refuse_constant, parse_int=parse_int)
    except ValueError as error:
        return Unparsable(str(error))
    return None


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON number")


def _kind(value: JsonValue) -> str:
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list):
        return "an array"
    return "a boolean" if isinstance(value, bool) else "a number"
