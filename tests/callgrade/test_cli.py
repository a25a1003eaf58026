"""The command line as a whole: exit codes, errors on one line, help, environment, completion."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from callgrade.cli import COMMANDS, group

GOOD = '{"task_id": "a", "actual_invocations": []}\n'


def write(name: str, content: str | bytes) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)

    return make


def nothing(folder: Path) -> None:
    assert folder.is_dir()


def finished_run(folder: Path) -> None:
    write("good.jsonl", GOOD)(folder)
    (folder / "run").mkdir()
    (folder / "run" / "manifest.json").write_text("{}")


MISTAKES: list[tuple[str, Callable[[Path], None], str, int, str]] = [
    ("no such input", nothing, "grade none.json", 3, "none.json: no such file or folder"),
    ("an empty file", write("c.json", ""), "grade c.json --format native", 3, "c.json: the file is empty"),
    (
        "no known format",
        write("c.json", '{"a": 1}'),
        "grade c.json",
        3,
        "c.json: no reader recognises it; name the format",
    ),
    (
        "no such format",
        write("c.json", GOOD),
        "grade c.json --format nativ",
        2,
        "no format 'nativ'; choose one of native",
    ),
    ("no such policy", write("c.json", GOOD), "grade c.json --policy strct/1", 2, "strct/1"),
    ("standard input without a format", nothing, "grade -", 2, "standard input needs --format"),
    (
        "a truncated archive",
        write("c.jsonl.gz", gzip.compress(GOOD.encode() * 99)[:-12]),
        "grade c.jsonl.gz --format native",
        3,
        "c.jsonl.gz: cannot be read",
    ),
    ("UTF-16", write("c.json", GOOD.encode("utf-16")), "grade c.json --format native", 3, "c.json: not UTF-8 text"),
    (
        "a misspelt key",
        write("c.jsonl", GOOD + '{"task_id": "b", "actual_invocation": []}'),
        "grade c.jsonl",
        3,
        "c.jsonl:2: unknown key 'actual_invocation' at $; did you mean 'actual_invocations'?",
    ),
    (
        "a wrong type",
        write("c.jsonl", '{"task_id": "b", "actual_invocations": 5}'),
        "grade c.jsonl",
        3,
        "c.jsonl:1: Expected `array | null`, got `int` - at `$.actual_invocations`",
    ),
    (
        "gold that is wrong in itself",
        write(
            "c.jsonl",
            '{"task_id": "b", "actual_invocations": [],'
            ' "expected_invocations": [{"tool": "f", "args": {"x": {"$lik": 1}}}]}',
        ),
        "grade c.jsonl",
        3,
        "c.jsonl:1: ",
    ),
    ("a bad tools file", write("c.jsonl", GOOD), "grade c.jsonl --tools c.jsonl", 3, "c.jsonl"),
    ("out is a file", write("c.jsonl", GOOD), "grade c.jsonl --out c.jsonl", 2, "c.jsonl: a file, not a folder"),
    ("out lies below a file", write("c.jsonl", GOOD), "grade c.jsonl --out c.jsonl/x", 2, "c.jsonl/x: cannot be "),
    ("out is in use by something else", write("c.jsonl", GOOD), "grade c.jsonl --out .", 2, ".: not empty and no run"),
    ("resume without a folder", write("c.jsonl", GOOD), "grade c.jsonl --resume", 2, "--resume needs --out"),
    ("resume without a run", write("c.jsonl", GOOD), "grade c.jsonl --resume --out r", 2, "r: no run there to resume"),
    (
        "resume and overwrite",
        write("c.jsonl", GOOD),
        "grade c.jsonl --resume --overwrite --out r",
        2,
        "exclude each other",
    ),
    (
        "a run is there already",
        finished_run,
        "grade good.jsonl --out run",
        2,
        "run: holds a run already; use --resume, --overwrite",
    ),
    ("show: no run", nothing, "show .", 3, ".: no run there"),
    ("show: damaged", finished_run, "show run", 3, "run/manifest.json: damaged: "),
    ("show: no folder", nothing, "show none", 3, "none: no run there"),
    (
        "convert to a place that is none",
        write("c.jsonl", GOOD),
        "convert c.jsonl -o none/out.jsonl",
        2,
        "none/out.jsonl: cannot be written: No such file",
    ),
    (
        "convert a bad record",
        write("c.jsonl", '{"task_id": 1}'),
        "convert c.jsonl --format native",
        3,
        "c.jsonl:1: Expected `str`",
    ),
    ("a command that is near one", nothing, "grad x", 2, "no command 'grad'; did you mean 'grade'?"),
    ("a command like none", nothing, "zzz", 2, "No such command 'zzz'"),
    ("no input", nothing, "grade", 2, "Missing argument 'INPUT...'"),
    ("an unknown schema", nothing, "schema cse", 2, "'cse' is not one of"),
    ("a list option beside a case", nothing, "show run 1 --failed", 2, "leave them or CASE out"),
]


@pytest.mark.parametrize(
    ("prepare", "command", "code", "message"), [pytest.param(p, a, c, m, id=i) for i, p, a, c, m in MISTAKES]
)
def test_a_users_mistake(
    callgrade: Any, tmp_path: Path, prepare: Callable[[Path], None], command: str, code: int, message: str
) -> None:
    prepare(tmp_path)
    said = callgrade(*command.split())
    assert (said.code, said.out) == (code, "")
    assert message in said.err
    assert "Traceback" not in said.err
    if said.err.startswith("callgrade: "):
        assert len([line for line in said.err.splitlines() if "recognised;" not in line]) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_what_may_not_be_read_or_written(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    cases = make_cases(1)
    tmp_path.chmod(0o500)
    assert callgrade("grade", cases, "--out", "run").code == 2
    cases.chmod(0)
    assert callgrade("grade", cases, "--format", "native").code == 3


def test_a_read_only_place_is_named(callgrade: Any, make_cases: Any) -> None:
    said = callgrade("grade", make_cases(1), "--out", "/proc/run")
    assert said.code == 2
    assert "callgrade: /proc/run: cannot be written: " in said.err


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_shows_an_example_that_parses(callgrade: Any, name: str) -> None:
    said = callgrade(name, "--help")
    assert said.code == 0
    command = group.get_command(click.Context(group), name)
    assert command is not None
    assert command.epilog is not None
    for example in command.epilog.partition(": ")[2].split(" | "):
        words = example.partition(" > ")[0].split()
        assert words[:2] == ["callgrade", name]
        command.make_context(name, words[2:], resilient_parsing=False)


def test_help_lists_every_command_and_exit_code(callgrade: Any) -> None:
    said = callgrade("--help")
    assert all(f"  {name} " in said.out for name in COMMANDS)
    assert [code for code in range(9) if f"{code} " in said.out.partition("Exit codes")[2]] == list(range(9))


def test_every_option_can_be_set_by_the_environment(
    callgrade: Any, make_cases: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALLGRADE_GRADE_OUT", str(tmp_path / "from-env"))
    monkeypatch.setenv("CALLGRADE_GRADE_POLICY", "lenient/1")
    assert callgrade("grade", make_cases(1)).code == 0
    assert json.loads((tmp_path / "from-env" / "manifest.json").read_text())["policy"] == "lenient/1"


def test_bash_completes_commands_and_options() -> None:
    def complete(words: str, index: int) -> str:
        script = {"_CALLGRADE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(index)}
        command = "import sys; sys.argv = ['callgrade']; from callgrade.entry import main; main()"
        done = subprocess.run(
            [sys.executable, "-c", command], env={**os.environ, **script}, capture_output=True, text=True, check=False
        )
        return done.stdout

    assert complete("callgrade gr", 1) == "plain,grade\n"
    assert "plain,--resume\n" in complete("callgrade grade --res", 2)


def test_bash_completion_has_a_script() -> None:
    command = "import sys; sys.argv = ['callgrade']; from callgrade.entry import main; main()"
    env = {**os.environ, "_CALLGRADE_COMPLETE": "bash_source"}
    done = subprocess.run([sys.executable, "-c", command], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "complete -o nosort -F _callgrade_completion callgrade" in done.stdout


def test_a_fault_of_ours_leaves_with_4_and_a_traceback(callgrade: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "formats", ("callgrade.commands.none:command", "gone"))
    said = callgrade("formats")
    assert said.code == 4
    assert said.err.splitlines()[-1] == "callgrade: internal error, see above; please report it"
