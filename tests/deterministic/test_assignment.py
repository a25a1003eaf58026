"""Optimal assignment, against every permutation and against scipy."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deterministic.assignment import assign


def total(cost: list[list[int]], columns: list[int]) -> int:
    return sum(cost[row][column] for row, column in enumerate(columns) if column >= 0)


@pytest.mark.parametrize(
    ("cost", "columns"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([[7]], [0], id="one"),
        # Greedy takes 1 first and pays 1 + 100; crossed costs 2 + 2 = 4.
        pytest.param([[1, 2], [2, 100]], [1, 0], id="the nearest is not the best"),
        # 4+1+2 = 7 against 4+3+2, 2+8+3 and so on: the example of many a textbook.
        pytest.param([[4, 1, 3], [2, 0, 5], [3, 2, 2]], [1, 0, 2], id="a textbook's: 1 + 2 + 2 = 5"),
        pytest.param([[5], [1], [3]], [-1, 0, -1], id="more rows than columns: the cheapest row gets it"),
        pytest.param([[5, 1, 3]], [1], id="more columns than rows"),
        pytest.param([[-5, 0], [-6, -2]], [0, 1], id="negative costs: -5 - 2 against 0 - 6"),
        pytest.param([[0, 0], [0, 0]], [0, 1], id="ties keep the order"),
    ],
)
def test_small_matrices(cost: list[list[int]], columns: list[int]) -> None:
    assert assign(cost) == columns


def test_rows_without_columns_are_left_over() -> None:
    empty: list[int] = []
    assert assign([empty, empty]) == [-1, -1]


def matrices(max_side: int, low: int, high: int) -> st.SearchStrategy[list[list[int]]]:
    def of_shape(shape: tuple[int, int]) -> st.SearchStrategy[list[list[int]]]:
        row = st.lists(st.integers(low, high), min_size=shape[1], max_size=shape[1])
        return st.lists(row, min_size=shape[0], max_size=shape[0])

    return st.tuples(st.integers(1, max_side), st.integers(1, max_side)).flatmap(of_shape)


@given(matrices(5, -9, 9))
def test_no_permutation_is_cheaper(cost: list[list[int]]) -> None:
    n_rows, n_columns = len(cost), len(cost[0])
    columns = assign(cost)
    taken = [column for column in columns if column >= 0]
    assert len(taken) == len(set(taken)) == min(n_rows, n_columns)
    if n_rows <= n_columns:
        best = min(total(cost, list(chosen)) for chosen in permutations(range(n_columns), n_rows))
    else:
        best = min(
            sum(cost[row][column] for column, row in enumerate(chosen))
            for chosen in permutations(range(n_rows), n_columns)
        )
    assert total(cost, columns) == best


@pytest.mark.parametrize("shape", [(1, 40), (40, 1), (30, 30), (25, 40), (40, 25), (64, 64)])
def test_as_good_as_scipy(shape: tuple[int, int]) -> None:
    optimize = pytest.importorskip("scipy.optimize", reason="scipy is not installed")
    rng = random.Random(str(shape))  # noqa: S311  # a reproducible matrix
    for high in (3, 1_000, 1 << 40):  # many ties, few, and costs as large as alignment's weights
        cost = [[rng.randrange(high) for _ in range(shape[1])] for _ in range(shape[0])]
        rows, columns = optimize.linear_sum_assignment(cost)
        best = sum(cost[int(row)][int(column)] for row, column in zip(rows, columns, strict=True))
        assert total(cost, assign(cost)) == best
