"""The public API, on the fixture that defines the native format."""

from __future__ import annotations

from pathlib import Path

import pytest

from callgrade import InputError, Verdict, grade, grade_case, read_cases, read_catalog

LAMP = Path(__file__).parent.parent / "data" / "broken_lamp.json"


@pytest.fixture(scope="module")
def verdict() -> Verdict:
    (found,) = grade(read_cases(LAMP))
    return found


SCORES = [
    ("tool_recall", 3 / 4),  # find_order, refund, notify_customer of four steps
    ("tool_precision", 3 / 3),  # no call that no step asked for
    ("argument_score", 4 / 5),  # order_id; order_id, amount (wrong); template, order_id
    ("order_score", 3 / 4),
]


@pytest.mark.parametrize(("name", "wanted"), [pytest.param(n, w, id=n) for n, w in SCORES])
def test_the_lamp_fixture_scores_what_it_says(verdict: Verdict, name: str, wanted: float) -> None:
    assert getattr(verdict.counts, name) == wanted


def test_the_lamp_fixture_fails_by_the_missing_step_and_then_by_the_amount(verdict: Verdict) -> None:
    assert (verdict.status, verdict.mode, verdict.secondary) == ("fail", "missing_step", ("value_error",))
    (amount,) = [finding for finding in verdict.findings if finding.mode == "value_error"]
    assert amount.target == "/actual_invocations/1/args/amount"
    assert (amount.expected, amount.got) == (32.25, 64.5)


def test_one_case_is_graded_like_one_of_many(verdict: Verdict) -> None:
    (case,) = read_cases([LAMP], format="native")
    assert grade_case(case) == verdict


def test_a_bad_record_is_named_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"task_id": "a", "actual_invocations": []}\n{"task_id": "b", "actual_invocation": []}\n')
    with pytest.raises(InputError, match=r"cases\.jsonl:2: unknown key 'actual_invocation' .* 'actual_invocations'"):
        list(read_cases(path))


def test_attempts_are_joined_with_their_gold(tmp_path: Path) -> None:
    gold, attempts = tmp_path / "gold.json", tmp_path / "attempts.json"
    gold.write_text('{"task_id": "a", "expected_invocations": [{"tool": "f"}]}')
    attempts.write_text('{"task_id": "a", "model": "m", "actual_invocations": [{"tool": "f"}]}')
    (verdict,) = grade(read_cases(attempts, gold=gold))
    assert (verdict.case_id, verdict.status) == ("a@m", "pass")


def test_a_catalog_gives_schemas_to_cases_without(tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    tools.write_text('[{"name": "f", "input_schema": {"type": "object", "required": ["x"]}}]')
    (case,) = read_cases(_written(tmp_path, '{"task_id": "a", "actual_invocations": [{"tool": "f"}]}'))
    assert grade_case(case, tools=read_catalog(tools)).mode == "schema_error"


def _written(folder: Path, text: str) -> Path:
    path = folder / "case.json"
    path.write_text(text)
    return path
