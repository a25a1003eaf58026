"""Gates: known tool, tool name, counts and order, from an alignment of calls and steps. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cases.case import Case, Invocation
from cases.expectation import ExpectedStep
from cases.jsonvalue import json_text
from deterministic.alignment import Alignment
from deterministic.catalog import Catalog
from deterministic.policy import Policy
from deterministic.sheet import Sheet

ARGS_SHOWN = 120
"""Characters of a missing step's arguments that its message quotes."""


class AgentCall(msgspec.Struct, gc=False, frozen=True):
    """One of the agent's calls as the gates see it."""

    index: int
    """Place in ``actual_invocations``."""
    invocation: Invocation
    name: str
    """The catalog's name for it, where one matched; else the name as emitted."""
    is_parsed: bool

    @property
    def pointer(self) -> str:
        """JSON pointer to the call."""
        return f"/actual_invocations/{self.index}"


def check_names(calls: Sequence[AgentCall], catalog: Catalog, policy: Policy, sheet: Sheet) -> None:
    """Grade whether each call names a tool of the catalog; skipped where the catalog is not known whole."""
    n_known = 0
    for call in calls:
        emitted = call.invocation.tool
        if emitted in catalog.names:
            n_known += _was_offered(call, catalog, sheet)
            continue
        if not emitted:
            continue
        relaxed = catalog.relaxed(emitted)
        if relaxed is not None:
            is_known = relaxed.relaxation in policy.relaxed_names
            n_known += is_known
            sheet.fail(
                "unknown_tool",
                "known_tool",
                f"{call.pointer}/tool",
                f"the call names {emitted!r}; the catalog has {relaxed.name!r} ({relaxed.relaxation} differs)",
                tool=relaxed.name,
                sub_mode="relaxed_name",
                gating=not is_known,
                expected=relaxed.name,
                got=emitted,
                repair=f"call the tool by its exact name: {relaxed.name}",
            )
        elif catalog.knows_all:
            sheet.fail(
                "unknown_tool",
                "known_tool",
                f"{call.pointer}/tool",
                f"no tool is called {emitted!r}",
                tool=emitted,
                got=emitted,
                repair=f"there is no tool {emitted}; choose one of {', '.join(sorted(catalog.names)[:20]) or 'none'}",
            )
    if catalog.names:
        sheet.add_passes("select", "known_tool", n_known)


def _was_offered(call: AgentCall, catalog: Catalog, sheet: Sheet) -> bool:
    """Return whether the agent could see the tool when it called it; report it otherwise."""
    tool = catalog.tools.get(call.name)
    if tool is None or call.invocation.turn >= tool.available_from:
        return True
    sheet.fail(
        "unknown_tool",
        "known_tool",
        f"{call.pointer}/tool",
        f"{call.name!r} was called in turn {call.invocation.turn} and offered from turn {tool.available_from} on",
        tool=call.name,
        got=call.name,
        repair=f"{call.name} is not offered yet: do without it or ask",
    )
    return False


def check_selection(
    case: Case,
    alignment: Alignment,
    steps: Sequence[ExpectedStep],
    calls: Sequence[AgentCall],
    catalog: Catalog,
    policy: Policy,
    sheet: Sheet,
) -> None:
    """Grade tool names, missing and extra calls, and their order."""
    sheet.add_passes("select", "tool_name", sum(j >= 0 for j in alignment.call_of))
    if not alignment.missing and not alignment.extra:
        sheet.add_passes("select", "tool_count")
    for i, j in alignment.wrong_tools:
        step, call = steps[i], calls[j]
        near = any(catalog.is_near_miss(name, call.name) for name in step.tools)
        wanted = " or ".join(step.tools)
        sheet.fail(
            "wrong_tool",
            "tool_name",
            f"{call.pointer}/tool",
            f"called {call.name!r} where {wanted!r} was wanted{' (near miss: one family)' if near else ''}",
            tool=step.tools[0],
            sub_mode="near_miss" if near else None,
            gating=step.gating,
            expected=wanted,
            got=call.name,
            repair=f"use {wanted} here, not {call.name}",
        )
    for i in alignment.missing:
        step = steps[i]
        wanted = " or ".join(step.tools)
        sheet.fail(
            "missing_step",
            "tool_count",
            "/actual_invocations",
            f"step {i + 1} of {len(steps)}, a call of {wanted!r}{_wanted_args(step)}, was not made",
            tool=step.tools[0],
            gating=step.gating,
            expected=wanted,
            repair=f"call {wanted} as well",
        )
    for j in alignment.extra:
        _report_extra(case, calls, j, catalog, policy, sheet)
    _check_order(alignment, steps, calls, sheet)


def _wanted_args(step: ExpectedStep) -> str:
    if not step.args:
        return ""
    text = json_text(step.args)
    return f" with {text if len(text) <= ARGS_SHOWN else text[:ARGS_SHOWN] + '…'}"


def _report_extra(
    case: Case, calls: Sequence[AgentCall], j: int, catalog: Catalog, policy: Policy, sheet: Sheet
) -> None:
    call = calls[j]
    if not call.is_parsed and not call.name:
        return  # a text that names no tool is told once, as unparsable
    effect = catalog.effect(call.name)
    failed = call.invocation.error is not None
    matters = effect == "write" or (effect == "unknown" and policy.unknown_effect_gates)
    repeated = any(
        other.name == call.name and other.invocation.args == call.invocation.args
        for k, other in enumerate(calls)
        if k != j
    )
    notes = [f"{effect} tool" if effect != "unknown" else "effect unknown"]
    if repeated:
        notes.append("the same call stands elsewhere")
    if failed:
        notes.append("it failed, so it changed nothing")
    sheet.fail(
        "extra_call",
        "tool_count",
        call.pointer,
        f"a call of {call.name!r} that no step asks for ({', '.join(notes)})",
        tool=call.name,
        sub_mode="repeated_call" if repeated else None,
        gating=case.exact or (matters and not failed),
        got=call.invocation.tool,
        repair=f"do not call {call.name} here",
    )


def _check_order(alignment: Alignment, steps: Sequence[ExpectedStep], calls: Sequence[AgentCall], sheet: Sheet) -> None:
    if alignment.n_in_order + len(alignment.late) < 2:
        return
    sheet.add_passes("select", "order", alignment.n_in_order)
    for i in alignment.late:
        call = calls[alignment.call_of[i]]
        sheet.fail(
            "wrong_order",
            "order",
            call.pointer,
            f"{call.name!r} is step {i + 1} of the path and came out of its order",
            tool=call.name,
            gating=steps[i].gating,
            repair=f"keep the order of the steps: {call.name} is step {i + 1}",
        )
