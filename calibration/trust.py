"""May this grader be believed? The answer in plain words, with what is missing.

Pure. Three answers: *trusted*, *untrusted*, *too few labels*. A grader is trusted when the lower limits of its TPR,
TNR and precision of FAIL reach the bar, it gives verdicts, and it is shown to beat every trivial grader.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from calibration.agreement import Agreement, BaselineAgreement
from calibration.estimate import LEVEL, Estimate
from calibration.planning import EXPECTED_RATE, labels_to_certify
from calibration.records import Verdict

Status = Literal["trusted", "untrusted", "too_few_labels"]


class Bar(msgspec.Struct, frozen=True, kw_only=True):
    """What the lower confidence limits must reach, each within 0..1."""

    tpr: float = 0.80
    tnr: float = 0.80
    precision_of_fail: float = 0.50
    """Not asked of labels from elsewhere: it depends on how frequent fails are in the batch."""
    max_no_verdict: float = 0.20
    """Largest share of answers that may be abstentions or unreadable; not a confidence limit."""


class MoreLabels(msgspec.Struct, frozen=True, kw_only=True):
    """Labels that are missing for one requirement."""

    n: int
    of_class: Verdict | None
    """The true class they must have; ``None``: as they come."""
    purpose: str


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a grader may gate, and why."""

    status: Status
    reasons: tuple[str, ...]
    """Sentences, worst first; for a trusted grader what it was trusted for."""
    more: tuple[MoreLabels, ...] = ()
    """What to label so that the open questions close, if the rates stay as observed."""

    @property
    def sentence(self) -> str:
        """The whole answer on one line."""
        name = self.status.replace("_", " ")
        return f"{name}: {'; '.join(self.reasons)}"


def judge_trust(agreement: Agreement, bar: Bar, *, level: float = LEVEL) -> Trust:
    """Hold the figures against ``bar`` and against the trivial graders.

    A figure whose interval lies below its bar, or that lies below it although there are enough labels to
    show better, makes the grader untrusted; one that may yet reach the bar asks for labels.
    """
    rates = agreement.rates
    demands = [
        _demand("TPR", "finds", "true fails", rates.tpr, bar.tpr, "fail", level),
        _demand("TNR", "keeps", "true passes", rates.tnr, bar.tnr, "pass", level),
    ]
    if agreement.pass_rate.plan != "elsewhere":
        demands.append(_precision_demand(rates.precision_of_fail, bar.precision_of_fail, level))
    falls_short = any(demand.failure for demand in demands)
    demands.append(_verdict_demand(agreement, bar.max_no_verdict))
    is_open = any(demand.more for demand in demands)
    demands += [
        _baseline_demand(each, agreement, falls_short=falls_short, is_open=is_open) for each in agreement.baselines
    ]
    failures = tuple(demand.failure for demand in reversed(demands) if demand.failure)
    more = tuple(demand.more for demand in demands if demand.more)
    if failures:
        return Trust(status="untrusted", reasons=failures, more=more)
    if more:
        return Trust(status="too_few_labels", reasons=tuple(_wish(each) for each in more), more=more)
    return Trust(status="trusted", reasons=tuple(demand.met for demand in demands if demand.met))


class _Demand(msgspec.Struct, frozen=True, kw_only=True):
    """One requirement: met, failed, or open until there are more labels."""

    met: str | None = None
    failure: str | None = None
    more: MoreLabels | None = None


def _demand(name: str, verb: str, objects: str, rate: Estimate, bar: float, side: Verdict, level: float) -> _Demand:
    purpose = f"certify {name} >= {bar:.2f}"
    if rate.value is None or rate.interval is None:
        n = labels_to_certify(bar, max(EXPECTED_RATE, (1.0 + bar) / 2.0), level=level) or 1
        return _Demand(more=MoreLabels(n=n, of_class=side, purpose=purpose))
    limits = f"{_short(rate)} {_limits(rate)}"
    if rate.interval.low >= bar:
        return _Demand(met=f"{verb} {limits} of the {objects} (bar {bar:.2f})")
    failure = f"{verb} only {limits} of the {objects}; the bar is {bar:.2f}"
    if rate.interval.high < bar:
        return _Demand(failure=failure)
    hoped_for = rate.value if rate.value > bar else max(EXPECTED_RATE, (1.0 + bar) / 2.0)
    wanted = labels_to_certify(bar, hoped_for, level=level)
    if wanted is None or (rate.value <= bar and _independent(rate) >= wanted):
        return _Demand(failure=failure)
    return _Demand(more=MoreLabels(n=_missing(wanted, rate), of_class=side, purpose=purpose))


