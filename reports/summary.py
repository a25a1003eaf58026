"""The summary of a run: tallies over all cases and per model, as one versioned document. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from cases.verdict import Verdict
from deterministic.buckets import Bucket
from reports.tally import MAX_NAMES, OTHER, Tally
from reports.trials import TrialInventory, Trials

SUMMARY_FORMAT = "callgrade-summary/1"


class ModelSummary(msgspec.Struct, kw_only=True):
    """One model's sums."""

    tally: Tally = msgspec.field(default_factory=Tally)
    trials: tuple[Trials, ...] = ()
    """Tasks by the outcome of their trials; empty where attempts are not numbered."""


class Summary(msgspec.Struct, kw_only=True):
    """What a run comes to; all numbers are counts and add up across runs."""

    format: str = SUMMARY_FORMAT
    overall: Tally = msgspec.field(default_factory=Tally)
    models: dict[str, ModelSummary] = {}
    """By model; cases without one stand under ``""``."""


class SummaryBuilder:
    """Makes a summary from verdicts, one by one."""

    def __init__(self) -> None:
        """Start empty."""
        self._tallies: dict[str, Tally] = {}
        self._trials: dict[str, TrialInventory] = {}

    def add(self, verdict: Verdict, buckets: Iterable[Bucket] = ()) -> None:
        """Count one more case; ``buckets`` are the edge buckets that it touches."""
        model = verdict.model or ""
        if model not in self._tallies and len(self._tallies) >= MAX_NAMES:
            model = OTHER
        tally = self._tallies.get(model)
        if tally is None:
            tally = self._tallies[model] = Tally()
        tally.add(verdict, buckets)
        if verdict.attempt is not None:
            self._trials.setdefault(model, TrialInventory()).add(verdict.task_id, verdict.status)

    def build(self) -> Summary:
        """Return the summary so far, the overall sums made up from the models'."""
        overall = Tally()
        for tally in self._tallies.values():
            overall.merge(tally)
        models = {
            name: ModelSummary(tally=tally, trials=self._trials[name].table() if name in self._trials else ())
            for name, tally in self._tallies.items()
        }
        return Summary(overall=overall, models=models)


def summarise(verdicts: Iterable[Verdict]) -> Summary:
    """Return the summary of the verdicts."""
    builder = SummaryBuilder()
    for verdict in verdicts:
        builder.add(verdict)
    return builder.build()
