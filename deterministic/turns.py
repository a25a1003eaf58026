"""Alignment within user turns: a call of a later turn never stands for a step of an earlier one. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cases.expectation import ExpectedPath, ExpectedStep
from deterministic.alignment import Alignment, Referee, align, step_groups
from deterministic.arguments import ArgumentDiff


def align_by_turn(
    path: ExpectedPath,
    steps: Sequence[ExpectedStep],
    names: Sequence[str],
    turns: Sequence[int],
    referee: Referee,
) -> Alignment:
    """Pair steps and calls within each user turn: a call of a later turn never stands for a step of an earlier one.

    Args:
        turns: User turn of each call.
    """
    call_of = [-1] * len(steps)
    found: list[ArgumentDiff | None] = [None] * len(steps)
    parts: list[tuple[list[int], list[int], Alignment]] = []
    for turn in sorted({step.user_turn or 0 for step in steps} | set(turns)):
        rows = [i for i, step in enumerate(steps) if (step.user_turn or 0) == turn]
        columns = [j for j, call_turn in enumerate(turns) if call_turn == turn]
        parts.append((rows, columns, _align_part(path, steps, names, rows, columns, referee)))
    for rows, columns, part in parts:
        for place, spot in enumerate(part.call_of):
            if spot >= 0:
                call_of[rows[place]] = columns[spot]
                found[rows[place]] = part.diffs[place]
    return Alignment(
        path=path,
        groups=step_groups(steps),
        call_of=tuple(call_of),
        diffs=tuple(found),
        wrong_tools=tuple((rows[i], columns[j]) for rows, columns, part in parts for i, j in part.wrong_tools),
        missing=tuple(rows[i] for rows, _, part in parts for i in part.missing),
        extra=tuple(columns[j] for _, columns, part in parts for j in part.extra),
        late=tuple(rows[i] for rows, _, part in parts for i in part.late),
        n_in_order=sum(part.n_in_order for _, _, part in parts),
    )


def _align_part(
    path: ExpectedPath,
    steps: Sequence[ExpectedStep],
    names: Sequence[str],
    rows: Sequence[int],
    columns: Sequence[int],
    referee: Referee,
) -> Alignment:
    return align(
        path,
        [steps[i] for i in rows],
        [names[j] for j in columns],
        _Part(referee, rows, columns),
    )


class _Part(msgspec.Struct, frozen=True):
    """A referee seen from a part of the steps and calls."""

    whole: Referee
    rows: Sequence[int]
    columns: Sequence[int]

    def diff(self, i: int, j: int) -> ArgumentDiff:
        return self.whole.diff(self.rows[i], self.columns[j])

    def is_plain(self, i: int) -> bool:
        return self.whole.is_plain(self.rows[i])

    def is_plausible(self, i: int, j: int) -> bool:
        return self.whole.is_plausible(self.rows[i], self.columns[j])

    def is_near(self, i: int, j: int) -> bool:
        return self.whole.is_near(self.rows[i], self.columns[j])
