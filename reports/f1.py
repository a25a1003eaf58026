"""Tool selection: precision, recall and F1 per tool, micro and macro, and who was taken for whom. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from reports.shares import Share, share
from reports.tally import ToolTally

NONE = ""
"""Name of "no tool" in a confusion matrix: wanted and not called, or called and not wanted."""


class ToolF1(msgspec.Struct, frozen=True, kw_only=True):
    """One tool's selection."""

    tool: str
    precision: Share
    """Accepted / sent where the gold says which tools are wanted."""
    recall: Share
    """Accepted / expected steps."""
    f1: Share
    """2 x accepted / (expected + sent)."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """All tools together."""

    tools: tuple[ToolF1, ...]
    """By name; those that were neither wanted nor called where the gold speaks are left out."""
    micro: ToolF1
    """Over all calls: frequent tools weigh more."""
    macro_f1: float | None
    """Mean of the tools' F1, 0..1: every tool weighs the same; ``None`` without tools."""


class Confusion(msgspec.Struct, frozen=True, kw_only=True):
    """One cell of the matrix, wanted by called; ``""`` is none."""

    wanted: str
    called: str
    n: int


def selection(tools: Mapping[str, ToolTally]) -> Selection:
    """Return precision, recall and F1 of each tool, micro and macro."""
    rows = [_tool_f1(name, tool) for name, tool in sorted(tools.items())]
    rows = [row for row in rows if row.f1.n]
    total = ToolTally()
    for tool in tools.values():
        total.merge(tool)
    values = [row.f1.value for row in rows if row.f1.value is not None]
    return Selection(
        tools=tuple(rows),
        micro=_tool_f1("(all)", total),
        macro_f1=sum(values) / len(values) if values else None,
    )


def _tool_f1(name: str, tool: ToolTally) -> ToolF1:
    n_sent = tool.n_sent - tool.n_unasked
    return ToolF1(
        tool=name,
        precision=share(tool.n_accepted, n_sent),
        recall=share(tool.n_accepted, tool.n_expected),
        f1=share(2 * tool.n_accepted, tool.n_expected + n_sent),
    )


def confusions(matrix: Mapping[str, Mapping[str, int]]) -> tuple[Confusion, ...]:
    """Return the cells that are not zero, the confused ones first, most frequent first."""
    cells = [Confusion(wanted=w, called=c, n=n) for w, row in matrix.items() for c, n in row.items() if n]
    return tuple(sorted(cells, key=lambda cell: (cell.wanted == cell.called, -cell.n, cell.wanted, cell.called)))
