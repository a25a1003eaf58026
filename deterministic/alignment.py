"""Alignment: which call took which step of a path. Optimal, one to one, by tool name first. Pure.

Among pairings with the most name matches, the one with the fewest wrong and then the most right fields wins; ties keep
the order. What is left over is a wrong tool where a step and a call stand between the same paired neighbours, else
missing or extra.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from cases.expectation import ExpectedPath, ExpectedStep
from deterministic.arguments import ArgumentDiff
from deterministic.assignment import assign
from deterministic.order import longest_in_order

EXHAUSTIVE_CELLS = 1_024
"""Steps x calls of one tool up to which the pairing is optimal; beyond it equal calls pair first, then in order."""

_RIGHT_WEIGHT = 1 << 11
_GATING_WEIGHT = 1 << 21
_WRONG_WEIGHT = 1 << 30
_INFORMATIVE_PENALTY = 1 << 44
_OPTIONAL_PENALTY = 1 << 46
_IMPOSSIBLE = 1 << 50


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


class Referee(Protocol):
    """What alignment asks about step ``i`` and call ``j``."""

    def diff(self, i: int, j: int) -> ArgumentDiff:
        """Return how the call's arguments differ from the step's."""
        ...

    def is_plain(self, i: int) -> bool:
        """Return whether differing fields are a metric for the step (no matchers, no alternatives)."""
        ...

    def is_plausible(self, i: int, j: int) -> bool:
        """Return whether the call can stand for the step under another name."""
        ...

    def is_near(self, i: int, j: int) -> bool:
        """Return whether both belong to one near-miss family."""
        ...


def align(path: ExpectedPath, steps: Sequence[ExpectedStep], names: Sequence[str], referee: Referee) -> Alignment:
    """Pair the steps of one path with the calls.

    Args:
        steps: The agent's steps of ``path``.
        names: Catalog name of each call, in order of emission; empty for a call that named no tool.
    """
    call_of = _pair_by_name(steps, names, referee)
    return _complete(path, steps, step_groups(steps), call_of, len(names), referee)


def align_in_place(
    path: ExpectedPath, steps: Sequence[ExpectedStep], names: Sequence[str], referee: Referee
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
    if list(groups) != sorted(groups):
        return None
    diffs = tuple([referee.diff(i, i) for i in range(len(steps))])
    if len(set(names)) < len(names) and not _is_best_in_place(names, diffs, referee):
        return None
    return Alignment(path=path, groups=groups, call_of=tuple(range(len(steps))), diffs=diffs, n_in_order=len(steps))


def _is_best_in_place(names: Sequence[str], diffs: Sequence[ArgumentDiff], referee: Referee) -> bool:
    """Return whether repeated tools are best paired in place: at most one pair differs, and equal pairs may stay.

    A sufficient test. Differing fields are a metric for plain steps, so by the triangle inequality equal pairs belong
    to some optimal pairing.
    """
    differing = [i for i, diff in enumerate(diffs) if diff.n_wrong]
    if len(differing) > 1:
        return False
    return not differing or all(referee.is_plain(i) for i, name in enumerate(names) if name == names[differing[0]])


def step_groups(steps: Sequence[ExpectedStep]) -> tuple[int, ...]:
    """Return the group number of each step: its ``turn``, or one more than the step before."""
    groups: list[int] = []
    last = 0
    for step in steps:
        last = step.turn if step.turn is not None else last + 1
        groups.append(last)
    return tuple(groups)


def _pair_by_name(steps: Sequence[ExpectedStep], names: Sequence[str], referee: Referee) -> list[int]:
    call_of = [-1] * len(steps)
    for step_indices, call_indices in _components(steps, names):
        if not call_indices:
            continue
        if len(step_indices) == 1 and len(call_indices) == 1:
            call_of[step_indices[0]] = call_indices[0]
            continue
        for i, j in _pair_component(steps, names, step_indices, call_indices, referee):
            call_of[i] = j
    return call_of


def _components(steps: Sequence[ExpectedStep], names: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    """Split steps and calls into parts that share no tool name."""
    parts: dict[str, tuple[list[int], list[int]]] = {}
    for i, step in enumerate(steps):
        tool = step.tool
        if not isinstance(tool, str):
            return _linked_components(steps, names)
        if tool in parts:
            parts[tool][0].append(i)
        else:
            parts[tool] = [i], []
    for j, name in enumerate(names):
        if name in parts:
            parts[name][1].append(j)
    return list(parts.values())


def _linked_components(steps: Sequence[ExpectedStep], names: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    """Split as :func:`_components` does where a step accepts several tools, which ties their names together."""
    root: dict[str, str] = {}
    for step in steps:
        first = _find(root, step.tools[0])
        for other in step.tools[1:]:
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
    referee: Referee,
) -> list[tuple[int, int]]:
    ends: list[tuple[int, int]] = []
    if all(referee.is_plain(i) for i in rows):
        ends, rows, columns = _pair_equal_ends(rows, columns, referee)
        if not rows or not columns:
            return ends
        if len(rows) == len(columns) == 1:
            return [*ends, (rows[0], columns[0])]
    if len(rows) * len(columns) > EXHAUSTIVE_CELLS:
        return ends + _pair_in_order(steps, names, rows, columns, referee)
    return ends + _pair_optimally(steps, names, rows, columns, referee)


def _pair_equal_ends(
    rows: list[int], columns: list[int], referee: Referee
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pair equal steps and calls from both ends; the triangle inequality keeps the rest optimal."""
    start, n = 0, min(len(rows), len(columns))
    while start < n and not referee.diff(rows[start], columns[start]).n_wrong:
        start += 1
    end = 0
    while end < n - start and not referee.diff(rows[-1 - end], columns[-1 - end]).n_wrong:
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
    referee: Referee,
) -> list[tuple[int, int]]:
    cost: list[list[int]] = []
    for place, i in enumerate(rows):
        step = steps[i]
        penalty = _OPTIONAL_PENALTY if step.optional else 0 if step.gating else _INFORMATIVE_PENALTY
        line: list[int] = []
        for spot, j in enumerate(columns):
            if names[j] not in step.tools:
                line.append(_IMPOSSIBLE)
                continue
            found = referee.diff(i, j)  # as few wrong fields, then as many right ones: no tie moves a score
            wrong = found.n_wrong * (_WRONG_WEIGHT + step.gating * _GATING_WEIGHT)
            line.append(penalty + wrong - found.n_right * _RIGHT_WEIGHT + abs(place - spot))
        cost.append(line)
    if len(rows) == 1:
        spots = [cost[0].index(min(cost[0]))]
    elif len(columns) == 1:
        cheapest = min(range(len(rows)), key=lambda place: cost[place][0])
        spots = [0 if place == cheapest else -1 for place in range(len(rows))]
    else:
        spots = assign(cost)
    pairs = zip(rows, spots, strict=True)
    return [(i, columns[spot]) for i, spot in pairs if spot >= 0 and names[columns[spot]] in steps[i].tools]


