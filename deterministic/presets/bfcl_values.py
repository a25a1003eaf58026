"""One argument as BFCL's checker sees it: the type that the tool states, then the accepted values. Pure.

What it does that ``strict/1`` does not: texts lose case, blanks and ``,./-_*^`` before they are compared (so "-5" is
"5"), but only at the first level of an array or object; an integer will do for a float, but not inside an array; and a
value of the accepted values' type will do instead of the stated type (a *stand-in*, meant for the names of variables),
and is then compared exactly. Equality is Python's: 1 equals 1.0 and ``true`` inside arrays and objects.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from cases.jsonvalue import JsonObject, JsonValue
from deterministic.presets.bfcl_gold import Accepted

_DROPPED = re.compile(r"[ ,./\-_*^]")


class Problem(msgspec.Struct, frozen=True):
    """Why a value is not accepted."""

    rule: str
    """BFCL's name for it (``error_type``)."""
    wanted: JsonValue
    got: JsonValue
    place: tuple[str | int, ...] = ()
    """Where in the value."""


def check_value(value: JsonValue, accepted: Accepted, wanted: type, item: type | None) -> Problem | None:
    """Return the first thing that is wrong with ``value``; ``None`` when it is accepted.

    Args:
        accepted: Accepted values; ``""`` stands for "may be left out".
        wanted: Type that the tool states for the argument.
        item: Type that it states for an array's items.
    """
    kind, told = type(value), _first_type(accepted)
    is_stand_in = told is not None and told is not wanted
    if kind is wanted:
        if item is not None and isinstance(value, list) and not _items_fit(value, accepted, item):
            return Problem("type_error:nested" if told is list else "type_error:simple", accepted, value)
    elif kind is told:
        is_stand_in = True
    else:
        return Problem("type_error:simple", accepted, value)
    if not is_stand_in:
        if isinstance(value, dict):
            return _check_object(value, accepted)
        if isinstance(value, str):
            return _check_text(value, accepted)
        if isinstance(value, list):
            return _check_objects(value, accepted) if item is dict else _check_array(value, accepted)
    return None if value in accepted else Problem("value_error:others", accepted, value)


def plain_text(text: str) -> str:
    """Return what BFCL compares of a text: ``"O'Neil-Sq., 5*"`` is ``o"neilsq5``."""
    return _DROPPED.sub("", text).lower().replace("'", '"')


def _first_type(accepted: Sequence[JsonValue]) -> type | None:
    return next((type(choice) for choice in accepted if choice != ""), None)


def _items_fit(value: list[JsonValue], accepted: Accepted, item: type) -> bool:
    """Return whether all items have the stated type, or that of one accepted array's first item."""
    for choice in accepted:
        if not isinstance(choice, list):
            return True
        kinds = {item, _first_type(choice)}
        if all(type(one) in kinds for one in value):
            return True
    return False


def _plain(value: JsonValue) -> JsonValue:
    return plain_text(value) if isinstance(value, str) else value


def _check_text(value: str, accepted: Accepted) -> Problem | None:
    choices = {plain_text(choice) for choice in accepted if isinstance(choice, str)}
    return None if plain_text(value) in choices else Problem("value_error:string", accepted, value)


def _check_array(value: list[JsonValue], accepted: Accepted) -> Problem | None:
    """Compare in order; an argument that may be left out may be an empty array too."""
    plain = [_plain(one) for one in value]
    for choice in accepted:
        if isinstance(choice, (list, str)) and plain == [_plain(one) for one in choice]:
            return None
    return Problem("value_error:list/tuple", accepted, value)


def _check_object(value: JsonObject, accepted: Accepted) -> Problem | None:
    problem = Problem("dict_checker:unclear", accepted, value)
    for choice in accepted:
        if choice == "":
            continue
        found = _compare_members(value, choice) if isinstance(choice, dict) else problem
        if found is None:
            return None
        problem = found
    return problem


def _compare_members(value: JsonObject, choice: JsonObject) -> Problem | None:
    for name, members in choice.items():
        if name not in value and not _may_be_absent(members):
            return Problem("value_error:dict_key", members, None, (name,))
    for name, member in value.items():
        if name not in choice:
            return Problem("value_error:dict_key", None, member, (name,))
        members = choice[name]
        choices: list[JsonValue] = list(members) if isinstance(members, (list, str)) else [members]
        if _plain(member) not in [_plain(one) for one in choices]:
            return Problem("value_error:dict_value", choices, member, (name,))
    return None


def _may_be_absent(members: JsonValue) -> bool:
    return isinstance(members, str) or (isinstance(members, list) and "" in members)


def _check_objects(value: list[JsonValue], accepted: Accepted) -> Problem | None:
    """Compare arrays of objects, member by member and in order."""
    problem = Problem("list_dict_checker:unclear", accepted, value)
    for choice in accepted:
        wanted = choice if isinstance(choice, list) else []
        if len(value) != len(wanted):
            problem = Problem("value_error:list_dict_count", accepted, value)
            continue
        found = _first_problem(value, wanted)
        if found is None:
            return None
        problem = found
    return problem


def _first_problem(value: list[JsonValue], wanted: list[JsonValue]) -> Problem | None:
    for index, (one, choice) in enumerate(zip(value, wanted, strict=True)):
        if not isinstance(one, dict):
            return Problem("value_error:dict_key", choice, one, (index,))
        found = _check_object(one, [choice])
        if found is not None:
            return msgspec.structs.replace(found, place=(index, *found.place))
    return None
