"""``callgrade report`` and ``callgrade explain``, through the command line."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from callgrade.cli import group
from cases.errors import InputError, UsageError
from reports.detail import Detail

CASES = b"""\
{"task_id": "a", "model": "m", "attempt": 1, "tags": ["x"], "tools": [{"name": "f"}, {"name": "g"}], \
"expected_invocations": [{"tool": "f", "args": {"n": 1}}], \
"actual_invocations": [{"tool": "f", "args": {"n": 1}, "latency_s": 0.5}], "n_input_tokens": 10, "cost_usd": 0.25}
{"task_id": "a", "model": "m", "attempt": 2, "tools": [{"name": "f"}, {"name": "g"}], \
"expected_invocations": [{"tool": "f", "args": {"n": 1}}], "actual_invocations": [{"tool": "f", "args": {"n": 2}}]}
{"task_id": "b", "model": "m", "attempt": 1, "tools": [{"name": "f"}, {"name": "g"}], \
"expected_invocations": [{"tool": "f"}], "actual_invocations": [{"tool": "g"}]}
{"task_id": "c", "model": "m", "attempt": 1, "expected_call": "forbidden", "no_call_kind": "greeting", \
"actual_invocations": []}
"""


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    (folder / "cases.jsonl").write_bytes(CASES)
    arguments = ["grade", str(folder / "cases.jsonl"), "--out", str(folder / "run")]
    assert CliRunner().invoke(group, arguments, catch_exceptions=False).exit_code == 0
    return folder / "run"


def test_the_document_holds_every_rate_with_its_n(run_folder: Path) -> None:
    result = CliRunner().invoke(group, ["report", str(run_folder), "--json"], catch_exceptions=False)
    report = msgspec.json.decode(result.stdout, type=Detail)
    (model,) = report.models
    assert (model.name, model.passed.k, model.passed.n) == ("m", 2, 4)
    assert (model.decisions.recall.k, model.decisions.recall.n) == (3, 3)
    assert (model.decisions.no_call_accuracy.k, model.decisions.no_call_accuracy.n) == (1, 1)
    assert model.trials is not None
    # k = 1: (1/2 + 0 + 1) / 3; k = 2: task a alone has two trials, and one of them failed
    assert [(p.k, p.value, p.n_tasks, p.n_left_out) for p in model.trials.pass_hat_k] == [
        (1, 0.5, 3, 0),
        (2, 0.0, 1, 2),
    ]
    assert [(cell.wanted, cell.called, cell.n) for cell in report.confusions] == [("f", "g", 1), ("f", "f", 2)]
    assert [(row.tool, row.field, row.n) for row in report.fields] == [("f", "n", 1)]
    assert [(part.name, part.passed.k, part.passed.n) for part in report.slices] == [
        ("no_call:greeting", 1, 1),
        ("tag:x", 1, 1),
    ]
    assert [(row.name, row.n) for row in report.latencies] == [("f", 1)]
    assert (model.usage.cost_usd, model.usage.n_cases_with_cost, model.usage.n_cases) == (0.25, 1, 4)


LINES = [
    "Report under strict/1: 50.0% of 4 graded cases pass",
    "(all)   100% of 3      100% of 3  100% of 6           100% of 1           0         0",
    "(all)      3  50.0% of 3  0% of 1, 2 left out  33.3% of 3  0",
    "f                100% of 2          66.7% of 3  80.0% of 5",
    "f       g           1",
]


@pytest.mark.parametrize("line", LINES)
def test_the_tables_show_n_beside_each_rate(run_folder: Path, line: str) -> None:
    result = CliRunner().invoke(group, ["report", str(run_folder)], catch_exceptions=False)
    assert " ".join(line.split()) in [" ".join(shown.split()) for shown in result.stdout.splitlines()]


def test_a_folder_without_a_run_is_an_input_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(group, ["report", str(tmp_path)])
    assert isinstance(result.exception, InputError)


def test_explain_lists_and_explains() -> None:
    listed = CliRunner().invoke(group, ["explain"]).stdout.splitlines()
    assert listed[4].split()[:4] == ["5", "wrong_tool", "select", "intent"]
    one = msgspec.json.decode(CliRunner().invoke(group, ["explain", "near_miss", "--json"]).stdout)
    assert one["text"]["means"] == "The wrong tool is of the wanted tool's family."
    assert set(msgspec.json.decode(CliRunner().invoke(group, ["explain", "--json"]).stdout)) == {
        "schema",
        "modes",
        "sub_modes",
    }


def test_explain_of_an_unknown_mode_is_a_usage_error() -> None:
    assert isinstance(CliRunner().invoke(group, ["explain", "nope"]).exception, UsageError)
