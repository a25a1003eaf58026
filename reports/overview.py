"""The overview of a run for the console: steps, failure modes, models, tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cases.failure import PRECEDENCE, STEPS
from reports.intervals import percent, rate
from reports.summary import Summary
from reports.tally import Tally, ToolTally

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WORST_TOOLS = 8
"""Tools that the overview lists; all stand in ``summary.json``."""


def print_overview(console: Console, summary: Summary, policy: str) -> None:
    """Print the overview."""
    overall = summary.overall
    console.print(headline(overall, policy), style="bold")
    console.print()
    console.print(_step_table(overall))
    if any(mode not in {"none", "ungraded"} for mode in overall.modes):
        console.print(_mode_table(overall))
    if overall.reasons:
        console.print(_reason_table(overall))
    if len(summary.models) > 1:
        console.print(_model_table(summary))
    if worst := worst_tools(overall):
        console.print(_tool_table(worst, n_tools=len(overall.tools)))


def headline(tally: Tally, policy: str) -> str:
    """Return the first line: cases, pass rate with interval, what was left out."""
    passed, failed, open_ = (tally.statuses.get(status, 0) for status in ("pass", "fail", "ungraded"))
    shown = rate_text(passed, passed + failed)
    left_out = f"; {open_} ungraded, left out of the rate" if open_ else ""
    return f"{tally.n_cases} cases under {policy}: {passed} pass, {failed} fail{left_out}   pass rate {shown}"


def rate_text(k: int, n: int) -> str:
    """Return ``k`` of ``n`` as a percentage with its interval and n, or why there is none."""
    found = rate(k, n)
    if found is None:
        return "none (n = 0)"
    return f"{percent(found.value)} (n = {n}, 95 % {percent(found.low)} to {percent(found.high)})"


def worst_tools(tally: Tally) -> list[tuple[str, ToolTally]]:
    """Return the tools with gating failures, most failures first."""
    failing = [(name, tool) for name, tool in tally.tools.items() if tool.modes]
    return sorted(failing, key=lambda item: (-item[1].n_cases_failed, -item[1].n_failures, item[0]))[:WORST_TOOLS]


def _table(title: str, *columns: str) -> Table:
    from rich.table import Table  # noqa: PLC0415  # heavy: loads only where it is used

    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=None,
        padding=(0, 2, 0, 0),
        pad_edge=False,
    )
    for index, column in enumerate(columns):
        is_text = index == 0 or column.startswith("~")
        table.add_column(column.removeprefix("~"), justify="left" if is_text else "right", no_wrap=index == 0)
    return table


def _step_table(tally: Tally) -> Table:
    table = _table("Steps", "step", "pass", "fail", "ungraded", "n/a", "~pass rate of the graded")
    for step in STEPS:
        states = tally.steps.get(step, {})
        passed, failed = states.get("pass", 0), states.get("fail", 0)
        table.add_row(
            step,
            str(passed),
            str(failed),
            str(states.get("ungraded", 0)),
            str(states.get("not_applicable", 0)),
            rate_text(passed, passed + failed),
        )
    return table


def _mode_table(tally: Tally) -> Table:
    table = _table("\nFailure modes", "mode", "cases", "also in", "~share of failed cases")
    n_failed = tally.statuses.get("fail", 0)
    for mode in PRECEDENCE:
        primary, also = tally.modes.get(mode, 0), tally.secondary.get(mode, 0)
        if primary or also:
            share = percent(primary / n_failed) if n_failed else ""
            table.add_row(mode, str(primary), str(also), share)
    return table


def _reason_table(tally: Tally) -> Table:
    table = _table("\nUngraded", "reason", "cases")
    for reason, n in sorted(tally.reasons.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(reason, str(n))
    return table


def _model_table(summary: Summary) -> Table:
    table = _table("\nModels", "model", "cases", "pass", *STEPS, "~most frequent failure")
    for name, model in sorted(summary.models.items()):
        tally = model.tally
        passed, failed = tally.statuses.get("pass", 0), tally.statuses.get("fail", 0)
        found = [(n, mode) for mode, n in tally.modes.items() if mode not in {"none", "ungraded"}]
        dominant = f"{max(found)[1]} ({max(found)[0]})" if found else "none"
        table.add_row(
            name or "(not recorded)",
            str(tally.n_cases),
            _short_rate(passed, passed + failed),
            *(
                _short_rate(s.get("pass", 0), s.get("pass", 0) + s.get("fail", 0))
                for s in (tally.steps.get(x, {}) for x in STEPS)
            ),
            dominant,
        )
    return table


def _tool_table(tools: list[tuple[str, ToolTally]], *, n_tools: int) -> Table:
    title = f"\nWorst tools ({len(tools)} of {n_tools})"
    table = _table(title, "tool", "wanted", "called", "right tool", "cases failed", "~how")
    for name, tool in tools:
        modes = sorted(tool.modes.items(), key=lambda item: (-item[1], item[0]))
        how = ", ".join(f"{mode} {n}" for mode, n in modes)
        table.add_row(
            name,
            str(tool.n_expected),
            str(tool.n_sent),
            str(tool.n_accepted),
            str(tool.n_cases_failed),
            how,
        )
    return table


def _short_rate(k: int, n: int) -> str:
    return percent(k / n) if n else "n/a"
