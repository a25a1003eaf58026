"""The rates of one judge: TPR, TNR, precisions, accuracy, F1 of FAIL, with intervals.

Labels that count one each are read as they stand; labels drawn unevenly are weighted, because over-sampled FAIL
verdicts would make TPR look better than it is. The randomness is in the replicates and draws that are passed in.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from calibration.bootstrap import bootstrap_estimate
from calibration.cells import accuracy_of, f1_of
from calibration.estimate import LEVEL, Estimate, Interval
from calibration.intervals import Bools, Floats
from calibration.pairing import Pairing
from calibration.poststratified import PostStratified
from calibration.records import Verdict
from calibration.shares import share

_NO_FAIL = "no fail in gold or verdict"


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """*Fail* is the positive class: a grader is there to find fails."""

    tpr: Estimate
    """Share of true fails called fail (sensitivity, recall of FAIL)."""
    tnr: Estimate
    """Share of true passes called pass (specificity)."""
    precision_of_fail: Estimate
    """Share of FAIL verdicts that are right; holds at the prevalence of the labels."""
    precision_of_pass: Estimate
    """Share of PASS verdicts that are right; holds at the prevalence of the labels."""
    accuracy: Estimate
    """Share of verdicts that are right; says little where one class is rare."""
    f1_of_fail: Estimate
    """Harmonic mean of TPR and precision of FAIL."""


class _Sides(msgspec.Struct, frozen=True):
    """Gold and verdicts of one judge as arrays, shape (n,)."""

    is_fail: Bools
    said_fail: Bools
    clusters: Sequence[str]
    weights: Floats | None
    n_left_out: int
    level: float

    def share(self, hit: Bools, among: Bools, undefined_because: str) -> Estimate:
        """Return the share of ``hit`` within ``among``."""
        return share(
            hit[among],
            [cluster for cluster, is_in in zip(self.clusters, among, strict=True) if is_in],
            undefined_because=undefined_because,
            weights=None if self.weights is None else self.weights[among],
            n_left_out=self.n_left_out,
            level=self.level,
        )


def plain_rates(
    gold: Sequence[Verdict],
    said: Sequence[Verdict],
    clusters: Sequence[str],
    *,
    weights: Floats | None = None,
    n_left_out: int = 0,
    level: float = LEVEL,
) -> Rates:
    """Return the rates of the items at hand; intervals are Wilson's at the effective number of items.

    Args:
        gold: One label an item.
        said: The judge's verdicts, aligned.
        clusters: The conversation of each item, aligned.
        weights: What each item counts, shape (n,); ``None``: one.
        n_left_out: Labelled items without a verdict, for the record.
    """
    sides = _sides(gold, said, clusters, weights, n_left_out, level)
    is_fail, said_fail = sides.is_fail, sides.said_fail
    return Rates(
        tpr=sides.share(said_fail, is_fail, "no true fail"),
        tnr=sides.share(~said_fail, ~is_fail, "no true pass"),
        precision_of_fail=sides.share(is_fail, said_fail, "no verdict is fail"),
        precision_of_pass=sides.share(~is_fail, ~said_fail, "no verdict is pass"),
        accuracy=sides.share(is_fail == said_fail, np.ones_like(is_fail), "no item"),
        f1_of_fail=_f1(sides.share(is_fail & said_fail, is_fail | said_fail, _NO_FAIL)),
    )


def weighted_rates(
    pairing: Pairing,
    weights: Floats,
    stratified: PostStratified,
    cells: Floats,
    replicates: Floats,
    *,
    level: float = LEVEL,
) -> Rates:
    """Return the rates over the batch from labels that were drawn unevenly.

    Args:
        weights: One weight an item; they carry the precisions.
        stratified: Carries TPR and TNR.
        cells: Weighted table, shape (2, 2); carries accuracy and F1.
        replicates: The same resampled, shape (n_replicates, 2, 2).
    """
    items = pairing.items
    n_left_out = pairing.n_left_out
    sides = _sides(
        [item.gold for item in items], pairing.said, [item.cluster for item in items], weights, n_left_out, level
    )
    accuracy, f1 = (
        bootstrap_estimate(
            float(statistic(cells)),
            statistic(replicates),
            n=len(items),
            undefined_because=why,
            n_left_out=n_left_out,
            level=level,
        )
        for statistic, why in ((accuracy_of, "no item"), (f1_of, _NO_FAIL))
    )
    return Rates(
        tpr=stratified.tpr,
        tnr=stratified.tnr,
        precision_of_fail=sides.share(sides.is_fail, sides.said_fail, "no verdict is fail"),
        precision_of_pass=sides.share(~sides.is_fail, ~sides.said_fail, "no verdict is pass"),
        accuracy=accuracy,
        f1_of_fail=f1,
    )


def _sides(
    gold: Sequence[Verdict],
    said: Sequence[Verdict],
    clusters: Sequence[str],
    weights: Floats | None,
    n_left_out: int,
    level: float,
) -> _Sides:
    is_fail, said_fail = (np.array([verdict == "fail" for verdict in side], dtype=bool) for side in (gold, said))
    return _Sides(is_fail, said_fail, clusters, weights, n_left_out, level)


def _f1(overlap: Estimate) -> Estimate:
    """Turn j = TP / (TP + FP + FN) into F1 = 2j / (1 + j), which grows with j, limits included."""
    if overlap.value is None or overlap.interval is None:
        return overlap
    low, value, high = (2.0 * j / (1.0 + j) for j in (overlap.interval.low, overlap.value, overlap.interval.high))
    interval = Interval(low=low, high=high, level=overlap.interval.level, method="wilson")
    return msgspec.structs.replace(overlap, value=value, interval=interval, n_hits=None)
