"""The command line, in this process for what it prints and in another one for what the system does to it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from callgrade.cli import main
from cases.jsonvalue import JsonObject

DATA = Path(__file__).parent.parent / "data"


class Said(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


CallGrade = Callable[..., Said]
MakeCases = Callable[..., Path]


@pytest.fixture
def lamp(tmp_path: Path) -> Path:
    """The fixture of the native format's definition, in a folder of its own."""
    path = tmp_path / "in" / "lamp.json"
    path.parent.mkdir()
    path.write_bytes((DATA / "broken_lamp.json").read_bytes())
    return path


@pytest.fixture
def callgrade(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> CallGrade:
    """Run the command line here, in an empty folder, as if from a script."""
    monkeypatch.chdir(tmp_path)
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def run(*args: str | Path) -> Said:
        monkeypatch.setattr(sys, "argv", ["callgrade", *map(str, args)])
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        printed = capfd.readouterr()
        assert isinstance(stop.value.code, int)
        return Said(stop.value.code, printed.out, printed.err)

    return run


@pytest.fixture
def start(tmp_path: Path) -> Iterable[Callable[..., subprocess.Popen[bytes]]]:
    """Start the command line in a process of its own; it does not outlive the test."""
    started: list[subprocess.Popen[bytes]] = []
    env = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "NO_COLOR", "FORCE_COLOR"}}

    def run(*args: str | Path, **options: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "callgrade", *map(str, args)]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(command, **{"cwd": tmp_path, "env": env, **streams, **options})  # type: ignore[call-overload]  # a test's own choice of options  # pyright: ignore[reportCallIssue, reportArgumentType, reportUnknownVariableType]
        started.append(process)  # pyright: ignore[reportUnknownArgumentType]
        return process  # type: ignore[no-any-return]  # see above  # pyright: ignore[reportUnknownVariableType]

    yield run
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def make_cases(tmp_path: Path) -> MakeCases:
    """Write ``n`` small cases as JSON Lines; every third one fails."""

    def make(n: int, name: str = "cases.jsonl") -> Path:
        path = tmp_path / name
        with path.open("w") as file:
            for number in range(n):
                file.write(json.dumps(small_case(number)) + "\n")
        return path

    return make


def small_case(number: int) -> JsonObject:
    wanted: JsonObject = {"tool": "refund", "args": {"order": str(number), "amount": number / 4}}
    sent: JsonObject = {**wanted, "args": {"order": str(number), "amount": number / 4 + (number % 3 == 0)}}
    return {"task_id": f"t{number}", "expected_invocations": [wanted], "actual_invocations": [sent]}
