"""The fast lane: a case in which every call plainly is what its step wants is graded in one pass. Pure.

Most cases of a healthy agent are of this kind. The lane only ever answers "all right" or "look closer"; the tests hold
its grades equal to those of the full gates.
"""

from __future__ import annotations

from collections.abc import Sequence

from cases.case import Invocation
from cases.expectation import ExpectedStep
from cases.jsonvalue import JsonValue
from deterministic.catalog import Catalog
from deterministic.recovery import LOOP_LENGTH

_TEXT_ONLY: frozenset[type] = frozenset({str})
_PLAIN = frozenset({str, int, float, bool, type(None)})


def count_right_fields(steps: Sequence[ExpectedStep], calls: Sequence[Invocation], catalog: Catalog) -> int | None:
    """Return the number of arguments when every call equals its step one by one; ``None`` means "look closer".

    Equal is: known tool of the wanted name, made by the agent, without error, valid under its schema, every argument
    of the wanted type and value. Rules, loops, matchers and partial comparisons always want a closer look.
    """
    if len(steps) != len(calls) or catalog.has_rules:
        return None
    names, schemas = catalog.names, catalog.schemas
    n_fields = last_turn = n_alike = 0
    last_name = ""
    for step, call in zip(steps, calls, strict=True):
        args, expected, name = call.args, step.args, call.tool
        if (
            step.tool != name
            or name not in names
            or expected is None
            or type(args) is not dict
            or len(args) != len(expected)
            or step.compare is not None
            or call.error is not None
            or call.requestor != "agent"
            or step.requestor != "agent"
            or step.optional
            or call.parse_error is not None
            or call.schema_valid is not None
            or step.user_turn is not None
        ):
            return None
        turn = step.turn
        if turn is not None:
            if turn < last_turn:
                return None
            last_turn = turn
        else:
            last_turn += 1
        n_alike = n_alike + 1 if name == last_name else 1
        if n_alike == LOOP_LENGTH:
            return None
        last_name = name
        for key, value in expected.items():
            if key not in args:
                return None
            got = args[key]
            kind = type(value)
            if kind is not type(got) or value != got or (kind not in _PLAIN and not _is_plain_list(value, got)):
                return None
        schema = schemas.get(name)
        if schema is None or not schema.is_valid(args):
            return None
        n_fields += len(expected)
    return n_fields


def _is_plain_list(value: JsonValue, got: JsonValue) -> bool:
    """Return whether two equal values are lists of texts: Python holds 1 and true equal, and matchers are objects."""
    return isinstance(value, list) and isinstance(got, list) and {*map(type, value), *map(type, got)} <= _TEXT_ONLY
