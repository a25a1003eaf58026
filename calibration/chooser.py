"""The corrected pass rate: which estimator fits how the labels were drawn, or what is missing for any.

Pure; the only randomness is the generator that is passed in. The choice and its reason are part of the answer.
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from calibration.estimate import LEVEL, Estimate, undefined
from calibration.intervals import Floats, normal_quantile, proportion
from calibration.pairing import Batch, Pairing
from calibration.poststratified import PostStratified
from calibration.predictionpowered import ppi_plus_plus
from calibration.rates import Rates
from calibration.rogangladen import rogan_gladen, surplus_low
from calibration.sampling import Plan

Estimator = Literal["post_stratified", "rogan_gladen", "none"]

MIN_LABELS = 10
"""Labels below which no rate is corrected; for Rogan-Gladen, labels of each class."""

_BECAUSE: dict[Plan, str] = {
    "random": "labels are a random sample of the batch",
    "by_verdict": "labels were drawn at random within each verdict of the judge",
    "weighted": "labels were drawn with known inclusion probabilities",
    "elsewhere": "labels are not a sample of the batch, so only TPR and TNR carry over",
    "unknown": "it is not known how the labels were drawn from the batch",
}


class CorrectedRate(msgspec.Struct, frozen=True, kw_only=True):
    """The pass rate of a batch: as the judge has it, and corrected for the judge's errors."""

    plan: Plan
    estimator: Estimator
    because: str
    """Why this estimator, or why none, in words."""
    raw: Estimate
    """Share of PASS verdicts in the batch; its interval knows nothing of the judge's errors."""
    corrected: Estimate
    check: Estimate
    """PPI++ on the same labels, where it applies; not to be quoted."""


def correct(
    pairing: Pairing,
    plan: Plan,
    rates: Rates,
    stratified: PostStratified,
    weights: Floats,
    *,
    level: float = LEVEL,
) -> CorrectedRate:
    """Choose the estimator for ``plan`` and return its estimate, or a refusal that says what is missing.

    Args:
        rates: Of ``pairing``; read for labels from elsewhere.
        stratified: Post-stratified figures of ``pairing``.
        weights: See ``calibration.sampling.weights_of``.
    """
    if plan == "elsewhere":
        return _from_elsewhere(pairing, rates, level)
    raw = _raw(pairing.batch, level)
    n = len(pairing.items)
    if plan == "unknown":
        missing = "say how the labels were drawn: inclusion_probability on every label, or --sampling"
        return _refusal(plan, raw, missing, n)
    if n < MIN_LABELS:
        missing = f"{MIN_LABELS - n} more labels (at least {MIN_LABELS} in all)"
        return _refusal(plan, raw, missing, n)
    is_pass = np.array([item.gold == "pass" for item in pairing.items], dtype=float)
    said_pass = np.array([said == "pass" for said in pairing.said], dtype=float)
    return CorrectedRate(
        plan=plan,
        estimator="post_stratified",
        because=f"{_BECAUSE[plan]}: post-stratified on the verdict",
        raw=raw,
        corrected=stratified.pass_rate,
        check=ppi_plus_plus(is_pass, said_pass, weights, pairing.batch, level=level),
    )


def _from_elsewhere(pairing: Pairing, rates: Rates, level: float) -> CorrectedRate:
    batch, n = pairing.unlabelled, len(pairing.items)
    raw = _raw(batch, level)
    missing = [
        f"{MIN_LABELS - rate.n} more labels of class {name}"
        for name, rate in (("fail", rates.tpr), ("pass", rates.tnr))
        if rate.n < MIN_LABELS
    ]
    if batch.n_decided == 0:
        missing.append("answers to items without labels: they are the batch")
    counts = (*_counts(rates.tpr), *_counts(rates.tnr))
    if not missing and surplus_low(*counts, normal_quantile(level)) <= 0.0:
        missing.append("a better judge or more labels: TPR + TNR may be <= 1, so the verdicts may be noise")
    if missing:
        return _refusal("elsewhere", raw, "; ".join(missing), n)
    corrected = rogan_gladen(
        *counts, batch.n_pass, batch.n_decided, n=n, n_left_out=batch.n_abstained + batch.n_errored, level=level
    )
    if corrected.low == corrected.high:
        contradiction = "labels that fit the batch: with this TPR and TNR no pass rate explains its verdicts"
        return _refusal("elsewhere", raw, contradiction, n)
    return CorrectedRate(
        plan="elsewhere",
        estimator="rogan_gladen",
        because=f"{_BECAUSE['elsewhere']}: Rogan-Gladen",
        raw=raw,
        corrected=corrected,
        check=undefined("PPI++ needs labels drawn from the batch"),
    )


def _counts(rate: Estimate) -> tuple[float, float]:
    """Return hits and trials as effective numbers."""
    n = rate.n if rate.n_effective is None else rate.n_effective
    return (rate.value or 0.0) * n, n


def _refusal(plan: Plan, raw: Estimate, missing: str, n: int) -> CorrectedRate:
    return CorrectedRate(
        plan=plan,
        estimator="none",
        because=_BECAUSE[plan],
        raw=raw,
        corrected=undefined(f"refused; missing: {missing}", n=n),
        check=undefined("no corrected rate to check"),
    )


def _raw(batch: Batch, level: float) -> Estimate:
    return proportion(
        batch.n_pass,
        batch.n_decided,
        n_left_out=batch.n_abstained + batch.n_errored,
        level=level,
    )
