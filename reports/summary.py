"""The summary of a run: tallies over all cases and per model, as one versioned document. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from cases.verdict import Verdict
from reports.tally import Tally

SUMMARY_FORMAT = "callgrade-summary/1"


class Summary(msgspec.Struct, kw_only=True):
    """What a run comes to; all numbers are counts and add up across runs."""

    format: str = SUMMARY_FORMAT
    complete: bool = True
    """False: the run stopped before its end, and the counts cover what was graded."""
    overall: Tally = msgspec.field(default_factory=Tally)
    models: dict[str, Tally] = {}
    """By model; cases without one stand under ``""``."""

    def add(self, verdict: Verdict) -> None:
        """Count one more case."""
        model = verdict.model or ""
        tally = self.models.get(model)
        if tally is None:
            tally = self.models[model] = Tally()
        tally.add(verdict)

    def close(self) -> Summary:
        """Return the same summary with the overall sums made up from the models'."""
        overall = Tally()
        for tally in self.models.values():
            overall.merge(tally)
        return Summary(format=self.format, complete=self.complete, overall=overall, models=self.models)


def summarise(verdicts: Iterable[Verdict]) -> Summary:
    """Return the summary of the verdicts."""
    summary = Summary()
    for verdict in verdicts:
        summary.add(verdict)
    return summary.close()
