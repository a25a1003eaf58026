"""What the console can show: width, colour, progress. Data goes to stdout, everything else to stderr."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

When = Literal["auto", "always", "never"]
PIPE_WIDTH = 10_000
"""Columns of output that goes to no terminal: nothing is cut or folded."""

_QUIET_S = 30.0
"""Seconds between progress lines where there is no terminal."""


def make_console(color: When) -> Console:
    """Return a console on stdout: nothing is cut off a terminal, and no colour goes there unless asked for."""
    from rich.console import Console  # noqa: PLC0415  # heavy: loads only where it is used

    is_terminal = sys.stdout.isatty()
    width = None if is_terminal else int(os.environ.get("COLUMNS") or 0) or PIPE_WIDTH
    return Console(
        file=sys.stdout,
        width=width,
        height=None if is_terminal else 1_000,
        force_terminal=True if color == "always" else None,
        no_color=True if color == "never" or (not is_terminal and color != "always") else None,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=not is_terminal,
    )


class NoProgress:
    """Tells notes, shows no progress."""

    def note(self, text: str) -> None:
        """Write a note to stderr."""
        click.echo(f"callgrade: {text}", err=True)

    def advance(self, n_records: int, share: float | None) -> None:
        """Show nothing."""

    def close(self) -> None:
        """Leave nothing behind."""


class LineProgress(NoProgress):
    """One line each half minute, for logs."""

    def __init__(self) -> None:
        """Start the clock."""
        self._started = self._last = time.monotonic()

    def advance(self, n_records: int, share: float | None) -> None:
        """Write a line when the last one is old enough."""
        now = time.monotonic()
        if now - self._last >= _QUIET_S:
            self._last = now
            done = "" if share is None else f", {share:.0%} of the input"
            click.echo(
                f"callgrade: {n_records} cases{done}, {n_records / (now - self._started):.0f}/s",
                err=True,
            )


class BarProgress(NoProgress):
    """A bar with count, rate and time left."""

    def __init__(self) -> None:
        """Draw the bar."""
        from rich.console import Console  # noqa: PLC0415  # heavy: loads only where it is used
        from rich.progress import (  # noqa: PLC0415  # heavy: loads only where it is used
            BarColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._started = time.monotonic()
        self._bar: Progress = Progress(
            TextColumn("grading"),
            BarColumn(),
            TextColumn("{task.fields[n]} cases  {task.fields[rate]}/s"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task: TaskID = self._bar.add_task("grading", total=None, n=0, rate=0)
        self._bar.start()

    def note(self, text: str) -> None:
        """Write a note above the bar."""
        self._bar.console.print(f"callgrade: {text}", markup=False, highlight=False)

    def advance(self, n_records: int, share: float | None) -> None:
        """Move the bar."""
        seconds = max(time.monotonic() - self._started, 1e-9)
        self._bar.update(
            self._task,
            total=None if share is None else 1.0,
            completed=share or 0.0,
            n=n_records,
            rate=round(n_records / seconds),
        )

    def close(self) -> None:
        """Take the bar away."""
        self._bar.stop()


def make_watcher(progress: Literal["auto", "on", "off"]) -> NoProgress:
    """Return what tells the user how a run goes: a bar on a terminal, rare lines in a log, nothing when off."""
    if progress == "off":
        return NoProgress()
    if sys.stderr.isatty():
        return BarProgress()
    return LineProgress() if progress == "on" else NoProgress()