def _verdict_demand(agreement: Agreement, limit: float) -> _Demand:
    batch = agreement.batch
    n_none = batch.n_abstained + batch.n_errored
    if n_none <= limit * batch.n:
        return _Demand()
    return _Demand(
        failure=f"gives no verdict on {n_none} of {batch.n} items"
        f" ({batch.n_abstained} abstained, {batch.n_errored} errored); at most {limit:.2f} of them may have none"
    )


def _precision_demand(rate: Estimate, bar: float, level: float) -> _Demand:
    if rate.value is None or rate.interval is None:
        return _Demand()
    limits = f"{_short(rate)} {_limits(rate)}"
    if rate.interval.low >= bar:
        return _Demand(met=f"{limits} of its FAILs are right (bar {bar:.2f})")
    wanted = labels_to_certify(bar, rate.value, level=level)
    if rate.interval.high < bar or wanted is None:
        return _Demand(failure=f"only {limits} of its FAILs are right; the bar is {bar:.2f}")
    return _Demand(
        more=MoreLabels(
            n=_missing(wanted, rate),
            of_class=None,
            purpose=f"certify precision of FAIL >= {bar:.2f}, drawn from its FAILs",
        )
    )


def _baseline_demand(baseline: BaselineAgreement, agreement: Agreement, *, falls_short: bool, is_open: bool) -> _Demand:
    """Useless is said of a grader that falls short of a bar or has all its labels, and is not ahead."""
    lead = baseline.lead
    if lead.value is None:
        return _Demand()
    if lead.low is not None and lead.low > 0.0:
        return _Demand(met=f"beats {baseline.name!r} by kappa {lead.value:.2f}")
    is_behind = lead.high is not None and lead.high <= 0.0
    if falls_short or is_behind or (lead.value <= 0.0 and not is_open):
        return _Demand(failure=_useless(baseline, agreement))
    if lead.value <= 0.0 or lead.low is None:
        return _Demand()
    ratio = ((lead.value - lead.low) / lead.value) ** 2
    n = max(1, math.ceil(lead.n * (ratio - 1.0)))
    purpose = f"show that it beats {baseline.name!r}"
    return _Demand(more=MoreLabels(n=n, of_class=None, purpose=purpose))


def _independent(rate: Estimate) -> float:
    return rate.n if rate.n_effective is None else rate.n_effective


def _missing(wanted: int, rate: Estimate) -> int:
    """Return the labels short of ``wanted`` independent ones, if further ones are as dependent as these."""
    return max(1, math.ceil(wanted * rate.n / _independent(rate)) - rate.n)


def _useless(baseline: BaselineAgreement, agreement: Agreement) -> str:
    own, other = _short(agreement.kappa), _short(baseline.kappa)
    sentence = (
        f"useless: not shown to do better than the trivial grader {baseline.name!r} (kappa {own} against {other})"
    )
    within = agreement.kappa_within
    if within.low is not None and within.low > 0.0:
        return f"{sentence}, though it agrees within strata (kappa {_short(within)} {_limits(within)})"
    return sentence


def _short(estimate: Estimate) -> str:
    return "undefined" if estimate.value is None else f"{estimate.value:.2f}"


def _limits(estimate: Estimate) -> str:
    return "" if estimate.interval is None else f"[{estimate.interval.low:.2f}, {estimate.interval.high:.2f}]"


def _wish(more: MoreLabels) -> str:
    of = f" of class {more.of_class}" if more.of_class else ""
    return f"{more.n} more label{'s' if more.n > 1 else ''}{of} to {more.purpose}"
