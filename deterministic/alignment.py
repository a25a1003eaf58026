"""Alignment: which call took which step of a path. Optimal, one to one, by tool name first. Pure.

Among pairings with the most name matches, the one with the fewest wrong and then the most right fields wins; ties keep
the order. What is left over is a wrong tool where a step and a call stand between the same paired neighbours, else
missing or extra.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Protocol

import msgspec

from cases.expectation import ExpectedPath, ExpectedStep
from cases.jsonvalue import encode
from deterministic.arguments import ArgumentDiff
from deterministic.assignment import assign
from deterministic.order import longest_in_order

EXHAUSTIVE_CELLS = 1_024
"""Steps x calls of one tool up to which the pairing is optimal; beyond it equal calls pair first, then in order."""

_RIGHT_WEIGHT = 1 << 11
_WRONG_WEIGHT = 1 << 26
_INFORMATIVE_PENALTY = 1 << 44
_OPTIONAL_PENALTY = 1 << 46

Differ = Callable[[int, int], ArgumentDiff]
"""Compares step ``i`` with call ``j``."""


class Alignment(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """A path and the calls, paired. All numbers are indices into the path's steps and into the agent's calls."""

    path: ExpectedPath
    groups: tuple[int, ...]
    """Group of each step: equal is unordered, larger comes later."""
    call_of: tuple[int, ...]
    """Call that each step got; -1 is none."""
    diffs: tuple[ArgumentDiff | None, ...]
    """Comparison of each step with its call; ``None`` without one."""
    wrong_tools: tuple[tuple[int, int], ...] = ()
    """Step and call that stand for each other under different names."""
    missing: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    """Steps whose call is outside the longest run in order."""
    n_in_order: int = 0


class Replacement(Protocol):
    """What alignment must know of names to tell a wrong tool from a missing and an extra one."""

    def is_plausible(self, i: int, j: int) -> bool:
        """Return whether call ``j`` can stand for step ``i``."""
        ...

    def is_near(self, i: int, j: int) -> bool:
        """Return whether both belong to one near-miss family."""
        ...


class _Part(msgspec.Struct, frozen=True):
    """A replacement seen from a part of the steps and calls."""

    whole: Replacement
    rows: Sequence[int]
    columns: Sequence[int]

    def is_plausible(self, i: int, j: int) -> bool:
        return self.whole.is_plausible(self.rows[i], self.columns[j])

    def is_near(self, i: int, j: int) -> bool:
        return self.whole.is_near(self.rows[i], self.columns[j])


def align(
    path: ExpectedPath, steps: Sequence[ExpectedStep], names: Sequence[str], diff: Differ, replacement: Replacement
) -> Alignment:
    """Pair the steps of one path with the calls.

    Args:
        steps: The agent's steps of ``path``.
        names: Catalog name of each call, in order of emission; empty for a call that named no tool.
    """
    call_of = _pair_by_name(steps, names, diff)
    return _complete(path, steps, step_groups(steps), call_of, len(names), diff, replacement)


def align_in_place(
    path: ExpectedPath, steps: Sequence[ExpectedStep], names: Sequence[str], diff: Differ
) -> Alignment | None:
    """Pair step by step where the names agree one by one and that is plainly optimal; ``None`` where it may not be.

    What :func:`align` would return, for the price of one comparison a step.
    """
    if len(steps) != len(names):
        return None
    for step, name in zip(steps, names, strict=True):
        if step.tool != name:
            return None
    groups = step_groups(steps)
    if any(a > b for a, b in pairwise(groups)):
        return None
    diffs = tuple([diff(i, i) for i in range(len(steps))])
    if len(set(names)) < len(names) and any(d.n_wrong for d in diffs):
        return None
    return Alignment(path=path, groups=groups, call_of=tuple(range(len(steps))), diffs=diffs, n_in_order=len(steps))


def align_by_turn(
    path: ExpectedPath,
    steps: Sequence[ExpectedStep],
    names: Sequence[str],
    turns: Sequence[int],
    diff: Differ,
    replacement: Replacement,
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
        parts.append((rows, columns, _align_part(path, steps, names, rows, columns, diff, replacement)))
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
    diff: Differ,
    replacement: Replacement,
) -> Alignment:
    return align(
        path,
        [steps[i] for i in rows],
        [names[j] for j in columns],
        lambda i, j: diff(rows[i], columns[j]),
        _Part(replacement, rows, columns),
    )


def step_groups(steps: Sequence[ExpectedStep]) -> tuple[int, ...]:
    """Return the group number of each step: its ``turn``, or one more than the step before."""
    groups: list[int] = []
    last = 0
    for step in steps:
        last = step.turn if step.turn is not None else last + 1
        groups.append(last)
    return tuple(groups)


def _pair_by_name(steps: Sequence[ExpectedStep], names: Sequence[str], diff: Differ) -> list[int]:
    call_of = [-1] * len(steps)
    for step_indices, call_indices in _components(steps, names):
        if not call_indices:
            continue
        if len(step_indices) == 1 and len(call_indices) == 1:
            call_of[step_indices[0]] = call_indices[0]
            continue
        for i, j in _pair_component(steps, names, step_indices, call_indices, diff):
            call_of[i] = j
    return call_of


def _components(steps: Sequence[ExpectedStep], names: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    """Split steps and calls into parts that share no tool name."""
    root: dict[str, str] = {}
    for step in steps:
        if isinstance(step.tool, str):
            root.setdefault(step.tool, step.tool)
        else:
            first = _find(root, step.tool[0])
            for other in step.tool[1:]:
                root[_find(root, other)] = first
    parts: dict[str, tuple[list[int], list[int]]] = {}
    for i, step in enumerate(steps):
        parts.setdefault(_find(root, step.tools[0]), ([], []))[0].append(i)
    for j, name in enumerate(names):
        if name in root:
            parts[_find(root, name)][1].append(j)
    return list(parts.values())


def _find(root: dict[str, str], name: str) -> str:
    while (parent := root.setdefault(name, name)) != name:
        name = parent
    return name


def _pair_component(
    steps: Sequence[ExpectedStep],
    names: Sequence[str],
    rows: list[int],
    columns: list[int],
    diff: Differ,
) -> list[tuple[int, int]]:
    ends: list[tuple[int, int]] = []
    if all(_is_plain(steps[i]) for i in rows):
        ends, rows, columns = _pair_equal_ends(rows, columns, diff)
        if not rows or not columns:
            return ends
    if len(rows) * len(columns) > EXHAUSTIVE_CELLS:
        return ends + _pair_in_order(steps, names, rows, columns, diff)
    return ends + _pair_optimally(steps, names, rows, columns, diff)


def _is_plain(step: ExpectedStep) -> bool:
    """Return whether differing fields are a metric here, so that equal pairs belong to some optimal pairing."""
    literal = step.args is not None and b'"$' not in encode(step.args)
    return literal and step.gating and not step.optional and isinstance(step.tool, str)


def _pair_equal_ends(
    rows: list[int], columns: list[int], diff: Differ
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pair equal steps and calls from both ends; the triangle inequality keeps the rest optimal."""
    start, n = 0, min(len(rows), len(columns))
    while start < n and not diff(rows[start], columns[start]).n_wrong:
        start += 1
    end = 0
    while end < n - start and not diff(rows[-1 - end], columns[-1 - end]).n_wrong:
        end += 1
    pairs = list(zip(rows[:start], columns[:start], strict=True))
    if end:
        pairs += zip(rows[-end:], columns[-end:], strict=True)
    return pairs, rows[start : len(rows) - end], columns[start : len(columns) - end]


