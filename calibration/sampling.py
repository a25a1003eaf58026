"""How the labelled items were drawn from the batch, and the weights that follow.

Pure. Labels drawn unevenly make a judge look better or worse than it is over the batch; weights undo that.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from calibration.intervals import Bools, Floats
from calibration.pairing import Pairing
from calibration.poststratified import LabelledVerdicts
from calibration.shares import effective_number
from cases.errors import InputError

Plan = Literal["random", "by_verdict", "weighted", "elsewhere", "unknown"]
"""``random``: every item of the batch had the same chance. ``by_verdict``: at random within the judge's PASSes
and within its FAILs. ``weighted``: by known, unequal inclusion probabilities. ``elsewhere``: from other items than the
batch, or a set enriched by its labels. ``unknown``: nobody wrote it down."""


def plan_of(pairing: Pairing) -> Plan:
    """Infer the plan from the inclusion probabilities of the labelled items.

    Returns:
        ``unknown`` when none is recorded, unless every verdict of the batch has its label.

    Raises:
        InputError: Some labels have an inclusion probability and some have not.
    """
    recorded = [item.inclusion_probability for item in pairing.items]
    known = [probability for probability in recorded if probability is not None]
    if not known:
        return "unknown" if pairing.unlabelled.n_decided or not recorded else "random"
    if len(known) < len(recorded):
        item = next(item for item in pairing.items if item.inclusion_probability is None)
        raise InputError(
            f"item {item.item!r} has no inclusion_probability while others have one; record it for all"
            " labels, or for none and name the plan with --sampling"
        )
    within = {
        side: {probability for probability, said in zip(known, pairing.said, strict=True) if said == side}
        for side in ("pass", "fail")
    }
    if len(within["pass"] | within["fail"]) == 1:
        return "random"
    if all(len(values) <= 1 for values in within.values()):
        return "by_verdict"
    return "weighted"


def is_even(plan: Plan) -> bool:
    """Tell whether the labelled items count one each (their table can be read as it stands)."""
    return plan not in ("by_verdict", "weighted")


def weights_of(pairing: Pairing, plan: Plan) -> Floats:
    """Return one weight an item, mean 1.

    For uneven plans the weights are inverse inclusion probabilities, scaled within each verdict to that
    verdict's share of the batch; otherwise ones.
    """
    weights = np.ones(len(pairing.items))
    if is_even(plan):
        return weights
    if plan == "weighted":
        weights = np.array([1.0 / (item.inclusion_probability or 1.0) for item in pairing.items])
    said_pass = _said_pass(pairing)
    for mask, share in ((said_pass, pairing.batch.n_pass), (~said_pass, pairing.batch.n_fail)):
        if mask.any():
            weights[mask] *= share / weights[mask].sum()
    return weights * (len(weights) / weights.sum()) if weights.any() else weights


def labelled_verdicts(pairing: Pairing, weights: Floats) -> LabelledVerdicts:
    """Count right and wrong verdicts, by effective numbers where weights differ or items share conversations."""
    said_pass = _said_pass(pairing)
    is_pass = np.array([item.gold == "pass" for item in pairing.items], dtype=bool)
    clusters = np.array([item.cluster for item in pairing.items], dtype=object)
    passes_right, n_passes = _effective(is_pass, clusters, weights, said_pass)
    fails_wrong, n_fails = _effective(is_pass, clusters, weights, ~said_pass)
    return LabelledVerdicts(passes_right=passes_right, n_passes=n_passes, fails_wrong=fails_wrong, n_fails=n_fails)


def _effective(hit: Bools, clusters: np.ndarray, weights: Floats, among: Bools) -> tuple[float, float]:
    """Return hits and trials of the items in ``among`` as effective numbers."""
    total = float(weights[among].sum())
    if total == 0.0:
        return 0.0, 0.0
    n = effective_number(hit[among], list(clusters[among]), weights[among])
    return float(weights[among] @ hit[among]) / total * n, n


def _said_pass(pairing: Pairing) -> Bools:
    return np.array([said == "pass" for said in pairing.said], dtype=bool)
