"""Failure modes as text: where one stands in the precedence, and its explanation. Pure."""

from __future__ import annotations

import msgspec

from cases.failure import MODE_CLASS, MODE_STEP, PRECEDENCE, FailureMode, SubMode
from reports.modes import MODE_TEXTS, SUB_MODE_TEXTS, ModeText


class ExplainedMode(msgspec.Struct, frozen=True, kw_only=True):
    """One failure mode with its place and its explanation."""

    mode: FailureMode
    step: str
    failure_class: str
    rank: int
    """1 is looked at first: of several modes the one with the lowest rank is a case's primary one."""
    text: ModeText


class ExplainedSubMode(msgspec.Struct, frozen=True, kw_only=True):
    """One sub-mode with its explanation."""

    sub_mode: SubMode
    text: ModeText


def explained_modes() -> tuple[ExplainedMode, ...]:
    """Return all modes, by precedence."""
    return tuple(
        ExplainedMode(mode=mode, step=MODE_STEP[mode], failure_class=MODE_CLASS[mode], rank=rank, text=MODE_TEXTS[mode])
        for rank, mode in enumerate(PRECEDENCE, start=1)
    )


def explained_sub_modes() -> tuple[ExplainedSubMode, ...]:
    """Return all sub-modes."""
    return tuple(ExplainedSubMode(sub_mode=name, text=text) for name, text in SUB_MODE_TEXTS.items())


def find_mode(name: str) -> ExplainedMode | ExplainedSubMode | None:
    """Return the mode or sub-mode ``name``; hyphens and spaces stand for underscores."""
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    known: dict[str, ExplainedMode | ExplainedSubMode] = {sub.sub_mode: sub for sub in explained_sub_modes()}
    known.update({found.mode: found for found in explained_modes()})
    return known.get(wanted)


def lines_of(found: ExplainedMode | ExplainedSubMode) -> tuple[str, ...]:
    """Return the explanation, line by line."""
    if isinstance(found, ExplainedMode):
        head = f"{found.mode}: {found.text.means}"
        place: tuple[str, ...] = (
            f"Place    step {found.step}, class {found.failure_class}, {found.rank} of {len(PRECEDENCE)}",
        )
    else:
        head = f"{found.sub_mode} (sub-mode): {found.text.means}"
        place = ()
    text = found.text
    return (head, *place, f"Given    {text.given}", f"Example  {text.example}", f"Advice   {text.advice}")
