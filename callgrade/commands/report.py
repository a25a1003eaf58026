"""``callgrade report``: a run in detail."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from callgrade.commands.options import color_option, json_option
from callgrade.runfolder import RunFolder
from callgrade.terminal import Screen, When, tell
from deterministic.buckets import find_buckets
from reports.detail import detail
from reports.detailview import detail_lines
from reports.summary import SummaryBuilder


@click.command(epilog="Example: callgrade report runs/tuesday --json > report.json")
@click.argument("run", type=click.Path(path_type=Path))
@json_option
@color_option
def command(run: Path, as_json: bool, color: When) -> None:
    """Print a RUN in detail: decisions, F1 by tool, confusions, classes, arguments, slices, trials, latency, cost.

    Every rate shows its n; one without any is undefined.
    """
    folder = RunFolder(run)
    if folder.manifest.status != "complete":
        tell(f"{run} is incomplete: it was stopped before its end; what follows covers what was graded")
    summary = SummaryBuilder()
    for verdict, stored in folder.pairs():
        summary.add(verdict, find_buckets(stored.case) if stored.case is not None else ())
    report = detail(summary.build(), folder.manifest.policy)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report), indent=1))
        return
    Screen(color).print(detail_lines(report))
