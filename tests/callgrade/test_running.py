"""Whole runs: nothing is lost, and what stops a run leaves one that can be finished."""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard

FILES = ("verdicts.jsonl", "cases.jsonl.zst", "summary.json")


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def same_run(left: Path, right: Path) -> bool:
    return all((left / name).read_bytes() == (right / name).read_bytes() for name in FILES)


def test_one_verdict_a_record_in_order(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    assert callgrade("grade", make_cases(600), "--out", "run").code == 0
    verdicts = lines(tmp_path / "run" / "verdicts.jsonl")
    assert [v["task_id"] for v in verdicts] == [f"t{n}" for n in range(600)]
    assert [v["status"] for v in verdicts[:4]] == ["fail", "pass", "pass", "fail"]
    packed = (tmp_path / "run" / "cases.jsonl.zst").read_bytes()
    unpacked = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True).read()
    assert [json.loads(line)["case"]["task_id"] for line in unpacked.splitlines()] == [f"t{n}" for n in range(600)]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert (manifest["status"], manifest["n_records"], manifest["inputs"][0]["n_records"]) == ("complete", 600, 600)


def test_the_same_input_gives_the_same_bytes(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    cases = make_cases(300)
    for name in ("one", "two"):
        callgrade("grade", cases, "--out", name)
    assert same_run(tmp_path / "one", tmp_path / "two")


BAD = [
    '{"task_id": "bad"',
    '{"task_id": "x", "zzz": 1}',
    "[1]",
    '{"task_id": "g", "expected_paths": [{"steps": []}]}',
    "7",
]


def test_skip_bad_keeps_the_bad_ones_in_their_place(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    good = make_cases(5).read_text().splitlines()
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text("\n".join(line for pair in zip(good, BAD, strict=True) for line in pair))
    said = callgrade("grade", mixed, "--format", "native", "--skip-bad", "--out", "run")
    assert said.code == 0
    verdicts = lines(tmp_path / "run" / "verdicts.jsonl")
    assert [v["source"].rpartition(":")[2] for v in verdicts] == [str(n) for n in range(1, 11)]
    bad = [v for v in verdicts if v.get("reason", "").startswith("bad record: ")]
    assert [v["status"] for v in bad] == ["ungraded"] * len(bad)
    assert {verdicts.index(v) for v in bad} >= {1, 3, 5, 9}
    assert f"{len(bad)} bad records ungraded" in said.err


def test_without_skip_bad_the_run_stops_there_and_goes_on_with_it(
    callgrade: Any, make_cases: Any, tmp_path: Path
) -> None:
    cases = make_cases(300)
    cases.write_text(cases.read_text() + "{oops\n" + '{"task_id": "last", "actual_invocations": []}\n')
    stopped = callgrade("grade", cases, "--out", "run")
    assert stopped.code == 3
    assert "cases.jsonl:301: not JSON: " in stopped.err
    assert "--resume --skip-bad goes on from here" in stopped.err
    assert len(lines(tmp_path / "run" / "verdicts.jsonl")) == 256  # one whole block
    assert callgrade("grade", cases, "--out", "run", "--resume", "--skip-bad").code == 0
    verdicts = lines(tmp_path / "run" / "verdicts.jsonl")
    assert [v["status"] for v in verdicts[299:]] == ["pass", "ungraded", "ungraded"]
    callgrade("grade", cases, "--out", "undisturbed", "--skip-bad")
    assert same_run(tmp_path / "run", tmp_path / "undisturbed")


def test_a_truncated_archive_loses_nothing_that_came_before(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    packed = zstandard.ZstdCompressor().compress(make_cases(50).read_bytes())
    broken = tmp_path / "broken.jsonl.zst"
    broken.write_bytes(zstandard.ZstdCompressor().compress(make_cases(20).read_bytes()) + packed[:-9])
    assert callgrade("grade", broken, "--format", "native", "--out", "run", "--skip-bad").code == 0
    verdicts = lines(tmp_path / "run" / "verdicts.jsonl")
    assert len(verdicts) > 20
    assert "cannot be read: the compressed data ends in the middle" in verdicts[-1]["reason"]


CHANGES: list[tuple[str, list[str], str]] = [
    ("a changed input", [], "cases.jsonl changed since the run was started"),
    ("another policy", ["--policy", "lenient/1"], "the run was made with policy 'strict/1', now it is 'lenient/1'"),
    ("gold that was not there", ["--gold", "gold.jsonl"], "gold.jsonl changed since"),
]


@pytest.mark.parametrize(("options", "message"), [pytest.param(o, m, id=i) for i, o, m in CHANGES])
def test_resume_refuses(callgrade: Any, make_cases: Any, options: list[str], message: str) -> None:
    cases = make_cases(3)
    make_cases(3, "gold.jsonl")
    callgrade("grade", cases, "--out", "run")
    if not options:
        make_cases(4)
    said = callgrade("grade", cases, "--out", "run", "--resume", *options)
    assert said.code == 3
    assert message in said.err


def test_resume_of_a_complete_run_changes_no_verdict(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    cases = make_cases(300)
    callgrade("grade", cases, "--out", "run")
    before = [(tmp_path / "run" / name).read_bytes() for name in FILES]
    assert callgrade("grade", cases, "--out", "run", "--resume").code == 0
    assert [(tmp_path / "run" / name).read_bytes() for name in FILES] == before


def test_overwrite_leaves_nothing_of_the_run_before(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    callgrade("grade", make_cases(300), "--out", "run")
    callgrade("grade", make_cases(2), "--out", "run", "--overwrite")
    assert len(lines(tmp_path / "run" / "verdicts.jsonl")) == 2


def _append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


def _cut(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def _leave_the_manifest(run: Path) -> None:
    for name in (*FILES, "progress.jsonl"):
        (run / name).unlink()


DAMAGES: list[tuple[str, Callable[[Path], None]]] = [
    ("half a line of progress", lambda run: _append(run / "progress.jsonl", b'{"n_rec')),
    ("a line of progress that is no JSON", lambda run: _append(run / "progress.jsonl", b"oops\n")),
    ("half a block of verdicts", lambda run: _append(run / "verdicts.jsonl", b'{"case_id":')),
    ("half a frame of cases", lambda run: _append(run / "cases.jsonl.zst", b"\x28\xb5\x2f\xfd\x00")),
    ("progress that runs ahead of the files", lambda run: _cut(run / "verdicts.jsonl", 100)),
    ("nothing but the manifest", _leave_the_manifest),
    ("a torn summary", lambda run: _cut(run / "summary.json", 1)),
]


@pytest.mark.parametrize("damage", [pytest.param(d, id=i) for i, d in DAMAGES])
def test_resume_mends(callgrade: Any, make_cases: Any, tmp_path: Path, damage: Callable[[Path], None]) -> None:
    cases = make_cases(600)
    for name in ("run", "undisturbed"):
        callgrade("grade", cases, "--out", name)
    damage(tmp_path / "run")
    assert callgrade("grade", cases, "--out", "run", "--resume").code == 0
    assert same_run(tmp_path / "run", tmp_path / "undisturbed")


def test_a_run_that_was_stopped_says_so_when_shown(callgrade: Any, make_cases: Any) -> None:
    cases = make_cases(300)
    _append(cases, b"{oops\n")
    callgrade("grade", cases, "--out", "run")
    said = callgrade("show", "run", "--limit", "1")
    assert said.code == 0
    assert "callgrade: run is incomplete" in said.err
    assert said.out.startswith("t0\tfail\tvalue_error\t")


def test_a_complete_run_that_lost_cases_is_damaged(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    callgrade("grade", make_cases(3), "--out", "run")
    (tmp_path / "run" / "cases.jsonl.zst").write_bytes(b"")
    said = callgrade("show", "run", "t2")
    assert (said.code, said.err.count("\n")) == (3, 1)
    assert "damaged" in said.err


def wait_for_block(run: Path) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        progress = run / "progress.jsonl"
        if progress.exists() and progress.stat().st_size:
            return
        time.sleep(0.002)
    raise AssertionError("the run never wrote a block")


@pytest.fixture
def slow_run(start: Any) -> Any:
    """A run that waits for more input after its first block."""
    return start("grade", "-", "--format", "native", "--out", "run", stdin=subprocess.PIPE, start_new_session=True)


def feed(process: subprocess.Popen[bytes], cases: Path) -> None:
    assert process.stdin is not None
    process.stdin.write(cases.read_bytes())
    process.stdin.flush()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_keeps_the_run_and_says_how_to_go_on(
    slow_run: Any, make_cases: Any, tmp_path: Path, number: signal.Signals
) -> None:
    feed(slow_run, make_cases(400))
    wait_for_block(tmp_path / "run")
    slow_run.send_signal(number)
    _, err = slow_run.communicate(timeout=20)
    assert slow_run.returncode == 6
    (line,) = err.decode().splitlines()
    assert f"callgrade: stopped by {number.name}; what was graded is kept in run; standard input cannot" in line
    assert json.loads((tmp_path / "run" / "manifest.json").read_bytes())["status"] == "running"
    assert len(lines(tmp_path / "run" / "verdicts.jsonl")) == 256


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_run_over_files_that_was_stopped_is_resumed(
    start: Any, callgrade: Any, make_cases: Any, tmp_path: Path, number: signal.Signals
) -> None:
    cases = make_cases(5_000)
    process = start("grade", cases, "--out", "run")
    wait_for_block(tmp_path / "run")
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 6
    assert b"finish the run with the same command and --out run --resume\n" in err
    callgrade("grade", cases, "--out", "undisturbed")
    assert callgrade("grade", cases, "--out", "run", "--resume").code == 0
    assert same_run(tmp_path / "run", tmp_path / "undisturbed")


def test_two_processes_never_share_a_folder(slow_run: Any, callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    cases = make_cases(400)
    feed(slow_run, cases)
    wait_for_block(tmp_path / "run")
    for options in ([], ["--overwrite"], ["--resume"]):
        said = callgrade("grade", cases, "--out", "run", *options)
        assert (said.code, said.out) == (8, "")
        assert "run: another process is writing this run" in said.err
    slow_run.communicate(timeout=20)
    assert slow_run.returncode == 0
    assert len(lines(tmp_path / "run" / "verdicts.jsonl")) == 400


def limit_files(n_bytes: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))


def test_a_full_disk_stops_the_run_and_room_finishes_it(
    start: Any, callgrade: Any, make_cases: Any, tmp_path: Path
) -> None:
    cases = make_cases(2_000)
    process = start("grade", cases, "--out", "run", preexec_fn=limit_files(200_000))
    _, err = process.communicate(timeout=60)
    assert process.returncode == 6
    assert b"run: cannot be written: File too large; make room there and finish the run with --resume" in err
    assert b"Traceback" not in err
    callgrade("grade", cases, "--out", "undisturbed")
    assert callgrade("grade", cases, "--out", "run", "--resume").code == 0
    assert same_run(tmp_path / "run", tmp_path / "undisturbed")


def test_a_full_disk_under_standard_output_is_one_line(start: Any, make_cases: Any) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start("grade", make_cases(3), "--format", "native", "--out", "run", stdout=full)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 6
    assert b"callgrade: standard output cannot be written: No space left on device\n" in err
    assert b"Traceback" not in err


@pytest.mark.parametrize("command", [["show", "run"], ["convert", "cases.jsonl"], ["schema", "verdict"]], ids=" ".join)
def test_a_reader_that_leaves_is_no_error(start: Any, callgrade: Any, make_cases: Any, command: list[str]) -> None:
    callgrade("grade", make_cases(3_000), "--out", "run")
    process = start(*command)
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read()
    assert process.wait(timeout=30) == 0
    assert b"Traceback" not in err
    assert b"Exception" not in err


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_is_no_traceback(make_cases: Any, tmp_path: Path, closed: str) -> None:
    make_cases(3)
    source = "-" if closed == "<&-" else "cases.jsonl"
    script = f'"{sys.executable}" -m callgrade grade {source} --format native --out run {closed}'
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == (3 if closed == "<&-" else 0)
    assert "Traceback" not in done.stderr


def test_standard_input_may_be_packed(start: Any, make_cases: Any, tmp_path: Path) -> None:
    process = start("grade", "-", "--format", "native", "--out", "run", stdin=subprocess.PIPE)
    process.communicate(zstandard.ZstdCompressor().compress(make_cases(30).read_bytes()), timeout=60)
    assert len(lines(tmp_path / "run" / "verdicts.jsonl")) == 30


@pytest.mark.slow
def test_kill_9_at_any_moment_costs_nothing(start: Any, callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    cases = make_cases(10_000)
    began = time.monotonic()
    callgrade("grade", cases, "--out", "undisturbed")
    whole_s = time.monotonic() - began
    moments = random.Random(7)  # noqa: S311  # moments, not secrets
    n_killed = 0
    for _ in range(20):
        options = ["--resume"] if (tmp_path / "run" / "manifest.json").exists() else []
        process = start("grade", cases, "--out", "run", *options)
        try:
            process.wait(timeout=moments.uniform(0.2, 0.5 + whole_s / 6))
        except subprocess.TimeoutExpired:
            process.kill()
            n_killed += 1
        process.communicate()
        assert process.returncode in {0, -signal.SIGKILL}
    assert n_killed >= 5
    assert callgrade("grade", cases, "--out", "run", "--resume").code == 0
    assert same_run(tmp_path / "run", tmp_path / "undisturbed")
