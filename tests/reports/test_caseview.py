"""One case as a person reads it: the whole page, word for word."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from callgrade.api import grade_case
from cases.case import Case, Invocation, Message
from cases.expectation import ExpectedPath, ExpectedStep
from reports.caseview import View, call_index, case_lines, timeline

LAMP = Path(__file__).parent.parent / "data" / "broken_lamp.json"

PAGE = """\
broken-lamp-007  ✗ fail  missing_step, then value_error
  decide ✓ pass   select ✗ fail   construct ✗ fail   integrate ? ungraded
  tool recall 3/4, tool precision 3/3, arguments 4/5, order 3/4
  decided by strict/1, gates/1, schema/1

What went wrong
  f1  missing_step  step 2 of 4, a call of 'read_refund_rules' with {"order_id":"7730","cause":"broken"}, was not made
      at       /actual_invocations   select, tool_count gate, strict/1
  f2  value_error  refund: amount is 64.5, wanted 32.25
      expected 32.25
      got      64.5
      at       call 2: /actual_invocations/1/args/amount   construct, arguments gate, strict/1
"""


def shown(case: Case, limit: int | None = None) -> str:
    verdict = grade_case(case)
    lines = case_lines(verdict, case, View(limit))
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def lamp() -> Case:
    return msgspec.json.decode(LAMP.read_bytes(), type=Case)


def test_what_went_wrong_comes_first() -> None:
    assert shown(lamp()).startswith(PAGE)


def test_a_call_has_its_findings_right_under_it() -> None:
    lines = shown(lamp()).splitlines()
    call = lines.index('   call 2  ✗ refund(order_id: "7730", amount: 64.5)')
    assert lines[call + 1] == "             f2  value_error  refund: amount is 64.5, wanted 32.25"
    assert lines[call + 2] == '           → {"ok":true}'


def test_the_wanted_steps_are_numbered_as_the_messages_number_them() -> None:
    assert '   step 2  read_refund_rules(order_id: "7730", cause: "broken")' in shown(lamp()).splitlines()


def test_long_texts_are_cut_with_their_length_only_when_asked() -> None:
    case = Case(task_id="t", input="x" * 500, actual_invocations=())
    assert f"{'x' * 100}… [500 characters]" in shown(case, 100)
    assert "x" * 500 in shown(case)


def test_a_policy_is_cut_shorter_than_what_people_say() -> None:
    case = Case(task_id="t", messages=(Message(role="system", content="p" * 500),), actual_invocations=())
    assert f"{'p' * 120}… [500 characters]" in shown(case, 240)


PATHS = (
    ExpectedPath(name="a", steps=(ExpectedStep(tool="f"),)),
    ExpectedPath(name="b", steps=(ExpectedStep(tool=("g", "h"), optional=True), ExpectedStep(tool="f", gating=False))),
)
WANTED = [
    ("no call", Case(task_id="t", expected_invocations=(), actual_invocations=()), "Wanted: no call"),
    ("a decision alone", Case(task_id="t", expected_call="forbidden", actual_invocations=()), "Wanted: call forbidden"),
    (
        "the best path",
        Case(task_id="t", expected_paths=PATHS, actual_invocations=(Invocation(tool="g"), Invocation(tool="f"))),
        (
            "Wanted (path b, the best of 2)\n   step 1  g or h(any arguments)  [optional]\n"
            "   step 2  f(any arguments)  [informs only]"
        ),
    ),
    ("nothing stated", Case(task_id="t", actual_invocations=(Invocation(tool="f"),)), "call 1  "),
]


@pytest.mark.parametrize(("case", "wanted"), [pytest.param(c, w, id=i) for i, c, w in WANTED])
def test_what_was_wanted_is_said(case: Case, wanted: str) -> None:
    assert wanted in shown(case)


def test_time_runs_by_turn_and_a_message_comes_before_the_calls_of_its_turn() -> None:
    case = Case(
        task_id="t",
        messages=(Message(role="user", content="1", turn=1), Message(role="user", content="0", turn=0)),
        actual_invocations=(Invocation(tool="b", turn=1), Invocation(tool="a", turn=0)),
    )
    kinds = [item.content if isinstance(item, Message) else item[0] for item in timeline(case)]
    assert kinds == ["0", 1, "1", 0]


POINTERS = [("/actual_invocations/3/args/x", 3), ("/actual_invocations", None), ("/final_answer", None), ("", None)]


@pytest.mark.parametrize(("pointer", "wanted"), POINTERS)
def test_call_index(pointer: str, wanted: int | None) -> None:
    assert call_index(pointer) == wanted
