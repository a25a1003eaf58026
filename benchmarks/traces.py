"""The peers' bench as callgrade's cases: its generator is imported where it lies and never copied."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from cases.case import Case, Invocation, Tool
from cases.expectation import ExpectedStep
from cases.formats.tooldefs import read_tools
from cases.jsonvalue import JsonObject, JsonValue

_NESTED: JsonObject = {
    "name": "x_nested",
    "description": "",
    "parameters": {"type": "object", "properties": {"filter": {"type": "object"}}, "required": ["filter"]},
}
"""An edge case calls it, and the bench's catalog lacks it."""


class Call(msgspec.Struct, frozen=True):
    """A call as the bench writes it."""

    name: str
    args: JsonObject


class Trace(msgspec.Struct, frozen=True):
    """One generated trace."""

    id: str
    scenario: str
    user: str
    answer: str
    expected: list[Call]
    actual: list[Call]


class Edge(msgspec.Struct, frozen=True):
    """One edge case; ``want`` is pass, fail, partial, or both for unordered and ordered."""

    id: str
    want: str
    expected: list[Call]
    actual: list[Call]


class Bench:
    """Traces, edge cases and tools of the peers' bench."""

    def __init__(self, folder: Path) -> None:
        """Import the generator."""
        sys.path.insert(0, str(folder))
        try:
            self._module: Any = import_module("tracegen")
        finally:
            sys.path.remove(str(folder))
        stated: list[JsonValue] = list(self._module.TOOLS)
        self.tools: tuple[Tool, ...] = read_tools([*stated, _NESTED])
        self.edges = msgspec.convert(self._module.EDGE_CASES, list[Edge])

    def traces(self, n: int) -> list[Trace]:
        """Return ``n`` traces, the same ones every time."""
        return msgspec.convert(self._module.make_traces(n), list[Trace])


def as_case(
    task_id: str, expected: Sequence[Call], actual: Sequence[Call], *, is_ordered: bool = False, **texts: str
) -> Case:
    """Return a case that wants exactly the expected calls; they are one unordered group unless ``is_ordered``."""
    return Case(
        task_id=task_id,
        expected_invocations=tuple(
            ExpectedStep(tool=call.name, args=call.args, turn=index if is_ordered else 1)
            for index, call in enumerate(expected, 1)
        ),
        actual_invocations=tuple(Invocation(tool=c.name, args=c.args, turn=i) for i, c in enumerate(actual, 1)),
        input=texts.get("input"),
        final_answer=texts.get("final_answer"),
    )


def as_lines(traces: Sequence[Trace]) -> bytes:
    """Return the traces as a native JSON Lines file."""
    cases = [as_case(t.id, t.expected, t.actual, input=t.user, final_answer=t.answer) for t in traces]
    return b"".join(msgspec.json.encode(case) + b"\n" for case in cases)
