"""What the console can show: width, colour, progress. Data goes to stdout, everything else to stderr."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Literal

import click

from cases.jsonvalue import visible
from reports.lines import Line, fold

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

When = Literal["auto", "always", "never"]

_QUIET_S = 30.0
"""Seconds between progress lines where there is no terminal."""

_WORDS = {"bold", "dim"}


class Screen:
    """Standard output as it is: folded to a terminal's width, whole and without colour in a pipe."""

    def __init__(self, color: When = "auto") -> None:
        """Look at standard output and the environment once.

        ``COLUMNS`` sets the width, also of a pipe; else a pipe has none and nothing is folded there. ``NO_COLOR``
        outranks ``FORCE_COLOR``, and the option outranks both.
        """
        self.is_terminal = is_terminal(sys.stdout)
        columns = os.environ.get("COLUMNS", "")
        asked = int(columns) if columns.isascii() and columns.isdigit() else 0
        self.width: int | None = asked or (shutil.get_terminal_size().columns if self.is_terminal else None)
        self.has_color = color == "always" or (color == "auto" and _wants_color(is_shown=self.is_terminal))

    def print(self, lines: Iterable[Line]) -> None:
        """Write lines to standard output."""
        for line in lines:
            for piece in [line] if self.width is None else fold(line, self.width):
                click.echo(self._text(piece), color=self.has_color)

    def _text(self, line: Line) -> str:
        if not self.has_color:
            return "".join(text for text, _ in line).rstrip()
        return "".join(_styled(text, style) for text, style in line if text)


def is_terminal(stream: IO[str] | None) -> bool:
    """Return whether a stream is open and a terminal; a closed one is ``None`` to Python."""
    return stream is not None and stream.isatty()


def tell(text: str) -> None:
    """Write one line to stderr; what comes from files cannot steer the terminal."""
    click.echo(f"callgrade: {visible(' '.join(text.splitlines()))}", err=True)


def _wants_color(*, is_shown: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_shown and os.environ.get("TERM") != "dumb")


def _styled(text: str, style: str) -> str:
    words = style.split()
    color = next((word for word in words if word not in _WORDS), None)
    return click.style(text, fg=color, bold="bold" in words or None, dim="dim" in words or None) if words else text


class NoProgress:
    """Tells notes, shows no progress."""

    def note(self, text: str) -> None:
        """Write a note to stderr."""
        tell(text)

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
            tell(f"{n_records} cases{done}, {n_records / (now - self._started):.0f}/s")


class BarProgress(NoProgress):
    """A bar with count, rate and time left."""

    def __init__(self, color: When) -> None:
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
            console=Console(stderr=True, no_color=color == "never" or None),
            transient=True,
        )
        self._task: TaskID = self._bar.add_task("grading", total=None, n=0, rate=0)
        self._bar.start()

    def note(self, text: str) -> None:
        """Write a note above the bar."""
        self._bar.console.print(f"callgrade: {visible(text)}", markup=False, highlight=False, emoji=False)

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


def make_watcher(progress: Literal["auto", "on", "off"], color: When = "auto") -> NoProgress:
    """Return what tells the user how a run goes: a bar on a terminal, rare lines in a log, nothing when off."""
    if progress == "off":
        return NoProgress()
    if is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb":
        return BarProgress(color)
    return LineProgress() if progress == "on" else NoProgress()
