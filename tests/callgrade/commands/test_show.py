"""``callgrade show``: finding a case, and explaining it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

CALL = [{"tool": "f", "args": {"x": 1}}]
CASES = [
    {"task_id": "one", "model": "m", "attempt": 1, "expected_invocations": CALL, "actual_invocations": CALL},
    {"task_id": "two", "attempt": 1, "expected_invocations": CALL, "actual_invocations": []},
    {
        "task_id": "two",
        "attempt": 2,
        "expected_invocations": CALL,
        "actual_invocations": [{"tool": "f", "args": {"x": 2}}],
    },
    {"task_id": "2", "expected_invocations": CALL, "actual_invocations": CALL},
]


@pytest.fixture(autouse=True)
def graded(callgrade: Any, tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text("\n".join(map(json.dumps, CASES)))
    assert callgrade("grade", "c.jsonl", "--out", "run").code == 0


FOUND = [
    ("by its id", "two#2", "two#2"),
    ("by its task, when that was attempted once", "one", "one@m#1"),
    ("by its number", "#2", "two#1"),
    ("by its bare number", "1", "one@m#1"),
    ("an id that is a number outranks the number", "2", "2"),
]


@pytest.mark.parametrize(("wanted", "case_id"), [pytest.param(w, c, id=i) for i, w, c in FOUND])
def test_a_case_is_found(callgrade: Any, wanted: str, case_id: str) -> None:
    said = callgrade("show", "run", wanted)
    assert said.code == 0
    assert said.out.startswith(f"{case_id}  ")


MISSED = [
    ("a task with several attempts", "two", "'two' is a task with 2 attempts; name one: two#1, two#2"),
    ("no such case", "three", "no case 'three'; `callgrade show run` lists them"),
    ("a number beyond the end", "9", "no case '9'"),
    ("a number like none", "²", "no case '²'"),
]


@pytest.mark.parametrize(("wanted", "message"), [pytest.param(w, m, id=i) for i, w, m in MISSED])
def test_a_case_is_not_found(callgrade: Any, wanted: str, message: str) -> None:
    said = callgrade("show", "run", wanted)
    assert (said.code, said.out) == (3, "")
    assert message in said.err


LISTED: list[tuple[str, list[str], list[str]]] = [
    ("all", [], ["one@m#1", "two#1", "two#2", "2"]),
    ("the failed", ["--failed"], ["two#1", "two#2"]),
    ("those of a mode", ["--mode", "value_error"], ["two#2"]),
    ("the first few", ["--limit", "2"], ["one@m#1", "two#1"]),
    ("the first failed", ["--failed", "--limit", "1"], ["two#1"]),
]


@pytest.mark.parametrize(("options", "wanted"), [pytest.param(o, w, id=i) for i, o, w in LISTED])
def test_the_list(callgrade: Any, options: list[str], wanted: list[str]) -> None:
    assert [line.split("\t")[0] for line in callgrade("show", "run", *options).out.splitlines()] == wanted
    document = json.loads(callgrade("show", "run", *options, "--json").out)
    assert [verdict["case_id"] for verdict in document["verdicts"]] == wanted


def test_a_case_as_json_holds_the_verdict_and_what_it_points_into(callgrade: Any) -> None:
    document = json.loads(callgrade("show", "run", "two#2", "--json").out)
    (finding,) = [f for f in document["verdict"]["findings"] if f.get("mode") == "value_error"]
    assert finding["target"] == "/actual_invocations/0/args/x"
    assert document["case"]["actual_invocations"][0]["args"]["x"] == 2
