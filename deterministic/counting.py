"""Addable counts of one case, from its alignment. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from cases.case import Invocation
from cases.expectation import ExpectedStep
from cases.verdict import Counts, ToolCounts
from deterministic.alignment import Alignment
from deterministic.selection import AgentCall


def states_arguments(steps: Sequence[ExpectedStep]) -> bool:
    """Return whether any step says what its arguments should be."""
    return any(step.args is not None and step.compare != () for step in steps)


def count(alignment: Alignment, steps: Sequence[ExpectedStep], n_sent: int) -> Counts:
    """Return the counts of one alignment; an optional step that was left out is not expected."""
    n_accepted = n_fields = n_right = n_left_out = 0
    for step, diff in zip(steps, alignment.diffs, strict=True):
        if diff is not None:
            n_accepted += 1
            n_fields += diff.n_fields
            n_right += diff.n_right
        elif step.optional:
            n_left_out += 1
    return Counts(
        n_expected=len(steps) - n_left_out,
        n_sent=n_sent,
        n_accepted=n_accepted,
        n_fields=n_fields,
        n_fields_right=n_right,
        n_in_order=alignment.n_in_order,
    )


def count_tools(
    calls: Sequence[AgentCall], invalid: Collection[int], alignment: Alignment | None, steps: Sequence[ExpectedStep]
) -> dict[str, ToolCounts]:
    """Return the counts of each tool that was wanted or called.

    Args:
        invalid: Calls (by index in the case) that broke their schema.
        alignment: Pairing of ``steps`` and ``calls``; ``None`` where nothing was wanted.
    """
    entries: dict[str, _Entry] = {}
    for call in calls:
        entry = entries.setdefault(call.name, _Entry())
        entry.n_sent += 1
        entry.n_parsed += call.is_parsed
        if call.invocation.latency_s is not None:
            entry.latencies_s += (call.invocation.latency_s,)
    for step, j, diff in zip(steps, alignment.call_of, alignment.diffs, strict=True) if alignment else ():
        if diff is not None:
            call = calls[j]
            entry = entries[call.name]
            entry.n_expected += 1
            entry.n_accepted += 1
            if call.is_parsed and call.index not in invalid:
                entry.n_valid += 1
                entry.n_right += diff.n_fields == diff.n_right
        elif not step.optional:
            entries.setdefault(step.tools[0], _Entry()).n_expected += 1
    return {name: entry.counts() for name, entry in entries.items() if name}


def leave_unasked(tools: dict[str, ToolCounts]) -> dict[str, ToolCounts]:
    """Return the counts of a case whose gold does not say which tools are wanted: no call is right or wrong by it."""
    return {name: msgspec.structs.replace(counts, n_unasked=counts.n_sent) for name, counts in tools.items()}


class _Entry(msgspec.Struct, gc=False):
    n_expected: int = 0
    n_sent: int = 0
    n_accepted: int = 0
    n_parsed: int = 0
    n_valid: int = 0
    n_right: int = 0
    latencies_s: tuple[float, ...] = ()

    def counts(self) -> ToolCounts:
        return ToolCounts(*msgspec.structs.astuple(self))


def count_matched_tools(calls: Sequence[Invocation]) -> dict[str, ToolCounts]:
    """Return the counts of each tool where every call is just what its step wants."""
    counts: dict[str, ToolCounts] = {}
    for call in calls:
        name, latency = call.tool, call.latency_s
        before = counts.get(name)
        if before is None:
            counts[name] = _ONCE if latency is None else ToolCounts(1, 1, 1, 1, 1, 1, (latency,))
        else:
            n = before.n_sent + 1
            counts[name] = ToolCounts(n, n, n, n, n, n, before.latencies_s + (() if latency is None else (latency,)))
    return counts


_ONCE = ToolCounts(1, 1, 1, 1, 1, 1)


def rank(alignment: Alignment, steps: Sequence[ExpectedStep], n_sent: int) -> tuple[int, float, float]:
    """Rank an alignment among those of other accepted paths: fewest gating faults, then the best scores."""
    counts = count(alignment, steps, n_sent)
    faults = sum(steps[i].gating for i in alignment.missing) + len(alignment.wrong_tools) + len(alignment.extra)
    faults += sum(steps[i].gating for i in alignment.late)
    faults += sum(d is not None and d.n_wrong > 0 and s.gating for d, s in zip(alignment.diffs, steps, strict=True))
    return -faults, counts.tool_score or 0.0, counts.argument_score or 0.0