def _pair_optimally(
    steps: Sequence[ExpectedStep],
    names: Sequence[str],
    rows: list[int],
    columns: list[int],
    diff: Differ,
) -> list[tuple[int, int]]:
    cost: list[list[int]] = []
    impossible = 1 << 50
    for place, i in enumerate(rows):
        step = steps[i]
        penalty = _OPTIONAL_PENALTY if step.optional else 0 if step.gating else _INFORMATIVE_PENALTY
        line: list[int] = []
        for spot, j in enumerate(columns):
            if names[j] not in step.tools:
                line.append(impossible)
                continue
            found = diff(i, j)  # of pairings with as few wrong fields the one with more right ones: no tie moves a score
            line.append(penalty + found.n_wrong * _WRONG_WEIGHT - found.n_right * _RIGHT_WEIGHT + abs(place - spot))
        cost.append(line)
    pairs = zip(rows, assign(cost), strict=True)
    return [(i, columns[spot]) for i, spot in pairs if spot >= 0 and names[columns[spot]] in steps[i].tools]


def _pair_in_order(
    steps: Sequence[ExpectedStep],
    names: Sequence[str],
    rows: list[int],
    columns: list[int],
    diff: Differ,
) -> list[tuple[int, int]]:
    """Pair a very long component: each step takes the first equal call within a window, else the next free one."""
    free = dict.fromkeys(columns)
    pairs: list[tuple[int, int]] = []
    rest: list[int] = []
    window = max(1, EXHAUSTIVE_CELLS // len(rows))
    for i in rows:
        near = [j for j, _ in zip(free, range(window), strict=False)]
        found = next((j for j in near if names[j] in steps[i].tools and not diff(i, j).n_wrong), None)
        if found is None:
            rest.append(i)
        else:
            del free[found]
            pairs.append((i, found))
    for i in rest:
        found = next((j for j in free if names[j] in steps[i].tools), None)
        if found is not None:
            del free[found]
            pairs.append((i, found))
    return pairs


def _complete(
    path: ExpectedPath,
    steps: Sequence[ExpectedStep],
    groups: tuple[int, ...],
    call_of: list[int],
    n_calls: int,
    diff: Differ,
    replacement: Replacement,
) -> Alignment:
    taken = sorted((j, i) for i, j in enumerate(call_of) if j >= 0)
    kept = longest_in_order([groups[i] for _, i in taken])
    in_order = {taken[k][1] for k in kept}
    used = {j for j, _ in taken}
    missing = [i for i, j in enumerate(call_of) if j < 0]
    extra = [j for j in range(n_calls) if j not in used]
    wrong = _wrong_tools(steps, groups, call_of, missing, extra, replacement) if missing and extra else []
    wrong_steps, wrong_calls = {i for i, _ in wrong}, {j for _, j in wrong}
    return Alignment(
        path=path,
        groups=groups,
        call_of=tuple(call_of),
        diffs=tuple(diff(i, j) if j >= 0 else None for i, j in enumerate(call_of)),
        wrong_tools=tuple(wrong),
        missing=tuple(i for i in missing if i not in wrong_steps and not steps[i].optional),
        extra=tuple(j for j in extra if j not in wrong_calls),
        late=tuple(i for _, i in taken if i not in in_order),
        n_in_order=len(kept),
    )


def _wrong_tools(
    steps: Sequence[ExpectedStep],
    groups: tuple[int, ...],
    call_of: list[int],
    missing: list[int],
    extra: list[int],
    replacement: Replacement,
) -> list[tuple[int, int]]:
    free = dict.fromkeys(extra)
    pairs: list[tuple[int, int]] = []
    paired = [(groups[i], j) for i, j in enumerate(call_of) if j >= 0]
    rest: list[tuple[int, list[int]]] = []
    for i in missing:
        if steps[i].optional or not free:
            continue
        low = max((j for g, j in paired if g < groups[i]), default=-1)
        high = min((j for g, j in paired if g > groups[i]), default=1 << 60)
        between = [j for j in free if low < j < high and replacement.is_plausible(i, j)]
        chosen = next((j for j in between if replacement.is_near(i, j)), None)
        if chosen is None:
            rest.append((i, between))
        else:
            del free[chosen]
            pairs.append((i, chosen))
    for i, between in rest:
        chosen = next((j for j in between if j in free), None)
        if chosen is not None:
            del free[chosen]
            pairs.append((i, chosen))
    return sorted(pairs)
