"""How far one grader agrees with people: everything that is measured, as one value.

Pure; the only randomness is the generator that is passed in. Every agreement figure comes pooled, within strata
and per stratum, beside what trivial graders score on the same items.
"""

from __future__ import annotations

import msgspec
import numpy as np

from calibration.baselines import baselines
from calibration.cells import stratum_of
from calibration.chooser import CorrectedRate, correct
from calibration.confusion import Confusion, tabulate
from calibration.estimate import LEVEL, Estimate
from calibration.intervals import proportion
from calibration.pairing import Batch, Pairing
from calibration.poststratified import post_stratify
from calibration.rates import Rates, plain_rates, weighted_rates
from calibration.records import Verdict
from calibration.resampled import ResampledTables, resample_tables
from calibration.sampling import Plan, is_even, labelled_verdicts, weights_of


class StratumAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on the items of one stratum."""

    stratum: str
    table: Confusion
    kappa: Estimate


class BaselineAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """What a trivial grader scores on the judge's items, and how far the judge is ahead."""

    name: str
    kappa: Estimate
    kappa_within: Estimate
    lead: Estimate
    """Pooled kappa of the judge minus that of the baseline, paired."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """One grader against the labels."""

    judge: str
    table: Confusion
    """Plain counts of labelled items."""
    batch: Batch
    abstained: Estimate
    """Share of all answers in which the judge would not say."""
    errored: Estimate
    """Share of all answers that could not be read."""
    n_unanswered: int
    """Labelled items that the judge was not asked about."""
    rates: Rates
    kappa: Estimate
    kappa_within: Estimate
    """Pooled within strata: what is left when knowing the stratum is taken away."""
    ac1: Estimate
    strata: tuple[StratumAgreement, ...]
    baselines: tuple[BaselineAgreement, ...]
    pass_rate: CorrectedRate


def measure(
    pairing: Pairing,
    plan: Plan,
    generator: np.random.Generator,
    *,
    level: float = LEVEL,
) -> Agreement:
    """Measure one judge.

    Args:
        pairing: Its answers beside the gold; may be empty, which leaves every figure undefined.
        plan: How the labelled items were drawn; uneven plans are weighted back to the batch.
        generator: Source of the bootstrap and of the draws; same state, same report.
        level: Nominal coverage of every interval.
    """
    table = tabulate((item.gold for item in pairing.items), pairing.said, n_left_out=pairing.n_left_out)
    weights = weights_of(pairing, plan)
    verdicts = labelled_verdicts(pairing, weights)
    for_draws, for_bootstrap = generator.spawn(2)  # apart, so that neither's figures depend on the other's
    stratified = post_stratify(verdicts, pairing.batch, for_draws, n=table.n, level=level)
    trivial = baselines(pairing.items) if pairing.items else ()
    tables = resample_tables(
        pairing.items,
        [pairing.said, *(each.said for each in trivial)],
        weights,
        for_bootstrap,
        n_left_out=pairing.n_left_out,
        level=level,
    )
    if is_even(plan):
        rates = plain_rates(
            [item.gold for item in pairing.items],
            pairing.said,
            [item.cluster for item in pairing.items],
            n_left_out=pairing.n_left_out,
            level=level,
        )
    else:
        rates = weighted_rates(pairing, weights, stratified, *tables.pooled(0), level=level)
    batch = pairing.batch
    return Agreement(
        judge=pairing.judge,
        table=table,
        batch=batch,
        abstained=proportion(batch.n_abstained, batch.n, level=level),
        errored=proportion(batch.n_errored, batch.n, level=level),
        n_unanswered=pairing.n_unanswered,
        rates=rates,
        kappa=tables.kappa(0),
        kappa_within=tables.kappa_within(0),
        ac1=tables.ac1(0),
        strata=_strata(pairing, tables) if len(tables.strata) > 1 else (),
        baselines=tuple(
            BaselineAgreement(
                name=each.name,
                kappa=tables.kappa(index),
                kappa_within=tables.kappa_within(index),
                lead=tables.lead(0, index),
            )
            for index, each in enumerate(trivial, start=1)
        ),
        pass_rate=correct(pairing, plan, rates, stratified, weights, level=level),
    )


def _strata(pairing: Pairing, tables: ResampledTables) -> tuple[StratumAgreement, ...]:
    found: list[StratumAgreement] = []
    for index, name in enumerate(tables.strata):
        sides: list[tuple[Verdict, Verdict]] = [
            (item.gold, said)
            for item, said in zip(pairing.items, pairing.said, strict=True)
            if stratum_of(item) == name
        ]
        table = tabulate((gold for gold, _ in sides), (said for _, said in sides))
        found.append(StratumAgreement(stratum=name, table=table, kappa=tables.kappa_in(0, index)))
    return tuple(found)
