"""The detailed report as tables for the console; every rate shows its n, and an undefined one says so. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from cases.failure import CLASSES
from cases.jsonvalue import visible
from reports.detail import Detail, ModelDetail
from reports.intervals import percent
from reports.lines import Column, Line, Table
from reports.shares import share_text
from reports.taxonomy import TaxonomyRow
from reports.trials import PassK

ROWS = 30
"""Rows of a table on the console; ``--json`` has them all."""


def detail_lines(report: Detail) -> Iterator[Line]:
    """Yield the lines of the report."""
    passed = share_text(report.overall.passed)
    left_out = f"; {report.overall.n_ungraded} ungraded, left out" if report.overall.n_ungraded else ""
    yield [(f"Report under {report.policy}: {passed} graded cases pass{left_out}", "bold")]
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
        if table.rows:
            yield []
            yield from table.lines()


def _table(title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    """Return a table whose first column, and those whose head begins with ``~``, hold text."""
    columns = [
        Column(head.removeprefix("~"), is_number=index > 0 and not head.startswith("~"))
        for index, head in enumerate(heads)
    ]
    return Table(title=title, columns=columns, rows=rows)


def _name(name: str) -> str:
    return visible(name) or "(not recorded)"


def _tool(name: str) -> str:
    return visible(name) or "(none)"


def _decision_table(rows: list[ModelDetail]) -> Table:
    heads = ("model", "precision", "recall (call)", "F1", "accuracy (no call)", "unparsable", "optional")
    cells: list[tuple[str, ...]] = []
    for row in rows:
        d = row.decisions
        shares = map(share_text, (d.precision, d.recall, d.f1, d.no_call_accuracy))
        cells.append((_name(row.name), *shares, str(d.n_unparsable), str(d.n_optional)))
    return _table("Decide: was a call made where one was wanted, and only there?", heads, cells)


def _trial_table(rows: list[ModelDetail]) -> Table:
    largest = max((len(row.trials.pass_hat_k) for row in rows if row.trials), default=0)
    heads = ("model", "tasks", *(f"pass^{k}" for k in range(1, largest + 1)), "all trials", "repeated numbers")
    cells: list[tuple[str, ...]] = []
    for row in rows:
        if row.trials is not None:
            found = [*map(_pass_k, row.trials.pass_hat_k)]
            blanks = [""] * (largest - len(found))
            last = _pass_k(row.trials.all_k), str(row.trials.n_repeated)
            cells.append((_name(row.name), str(row.trials.n_tasks), *found, *blanks, *last))
    return _table("Trials: probability that k trials of a task all pass", heads, cells)


def _pass_k(found: PassK) -> str:
    shown = "undefined" if found.value is None else percent(found.value)
    left_out = f", {found.n_left_out} left out" if found.n_left_out else ""
    return f"{shown} of {found.n_tasks}{left_out}"


def _f1_table(report: Detail) -> Table:
    found = report.selection
    cells: list[tuple[str, ...]] = [
        (visible(row.tool), share_text(row.precision), share_text(row.recall), share_text(row.f1))
        for row in (*found.tools[:ROWS], found.micro)
        if row.f1.n
    ]
    if found.macro_f1 is not None:
        cells.append(("(mean of tools)", "", "", f"{percent(found.macro_f1)} of {len(found.tools)}"))
    return _table("Select: F1 by tool", ("tool", "precision", "recall", "F1"), cells)


def _confusion_table(report: Detail) -> Table:
    confused = [cell for cell in report.confusions if cell.wanted != cell.called][:ROWS]
    cells: list[tuple[str, ...]] = [(_tool(cell.wanted), _tool(cell.called), str(cell.n)) for cell in confused]
    return _table("Confusions", ("wanted", "~called", "calls"), cells)


def _taxonomy_table(report: Detail) -> Table:
    cells: list[tuple[str, ...]] = [
        (_row_name(row), row.unit, str(row.n), *(str(row.classes[one]) for one in CLASSES))
        for row in [row for row in report.taxonomy if row.n][:ROWS]
    ]
    return _table("Taxonomy: failures by class", ("model or tool", "~unit", "n", *CLASSES), cells)


def _chain_table(report: Detail) -> Table:
    heads = ("model or tool", "parsed", "intent | parsed", "schema | intent", "value | schema")
    cells: list[tuple[str, ...]] = []
    for row in [row for row in report.taxonomy if row.chain.parsed.n][:ROWS]:
        c = row.chain
        shares = (c.parsed, c.intent_given_parsed, c.schema_given_intent, c.value_given_schema)
        cells.append((_row_name(row), *map(share_text, shares)))
    return _table("Calls: each rate given the one before", heads, cells)


def _row_name(row: TaxonomyRow) -> str:
    return _name(row.name) if row.kind == "model" else _tool(row.name)


def _field_table(report: Detail) -> Table:
    cells: list[tuple[str, ...]] = []
    for row in report.fields[:ROWS]:
        how = ", ".join(f"{mode} {n}" for mode, n in sorted(row.modes.items(), key=lambda item: (-item[1], item[0])))
        cells.append((_tool(row.tool), visible(row.field), str(row.n), str(row.n_calls), how))
    return _table("Construct: failures by argument", ("tool", "~argument", "failures", "calls", "~how"), cells)


def _slice_table(report: Detail) -> Table:
    cells: list[tuple[str, ...]] = [
        (visible(part.name), share_text(part.passed), str(part.n_ungraded)) for part in report.slices[:ROWS]
    ]
    return _table("Slices: tags, edge buckets, kinds of no-call", ("slice", "pass", "ungraded"), cells)


def _latency_table(report: Detail) -> Table:
    cells: list[tuple[str, ...]] = []
    for row in report.latencies[:ROWS]:
        seconds = ("" if value is None else f"{value:.3g}" for value in (row.p50_s, row.p95_s, row.p99_s))
        cells.append((visible(row.name), str(row.n), *seconds))
    return _table("Latency in seconds", ("of", "n", "p50", "p95", "p99"), cells)


def _usage_table(rows: list[ModelDetail]) -> Table:
    heads = ("model", "cases with tokens", "tokens in", "tokens out", "cases with cost", "US dollars")
    cells: list[tuple[str, ...]] = []
    for row in rows:
        usage = row.usage
        if usage.n_cases_with_tokens or usage.n_cases_with_cost:
            cells.append(
                (
                    _name(row.name),
                    f"{usage.n_cases_with_tokens} of {usage.n_cases}",
                    str(usage.n_input_tokens),
                    str(usage.n_output_tokens),
                    f"{usage.n_cases_with_cost} of {usage.n_cases}",
                    "" if usage.cost_usd is None else f"{usage.cost_usd:.4f}",
                )
            )
    return _table("Usage, where recorded", heads, cells)
