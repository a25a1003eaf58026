"""Gate: calls that the catalog ties together: a prerequisite that never ran, a follow-up that never came. Pure.

A valid call still fails when the checks that it depends on were skipped.
"""

from __future__ import annotations

from collections.abc import Sequence

from deterministic.catalog import Catalog
from deterministic.selection import AgentCall
from deterministic.sheet import Sheet


def check_sequence(calls: Sequence[AgentCall], catalog: Catalog, sheet: Sheet) -> None:
    """Grade prerequisites and follow-ups of each call that succeeded."""
    succeeded = [call for call in calls if call.is_parsed and call.invocation.error is None]
    n_kept = 0
    for position, call in enumerate(succeeded):
        tool = catalog.tools.get(call.name)
        if tool is None or not (tool.requires or tool.followed_by):
            continue
        before = {earlier.name for earlier in succeeded[:position] if earlier.invocation.turn < call.invocation.turn}
        if not any(earlier.invocation.turn for earlier in succeeded):
            before = {earlier.name for earlier in succeeded[:position]}
        after = {later.name for later in succeeded[position + 1 :]}
        skipped = [("first", name) for name in tool.requires if name not in before]
        skipped += [("afterwards", name) for name in tool.followed_by if name not in after]
        n_kept += len(tool.requires) + len(tool.followed_by) - len(skipped)
        for when, name in skipped:
            sheet.fail(
                "missing_step",
                "prerequisite",
                call.pointer,
                f"{call.name!r} was called without {name!r} {when}, which the catalog asks for",
                tool=name,
                sub_mode="skipped_prerequisite",
                expected=name,
                repair=f"call {name} {when}",
            )
    sheet.add_passes("select", "prerequisite", n_kept)
