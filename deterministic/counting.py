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
    for step in steps:
        if step.args is not None and step.compare != ():
            return True
    return False


def has_user_side(steps: Sequence[ExpectedStep]) -> bool:
    """Return whether any step belongs to the user side."""
    for step in steps:
        if step.requestor != "agent":
            return True
    return False


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
    entries: dict[str, list[int]] = {}
    latencies: dict[str, list[float]] = {}
    for call in calls:
        entry = entries.get(call.name)
        if entry is None:
            entry = entries[call.name] = [0] * _N_COUNTS
        entry[_SENT] += 1
        entry[_PARSED] += call.is_parsed
        if call.invocation.latency_s is not None:
            latencies.setdefault(call.name, []).append(call.invocation.latency_s)
    for step, j, diff in zip(steps, alignment.call_of, alignment.diffs, strict=True) if alignment else ():
        if diff is not None:
            call = calls[j]
            entry = entries[call.name]
            entry[_EXPECTED] += 1
            entry[_ACCEPTED] += 1
            entry[_UNPARSED] += not call.is_parsed
            if call.is_parsed and call.index not in invalid:
                entry[_VALID] += 1
                entry[_RIGHT] += diff.n_fields == diff.n_right
        elif not step.optional:
            entries.setdefault(step.tools[0], [0] * _N_COUNTS)[_EXPECTED] += 1
    return {name: _tool_counts(entry, latencies.get(name)) for name, entry in entries.items() if name}


def leave_unasked(tools: dict[str, ToolCounts]) -> dict[str, ToolCounts]:
    """Return the counts of a case whose gold does not say which tools are wanted: no call is right or wrong by it."""
    return {
        name: msgspec.structs.replace(counts, n_unasked=counts.n_sent, n_unasked_parsed=counts.n_parsed)
        for name, counts in tools.items()
    }


_EXPECTED, _SENT, _ACCEPTED, _PARSED, _VALID, _RIGHT, _UNPARSED = range(7)  # counts as ToolCounts has them
_N_COUNTS = 7


def _tool_counts(entry: list[int], latencies_s: list[float] | None) -> ToolCounts:
    expected, sent, accepted, parsed, valid, right, unparsed = entry
    seconds = tuple(latencies_s) if latencies_s else ()
    return ToolCounts(expected, sent, accepted, parsed, valid, right, seconds, 0, 0, unparsed)


def count_matched_tools(
    calls: Sequence[Invocation], invalid: Collection[int] = (), wrong: Collection[int] = ()
) -> dict[str, ToolCounts]:
    """Return the counts of each tool where every call took the step of its own place.

    Args:
        invalid: Calls, by index, that broke their schema.
        wrong: Calls, by index, with an argument that is not as wanted.
    """
    counts: dict[str, ToolCounts] = {}
    for index, call in enumerate(calls):
        name, latency = call.tool, call.latency_s
        is_valid = index not in invalid
        is_right = is_valid and index not in wrong
        before = counts.get(name)
        if before is None and is_right and latency is None:
            counts[name] = _ONCE
        else:
            last = before or _NEVER
            n, seconds = last.n_sent + 1, () if latency is None else (latency,)
            n_valid, n_right = last.n_valid + is_valid, last.n_right + is_right
            counts[name] = ToolCounts(n, n, n, n, n_valid, n_right, last.latencies_s + seconds)
    return counts


_NEVER = ToolCounts()
_ONCE = ToolCounts(1, 1, 1, 1, 1, 1)


def rank(alignment: Alignment, steps: Sequence[ExpectedStep], n_sent: int) -> tuple[int, float, float]:
    """Rank an alignment among those of other accepted paths: fewest gating faults, then the best scores."""
    counts = count(alignment, steps, n_sent)
    faults = sum(steps[i].gating for i in alignment.missing) + len(alignment.wrong_tools) + len(alignment.extra)
    faults += sum(steps[i].gating for i in alignment.late)
    faults += sum(d is not None and d.n_wrong > 0 and s.gating for d, s in zip(alignment.diffs, steps, strict=True))
    return -faults, counts.tool_score or 0.0, counts.argument_score or 0.0
