"""The command line in this process, in an empty folder."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from callgrade.cli import main


class Said(NamedTuple):
    """How a command ended and what it printed."""

    code: object
    out: str
    err: str


@pytest.fixture
def callgrade(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Said]:
    """Run the command line here."""
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["callgrade", *args])
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        printed = capfd.readouterr()
        return Said(stop.value.code, printed.out, printed.err)

    return run
