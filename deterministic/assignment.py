"""Optimal one-to-one assignment: the cheapest way to give each row a column of its own. Pure.

Small and written here because the one well-kept implementation lives in scipy, whose import takes longer than grading
ten thousand cases; the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Sequence

_INFINITE = 1 << 62


def assign(cost: Sequence[Sequence[int]]) -> list[int]:
    """Return the column of each row, or -1 for the rows left over when there are more rows than columns.

    Args:
        cost: Integer matrix, rows x columns, any shape; smaller is better.

    Source: shortest augmenting paths with potentials (Jonker and Volgenant 1987), O(rows^2 x columns).
    """
    n_rows = len(cost)
    n_columns = len(cost[0]) if n_rows else 0
    if n_rows > n_columns:
        row_of = assign([[cost[i][j] for i in range(n_rows)] for j in range(n_columns)])
        columns = [-1] * n_rows
        for column, row in enumerate(row_of):
            columns[row] = column
        return columns
    row_potential = [0] * (n_rows + 1)
    column_potential = [0] * (n_columns + 1)
    owner = [0] * (n_columns + 1)  # 1-based row that holds each column; column 0 is the virtual start
    for row in range(1, n_rows + 1):
        owner[0] = row
        _augment(cost, owner, row_potential, column_potential)
    result = [-1] * n_rows
    for column in range(1, n_columns + 1):
        if owner[column]:
            result[owner[column] - 1] = column - 1
    return result


def _augment(
    cost: Sequence[Sequence[int]],
    owner: list[int],
    row_potential: list[int],
    column_potential: list[int],
) -> None:
    n = len(owner)
    distance = [_INFINITE] * n
    came_from = [0] * n
    done = [False] * n
    column = 0
    while owner[column]:
        done[column] = True
        row = owner[column]
        line, base = cost[row - 1], row_potential[row]
        step, nearest = _INFINITE, 0
        for j in range(1, n):
            if done[j]:
                continue
            reduced = line[j - 1] - base - column_potential[j]
            if reduced < distance[j]:
                distance[j], came_from[j] = reduced, column
            if distance[j] < step:
                step, nearest = distance[j], j
        for j in range(n):
            if done[j]:
                row_potential[owner[j]] += step
                column_potential[j] -= step
            else:
                distance[j] -= step
        column = nearest
    while column:
        previous = came_from[column]
        owner[column] = owner[previous]
        column = previous
