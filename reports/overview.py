"""The overview of a run for the console: steps, failure modes, models, tools. Pure: lines of styled spans.

A rate never stands alone: k/n is beside it, because 50 % of 2 is no knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cases.failure import PRECEDENCE, STEPS
from cases.finding import Status
from cases.jsonvalue import visible
from cases.verdict import CaseStatus
from reports.intervals import percent, rate
from reports.lines import Column, Line, Table, shorten
from reports.summary import Summary
from reports.tally import Tally, ToolTally

WORST_TOOLS = 8
"""Tools that the overview lists; all stand in ``summary.json``."""


def overview_lines(summary: Summary, policy: str, *, name_limit: int | None = None) -> Iterator[Line]:
    """Yield the lines of the overview.

    Args:
        name_limit: Characters of a model's or tool's name; names come from recordings and may be of any length.
    """
    overall = summary.overall
    yield [(headline(overall, policy), "bold")]
    tables = [_step_table(overall)]
    if any(mode not in {"none", "ungraded"} for mode in overall.modes):
        tables.append(_mode_table(overall))
    if overall.reasons:
        tables.append(_reason_table(overall))
    if len(summary.models) > 1:
        tables.append(_model_table(summary, name_limit))
    if worst := worst_tools(overall):
        tables.append(_tool_table(worst, n_tools=len(overall.tools), name_limit=name_limit))
    for table in tables:
        yield []
        yield from table.lines()


def headline(tally: Tally, policy: str) -> str:
    """Return the first line: cases, pass rate with interval, what was left out."""
    passed, failed, open_ = (tally.statuses.get(status, 0) for status in ("pass", "fail", "ungraded"))
    left_out = f", {open_} ungraded (left out of the rate)" if open_ else ""
    cases = f"{tally.n_cases} case{'' if tally.n_cases == 1 else 's'}"
    shown = rate_text(passed, passed + failed)
    return f"{cases} under {policy}: {passed} pass, {failed} fail{left_out}.  Pass rate {shown}"


def rate_text(k: int, n: int) -> str:
    """Return ``k`` of ``n`` as a percentage with its interval and n, or why there is none."""
    found = rate(k, n)
    if found is None:
        return "none (n = 0)"
    if n < _MIN_FOR_PERCENT:
        return f"{k} of {n}, too few for a rate"
    return f"{percent(found.value)} (n = {n}, 95 % {percent(found.low)} to {percent(found.high)})"


def worst_tools(tally: Tally) -> list[tuple[str, ToolTally]]:
    """Return the tools with gating failures, most failures first."""
    failing = [(name, tool) for name, tool in tally.tools.items() if tool.modes]
    return sorted(failing, key=lambda item: (-item[1].n_cases_failed, -item[1].n_failures, item[0]))[:WORST_TOOLS]


def _numbers(*heads: str) -> list[Column]:
    return [Column(head, is_number=True) for head in heads]


def _step_table(tally: Tally) -> Table:
    rows: list[list[str]] = []
    for step in STEPS:
        states = tally.steps.get(step, {})
        passed, failed = states.get("pass", 0), states.get("fail", 0)
        others = (states.get("ungraded", 0), states.get("not_applicable", 0))
        rows.append([step, *map(str, (passed, failed, *others)), rate_text(passed, passed + failed)])
    columns = [Column("step"), *_numbers("pass", "fail", "ungraded", "n/a"), Column("pass rate of the graded")]
    return Table(title="Steps", columns=columns, rows=rows)


def _mode_table(tally: Tally) -> Table:
    n_failed = tally.statuses.get("fail", 0)
    rows: list[list[str]] = []
    for mode in PRECEDENCE:
        primary, also = tally.modes.get(mode, 0), tally.secondary.get(mode, 0)
        if primary or also:
            rows.append([mode, str(primary), str(also), share_text(primary, n_failed)])
    columns = [Column("mode"), *_numbers("cases", "also in", "share of failed cases")]
    return Table(title="Failure modes", columns=columns, rows=rows)


def _reason_table(tally: Tally) -> Table:
    reasons = sorted(tally.reasons.items(), key=lambda item: (-item[1], item[0]))
    rows = [[str(n), visible(reason)] for reason, n in reasons]
    return Table(title="Ungraded", columns=[Column("cases", is_number=True), Column("reason")], rows=rows)


def _model_table(summary: Summary, name_limit: int | None) -> Table:
    has_ungraded = bool(summary.overall.statuses.get("ungraded"))
    rows: list[list[str]] = []
    for name, model in sorted(summary.models.items()):
        tally = model.tally
        found = [(n, mode) for mode, n in tally.modes.items() if mode not in {"none", "ungraded"}]
        rows.append(
            [
                _name(name, name_limit) or "(not recorded)",
                share_text(*_graded(tally.statuses)),
                *([str(tally.statuses.get("ungraded", 0))] if has_ungraded else []),
                *("{}/{}".format(*_graded(tally.steps.get(step, {}))) for step in STEPS),
                f"{max(found)[1]} {max(found)[0]}" if found else "none",
            ]
        )
    heads = ("pass", *(["ungraded"] if has_ungraded else []), *STEPS)
    columns = [Column("model"), *_numbers(*heads), Column("chief failure")]
    return Table(title="Models: passed of graded", columns=columns, rows=rows)


def _graded(states: Mapping[CaseStatus, int] | Mapping[Status, int]) -> tuple[int, int]:
    """Return the passed and the graded."""
    counts = {str(name): n for name, n in states.items()}
    passed = counts.get("pass", 0)
    return passed, passed + counts.get("fail", 0)


def _tool_table(tools: list[tuple[str, ToolTally]], *, n_tools: int, name_limit: int | None) -> Table:
    rows: list[list[str]] = []
    for name, tool in tools:
        modes = sorted(tool.modes.items(), key=lambda item: (-item[1], item[0]))
        counts = (tool.n_expected, tool.n_sent, tool.n_accepted, tool.n_cases_failed)
        how = ", ".join(f"{mode} {n}" for mode, n in modes)
        rows.append([_name(name, name_limit) or "(no name)", *map(str, counts), how])
    columns = [Column("tool"), *_numbers("wanted", "called", "right", "cases failed"), Column("how")]
    return Table(title=f"Worst tools ({len(tools)} of {n_tools})", columns=columns, rows=rows)


def share_text(k: int, n: int) -> str:
    """Return ``k/n`` with its percentage, the latter only where n is not tiny."""
    if n == 0:
        return "n/a"
    return f"{k}/{n} {percent(k / n):>6}" if n >= _MIN_FOR_PERCENT else f"{k}/{n}"


_MIN_FOR_PERCENT = 10
"""Below it a percentage would look like knowledge."""


def _name(text: str, limit: int | None) -> str:
    return shorten(visible(text), limit)
