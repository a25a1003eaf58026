"""The longest run in order, against every subsequence."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deterministic.order import longest_in_order


@pytest.mark.parametrize(
    ("groups", "positions"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([7], [0], id="one"),
        pytest.param([1, 2, 3], [0, 1, 2], id="all in order"),
        pytest.param([3, 2, 1], [2], id="reversed: one is in order with itself"),
        pytest.param([1, 1, 1], [0, 1, 2], id="a group in any order among itself"),
        pytest.param([1, 3, 2, 4], [0, 2, 3], id="one late: 1 2 4"),
        pytest.param([2, 1, 1, 2], [1, 2, 3], id="equal numbers stay together: 1 1 2"),
    ],
)
def test_runs(groups: list[int], positions: list[int]) -> None:
    assert longest_in_order(groups) == positions


@given(st.lists(st.integers(0, 4), max_size=9))
def test_no_subsequence_in_order_is_longer(groups: list[int]) -> None:
    found = longest_in_order(groups)
    assert found == sorted(set(found))
    assert all(a <= b for a, b in pairwise(groups[position] for position in found))
    longest = max(
        n
        for n in range(len(groups) + 1)
        for chosen in combinations(groups, n)
        if all(a <= b for a, b in pairwise(chosen))
    )
    assert len(found) == longest
