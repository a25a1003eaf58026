"""The true pass rate of a batch, post-stratified on the judge's verdict; with TPR and TNR over the batch.

Pure; the only randomness is the generator that is passed in. Right when labels were drawn at random *within*
each verdict, however unevenly between the two: over-sampling the judge's FAILs costs nothing. Degrades to the
labels alone where the judge is worthless, and never divides by TPR + TNR - 1.
"""

from __future__ import annotations

import msgspec
import numpy as np

from calibration.estimate import LEVEL, Estimate, Interval, undefined
from calibration.intervals import Floats
from calibration.pairing import Batch

N_DRAWS = 4_000
_METHOD = "post-stratified draws"
_SHADE = 1.0 / 3.0
"""Below, a share is drawn from Beta(x + 1/3, n - x + 2/3), above from Beta(x + 2/3, n - x + 1/3): between
Jeffreys (1/2 on both sides: 90 % in the worst cell of a trial run of ``benchmarks/coverage.py``) and Clopper-Pearson
(0 and 1: 98 % on average there, and a quarter wider)."""


class LabelledVerdicts(msgspec.Struct, frozen=True, kw_only=True):
    """What the labels say about the judge's PASSes and about its FAILs."""

    passes_right: float
    """Labelled PASS verdicts whose label is pass; an effective count where labels are weighted."""
    n_passes: float
    """Labelled PASS verdicts, likewise."""
    fails_wrong: float
    """Labelled FAIL verdicts whose label is pass."""
    n_fails: float
    """Labelled FAIL verdicts."""


class PostStratified(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of the whole batch, from one set of draws."""

    pass_rate: Estimate
    tpr: Estimate
    tnr: Estimate


def post_stratify(
    verdicts: LabelledVerdicts,
    batch: Batch,
    generator: np.random.Generator,
    *,
    n: int,
    level: float = LEVEL,
) -> PostStratified:
    """Estimate the pass rate as P(said pass) P(pass | said pass) + P(said fail) P(pass | said fail).

    Args:
        verdicts: Counts of labelled verdicts.
        batch: All verdicts of the judge, labelled ones included.
        n: Labels, for the record.

    Returns:
        Each undefined when the batch is empty or there is no label at all. A verdict without a label
        counts as half right, with the whole of 0..1 in the interval.

    Source: discrete case of prediction-powered inference (Angelopoulos et al. 2023); stratified
    sampling, Cochran 1977, section 5A.9; priors as in ``_SHADE``.
    """
    if batch.n_decided == 0 or verdicts.n_passes + verdicts.n_fails == 0:
        nothing = undefined("no verdict in the batch" if batch.n_decided == 0 else "no label")
        return PostStratified(pass_rate=nothing, tpr=nothing, tnr=nothing)
    share = batch.n_pass / batch.n_decided
    right = _share(verdicts.passes_right, verdicts.n_passes)
    wrong = _share(verdicts.fails_wrong, verdicts.n_fails)
    values = _figures(np.array(share), np.array(right), np.array(wrong))
    counts = [verdicts.passes_right, verdicts.n_passes, verdicts.fails_wrong, verdicts.n_fails]
    limits = draw_limits(
        np.array([counts]), np.array([[batch.n_pass, batch.n_decided]], dtype=float), generator, level=level
    )
    whys = ("", "no fail among the labels", "no pass among the labels")
    pass_rate, tpr, tnr = (
        _estimate(float(value), float(low[0]), float(high[0]), n, why, level, batch)
        for value, (low, high), why in zip(values, limits, whys, strict=True)
    )
    return PostStratified(pass_rate=pass_rate, tpr=tpr, tnr=tnr)


def draw_limits(
    labelled: Floats,
    batches: Floats,
    generator: np.random.Generator,
    *,
    level: float = LEVEL,
    n_draws: int = N_DRAWS,
) -> tuple[tuple[Floats, Floats], ...]:
    """Return lower and upper limits of pass rate, TPR and TNR for many data sets at once.

    Args:
        labelled: Shape (m, 4), the columns in the order of ``LabelledVerdicts``.
        batches: Shape (m, 2): PASS verdicts and all verdicts of the batch.

    Returns:
        Three pairs (low, high) of shape (m,), within 0..1.
    """
    passes_right, n_passes, fails_wrong, n_fails = labelled.T

    def draw(hits: Floats, n: Floats, extra: float) -> Floats:
        a, b = hits + extra, n - hits + 1.0 - extra
        return generator.beta(a[:, None], b[:, None], size=(len(a), n_draws))

    share = draw(batches[:, 0], batches[:, 1], 0.5)
    right_low, wrong_low = draw(passes_right, n_passes, _SHADE), draw(fails_wrong, n_fails, _SHADE)
    right_high = draw(passes_right, n_passes, 1.0 - _SHADE)
    wrong_high = draw(fails_wrong, n_fails, 1.0 - _SHADE)
    # TPR and TNR grow with `right` and fall with `wrong`; the pass rate grows with both.
    rate_low, _, _ = _figures(share, right_low, wrong_low)
    rate_high, _, _ = _figures(share, right_high, wrong_high)
    _, tpr_low, tnr_low = _figures(share, right_low, wrong_high)
    _, tpr_high, tnr_high = _figures(share, right_high, wrong_low)
    tail = (1.0 - level) / 2.0
    return tuple(
        (np.quantile(low, tail, axis=-1), np.quantile(high, 1.0 - tail, axis=-1))
        for low, high in ((rate_low, rate_high), (tpr_low, tpr_high), (tnr_low, tnr_high))
    )


def _figures(share: Floats, right: Floats, wrong: Floats) -> tuple[Floats, Floats, Floats]:
    """Return pass rate, TPR, TNR; the latter two NaN where their class does not occur."""
    pass_as_pass, pass_as_fail = share * right, (1.0 - share) * wrong
    fail_as_pass, fail_as_fail = share * (1.0 - right), (1.0 - share) * (1.0 - wrong)
    n_pass, n_fail = pass_as_pass + pass_as_fail, fail_as_pass + fail_as_fail
    return (
        n_pass,
        np.divide(fail_as_fail, n_fail, out=np.full_like(n_fail, np.nan), where=n_fail > 0),
        np.divide(pass_as_pass, n_pass, out=np.full_like(n_pass, np.nan), where=n_pass > 0),
    )


def _share(hits: float, n: float) -> float:
    return hits / n if n > 0 else 0.5


def _estimate(value: float, low: float, high: float, n: int, why: str, level: float, batch: Batch) -> Estimate:
    n_left_out = batch.n_abstained + batch.n_errored
    if np.isnan(value):
        return undefined(why, n=n, n_left_out=n_left_out)
    interval = Interval(low=min(low, value), high=max(high, value), level=level, method=_METHOD)
    return Estimate(value=value, interval=interval, n=n, n_left_out=n_left_out)
