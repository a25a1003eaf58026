"""How far people agree with one another: the ceiling for every grader that is measured against them.

Krippendorff's alpha for two nominal classes: any number of labellers, labels may be missing. The randomness is
the generator that is passed in.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from calibration.bootstrap import bootstrap_estimate, resample
from calibration.cells import kappa_of
from calibration.estimate import LEVEL, Estimate, undefined
from calibration.gold import labels_by_item
from calibration.intervals import Floats, proportion
from calibration.records import Label

_ALONE = "no item has two labels that take a side"


class Ceiling(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement among labellers on the items that at least two of them labelled pass or fail."""

    alpha: Estimate
    """Krippendorff's alpha, <= 1; 0 is chance. ``n`` is items."""
    kappa: Estimate
    """Cohen's kappa of the first label against the second, in the order of the file."""
    unanimous: Estimate
    """Share of the items on which all labels agree."""


def alpha_of(coincidences: Floats) -> Floats:
    """Return alpha of coincidence matrices, 1 - (n - 1) o01 / (n0 n1) with n0, n1 the row sums.

    Args:
        coincidences: Shape (..., 2, 2); each item adds, for every ordered pair of its m labels,
            1 / (m - 1) to the pair's cell.

    Returns:
        Shape (...); NaN where only one class occurs.

    Source: Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section C.
    """
    margins = coincidences.sum(axis=-1)
    n = margins.sum(axis=-1)
    by_chance = margins[..., 0] * margins[..., 1]
    disagreement: Floats = np.divide(
        (n - 1.0) * coincidences[..., 0, 1],
        by_chance,
        out=np.full_like(n, np.nan),
        where=by_chance > 0,
    )
    alpha: Floats = 1.0 - disagreement
    return alpha


def ceiling(labels: Sequence[Label], generator: np.random.Generator, *, level: float = LEVEL) -> Ceiling:
    """Measure how far the labellers agree; every figure is undefined where no item has two labels.

    Raises:
        InputError: One labeller labelled an item twice.
    """
    sides: list[tuple[str, list[int]]] = []
    for item, group in labels_by_item(labels).items():
        taken = [int(label.label == "pass") for label in group if label.label != "unsure"]
        if len(taken) >= 2:
            sides.append((group[0].cluster or item, taken))
    if not sides:
        nothing = undefined(_ALONE)
        return Ceiling(alpha=nothing, kappa=nothing, unanimous=nothing)
    blocks = _blocks(sides)
    tables, replicates = blocks.sum(axis=0), resample(blocks, generator)
    alpha, kappa = (
        bootstrap_estimate(
            float(statistic(tables[index])),
            statistic(replicates[:, index]),
            n=len(sides),
            undefined_because="all labels are one and the same class",
            level=level,
        )
        for index, statistic in enumerate((alpha_of, kappa_of))
    )
    n_unanimous = sum(len(set(taken)) == 1 for _, taken in sides)
    return Ceiling(alpha=alpha, kappa=kappa, unanimous=proportion(n_unanimous, len(sides), level=level))


def _blocks(sides: Sequence[tuple[str, list[int]]]) -> Floats:
    """Return per cluster the coincidence matrix and the first-against-second table."""
    position: dict[str, int] = {}
    for cluster, _ in sides:
        position.setdefault(cluster, len(position))
    blocks = np.zeros((len(position), 2, 2, 2))
    for cluster, taken in sides:
        counts = np.bincount(taken, minlength=2).astype(float)
        pairs = (np.outer(counts, counts) - np.diag(counts)) / (len(taken) - 1)
        blocks[position[cluster], 0] += pairs
        blocks[position[cluster], 1, taken[0], taken[1]] += 1.0
    return blocks