def _pair_in_order(
    steps: Sequence[ExpectedStep],
    names: Sequence[str],
    rows: list[int],
    columns: list[int],
    referee: Referee,
) -> list[tuple[int, int]]:
    """Pair a very long component: each step takes the first equal call within a window, else the next free one."""
    free = dict.fromkeys(columns)
    pairs: list[tuple[int, int]] = []
    rest: list[int] = []
    window = max(1, EXHAUSTIVE_CELLS // len(rows))
    for i in rows:
        near = [j for j, _ in zip(free, range(window), strict=False)]
        found = next((j for j in near if names[j] in steps[i].tools and not referee.diff(i, j).n_wrong), None)
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
    referee: Referee,
) -> Alignment:
    step_of = [-1] * n_calls
    missing: list[int] = []
    diffs: list[ArgumentDiff | None] = []
    for i, j in enumerate(call_of):
        if j >= 0:
            step_of[j] = i
            diffs.append(referee.diff(i, j))
        else:
            missing.append(i)
            diffs.append(None)
    taken = [i for i in step_of if i >= 0]
    kept = longest_in_order([groups[i] for i in taken])
    late: list[int] = []
    if len(kept) < len(taken):
        in_order = set(kept)
        late = [i for place, i in enumerate(taken) if place not in in_order]
    extra = [j for j, i in enumerate(step_of) if i < 0]
    wrong = _wrong_tools(steps, groups, call_of, missing, extra, referee) if missing and extra else []
    if wrong:
        wrong_steps, wrong_calls = {i for i, _ in wrong}, {j for _, j in wrong}
        missing = [i for i in missing if i not in wrong_steps]
        extra = [j for j in extra if j not in wrong_calls]
    return Alignment(
        path=path,
        groups=groups,
        call_of=tuple(call_of),
        diffs=tuple(diffs),
        wrong_tools=tuple(wrong),
        missing=tuple([i for i in missing if not steps[i].optional]),
        extra=tuple(extra),
        late=tuple(late),
        n_in_order=len(kept),
    )


def _wrong_tools(
    steps: Sequence[ExpectedStep],
    groups: tuple[int, ...],
    call_of: list[int],
    missing: list[int],
    extra: list[int],
    referee: Referee,
) -> list[tuple[int, int]]:
    free = dict.fromkeys(extra)
    pairs: list[tuple[int, int]] = []
    paired = [(groups[i], j) for i, j in enumerate(call_of) if j >= 0]
    rest: list[tuple[int, list[int]]] = []
    for i in sorted(missing, key=lambda i: not steps[i].gating):  # an informative step takes what the others left
        if steps[i].optional or not free:
            continue
        low = max((j for g, j in paired if g < groups[i]), default=-1)
        high = min((j for g, j in paired if g > groups[i]), default=1 << 60)
        between = [j for j in free if low < j < high and referee.is_plausible(i, j)]
        chosen = next((j for j in between if referee.is_near(i, j)), None)
        if chosen is None:
            if steps[i].gating:  # an informative step is no script: only a near miss says that its call was meant
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
