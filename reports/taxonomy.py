"""The classic classes of tool-call failure as a matrix, and the chain of rates behind it. Pure.

Rows are models and tools, columns the classes. The chain asks of each stage only what passed the one before: how many
of the calls that parsed chose a wanted tool, how many of those were valid, how many of those carried the right values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from cases.failure import CLASSES, FailureClass, FailureMode
from reports.shares import Share, share
from reports.summary import Summary
from reports.tally import ToolTally


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """Rates of calls, each given the one before."""

    parsed: Share
    """Parsed / sent."""
    intent_given_parsed: Share
    """Paired with a step by name / parsed, where the gold says which tools are wanted."""
    schema_given_intent: Share
    """Valid under the schema / paired and parsed."""
    value_given_schema: Share
    """Every argument as wanted / valid."""


class TaxonomyRow(msgspec.Struct, frozen=True, kw_only=True):
    """One model or tool."""

    kind: Literal["model", "tool"]
    name: str
    unit: Literal["cases", "failures"]
    """A model's numbers are cases by the class of their primary mode, a tool's are gating failures."""
    n: int
    """Failed cases, or failures, of all classes."""
    classes: dict[FailureClass, int]
    chain: Chain


class FieldRow(msgspec.Struct, frozen=True, kw_only=True):
    """Failures of one top-level argument of one tool."""

    tool: str
    field: str
    n: int
    modes: dict[FailureMode, int]
    n_calls: int
    """Calls of the tool; an argument can fail more than once in a call."""


def taxonomy(summary: Summary) -> tuple[TaxonomyRow, ...]:
    """Return the rows of all models, then of all tools that were called or failed."""
    rows = [
        TaxonomyRow(
            kind="model",
            name=name,
            unit="cases",
            n=sum(model.tally.classes.values()),
            classes=_all_classes(model.tally.classes),
            chain=chain(model.tally.tools.values()),
        )
        for name, model in sorted(summary.models.items())
    ]
    rows += [
        TaxonomyRow(
            kind="tool",
            name=name,
            unit="failures",
            n=sum(tool.classes.values()),
            classes=_all_classes(tool.classes),
            chain=chain([tool]),
        )
        for name, tool in sorted(summary.overall.tools.items())
    ]
    return tuple(rows)


def chain(tools: Iterable[ToolTally]) -> Chain:
    """Return the chain of rates over some tools."""
    total = ToolTally()
    for tool in tools:
        total.merge(tool)
    n_intended = total.n_accepted - total.n_accepted_unparsed
    return Chain(
        parsed=share(total.n_parsed, total.n_sent),
        intent_given_parsed=share(n_intended, total.n_parsed - total.n_unasked_parsed),
        schema_given_intent=share(total.n_valid, n_intended),
        value_given_schema=share(total.n_right, total.n_valid),
    )


def fields(tools: Mapping[str, ToolTally]) -> tuple[FieldRow, ...]:
    """Return the arguments that failed, most failures first."""
    rows = [
        FieldRow(
            tool=name,
            field=field.replace("~1", "/").replace("~0", "~"),
            n=sum(modes.values()),
            modes=dict(modes),
            n_calls=tool.n_sent,
        )
        for name, tool in tools.items()
        for field, modes in tool.fields.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.n, row.tool, row.field)))


def _all_classes(found: Mapping[FailureClass, int]) -> dict[FailureClass, int]:
    return {name: found.get(name, 0) for name in CLASSES}
