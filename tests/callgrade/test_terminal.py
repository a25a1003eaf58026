"""What the console shows: a real terminal, a pipe, and recordings that try to steer either."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from callgrade.terminal import Screen
from cases.jsonvalue import JsonObject
from reports.lines import cell_width

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_a_terminal(folder: Path, *args: str, env: dict[str, str] | None = None) -> str:
    """Run callgrade with all three streams on a terminal of 80 columns and return what it drew."""
    keep = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"}}
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "callgrade", *args],
        cwd=folder,
        env={**keep, "TERM": "xterm-256color", **(env or {})},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        close_fds=True,
    )
    os.close(theirs)
    drawn = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # Linux says EIO when the other side is closed
            break
        if not piece:
            break
        drawn += piece
    process.wait(timeout=30)
    os.close(ours)
    return drawn.decode().replace("\r\n", "\n")


LONG = {
    "task_id": "long",
    "model": "m1",
    "input": "word " * 400,
    "tools": [{"name": "f" * 90}],
    "expected_invocations": [{"tool": "f" * 90, "args": {"x": 1}}],
    "actual_invocations": [{"tool": "f" * 90, "args": {"x": "y" * 3_000}}],
}
OTHER = {
    "task_id": "other",
    "model": "m2",
    "expected_invocations": [{"tool": "g"}],
    "actual_invocations": [{"tool": "g"}],
}


@pytest.fixture
def run(callgrade: Any, tmp_path: Path) -> Path:
    (tmp_path / "c.jsonl").write_text(f"{json.dumps(LONG)}\n{json.dumps(OTHER)}\n")
    callgrade("grade", "c.jsonl", "--out", "run")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [["show", "run", "long@m1"], ["show", "run"], ["grade", "c.jsonl", "--out", "new", "--progress", "off"]],
    ids=" ".join,
)
def test_nothing_is_wider_than_the_terminal(run: Path, command: list[str]) -> None:
    drawn = ESCAPE.sub("", on_a_terminal(run, *command))
    assert len(drawn.splitlines()) > 2
    ours = [line for line in drawn.splitlines() if not line.startswith("callgrade: ")]
    assert max(map(cell_width, ours)) <= 80


def test_a_terminal_cuts_long_texts_and_says_so_unless_asked_for_all(run: Path) -> None:
    assert "… [3002 characters]" in on_a_terminal(run, "show", "run", "long@m1", "--color", "never")
    full = on_a_terminal(run, "show", "run", "long@m1", "--full", "--color", "never")
    assert "… [3002 characters]" not in full
    assert full.count("y") > 3_000


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_pipe_gets_everything_on_one_line_without_trailing_blanks(
    callgrade: Any, run: Path, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    shown = callgrade("show", run / "run", "long@m1").out
    assert f'x: "{"y" * 3_000}"' in shown
    assert ("word " * 400).strip() in shown
    graded = callgrade("grade", "c.jsonl", "--out", "new").out
    assert "f" * 90 in graded
    for text in (shown, graded, callgrade("show", "run").out):
        assert "\x1b" not in text
        assert [line for line in text.splitlines() if line != line.rstrip()] == []


COLORS: list[tuple[str, list[str], dict[str, str], bool]] = [
    ("a terminal has colour", [], {}, True),
    ("NO_COLOR", [], {"NO_COLOR": "1"}, False),
    ("an empty NO_COLOR says nothing", [], {"NO_COLOR": ""}, True),
    ("a dumb terminal", [], {"TERM": "dumb"}, False),
    ("never", ["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ("always outranks NO_COLOR", ["--color", "always"], {"NO_COLOR": "1"}, True),
    ("NO_COLOR outranks FORCE_COLOR", [], {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
]


@pytest.mark.parametrize(("options", "env", "wanted"), [pytest.param(o, e, w, id=i) for i, o, e, w in COLORS])
def test_colour_on_a_terminal(run: Path, options: list[str], env: dict[str, str], wanted: bool) -> None:
    drawn = on_a_terminal(run, "show", "run", "long@m1", *options, env=env)
    assert ("\x1b[" in drawn) is wanted


@pytest.mark.parametrize(("env", "wanted"), [("FORCE_COLOR", True), ("NO_COLOR", False)])
def test_colour_in_a_pipe(callgrade: Any, run: Path, monkeypatch: pytest.MonkeyPatch, env: str, wanted: bool) -> None:
    assert run.is_dir()
    monkeypatch.setenv(env, "1")
    assert ("\x1b[" in callgrade("show", "run", "long@m1").out) is wanted


@pytest.mark.parametrize(("columns", "wanted"), [("60", 60), ("", None), ("wide", None), ("-5", None), ("²", None)])
def test_columns_set_the_width_of_a_pipe(monkeypatch: pytest.MonkeyPatch, columns: str, wanted: int | None) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert Screen("never").width == wanted


def test_progress_is_drawn_on_a_terminal_and_taken_away(run: Path) -> None:
    drawn = on_a_terminal(run, "grade", "c.jsonl", "--out", "new")
    assert "grading " in drawn
    assert "cases" in drawn
    assert "grading " not in on_a_terminal(run, "grade", "c.jsonl", "--out", "off", "--progress", "off")


def test_progress_stays_out_of_a_pipe(callgrade: Any, run: Path) -> None:
    assert run.is_dir()
    said = callgrade("grade", "c.jsonl", "--format", "native", "--out", "new", "--progress", "on")
    assert said.err == "Next: callgrade show new --failed\n"


JSON = [["grade", "c.jsonl", "--out", "new"], ["show", "run"], ["show", "run", "other"], ["show", "run", "--failed"]]


@pytest.mark.parametrize("command", JSON, ids=" ".join)
def test_json_is_one_document_and_nothing_else(callgrade: Any, run: Path, command: list[str]) -> None:
    assert run.is_dir()
    assert json.loads(callgrade(*command, "--json").out)["schema"].startswith("callgrade-")


ATTACKS = [
    ("an escape sequence", "\x1b]0;owned\x07\x1b[2J"),
    ("an 8-bit escape", "\x9b2J"),
    ("a carriage return", "good\rbad"),
    ("a newline", "a\nFAKE  pass\nb"),
    ("a tab", "a\tb"),
    ("direction override", "a\u202egnp.exe"),
    ("direction isolate", "a\u2066b\u2069"),
    ("a line separator", "a\u2028b\x85c"),
    ("rich markup", "[bold red]x[/bold red][link=http://e]y[/link]"),
    ("an emoji code", ":skull:"),
    ("a million letters", "z" * 1_000_000),
]
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


@pytest.mark.parametrize("attack", [pytest.param(a, id=i) for i, a in ATTACKS])
def test_a_recording_cannot_steer_the_console(callgrade: Any, tmp_path: Path, attack: str) -> None:
    case: JsonObject = {
        "task_id": f"t {attack}",
        "model": attack,
        "input": attack,
        "tags": [attack],
        "tools": [{"name": attack, "family": attack, "input_schema": {"type": "object", "required": [attack]}}],
        "expected_paths": [
            {"name": attack, "steps": [{"tool": [attack, "g"], "args": {attack: attack}}]},
            {"name": "x", "steps": [{"tool": "other"}]},
        ],
        "messages": [{"role": "system", "content": attack}, {"role": "assistant", "content": attack}],
        "actual_invocations": [
            {"tool": attack, "args": {attack: attack + "!"}, "result": attack},
            {"tool": attack + "?", "args": attack, "error": attack},
        ],
        "final_answer": attack,
    }
    ungraded: JsonObject = {"task_id": attack, "model": "m", "actual_invocations": [], "infrastructure_error": attack}
    (tmp_path / "c.jsonl").write_text(f"{json.dumps(case)}\n{json.dumps(ungraded)}\n" + json.dumps({"zz" + attack: 1}))
    graded = callgrade("grade", "c.jsonl", "--format", "native", "--out", "run", "--skip-bad")
    assert graded.code == 0
    n_lines = {len(callgrade("show", "run").out.splitlines())}
    assert n_lines == {3}
    for said in (graded, *(callgrade("show", "run", *options) for options in ([], ["1"], ["2"], ["3"]))):
        assert said.code == 0
        text = said.out.replace("\t", "") if said.out.count("\t") else said.out
        assert STEERING.findall(text + said.err) == []
        assert "\nFAKE" not in said.out


def test_a_hostile_file_name_in_an_error_stays_on_one_line(callgrade: Any) -> None:
    said = callgrade("grade", "a\nb\x1b[2J.json")
    assert said.code == 3
    assert said.err == "callgrade: a b\\u001b[2J.json: no such file or folder, and no file matches it as a pattern\n"


def test_an_encoding_that_lacks_a_sign_spells_it_out(run: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    command = [sys.executable, "-m", "callgrade", "show", "run", "other"]
    done = subprocess.run(command, cwd=run, env=env, capture_output=True, check=True)
    assert b"\\u2713 pass" in done.stdout
