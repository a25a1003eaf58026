"""The detailed report of a run: every rate with its n, as one versioned document. Pure."""

from __future__ import annotations

import msgspec

from reports.decisions import DecisionTally
from reports.f1 import Confusion, Selection, confusions, selection
from reports.latency import LatencyTally
from reports.shares import Share, share
from reports.summary import ModelSummary, Summary
from reports.tally import Slice, Tally
from reports.taxonomy import FieldRow, TaxonomyRow, fields, taxonomy
from reports.trials import PassK, all_k, merge_trials, pass_hat_k

DETAIL_FORMAT = "callgrade-report/1"

LARGEST_K = 8
"""pass^k is given for k up to this, as far as any task has that many trials."""


class DecisionReport(msgspec.Struct, frozen=True, kw_only=True):
    """Was a tool called when one was wanted, and only then? "Call" is the positive class."""

    precision: Share
    recall: Share
    """Accuracy of the class "call"."""
    f1: Share
    no_call_accuracy: Share
    """Accuracy of the class "no call"."""
    n_unparsable: int
    """Decisions in which only attempts were made that did not parse; they count as calls."""
    n_optional: int
    """Decisions that were free, and are in no rate."""


class SliceReport(msgspec.Struct, frozen=True, kw_only=True):
    """Cases that share a tag, an edge bucket or a kind of no-call."""

    name: str
    passed: Share
    n_ungraded: int
    """Left out of the share."""


class TrialReport(msgspec.Struct, frozen=True, kw_only=True):
    """Repeated trials of one model."""

    n_tasks: int
    pass_hat_k: tuple[PassK, ...]
    """From k = 1, which is pass@1."""
    all_k: PassK
    """All trials of a task passed, whatever their number."""
    n_repeated: int
    """Attempts whose number their task had already: no trials."""


class LatencyReport(msgspec.Struct, frozen=True, kw_only=True):
    """Percentiles in seconds, within one per cent."""

    name: str
    n: int
    p50_s: float | None
    p95_s: float | None
    p99_s: float | None


class UsageReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the attempts cost, where recorded."""

    n_cases: int
    n_cases_with_tokens: int
    n_input_tokens: int
    n_output_tokens: int
    n_cases_with_cost: int
    cost_usd: float | None
    """``None`` where no case recorded its cost."""


class ModelDetail(msgspec.Struct, frozen=True, kw_only=True):
    """One model, or all of them."""

    name: str
    passed: Share
    n_ungraded: int
    decisions: DecisionReport
    trials: TrialReport | None
    """``None`` where attempts are not numbered; over all models the tasks of each count apart."""
    usage: UsageReport


class Detail(msgspec.Struct, frozen=True, kw_only=True):
    """The whole report."""

    format: str = DETAIL_FORMAT
    policy: str
    overall: ModelDetail
    models: tuple[ModelDetail, ...]
    selection: Selection
    confusions: tuple[Confusion, ...]
    taxonomy: tuple[TaxonomyRow, ...]
    fields: tuple[FieldRow, ...]
    slices: tuple[SliceReport, ...]
    latencies: tuple[LatencyReport, ...]
    """Whole attempts first (``(attempt)``), then by tool."""


def detail(summary: Summary, policy: str) -> Detail:
    """Return the detailed report of a summary."""
    overall = summary.overall
    trials = merge_trials(model.trials for model in summary.models.values())
    n_repeated = sum(model.n_repeated_trials for model in summary.models.values())
    timed = [("(attempt)", overall.usage.latency)]
    timed += [(name, tool.latency) for name, tool in sorted(overall.tools.items())]
    return Detail(
        policy=policy,
        overall=_model("(all)", ModelSummary(tally=overall, trials=trials, n_repeated_trials=n_repeated)),
        models=tuple(_model(name, model) for name, model in sorted(summary.models.items())),
        selection=selection(overall.tools),
        confusions=confusions(overall.confusion),
        taxonomy=taxonomy(summary),
        fields=fields(overall.tools),
        slices=tuple(_slice(name, part) for name, part in sorted(overall.slices.items())),
        latencies=tuple(_latency(name, tally) for name, tally in timed if tally.n),
    )


def _model(name: str, model: ModelSummary) -> ModelDetail:
    tally = model.tally
    return ModelDetail(
        name=name,
        passed=_passed(tally),
        n_ungraded=tally.statuses.get("ungraded", 0),
        decisions=_decisions(tally.decisions),
        trials=_trials(model) if model.trials else None,
        usage=_usage(tally),
    )


def _passed(part: Tally | Slice) -> Share:
    n_passed = part.statuses.get("pass", 0)
    return share(n_passed, n_passed + part.statuses.get("fail", 0))


def _decisions(tally: DecisionTally) -> DecisionReport:
    return DecisionReport(
        precision=share(tally.n_hits, tally.n_hits + tally.n_over),
        recall=share(tally.n_hits, tally.n_hits + tally.n_missed),
        f1=share(2 * tally.n_hits, 2 * tally.n_hits + tally.n_over + tally.n_missed),
        no_call_accuracy=share(tally.n_quiet, tally.n_quiet + tally.n_over),
        n_unparsable=tally.required.get("unparsable", 0) + tally.forbidden.get("unparsable", 0),
        n_optional=sum(tally.optional.values()),
    )


def _slice(name: str, part: Slice) -> SliceReport:
    return SliceReport(name=name, passed=_passed(part), n_ungraded=part.statuses.get("ungraded", 0))


def _trials(model: ModelSummary) -> TrialReport:
    trials = model.trials
    most = max(entry.n_passed + entry.n_failed for entry in trials)
    return TrialReport(
        n_tasks=sum(entry.n_tasks for entry in trials),
        pass_hat_k=tuple(pass_hat_k(trials, k) for k in range(1, min(most, LARGEST_K) + 1)),
        all_k=all_k(trials),
        n_repeated=model.n_repeated_trials,
    )


def _latency(name: str, tally: LatencyTally) -> LatencyReport:
    return LatencyReport(
        name=name,
        n=tally.n,
        p50_s=tally.percentile(0.50),
        p95_s=tally.percentile(0.95),
        p99_s=tally.percentile(0.99),
    )


def _usage(tally: Tally) -> UsageReport:
    usage = tally.usage
    return UsageReport(
        n_cases=tally.n_cases,
        n_cases_with_tokens=usage.n_cases_with_tokens,
        n_input_tokens=usage.n_input_tokens,
        n_output_tokens=usage.n_output_tokens,
        n_cases_with_cost=usage.n_cases_with_cost,
        cost_usd=usage.cost_nano_usd / 1e9 if usage.n_cases_with_cost else None,
    )
