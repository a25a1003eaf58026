"""The fast lane: a case in which every call plainly is what its step wants is graded in one pass. Pure.

Most cases of a healthy agent are of this kind. The lane only ever answers "all right" or "look closer"; the tests hold
its grades equal to those of the full gates.
"""

from __future__ import annotations

from collections.abc import Sequence

from cases.case import Invocation
from cases.expectation import ExpectedStep
from cases.jsonvalue import encode
from deterministic.catalog import Catalog
from deterministic.equality import MATCHER_MARK
from deterministic.recovery import LOOP_LENGTH


def count_right_fields(steps: Sequence[ExpectedStep], calls: Sequence[Invocation], catalog: Catalog) -> int | None:
    """Return the number of arguments when every call equals its step one by one; ``None`` means "look closer".

    Equal is: known tool of the wanted name, made by the agent, without error, valid under its schema, arguments that
    are the same JSON text. Rules, loops, matchers and partial comparisons always want a closer look.
    """
    if len(steps) != len(calls) or catalog.has_rules or [s.tool for s in steps] != [c.tool for c in calls]:
        return None
    wanted = encode([step.args for step in steps])
    if wanted != encode([call.args for call in calls]) or MATCHER_MARK in wanted:
        return None
    names, schemas = catalog.names, catalog.schemas
    n_fields = last_turn = n_alike = 0
    last_name = ""
    for step, call in zip(steps, calls, strict=True):
        args, name = call.args, call.tool
        schema = schemas.get(name)
        if (
            name not in names
            or schema is None
            or not isinstance(args, dict)
            or not schema.is_valid(args)
            or step.compare is not None
            or step.user_turn is not None
            or step.requestor != "agent"
            or call.requestor != "agent"
            or call.error is not None
            or call.parse_error is not None
            or call.schema_valid is not None
        ):
            return None
        turn = last_turn + 1 if step.turn is None else step.turn
        n_alike = n_alike + 1 if name == last_name else 1
        if turn < last_turn or n_alike == LOOP_LENGTH:
            return None
        last_turn, last_name = turn, name
        n_fields += len(args)
    return n_fields
