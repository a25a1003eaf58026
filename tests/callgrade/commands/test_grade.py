"""``callgrade grade``: the lamp in every shape, rates that claim no more than they know, drift."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
import zstandard


def as_is(content: bytes) -> bytes:
    return content


def as_yaml(content: bytes) -> bytes:
    return str(yaml.safe_dump(json.loads(content), sort_keys=False)).encode()  # pyright: ignore[reportUnknownMemberType]  # PyYAML's stubs leave it open


def as_line(content: bytes) -> bytes:
    return json.dumps(json.loads(content)).encode() + b"\n"


SHAPES: list[tuple[str, str, Callable[[bytes], bytes]]] = [
    ("JSON", "lamp.json", as_is),
    ("JSON with a byte order mark", "lamp.json", lambda content: b"\xef\xbb\xbf" + content),
    ("JSON with CRLF", "lamp.json", lambda content: content.replace(b"\n", b"\r\n")),
    ("an array", "lamp.json", lambda content: b"[" + content + b"]"),
    ("JSON Lines", "lamp.jsonl", as_line),
    ("JSON Lines, gzipped", "lamp.jsonl.gz", lambda content: gzip.compress(as_line(content))),
    ("JSON, zstd", "lamp.json.zst", lambda content: zstandard.ZstdCompressor().compress(content)),
    ("YAML", "lamp.yaml", as_yaml),
    ("YAML, gzipped", "lamp.yml.gz", lambda content: gzip.compress(as_yaml(content))),
]


@pytest.mark.parametrize(("name", "pack"), [pytest.param(n, p, id=i) for i, n, p in SHAPES])
def test_the_lamp_means_the_same_in_every_shape(
    callgrade: Any, lamp: Path, tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    (tmp_path / name).write_bytes(pack(lamp.read_bytes()))
    said = callgrade("grade", name, "--json", "--out", "run")
    assert said.code == 0
    overall = json.loads(said.out)["summary"]["overall"]
    sums = overall["sums"]
    assert (sums["n_accepted"], sums["n_expected"], sums["n_sent"]) == (3, 4, 3)
    assert (sums["n_fields_right"], sums["n_fields"], sums["n_in_order"]) == (4, 5, 3)
    assert (overall["modes"], overall["secondary"]) == ({"missing_step": 1}, {"value_error": 1})
    verdict = json.loads((tmp_path / "run" / "verdicts.jsonl").read_text())
    assert "/actual_invocations/1/args/amount" in [finding["target"] for finding in verdict["findings"]]


def test_the_lamp_is_explained(callgrade: Any, lamp: Path) -> None:
    callgrade("grade", lamp, "--out", "run")
    shown = callgrade("show", "run", "broken-lamp-007").out
    assert "tool recall 3/4, tool precision 3/3, arguments 4/5, order 3/4" in shown
    assert "✗ fail  missing_step, then value_error" in shown
    assert "call 2: /actual_invocations/1/args/amount" in shown
    assert "expected 32.25\n      got      64.5\n" in shown


def test_failing_cases_are_no_error(callgrade: Any, lamp: Path) -> None:
    assert callgrade("grade", lamp).code == 0


def test_a_guess_is_said_once_for_all_files(callgrade: Any, make_cases: Any) -> None:
    for number in range(3):
        make_cases(1, f"{number}.jsonl")
    said = callgrade("grade", "*.jsonl")
    notes = [line for line in said.err.splitlines() if "recognised" in line]
    assert notes == ["callgrade: 0.jsonl and 2 more files: read as native (recognised; --format says it for sure)"]


def test_few_cases_give_no_rate(callgrade: Any, make_cases: Any) -> None:
    assert (
        "1 case under strict/1: 0 pass, 1 fail.  Pass rate 0 of 1, too few for a rate"
        in callgrade("grade", make_cases(1), "--out", "one").out
    )
    assert "2 of 3, too few" in callgrade("grade", make_cases(3), "--out", "three").out


def test_a_rate_that_is_not_exact_is_never_0_or_100(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    cases = make_cases(1)
    right = '{{"task_id": "r{}", "expected_invocations": [{{"tool": "f"}}], "actual_invocations": [{{"tool": "f"}}]}}\n'
    cases.write_text(cases.read_text() + "".join(right.format(n) for n in range(5_000)))
    out = callgrade("grade", cases).out
    assert "Pass rate 99.9% (n = 5001, " in out
    (tmp_path / "all.jsonl").write_text("".join(right.format(n) for n in range(20)))
    assert "Pass rate 100% (n = 20, 95 % 83.9% to 100%)" in callgrade("grade", "all.jsonl", "--out", "all").out


def test_gold_that_nobody_attempted_is_said(callgrade: Any, make_cases: Any) -> None:
    make_cases(3, "gold.jsonl")
    said = callgrade("grade", make_cases(2), "--gold", "gold.jsonl", "--out", "run")
    assert "callgrade: 1 task of the gold attempted by nobody\n" in said.err


def test_an_attempt_without_gold_is_a_bad_record(callgrade: Any, make_cases: Any) -> None:
    make_cases(1, "gold.jsonl")
    said = callgrade("grade", make_cases(2), "--gold", "gold.jsonl", "--out", "run")
    assert said.code == 3
    assert "cases.jsonl:2: no task 't1' in the gold" in said.err


SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
RECORDED = {
    "task_id": "t",
    "tools": [{"name": "f", "input_schema": SCHEMA}],
    "actual_invocations": [{"tool": "f", "args": {"x": 1}}, {"tool": "f"}],
}


@pytest.fixture
def converted(callgrade: Any, tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "c.json").write_text(json.dumps(RECORDED))
    said = callgrade("convert", "c.json", "-o", "fixture.json")
    assert (said.code, said.out) == (0, "")
    assert said.err == "callgrade: fixture.json: 1 case\n"
    fixture: dict[str, Any] = json.loads((tmp_path / "fixture.json").read_text())
    return fixture


def test_a_fixture_shows_validity_without_a_run(callgrade: Any, converted: dict[str, Any]) -> None:
    assert [call["schema_valid"] for call in converted["actual_invocations"]] == [True, False]
    assert converted["recorded_with"] == {"schema": "schema/1"}
    assert callgrade("grade", "fixture.json", "--out", "run").code == 0


TAMPERED: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("an argument changed", lambda case: case["actual_invocations"][0]["args"].update(x="one")),
    ("a schema changed", lambda case: case["tools"][0]["input_schema"].update(required=[])),
    ("the kept answer changed", lambda case: case["actual_invocations"][0].update(schema_valid=False)),
]


@pytest.mark.parametrize("tamper", [pytest.param(t, id=i) for i, t in TAMPERED])
def test_drift_is_reported(
    callgrade: Any, converted: dict[str, Any], tmp_path: Path, tamper: Callable[[dict[str, Any]], object]
) -> None:
    tamper(converted)
    (tmp_path / "fixture.json").write_text(json.dumps(converted))
    said = callgrade("grade", "fixture.json", "--out", "run")
    assert said.code == 7
    assert "callgrade: validator drift: 1 call not as schema-valid as recorded" in said.err
    assert callgrade("grade", "fixture.json", "--out", "json", "--json").code == 7


def test_converting_twice_changes_nothing(callgrade: Any, converted: dict[str, Any], tmp_path: Path) -> None:
    again = json.loads(callgrade("convert", tmp_path / "fixture.json").out)
    assert again == converted


def test_a_conversion_that_fails_leaves_no_file(callgrade: Any, make_cases: Any, tmp_path: Path) -> None:
    cases = make_cases(2)
    cases.write_text(cases.read_text() + "{oops")
    assert callgrade("convert", cases, "-o", "out.jsonl").code == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cases.jsonl"]
