"""The detailed report as tables for the console; every rate shows its n, and an undefined one says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cases.failure import CLASSES
from cases.jsonvalue import visible
from reports.detail import Detail, ModelDetail
from reports.intervals import percent
from reports.shares import share_text
from reports.texttable import text_table
from reports.trials import PassK

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

ROWS = 30
"""Rows of a table on the console; ``--json`` has them all."""


def print_detail(console: Console, report: Detail) -> None:
    """Print the report."""
    passed = share_text(report.overall.passed)
    left_out = f"; {report.overall.n_ungraded} ungraded, left out" if report.overall.n_ungraded else ""
    console.print(f"Report under {report.policy}: {passed} graded cases pass{left_out}", style="bold")
    rows = [*report.models, report.overall] if len(report.models) > 1 else [report.overall]
    for table in (
        _decision_table(rows),
        _trial_table(rows),
        _f1_table(report),
        _confusion_table(report),
        _taxonomy_table(report),
        _chain_table(report),
        _field_table(report),
        _slice_table(report),
        _latency_table(report),
        _usage_table(rows),
    ):
        if table.row_count:
            console.print(table)


def _name(name: str) -> str:
    return visible(name) or "(not recorded)"


def _tool(name: str) -> str:
    return visible(name) or "(none)"


def _decision_table(rows: list[ModelDetail]) -> Table:
    table = text_table(
        "\nDecide: was a call made where one was wanted, and only there?",
        "model",
        *("precision", "recall (call)", "F1", "accuracy (no call)", "unparsable", "optional"),
    )
    for row in rows:
        d = row.decisions
        shares = (d.precision, d.recall, d.f1, d.no_call_accuracy)
        table.add_row(_name(row.name), *map(share_text, shares), str(d.n_unparsable), str(d.n_optional))
    return table


def _trial_table(rows: list[ModelDetail]) -> Table:
    largest = max((len(row.trials.pass_hat_k) for row in rows if row.trials), default=0)
    table = text_table(
        "\nTrials: probability that k trials of a task all pass",
        *("model", "tasks"),
        *(f"pass^{k}" for k in range(1, largest + 1)),
        "all trials",
    )
    for row in rows:
        if row.trials is not None:
            cells = [_pass_k(found) for found in row.trials.pass_hat_k]
            cells += [""] * (largest - len(cells))
            table.add_row(_name(row.name), str(row.trials.n_tasks), *cells, _pass_k(row.trials.all_k))
    return table


def _pass_k(found: PassK) -> str:
    shown = "undefined" if found.value is None else percent(found.value)
    left_out = f", {found.n_left_out} left out" if found.n_left_out else ""
    return f"{shown} of {found.n_tasks}{left_out}"


def _f1_table(report: Detail) -> Table:
    found = report.selection
    table = text_table("\nSelect: F1 by tool", "tool", "precision", "recall", "F1")
    for row in (*found.tools[:ROWS], found.micro):
        if row.f1.n:
            table.add_row(visible(row.tool), share_text(row.precision), share_text(row.recall), share_text(row.f1))
    if found.macro_f1 is not None:
        table.add_row("(mean of tools)", "", "", f"{percent(found.macro_f1)} of {len(found.tools)}")
    return table


def _confusion_table(report: Detail) -> Table:
    table = text_table("\nConfusions (wanted, called)", "wanted", "~called", "calls")
    for cell in [cell for cell in report.confusions if cell.wanted != cell.called][:ROWS]:
        table.add_row(_tool(cell.wanted), _tool(cell.called), str(cell.n))
    return table


def _taxonomy_table(report: Detail) -> Table:
    table = text_table("\nTaxonomy: failures by class", "model or tool", "~unit", "n", *CLASSES)
    for row in [row for row in report.taxonomy if row.n][:ROWS]:
        name = _name(row.name) if row.kind == "model" else _tool(row.name)
        table.add_row(name, row.unit, str(row.n), *(str(row.classes[one]) for one in CLASSES))
    return table


def _chain_table(report: Detail) -> Table:
    table = text_table(
        "\nCalls: each rate given the one before",
        "model or tool",
        *("parsed", "intent | parsed", "schema | intent", "value | schema"),
    )
    for row in [row for row in report.taxonomy if row.chain.parsed.n][:ROWS]:
        c = row.chain
        shares = (c.parsed, c.intent_given_parsed, c.schema_given_intent, c.value_given_schema)
        table.add_row(_name(row.name) if row.kind == "model" else _tool(row.name), *map(share_text, shares))
    return table


def _field_table(report: Detail) -> Table:
    table = text_table("\nConstruct: failures by argument", "tool", "~argument", "failures", "calls", "~how")
    for row in report.fields[:ROWS]:
        how = ", ".join(f"{mode} {n}" for mode, n in sorted(row.modes.items(), key=lambda item: (-item[1], item[0])))
        table.add_row(_tool(row.tool), visible(row.field), str(row.n), str(row.n_calls), how)
    return table


def _slice_table(report: Detail) -> Table:
    table = text_table("\nSlices: tags, edge buckets, kinds of no-call", "slice", "pass", "ungraded")
    for part in report.slices[:ROWS]:
        table.add_row(visible(part.name), share_text(part.passed), str(part.n_ungraded))
    return table


def _latency_table(report: Detail) -> Table:
    table = text_table("\nLatency in seconds", "of", "n", "p50", "p95", "p99")
    for row in report.latencies[:ROWS]:
        seconds = ("" if value is None else f"{value:.3g}" for value in (row.p50_s, row.p95_s, row.p99_s))
        table.add_row(visible(row.name), str(row.n), *seconds)
    return table


def _usage_table(rows: list[ModelDetail]) -> Table:
    table = text_table(
        "\nUsage, where recorded",
        "model",
        "cases with tokens",
        "tokens in",
        "tokens out",
        "cases with cost",
        "US dollars",
    )
    for row in rows:
        usage = row.usage
        if usage.n_cases_with_tokens or usage.n_cases_with_cost:
            table.add_row(
                _name(row.name),
                f"{usage.n_cases_with_tokens} of {usage.n_cases}",
                str(usage.n_input_tokens),
                str(usage.n_output_tokens),
                f"{usage.n_cases_with_cost} of {usage.n_cases}",
                "" if usage.cost_usd is None else f"{usage.cost_usd:.4f}",
            )
    return table
