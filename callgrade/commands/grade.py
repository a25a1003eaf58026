"""``callgrade grade``: recordings in, a run folder and a table out."""

from __future__ import annotations

import contextlib
import shlex
import signal
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Literal

import click
import msgspec

from callgrade.commands.options import (
    color_option,
    format_option,
    gold_option,
    inputs_argument,
    json_option,
    policy_option,
    tools_option,
)
from callgrade.running import Outcome, Request, run
from callgrade.terminal import Screen, When, make_watcher, tell
from cases.errors import IncompleteError
from deterministic.policy import find_policy
from reports.overview import overview_lines

_NAME_LIMIT = 40
"""Characters of a tool's or model's name in a table on a terminal; a pipe gets all."""


@click.command(
    epilog="Example: callgrade grade logs/*.jsonl --format openai_chat --tools tools.json --out runs/tuesday"
)
@inputs_argument
@format_option
@gold_option
@tools_option
@policy_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Run folder to write. Default: runs/ and the time.",
)
@click.option(
    "--resume",
    "resumes",
    is_flag=True,
    help="Finish a run that was stopped; nothing is graded twice.",
)
@click.option("--overwrite", "overwrites", is_flag=True, help="Replace the run in --out.")
@click.option(
    "--skip-bad",
    "skips_bad",
    is_flag=True,
    help="Record what cannot be read as ungraded, with the reason, and go on.",
)
@click.option(
    "--progress",
    type=click.Choice(["auto", "on", "off"]),
    default="auto",
    show_default=True,
    help="Bar on a terminal, lines in a log (on), or nothing.",
)
@json_option
@color_option
def command(
    inputs: tuple[str, ...],
    format_name: str | None,
    gold: tuple[str, ...],
    tools: tuple[str, ...],
    policy: str,
    out: Path | None,
    resumes: bool,
    overwrites: bool,
    skips_bad: bool,
    progress: Literal["auto", "on", "off"],
    as_json: bool,
    color: When,
) -> int:
    """Grade recorded tool use, step by step.

    INPUT is a file, a folder, a pattern or - for standard input; JSON, JSON Lines or YAML; plain, .gz or .zst.
    """
    if resumes and out is None:
        raise click.UsageError("--resume needs --out: name the run that is to be finished")
    request = Request(
        inputs=inputs,
        out=out or Path("runs") / datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%SZ"),
        policy=find_policy(policy),
        format=format_name,
        gold=gold,
        tools=tools,
        resumes=resumes,
        overwrites=overwrites,
        skips_bad=skips_bad,
    )
    watcher = make_watcher(progress, color)
    try:
        with _stopped_by_signals(request):
            outcome = run(request, watcher)
    finally:
        watcher.close()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(outcome_document(outcome)), indent=1))
    else:
        screen = Screen(color)
        name_limit = _NAME_LIMIT if screen.is_terminal else None
        screen.print(overview_lines(outcome.summary, outcome.manifest.policy, name_limit=name_limit))
        screen.print([[], [("Run: ", ""), (f"{outcome.folder}  (verdicts.jsonl, summary.json, cases.jsonl.zst)", "")]])
    for line in notes(outcome):
        tell(line)
    if not as_json and outcome.summary.overall.statuses.get("fail"):
        click.echo(f"Next: callgrade show {shlex.quote(str(outcome.folder))} --failed", err=True)
    return exit_code(outcome)


class OutcomeDocument(msgspec.Struct, frozen=True):
    """What ``--json`` prints."""

    schema: str
    folder: str
    manifest: object
    summary: object


def outcome_document(outcome: Outcome) -> OutcomeDocument:
    """Return the machine-readable form of an outcome."""
    return OutcomeDocument("callgrade-outcome/1", str(outcome.folder), outcome.manifest, outcome.summary)


def exit_code(outcome: Outcome) -> int:
    """Return 4 when a grader broke on a case, 7 when the validator drifted, else 0: failing cases are no error."""
    if outcome.n_internal:
        return 4
    return 7 if outcome.summary.overall.n_drifted else 0


def notes(outcome: Outcome) -> Iterator[str]:
    """Yield what the user should know beside the numbers."""
    manifest, overall = outcome.manifest, outcome.summary.overall
    if manifest.n_bad:
        where = outcome.folder / "verdicts.jsonl"
        yield f"{counted(manifest.n_bad, 'bad record')} ungraded; the reasons stand in {where}"
    if manifest.n_gold_unused:
        yield f"{counted(manifest.n_gold_unused, 'task')} of the gold attempted by nobody"
    if outcome.n_internal:
        yield f"a grader broke on {counted(outcome.n_internal, 'case')}; please report it"
    if overall.n_drifted:
        yield (
            f"validator drift: {counted(overall.n_drifted, 'call')} not as schema-valid as recorded; "
            "convert the fixtures again once you know why"
        )


def counted(n: int, noun: str) -> str:
    """Return ``n`` with its noun, in the plural where that is due."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


class _Stopped(BaseException):
    """Raised by a signal. No ``Exception``: the boundary around one case must not take it for that case's fault."""


@contextlib.contextmanager
def _stopped_by_signals(request: Request) -> Generator[None]:
    """Turn an interrupt into an error that says how to go on."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise _Stopped(signal.Signals(number).name)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except _Stopped as stopped:
        out = shlex.quote(str(request.out))
        how = f"finish the run with the same command and --out {out} --resume"
        if "-" in request.inputs:
            how = f"what was graded is kept in {out}; standard input cannot be read again, so name a file to resume"
        raise IncompleteError(f"stopped by {stopped}; {how}") from stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
