"""``callgrade show``: one case, explained."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from callgrade.commands.options import color_option, json_option
from callgrade.runfolder import RunFolder, StoredCase
from callgrade.terminal import When, make_console
from cases.errors import InputError
from cases.verdict import Verdict

_TERMINAL_TEXT = 240
"""Characters of a text on a terminal unless --full; a pipe gets all."""


@click.command(epilog="Examples: callgrade show runs/tuesday refund-03@heron#1 | callgrade show runs/tuesday --failed")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("case", required=False)
@click.option(
    "--failed",
    is_flag=True,
    help="List the cases that failed, one a line, instead of explaining one.",
)
@click.option("--mode", metavar="MODE", help="List only cases with this failure mode (primary or beside it).")
@click.option("--full", is_flag=True, help="Cut nothing, also on a terminal.")
@json_option
@color_option
def command(
    run: Path,
    case: str | None,
    failed: bool,
    mode: str | None,
    full: bool,
    as_json: bool,
    color: When,
) -> None:
    """Explain one case of a RUN: what broke, where the proof is, who decided.

    CASE is a case id, or its number in the run (#1 is the first). Without CASE, lists the cases.
    """
    folder = RunFolder(run)
    if folder.manifest.status != "complete":
        click.echo(f"callgrade: {run} is incomplete: it was stopped before its end", err=True)
    if case is None:
        _list(folder, failed=failed or mode is not None, mode=mode, as_json=as_json)
        return
    verdict, stored = _find(folder, case)
    if as_json:
        document = {"schema": "callgrade-case/1", "verdict": verdict, "case": stored.case}
        click.echo(msgspec.json.format(msgspec.json.encode(document), indent=1))
        return
    from rich.text import Text  # noqa: PLC0415  # heavy: loads only where it is used

    from reports.caseview import View, case_lines  # noqa: PLC0415  # heavy: loads only where it is used

    console = make_console(color)
    view = View(None if full or not sys.stdout.isatty() else _TERMINAL_TEXT)
    for line in case_lines(verdict, stored.case, view):
        console.print(Text.assemble(*line))


def _find(folder: RunFolder, wanted: str) -> tuple[Verdict, StoredCase]:
    number = int(wanted[1:]) if wanted.startswith("#") and wanted[1:].isdecimal() else None
    same_task: list[str] = []
    for position, (verdict, stored) in enumerate(folder.pairs(), start=1):
        if position == number or verdict.case_id == wanted:
            return verdict, stored
        if verdict.task_id == wanted:
            same_task.append(verdict.case_id)
    if same_task:
        shown = ", ".join(same_task[:8])
        raise InputError(f"{folder.path}: {wanted!r} is a task with {len(same_task)} attempts; name one: {shown}")
    raise InputError(f"{folder.path}: no case {wanted!r}; `callgrade show {folder.path}` lists them")


def _list(folder: RunFolder, *, failed: bool, mode: str | None, as_json: bool) -> None:
    for verdict in folder.verdicts():
        if failed and verdict.status != "fail":
            continue
        if mode is not None and mode != verdict.mode and mode not in verdict.secondary:
            continue
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(verdict) + b"\n")
        else:
            first = next(
                (f.message for f in verdict.findings if f.mode == verdict.mode and f.gating),
                verdict.reason or "",
            )
            click.echo(f"{verdict.case_id}\t{verdict.status}\t{verdict.mode}\t{first}")
