"""The calibration report for people: what they agree on, then each judge beside its trivial graders. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calibration.agreement import Agreement
from calibration.comparison import Comparison
from calibration.estimate import Estimate
from calibration.report import CalibrationReport, JudgeReport
from cases.jsonvalue import visible
from reports.lines import Column, Line, Table

NOTHING = "-"
"""Stands where a figure is undefined; the reason is in the JSON document."""


def agreement_lines(report: CalibrationReport) -> Iterator[Line]:
    """Yield the lines of the report."""
    yield [(gold_line(report), "bold")]
    yield [(ceiling_line(report), "")]
    yield []
    for judge in report.judges:
        yield [(f"{visible(judge.agreement.judge)}: ", "bold"), (visible(judge.trust.sentence), "")]
    agreements = [judge.agreement for judge in report.judges]
    for table in (
        _answers(agreements),
        _kappas(agreements),
        _rates(agreements),
        _precisions(agreements),
        _baselines(agreements),
        _strata(agreements),
        _pass_rates(agreements),
        _scores(report.judges),
        _comparisons(report.comparisons),
    ):
        if table.rows:
            yield []
            yield from table.lines()


def gold_line(report: CalibrationReport) -> str:
    """Return how many items have a settled label and how many labelled items have none."""
    n_pass = report.n_gold - report.n_gold_fail
    return (
        f"{report.n_gold} items with gold: {report.n_gold_fail} fail, {n_pass} pass"
        f" (left out: {report.n_disputed} disputed, {report.n_short} with fewer than"
        f" {report.settings.min_labels} label(s) that take a side)"
    )


def ceiling_line(report: CalibrationReport) -> str:
    """Return how far people agree among themselves."""
    ceiling = report.ceiling
    if ceiling.alpha.value is None and ceiling.unanimous.value is None:
        return f"People among themselves: not known, {ceiling.unanimous.undefined}"
    return (
        f"People among themselves, on {ceiling.unanimous.n} items with two or more labels:"
        f" alpha {figure(ceiling.alpha)}, kappa first against second {figure(ceiling.kappa)},"
        f" unanimous {figure(ceiling.unanimous)}"
    )


def figure(estimate: Estimate) -> str:
    """Return value and interval with three decimals; a rounded 0 or 1 only when it is exact."""
    if estimate.value is None:
        return NOTHING
    shown = decimals(estimate.value)
    if estimate.interval is None:
        return shown
    return f"{shown} [{decimals(estimate.interval.low)}, {decimals(estimate.interval.high)}]"


def decimals(value: float) -> str:
    """Return three decimals that read 0.000 or 1.000 only when it is exact."""
    if value not in {-1.0, 0.0, 1.0}:
        sign = -1.0 if value < 0.0 else 1.0
        value = sign * min(max(abs(value), 0.001), 0.999)
    return f"{value:.3f}"


def _answers(agreements: Iterable[Agreement]) -> Table:
    rows: list[list[str]] = []
    for each in agreements:
        batch = each.batch
        counts = (batch.n, batch.n_pass, batch.n_fail, batch.n_abstained, batch.n_errored)
        rows.append([visible(each.judge), *map(str, (*counts, each.table.n, each.n_unanswered))])
    return _table(
        rows,
        "Answers",
        "judge",
        "all",
        "PASS",
        "FAIL",
        "abstained",
        "errored",
        "decided with gold",
        "gold not asked",
    )


def _kappas(agreements: Iterable[Agreement]) -> Table:
    rows: list[list[str]] = []
    for each in agreements:
        figures = (each.kappa, each.kappa_within, each.ac1)
        rows.append([visible(each.judge), str(each.table.n), *map(figure, figures)])
    return _table(
        rows,
        "Agreement (beyond chance; 1 is perfect, 0 is chance)",
        "judge",
        "n",
        "kappa",
        "kappa within strata",
        "AC1",
    )


def _rates(agreements: Iterable[Agreement]) -> Table:
    rows: list[list[str]] = []
    for each in agreements:
        rates = each.rates
        rows.append(
            [
                visible(each.judge),
                str(each.table.n_fail),
                figure(rates.tpr),
                str(each.table.n_pass),
                figure(rates.tnr),
                figure(rates.f1_of_fail),
            ]
        )
    return _table(rows, "Rates (fail is the positive class)", "judge", "fails", "TPR", "passes", "TNR", "F1 of FAIL")


def _precisions(agreements: Iterable[Agreement]) -> Table:
    rows: list[list[str]] = []
    for each in agreements:
        rates = each.rates
        rows.append(
            [
                visible(each.judge),
                str(each.table.n_said_fail),
                figure(rates.precision_of_fail),
                str(each.table.n_said_pass),
                figure(rates.precision_of_pass),
                figure(rates.accuracy),
            ]
        )
    return _table(
        rows,
        "What a verdict is worth",
        "judge",
        "FAILs",
        "precision of FAIL",
        "PASSes",
        "precision of PASS",
        "accuracy",
    )


def _baselines(agreements: Iterable[Agreement]) -> Table:
    rows = [
        [visible(each.judge), baseline.name, *map(figure, (baseline.kappa, baseline.kappa_within, baseline.lead))]
        for each in agreements
        for baseline in each.baselines
    ]
    return _table(
        rows,
        "Trivial graders on the same items",
        "judge",
        "~trivial grader",
        "its kappa",
        "within strata",
        "the judge's lead",
    )


def _strata(agreements: Iterable[Agreement]) -> Table:
    rows = [
        [
            visible(each.judge),
            visible(stratum.stratum) or "(none)",
            str(stratum.table.n),
            f"{stratum.table.fail_as_fail} of {stratum.table.n_fail}",
            f"{stratum.table.pass_as_pass} of {stratum.table.n_pass}",
            figure(stratum.kappa),
        ]
        for each in agreements
        for stratum in each.strata
    ]
    return _table(rows, "By stratum", "judge", "~stratum", "n", "fails found", "passes kept", "kappa")


def _pass_rates(agreements: Iterable[Agreement]) -> Table:
    rows: list[list[str]] = []
    for each in agreements:
        rate = each.pass_rate
        rows.append(
            [
                visible(each.judge),
                str(rate.raw.n),
                figure(rate.raw),
                figure(rate.corrected),
                figure(rate.check),
                rate.because if rate.corrected.undefined is None else f"{rate.because}: {rate.corrected.undefined}",
            ]
        )
    return _table(
        rows, "Pass rate of the batch", "judge", "n", "as judged", "corrected", "check (PPI++)", "~estimator, and why"
    )


def _scores(judges: Iterable[JudgeReport]) -> Table:
    rows: list[list[str]] = []
    for judge in judges:
        scores = judge.scores
        if scores is None:
            continue
        chosen, rule = scores.threshold, scores.selective
        rows.append(
            [
                visible(judge.agreement.judge),
                str(scores.raw.brier.n),
                figure(scores.raw.brier),
                figure(scores.raw.ece),
                NOTHING if scores.scaled is None else figure(scores.scaled.ece),
                *(
                    (NOTHING,) * 4
                    if chosen is None
                    else (decimals(chosen.threshold), figure(chosen.tpr), figure(chosen.tnr), str(chosen.n_looks))
                ),
                scores.no_selective or NOTHING
                if rule is None
                else f"{rule.coverage:.0%} of the items, agreement >= {rule.target:.2f}"
                f" (|score - 0.5| >= {rule.min_confidence:.3f})",
            ]
        )
    return _table(
        rows,
        "Scores (threshold chosen on dev, reported on test)",
        "judge",
        "n",
        "Brier",
        "ECE",
        "ECE on test after Platt",
        "threshold",
        "TPR",
        "TNR",
        "looks at test",
        "~decides alone",
    )


def _comparisons(comparisons: Iterable[Comparison]) -> Table:
    rows = [
        [
            visible(each.judge),
            visible(each.other),
            str(each.n),
            figure(each.lead),
            figure(each.lead_within),
            str(each.right.n_only_first),
            str(each.right.n_only_second),
            decimals(each.right.p_value),
        ]
        for each in comparisons
    ]
    return _table(
        rows,
        "Two judges on the same items",
        "judge",
        "~minus",
        "n",
        "kappa",
        "within strata",
        "only it right",
        "only the other",
        "p",
    )


def _table(rows: list[list[str]], title: str, *heads: str) -> Table:
    """Return a table whose first column, and those marked by a tilde, are text."""
    columns = [
        Column(head.removeprefix("~"), is_number=index > 0 and not head.startswith("~"))
        for index, head in enumerate(heads)
    ]
    return Table(title=title, columns=columns, rows=rows)
