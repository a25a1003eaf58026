"""Order: the longest run of paired calls that keeps the path's order. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def longest_in_order(groups: Sequence[int]) -> list[int]:
    """Return the positions of a longest non-decreasing subsequence, ascending.

    Args:
        groups: Group number of the step that each paired call took, in order of emission. Equal numbers are one
            unordered group, so calls of a group may stand in any order among themselves.

    Source: patience sorting (Schensted 1961), O(n log n). Its length is the longest common subsequence of the path and
    the calls under the given pairing.
    """
    tails: list[int] = []
    tail_positions: list[int] = []
    came_from: list[int] = []
    for position, group in enumerate(groups):
        slot = bisect_right(tails, group)
        came_from.append(tail_positions[slot - 1] if slot else -1)
        if slot == len(tails):
            tails.append(group)
            tail_positions.append(position)
        else:
            tails[slot] = group
            tail_positions[slot] = position
    chain: list[int] = []
    position = tail_positions[-1] if tail_positions else -1
    while position >= 0:
        chain.append(position)
        position = came_from[position]
    return chain[::-1]
