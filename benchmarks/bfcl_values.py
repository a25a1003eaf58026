"""Systematic changes to one argument's value: one named function each, ``SKIP`` where it does not apply."""

from __future__ import annotations

import json
from collections.abc import Callable

from cases.jsonvalue import JsonObject, JsonValue

SKIP: JsonValue = "\0skip"
"""Says that a change does not apply to a value."""

Change = Callable[[JsonValue], JsonValue]


def _of_text(change: Callable[[str], JsonValue]) -> Change:
    return lambda value: change(value) if isinstance(value, str) else SKIP


def _of_number(change: Callable[[float], JsonValue]) -> Change:
    return lambda value: change(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else SKIP


def _of_boolean(change: Callable[[bool], JsonValue]) -> Change:
    return lambda value: change(value) if isinstance(value, bool) else SKIP


def _of_array(change: Callable[[list[JsonValue]], JsonValue]) -> Change:
    return lambda value: change(value) if isinstance(value, list) and value else SKIP


def _of_items(change: Change) -> Change:
    """Change the first item of an array to which ``change`` applies."""

    def changed(value: JsonValue) -> JsonValue:
        for index, item in enumerate(value) if isinstance(value, list) else ():
            new = change(item)
            if new != SKIP:
                return [*value[:index], new, *value[index + 1 :]] if isinstance(value, list) else SKIP
        return SKIP

    return changed


def _of_members(change: Change) -> Change:
    """Change the first member of an object to which ``change`` applies."""

    def changed(value: JsonValue) -> JsonValue:
        for name, member in value.items() if isinstance(value, dict) else ():
            new = change(member)
            if new != SKIP:
                return {**value, name: new} if isinstance(value, dict) else SKIP
        return SKIP

    return changed


def _of_object(change: Callable[[JsonObject], JsonValue]) -> Change:
    return lambda value: change(value) if isinstance(value, dict) and value else SKIP


def _other(value: JsonValue) -> JsonValue:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    return f"{value}x" if isinstance(value, str) else SKIP


def _without_first(value: JsonObject) -> JsonValue:
    first = next(iter(value))
    return {name: member for name, member in value.items() if name != first}


def _to_float(value: JsonValue) -> JsonValue:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else SKIP


def _to_integer(value: JsonValue) -> JsonValue:
    return int(value) if isinstance(value, float) and value.is_integer() else SKIP


_swap_case = _of_text(str.swapcase)
_drop_member = _of_object(_without_first)
_add_member = _of_object(lambda v: {**v, "zz_new": 1})

CHANGES: dict[str, Change] = {
    "value: other": _other,
    "text: case": _swap_case,
    "text: full stop added": _of_text(lambda v: f"{v}."),
    "text: minus before": _of_text(lambda v: f"-{v}"),
    "text: blanks around": _of_text(lambda v: f"  {v} "),
    "text: blanks to underscores": _of_text(lambda v: v.replace(" ", "_") if " " in v else SKIP),
    "text: all punctuation dropped": _of_text(lambda v: "".join(c for c in v if c.isalnum())),
    "text: exclamation mark added": _of_text(lambda v: f"{v}!"),
    "text: apostrophe to quotation mark": _of_text(lambda v: v.replace("'", '"') if "'" in v else SKIP),
    "text: cut": _of_text(lambda v: v[:-1] if v else SKIP),
    "text: accent added": _of_text(lambda v: f"{v}\u0301"),
    "text: emptied": _of_text(lambda _: ""),
    "number: integer to float": _to_float,
    "number: float to integer": _to_integer,
    "number: negated": _of_number(lambda v: -v if v else SKIP),
    "number: a hair off": _of_number(lambda v: v + 1e-9),
    "type: number to text": _of_number(str),
    "type: number to boolean": _of_number(bool),
    "type: text to number": _of_text(lambda _: 7),
    "type: boolean to text": _of_boolean(lambda v: str(v).lower()),
    "type: boolean to number": _of_boolean(int),
    "type: to null": lambda _: None,
    "type: into an array": lambda value: [value],
    "type: into an object": lambda value: {"value": value},
    "type: array to text": _of_array(json.dumps),
    "type: object to text": _of_object(json.dumps),
    "type: array to its first item": _of_array(lambda v: v[0]),
    "array: reversed": _of_array(lambda v: v[::-1] if v != v[::-1] else SKIP),
    "array: shortened": _of_array(lambda v: v[:-1]),
    "array: lengthened": _of_array(lambda v: [*v, v[-1]]),
    "array: emptied": _of_array(lambda _: []),
    "array: item other": _of_items(_other),
    "array: item case": _of_items(_swap_case),
    "array: item integer to float": _of_items(_to_float),
    "array: item float to integer": _of_items(_to_integer),
    "array: item to text": _of_items(lambda v: str(v) if not isinstance(v, str) else SKIP),
    "array: item to null": _of_items(lambda _: None),
    "object: member dropped": _drop_member,
    "object: member added": _add_member,
    "object: member other": _of_members(_other),
    "object: member case": _of_members(_swap_case),
    "object: member integer to float": _of_members(_to_float),
    "object: member to text": _of_members(lambda v: str(v) if not isinstance(v, str) else SKIP),
    "object: member to boolean": _of_members(lambda v: bool(v) if v in (0, 1) else SKIP),
    "object: emptied": _of_object(lambda _: {}),
    "array of objects: member dropped": _of_items(_drop_member),
    "array of objects: member added": _of_items(_add_member),
    "array of objects: member other": _of_items(_of_members(_other)),
    "array of objects: member case": _of_items(_of_members(_swap_case)),
}
