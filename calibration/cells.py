"""Many 2 x 2 tables at once, as arrays: the form in which tables are added, weighted and resampled.

Pure. A *cell array* has shape (..., 2, 2), gold before verdict, fail before pass; entries are counts or sums of
weights. A statistic of an array of shape (..., 2, 2) has shape (...); it is NaN where it is undefined, and
NaN never leaves this package: ``calibration.bootstrap`` turns it into an estimate without a value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from calibration.gold import Item
from calibration.intervals import Floats
from calibration.records import Verdict


def cell_blocks(items: Sequence[Item], graders: Sequence[Sequence[Verdict]], weights: Floats) -> Floats:
    """Return the tables of several graders on the same items, one block a cluster.

    Args:
        items: Labelled items, in any order.
        graders: The verdicts of each grader, aligned with ``items``.
        weights: One weight (>= 0) an item; ones where every item counts the same.

    Returns:
        Shape (clusters, graders, strata, 2, 2); clusters in order of appearance, strata sorted as in
        ``stratum_names``. Summed over the first axis they are the tables.
    """
    cluster = _codes([item.cluster for item in items])
    names = stratum_names(items)
    position = {name: index for index, name in enumerate(names)}
    stratum = np.array([position[stratum_of(item)] for item in items], dtype=np.intp)
    gold = np.array([item.gold == "pass" for item in items], dtype=np.intp)
    n_clusters = int(cluster.max()) + 1 if items else 0
    shape = (n_clusters, len(names), 2, 2)
    tables: list[Floats] = []
    for verdicts in graders:
        said = np.array([verdict == "pass" for verdict in verdicts], dtype=np.intp)
        place = np.ravel_multi_index((cluster, stratum, gold, said), shape) if items else cluster
        tables.append(np.bincount(place, weights, math.prod(shape)).astype(float).reshape(shape))
    return np.stack(tables, axis=1)


def stratum_names(items: Sequence[Item]) -> tuple[str, ...]:
    """Return the strata that occur, sorted; items without one share the stratum ``""``."""
    return tuple(sorted({stratum_of(item) for item in items}))


def stratum_of(item: Item) -> str:
    """Return the item's stratum; ``""`` when it has none."""
    return item.stratum or ""


def agreement_excess(cells: Floats) -> tuple[Floats, Floats]:
    """Return n (po - pe) and n (1 - pe): agreement beyond chance, reached and possible.

    Returns:
        Two arrays of shape (...); 0 for an empty table.
    """
    n = cells.sum(axis=(-2, -1))
    observed = cells[..., 0, 0] + cells[..., 1, 1]
    by_chance = (cells.sum(axis=-1) * cells.sum(axis=-2)).sum(axis=-1)
    expected = np.divide(by_chance, n, out=np.zeros_like(n), where=n > 0)
    return observed - expected, n - expected


def kappa_of(cells: Floats) -> Floats:
    """Return Cohen's kappa, (po - pe) / (1 - pe); NaN where both sides are one and the same class.

    Source: Cohen 1960.
    """
    reached, possible = agreement_excess(cells)
    return _ratio(reached, possible, cells.sum(axis=(-2, -1)))


def within_kappa_of(cells: Floats) -> Floats:
    """Return kappa pooled within strata, sum n (po - pe) / sum n (1 - pe) over axis -3.

    What is left of the agreement when knowing the stratum is taken away: a grader that answers the
    same for a whole stratum has 0. Shape (..., strata, 2, 2) gives (...).
    """
    reached, possible = agreement_excess(cells)
    return _ratio(reached.sum(axis=-1), possible.sum(axis=-1), cells.sum(axis=(-3, -2, -1)))


def ac1_of(cells: Floats) -> Floats:
    """Return Gwet's AC1, (po - pe) / (1 - pe) with pe = 2 q (1 - q), q the mean share of pass.

    Always defined for n > 0, as pe <= 1/2. Source: Gwet 2008.
    """
    n = cells.sum(axis=(-2, -1))
    observed = cells[..., 0, 0] + cells[..., 1, 1]
    twice_passes = cells[..., 1, :].sum(axis=-1) + cells[..., :, 1].sum(axis=-1)
    q = _ratio(twice_passes, 2.0 * n, n)
    chance = 2.0 * q * (1.0 - q)
    return (_ratio(observed, n, n) - chance) / (1.0 - chance)


def accuracy_of(cells: Floats) -> Floats:
    """Return the share of the diagonal."""
    n = cells.sum(axis=(-2, -1))
    return _ratio(cells[..., 0, 0] + cells[..., 1, 1], n, n)


def f1_of(cells: Floats) -> Floats:
    """Return F1 of FAIL, 2 TP / (2 TP + FP + FN)."""
    doubled = 2.0 * cells[..., 0, 0]
    total = doubled + cells[..., 0, 1] + cells[..., 1, 0]
    return _ratio(doubled, total, total)


def _ratio(top: Floats, bottom: Floats, scale: Floats) -> Floats:
    """Divide; NaN where the denominator is 0 up to rounding at the size of ``scale``."""
    defined = bottom > 1e-12 * np.maximum(scale, 1.0)
    return np.divide(top, bottom, out=np.full_like(bottom, np.nan), where=defined)


def _codes(values: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    position: dict[str, int] = {}
    return np.array([position.setdefault(value, len(position)) for value in values], dtype=np.intp)
