from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from callgrade.commands.calibrate import command
from cases.errors import InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two judges on 100 items: ``good`` errs on every 20th, ``coin`` on every other."""
    answers = [
        {"item": str(index), "judge": judge, "verdict": verdict, "score": 0.9 if verdict == "pass" else 0.2}
        for judge, period in (("good", 20), ("coin", 2))
        for index in range(100)
        for verdict in [("fail" if index < 50 else "pass") if index % period else ("pass" if index < 50 else "fail")]
    ]
    labels = [
        {"item": str(index), "label": "fail" if index < 50 else "pass", "stratum": "even" if index % 2 else "odd"}
        for index in range(100)
    ]
    texts = [{"item": str(index), "text": "x" * (index % 7)} for index in range(100)]
    for name, records in (("answers", answers), ("labels", labels), ("texts", texts)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return tmp_path


def invoke(folder: Path, *arguments: str) -> Result:
    files = [f"--answers={folder}/answers.jsonl", f"--labels={folder}/labels.jsonl"]
    return CliRunner().invoke(command, [*files, *arguments], catch_exceptions=False)


def test_the_text_says_all_and_cuts_nothing(folder: Path) -> None:
    ran = invoke(folder, "--against=coin", f"--texts={folder}/texts.jsonl")
    assert ran.exit_code == 0
    assert "100 items with gold: 50 fail, 50 pass" in ran.output
    assert "coin: untrusted: useless: not shown to do better than the trivial grader 'majority'" in ran.output
    for title in (
        "Answers",
        "Agreement",
        "Rates",
        "What a verdict is worth",
        "Trivial graders on the same items",
        "By stratum",
        "Pass rate of the batch",
        "Scores",
        "Two judges on the same items",
    ):
        assert f"\n{title}" in ran.output
    assert "text length" in ran.output
    # 25 fails stand at even places ("odd" is every other item from 0 on): those at 0, 20 and 40 were missed
    assert re.search(r"good +odd +50 +22 of 25 +23 of 25 ", ran.output)
    assert "…" not in ran.output


def test_json_is_one_document(folder: Path) -> None:
    document = json.loads(invoke(folder, "--json").stdout)
    assert document["version"] == "agreement/1"
    assert [judge["agreement"]["judge"] for judge in document["judges"]] == ["good", "coin"]
    assert document["judges"][0]["agreement"]["table"] == {
        "fail_as_fail": 47,
        "fail_as_pass": 3,
        "pass_as_fail": 2,
        "pass_as_pass": 48,
        "n_left_out": 0,
    }


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 0),
        (("--require-trusted",), 1),
        (("--require-trusted", "--judge=good"), 0),
        (("--require-trusted", "--judge=good", "--min-tnr=0.9"), 5),
        (("--sampling=perhaps",), 2),
        (("--min-tpr=80",), 2),
    ],
)
def test_exit_codes(folder: Path, arguments: tuple[str, ...], code: int) -> None:
    assert invoke(folder, *arguments).exit_code == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judge=best",), r"--judge 'best': no such judge in the answers; there are \['coin', 'good'\]"),
        (("--against=best",), "no answers by judge 'best'"),
        (("--format=d2t_eval",), "answers.jsonl:1: Object missing required field `dataset`"),
        (("--answers=nowhere.jsonl",), "nowhere.jsonl: no such file or folder"),
        (("--looks=no/such/folder",), "no/such/folder: cannot be written: No such file or directory"),
    ],
)
def test_bad_input_is_one_line(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        invoke(folder, *arguments)


def test_looks_at_test_are_remembered(folder: Path) -> None:
    looks = folder / "looks.jsonl"
    counts = [
        json.loads(invoke(folder, "--json", f"--looks={looks}").stdout)["judges"][0]["scores"]["threshold"]["n_looks"]
        for _ in range(3)
    ]
    assert counts == [1, 2, 3]
    assert len(looks.read_text().splitlines()) == 3
    looks.write_text("{}\n")
    with pytest.raises(InputError, match=r"looks\.jsonl:1: .*not a looks file: name another one"):
        invoke(folder, f"--looks={looks}")


def test_the_module_runs_as_a_command(folder: Path) -> None:
    arguments = ["calibrate", f"--answers={folder}/answers.jsonl", f"--labels={folder}/labels.jsonl"]
    ran = subprocess.run([sys.executable, "-m", "callgrade", *arguments], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    (folder / "labels.jsonl").write_text('{"item":"1","label":"good"}\n')
    ran = subprocess.run([sys.executable, "-m", "callgrade", *arguments], capture_output=True, text=True, check=False)
    assert ran.returncode == 3
    assert ran.stderr.startswith(
        f"callgrade: {folder}/labels.jsonl:1: Invalid enum value 'good' - at `$.label`; a label"
    )
    assert len(ran.stderr.splitlines()) == 1
