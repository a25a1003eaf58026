"""``callgrade grade``: recordings in, a run folder and a table out."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Generator
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
from callgrade.terminal import When, make_console, make_watcher
from cases.errors import IncompleteError
from deterministic.policy import find_policy


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
    watcher = make_watcher(progress)
    try:
        with _stopped_by_signals(request.out):
            outcome = run(request, watcher)
    finally:
        watcher.close()
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(outcome_document(outcome)), indent=1))
    else:
        from reports.overview import print_overview  # noqa: PLC0415  # heavy: loads only where it is used

        print_overview(make_console(color), outcome.summary, outcome.manifest.policy)
        _print_files(outcome)
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


def _print_files(outcome: Outcome) -> None:
    manifest, folder = outcome.manifest, outcome.folder
    if manifest.n_bad:
        click.echo(
            f"callgrade: {manifest.n_bad} bad records are ungraded; their reasons stand in {folder}/verdicts.jsonl",
            err=True,
        )
    if manifest.n_gold_unused:
        click.echo(
            f"callgrade: {manifest.n_gold_unused} tasks of the gold were attempted by nobody",
            err=True,
        )
    if outcome.n_internal:
        click.echo(f"callgrade: a grader broke on {outcome.n_internal} cases; please report them", err=True)
    if n_drifted := outcome.summary.overall.n_drifted:
        click.echo(
            f"callgrade: validator drift: {n_drifted} calls are not as schema-valid as when they were recorded; "
            "convert the fixtures again once you know why",
            err=True,
        )
    click.echo(f"Run: {folder}  (verdicts.jsonl, summary.json, cases.jsonl.zst)")
    click.echo(f"Next: callgrade show {folder} --failed", err=True)


@contextlib.contextmanager
def _stopped_by_signals(out: Path) -> Generator[None]:
    """Turn an interrupt into an error that says how to go on."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise IncompleteError(
            f"stopped by {signal.Signals(number).name}; finish the run with the same command and --out {out} --resume"
        )

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
