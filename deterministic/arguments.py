"""Arguments against gold: which fields are right, wrong, missing or unexpected. Pure."""

from __future__ import annotations

from typing import Literal

import msgspec

from cases.case import Tool
from cases.expectation import ExpectedStep
from cases.jsonvalue import JsonObject, JsonValue, join_pointer
from deterministic.equality import Comparison, is_matcher, may_be_absent

Relation = Literal["differs", "missing", "unexpected"]


class FieldError(msgspec.Struct, gc=False, frozen=True):
    """One top-level argument that is not as wanted."""

    name: str
    relation: Relation


class ArgumentDiff(msgspec.Struct, gc=False, frozen=True):
    """Comparison of one call with one step; ``n_fields`` is the union of expected and sent arguments."""

    n_right: int
    n_fields: int
    wrong: tuple[FieldError, ...] = ()

    @property
    def n_wrong(self) -> int:
        """Fields that differ, are missing or unexpected: the distance that alignment minimises."""
        return self.n_fields - self.n_right


_PLAIN = frozenset({str, int, float, bool, type(None)})
UNCOMPARED = ArgumentDiff(0, 0)


def compare_arguments(
    step: ExpectedStep, got: JsonObject | None, comparison: Comparison, tool: Tool | None
) -> ArgumentDiff:
    """Compare a call's arguments with what ``step`` wants.

    Args:
        got: Parsed arguments; ``None`` for a call that did not parse: every wanted field is then wrong, and no field
            error is listed because the parse finding stands for them all.
        tool: The step's tool, whose schema defaults the policy may accept.
    """
    expected = step.args
    if expected is None:
        return UNCOMPARED
    if step.compare is not None:
        expected = {name: expected[name] for name in step.compare if name in expected}
        got = None if got is None else {name: got[name] for name in step.compare if name in got}
    if got is None:
        return ArgumentDiff(0, sum(not may_be_absent(value) for value in expected.values()))
    n_right = n_seen = n_absent = 0
    wrong: list[FieldError] = []
    same, ordered = comparison.same, step.ordered
    for name, value in expected.items():
        if name in got:
            n_seen += 1
            kind = type(value)
            if (kind in _PLAIN and kind is type(got[name]) and value == got[name]) or (
                same(value, got[name], ordered=name in ordered) if ordered else same(value, got[name])
            ):
                n_right += 1
            else:
                wrong.append(FieldError(name, "differs"))
        elif may_be_absent(value):
            n_absent += 1
        else:
            wrong.append(FieldError(name, "missing"))
    n_fields = len(expected) - n_absent
    if n_seen != len(got):
        surplus = [name for name in got if name not in expected]
        unwanted = [name for name in surplus if not _is_accepted_default(tool, name, got[name], comparison)]
        n_fields += len(surplus)
        n_right += len(surplus) - len(unwanted)
        wrong.extend(FieldError(name, "unexpected") for name in unwanted)
    return ArgumentDiff(n_right, n_fields, tuple(wrong))


def narrow(
    expected: JsonValue, got: JsonValue, comparison: Comparison, *, ordered: bool = False
) -> tuple[str, JsonValue, JsonValue]:
    """Follow a difference down to the one place that differs.

    Args:
        ordered: The values were compared with their arrays in order.

    Returns:
        A JSON pointer relative to the value, and what was wanted and found there; the pointer is empty when more than
        one place differs or a matcher is met.
    """
    pointer = ""
    while True:
        if isinstance(expected, dict) and isinstance(got, dict):
            if is_matcher(expected) or expected.keys() != got.keys():
                return pointer, expected, got
            keys: list[str | int] = [k for k in expected if not comparison.same(expected[k], got[k], ordered=ordered)]
            pairs = [(k, expected[str(k)], got[str(k)]) for k in keys]
        elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
            both = enumerate(zip(expected, got, strict=True))
            pairs = [(i, e, g) for i, (e, g) in both if not comparison.same(e, g, ordered=ordered)]
        else:
            return pointer, expected, got
        if len(pairs) != 1:
            return pointer, expected, got
        token, expected, got = pairs[0]
        pointer = join_pointer(pointer, token)


def _is_accepted_default(tool: Tool | None, name: str, value: JsonValue, comparison: Comparison) -> bool:
    if not comparison.policy.accepts_defaults:
        return False
    schema = tool.input_schema if tool is not None else None
    properties = schema.get("properties") if isinstance(schema, dict) else None
    field = properties.get(name) if isinstance(properties, dict) else None
    return isinstance(field, dict) and "default" in field and comparison.same(field["default"], value)
