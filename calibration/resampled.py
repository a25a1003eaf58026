"""The tables of several graders on the same items, as they are and resampled together.

Graders share the clusters of every replicate, so their differences are paired.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.bootstrap import bootstrap_estimate, resample
from calibration.cells import (
    ac1_of,
    cell_blocks,
    kappa_of,
    stratum_names,
    stratum_of,
    within_kappa_of,
)
from calibration.estimate import LEVEL, Estimate, undefined
from calibration.gold import Item
from calibration.intervals import Floats
from calibration.kappa import CONSTANT, chance_corrected
from calibration.records import Verdict

ONE_STRATUM = "all items share one stratum"


@dataclass(frozen=True, kw_only=True)
class ResampledTables:
    """Chance-corrected figures of graders (by index) with cluster bootstrap intervals."""

    strata: tuple[str, ...]
    n: int
    n_clusters: int
    cells: Floats
    """Sums of weights, shape (graders, strata, 2, 2)."""
    replicates: Floats
    """Shape (n_replicates, graders, strata, 2, 2)."""
    stratum_sizes: tuple[int, ...]
    n_left_out: int = 0
    level: float = LEVEL

    def pooled(self, grader: int) -> tuple[Floats, Floats]:
        """Return the table over all strata and its replicates."""
        return self.cells[grader].sum(axis=-3), self.replicates[:, grader].sum(axis=-3)

    def kappa(self, grader: int) -> Estimate:
        """Return Cohen's kappa over all items."""
        return self._chance_corrected(kappa_of, *self.pooled(grader), self.n)

    def ac1(self, grader: int) -> Estimate:
        """Return Gwet's AC1 over all items."""
        return self._chance_corrected(ac1_of, *self.pooled(grader), self.n)

    def kappa_within(self, grader: int) -> Estimate:
        """Return kappa pooled within strata; undefined when there is but one stratum."""
        if len(self.strata) < 2:
            return undefined(ONE_STRATUM, n=self.n, n_left_out=self.n_left_out)
        return self._chance_corrected(within_kappa_of, self.cells[grader], self.replicates[:, grader], self.n)

    def kappa_in(self, grader: int, stratum: int) -> Estimate:
        """Return Cohen's kappa on one stratum (by index)."""
        return self._chance_corrected(
            kappa_of,
            self.cells[grader, stratum],
            self.replicates[:, grader, stratum],
            self.stratum_sizes[stratum],
        )

    def lead(self, grader: int, other: int) -> Estimate:
        """Return pooled kappa of ``grader`` minus that of ``other``."""
        (own, own_again), (its, its_again) = self.pooled(grader), self.pooled(other)
        return self._difference(kappa_of(own) - kappa_of(its), kappa_of(own_again) - kappa_of(its_again))

    def lead_within(self, grader: int, other: int) -> Estimate:
        """Return kappa within strata of ``grader`` minus that of ``other``."""
        if len(self.strata) < 2:
            return undefined(ONE_STRATUM, n=self.n, n_left_out=self.n_left_out)
        return self._difference(
            within_kappa_of(self.cells[grader]) - within_kappa_of(self.cells[other]),
            within_kappa_of(self.replicates[:, grader]) - within_kappa_of(self.replicates[:, other]),
        )

    def _chance_corrected(
        self, statistic: Callable[[Floats], Floats], tables: Floats, replicates: Floats, n: int
    ) -> Estimate:
        return chance_corrected(
            statistic,
            tables,
            replicates,
            n=n,
            n_clusters=min(n, self.n_clusters),
            n_left_out=self.n_left_out,
            level=self.level,
        )

    def _difference(self, value: Floats, replicates: Floats) -> Estimate:
        return bootstrap_estimate(
            float(value),
            replicates,
            n=self.n,
            undefined_because=CONSTANT if self.n else "no item",
            n_left_out=self.n_left_out,
            level=self.level,
        )


def resample_tables(
    items: Sequence[Item],
    graders: Sequence[Sequence[Verdict]],
    weights: Floats,
    generator: np.random.Generator,
    *,
    n_left_out: int = 0,
    level: float = LEVEL,
) -> ResampledTables:
    """Tabulate and resample.

    Args:
        items: Labelled items; may be empty, which leaves every figure undefined.
        graders: The verdicts of each grader, aligned with ``items``.
        weights: One weight an item, mean 1.
        n_left_out: Labelled items that are not among ``items``, for the record.
    """
    blocks = cell_blocks(items, graders, weights)
    strata = stratum_names(items)
    sizes = Counter(stratum_of(item) for item in items)
    empty = np.zeros((1, *blocks.shape[1:]))
    return ResampledTables(
        strata=strata,
        n=len(items),
        n_clusters=len(blocks),
        cells=blocks.sum(axis=0),
        replicates=resample(blocks if items else empty, generator),
        stratum_sizes=tuple(sizes[name] for name in strata),
        n_left_out=n_left_out,
        level=level,
    )
