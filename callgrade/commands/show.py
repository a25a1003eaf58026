"""``callgrade show``: one case, explained; or the list of cases."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from callgrade.commands.options import color_option, json_option
from callgrade.runfolder import RunFolder, StoredCase
from callgrade.terminal import Screen, When, tell
from cases.errors import InputError
from cases.jsonvalue import visible
from cases.verdict import Verdict
from reports.caseview import View, case_lines
from reports.lines import Line, shorten

_TERMINAL_TEXT = 240
"""Characters of a text on a terminal unless --full; a pipe gets all."""
_ID_COLUMNS = 36
_LIST_SCHEMA = "callgrade-verdicts/1"


@click.command(epilog="Examples: callgrade show runs/tuesday refund-03@heron#1 | callgrade show runs/tuesday --failed")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("case", required=False)
@click.option("--failed", is_flag=True, help="List only the cases that failed.")
@click.option("--mode", metavar="MODE", help="List only cases with this failure mode (primary or beside it).")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="List at most N cases.")
@click.option("--full", is_flag=True, help="Cut nothing, also on a terminal.")
@json_option
@color_option
def command(
    run: Path,
    case: str | None,
    failed: bool,
    mode: str | None,
    limit: int | None,
    full: bool,
    as_json: bool,
    color: When,
) -> None:
    """Explain one case of a RUN: what broke, where the proof is, who decided.

    CASE is a case id, a task id with one attempt, or a number: 1 is the first case of the run. Without CASE, lists the
    cases, one a line; to a pipe with tabs between.
    """
    if case is not None and (failed or mode is not None or limit is not None):
        raise click.UsageError("--failed, --mode and --limit choose what is listed; leave them or CASE out")
    folder = RunFolder(run)
    if folder.manifest.status != "complete":
        tell(f"{run} is incomplete: it was stopped before its end; what follows covers what was graded")
    screen = Screen(color)
    if case is None:
        chosen = _chosen(folder, failed=failed, mode=mode, limit=limit)
        _list_json(folder, chosen) if as_json else screen.print(_list_lines(chosen, screen, full=full))
        return
    verdict, stored = _find(folder, case)
    if as_json:
        document = {"schema": "callgrade-case/1", "verdict": verdict, "case": stored.case}
        click.echo(msgspec.json.format(msgspec.json.encode(document), indent=1))
        return
    view = View(None if full or not screen.is_terminal else _TERMINAL_TEXT)
    screen.print(case_lines(verdict, stored.case, view))


def _find(folder: RunFolder, wanted: str) -> tuple[Verdict, StoredCase]:
    digits = wanted.removeprefix("#")
    number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < _MAX_DIGITS else None
    by_number: tuple[Verdict, StoredCase] | None = None
    by_task: list[tuple[Verdict, StoredCase]] = []
    n_attempts = 0
    for position, pair in enumerate(folder.pairs(), start=1):
        verdict = pair[0]
        if verdict.case_id == wanted:
            return pair
        if position == number:
            by_number = pair
        if verdict.task_id == wanted:
            n_attempts += 1
            if len(by_task) < _SHOWN_ATTEMPTS:
                by_task.append(pair)
    if n_attempts == 1:
        return by_task[0]
    if by_task:
        shown = ", ".join(verdict.case_id for verdict, _ in by_task)
        raise InputError(f"{folder.path}: {wanted!r} is a task with {n_attempts} attempts; name one: {shown}")
    if by_number is not None:
        return by_number
    raise InputError(f"{folder.path}: no case {wanted!r}; `callgrade show {folder.path}` lists them")


_SHOWN_ATTEMPTS = 8
_MAX_DIGITS = 12


def _chosen(folder: RunFolder, *, failed: bool, mode: str | None, limit: int | None) -> Iterator[Verdict]:
    n_left = limit
    for verdict in folder.verdicts():
        if failed and verdict.status != "fail":
            continue
        if mode is not None and mode != verdict.mode and mode not in verdict.secondary:
            continue
        if n_left == 0:
            return
        n_left = None if n_left is None else n_left - 1
        yield verdict


def _list_lines(verdicts: Iterator[Verdict], screen: Screen, *, full: bool) -> Iterator[Line]:
    for verdict in verdicts:
        found = (f.message for f in verdict.findings if f.mode == verdict.mode and f.gating)
        name, why = visible(verdict.case_id), visible(next(found, verdict.reason or ""))
        if not screen.is_terminal:
            yield [(f"{name}\t{verdict.status}\t{verdict.mode}\t{why}", "")]
            continue
        style = {"pass": "green", "fail": "red", "ungraded": "yellow"}[verdict.status]
        name = name if full else shorten(name, _ID_COLUMNS)
        why = why if full else shorten(why, _TERMINAL_TEXT)
        yield [
            (f"{name:{_ID_COLUMNS}}  ", ""),
            (f"{verdict.status:8}  ", style),
            (f"{verdict.mode}  ", "bold"),
            (why, ""),
        ]


def _list_json(folder: RunFolder, verdicts: Iterator[Verdict]) -> None:
    """Write one document, verdict by verdict: a run may be larger than memory."""
    head = msgspec.json.encode({"schema": _LIST_SCHEMA, "folder": str(folder.path)})
    click.echo(head[:-1] + b',"verdicts":[', nl=False)
    for number, verdict in enumerate(verdicts):
        click.echo((b",\n" if number else b"\n") + msgspec.json.encode(verdict), nl=False)
    click.echo(b"\n]}")
    sys.stdout.flush()
