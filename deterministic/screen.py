"""The fast lane: calls that stand in place are graded in one pass, only those that differ are looked at. Pure.

Most cases of an agent are of this kind: as many calls as steps, of the same tools, in the same order. The lane only
says whether a case is such a one; the tests hold its grades equal to those of the full gates.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cases.case import Invocation
from cases.expectation import ExpectedStep
from cases.jsonvalue import encode
from deterministic.catalog import Catalog
from deterministic.equality import MATCHER_MARK
from deterministic.recovery import LOOP_LENGTH


class InPlace(msgspec.Struct, frozen=True, gc=False):
    """A case whose calls stand in place."""

    n_plain_fields: int
    """Arguments of the calls that plainly are what their steps want."""
    open: tuple[int, ...]
    """Calls, by index, whose arguments differ in their text, hold a matcher or break their schema."""


def find_in_place(steps: Sequence[ExpectedStep], calls: Sequence[Invocation], catalog: Catalog) -> InPlace | None:
    """Return what is to be looked at where every call takes the step of its own place; ``None`` means "use the gates".

    In place is: known tools with a schema, of the wanted names one by one, called by the agent, without error, in the
    path's order. Rules, loops, optional steps, user turns, partial comparisons and recorded validities want the gates,
    and so does a differing call of a tool that is called more than once, which may belong to another step.
    """
    called = [call.tool for call in calls]
    if len(steps) != len(calls) or catalog.has_rules or [step.tool for step in steps] != called:
        return None
    if not _stand_in_order(steps, calls, catalog):
        return None
    n_plain_fields = 0
    differing: list[int] = []
    schemas = catalog.schemas
    for place, (step, call) in enumerate(zip(steps, calls, strict=True)):
        args = call.args
        text = encode(step.args)
        if text == encode(args) and MATCHER_MARK not in text and schemas[call.tool].is_valid(args):
            n_plain_fields += len(args)
        elif called.count(call.tool) > 1:
            return None
        else:
            differing.append(place)
    return InPlace(n_plain_fields, tuple(differing))


def _stand_in_order(steps: Sequence[ExpectedStep], calls: Sequence[Invocation], catalog: Catalog) -> bool:
    names, schemas = catalog.names, catalog.schemas
    last_turn = n_alike = 0
    last_name = ""
    for step, call in zip(steps, calls, strict=True):
        name = call.tool
        if (
            name not in names
            or name not in schemas
            or step.args is None
            or step.compare is not None
            or step.user_turn is not None
            or step.optional
            or step.requestor != "agent"
            or call.requestor != "agent"
            or call.error is not None
            or call.parse_error is not None
            or call.schema_valid is not None
            or type(call.args) is not dict
        ):
            return False
        turn = last_turn + 1 if step.turn is None else step.turn
        n_alike = n_alike + 1 if name == last_name else 1
        if turn < last_turn or n_alike == LOOP_LENGTH:
            return False
        last_turn, last_name = turn, name
    return True
