"""What followed a tool error: words, mended errors, repeats, loops."""

from __future__ import annotations

import pytest

from callgrade import Case, Invocation, Message, Tool, Verdict, grade_case
from cases.finding import Finding

TOOLS = (
    Tool(name="refund_order", effect="write"),
    Tool(name="cancel_order", effect="write"),
    Tool(name="get_order", effect="read"),
    Tool(name="refund_item"),
)


def made(tool: str, turn: int, *, error: str | None = None, **args: int) -> Invocation:
    return Invocation(tool=tool, turn=turn, error=error, args=dict(args))


def graded(*calls: Invocation, says: tuple[tuple[int, str], ...] = (), answer: str | None = None) -> Verdict:
    messages = tuple(Message(role="assistant", content=text, turn=turn) for turn, text in says)
    return grade_case(Case(task_id="t", tools=TOOLS, actual_invocations=calls, messages=messages, final_answer=answer))


def findings(verdict: Verdict, check: str) -> list[Finding]:
    return [finding for finding in verdict.findings if finding.check == check]


FAILED = made("refund_order", 1, error="503")

WORDS = [
    pytest.param("refund_order", (), "The refund is done.", "fail", id="a claim and no admission"),
    pytest.param("refund_item", (), "It was refunded.", "fail", id="a tool of unknown effect may have written"),
    pytest.param("refund_order", (), "The refund failed.", "pass", id="an admission and no claim"),
    pytest.param("get_order", (), "The order was refunded.", "ungraded", id="a read tool has no action to claim"),
    pytest.param("get_order", (), "I could not find it.", "pass", id="a read tool's error is admitted"),
    pytest.param("refund_order", (), "Have a nice day.", "ungraded", id="neither is left open"),
    pytest.param("refund_order", (), "Erstattet!", "ungraded", id="another language is left open"),
    pytest.param("refund_order", (), None, "ungraded", id="no text is left open"),
    pytest.param(
        "refund_order", ((2, "It is refunded."), (4, "Sorry, that failed.")), None, "ungraded", id="both is left open"
    ),
    pytest.param("refund_order", ((0, "It is refunded."),), None, "ungraded", id="what was said before does not count"),
    pytest.param("refund_order", ((2, "It is refunded."),), "Bye.", "fail", id="a claim in the middle"),
]


@pytest.mark.parametrize(("tool", "says", "answer", "state"), WORDS)
def test_words_after_an_error(tool: str, says: tuple[tuple[int, str], ...], answer: str | None, state: str) -> None:
    verdict = graded(made(tool, 1, error="503"), says=says, answer=answer)
    found = [finding.status for finding in findings(verdict, "tool_error")]
    assert found == ([] if state == "pass" else [state])
    assert verdict.passed.get("tool_error", 0) == (state == "pass")


def test_a_false_claim_points_at_the_sentence_and_at_the_error() -> None:
    verdict = graded(FAILED, says=((2, "Hello."), (3, "All good. It is refunded.")))
    (finding,) = findings(verdict, "tool_error")
    assert (finding.target, finding.got, finding.sub_mode) == (
        "/messages/1/content",
        "It is refunded.",
        "claimed_success",
    )
    assert [(e.source, e.quote) for e in finding.evidence] == [("/actual_invocations/0/error", "503")]
    assert verdict.mode == "ignored_tool_error"


def test_an_error_that_was_mended_is_history() -> None:
    verdict = graded(FAILED, made("refund_order", 2), answer="It is refunded.")
    assert findings(verdict, "tool_error") == []


def test_a_success_of_another_tool_mends_nothing() -> None:
    verdict = graded(FAILED, made("cancel_order", 2), answer="It is refunded.")
    assert [finding.status for finding in findings(verdict, "tool_error")] == ["fail"]


REPEATS = [
    pytest.param([], [False], id="one retry informs"),
    pytest.param([made("refund_order", 3, error="503")], [False, True], id="the second retry gates"),
    pytest.param(
        [made("get_order", 3), made("refund_order", 4, error="503")], [False, True], id="a read changes nothing"
    ),
    pytest.param([made("cancel_order", 3), made("refund_order", 4, error="503")], [False], id="a write may change it"),
    pytest.param(
        [made("cancel_order", 3, error="no"), made("refund_order", 4, error="503")],
        [False, True],
        id="a failed write changes nothing",
    ),
    pytest.param([made("refund_order", 3, error="503", a=1)], [False], id="other arguments are another call"),
]


@pytest.mark.parametrize(("more", "gating"), REPEATS)
def test_the_same_failing_call_again(more: list[Invocation], gating: list[bool]) -> None:
    verdict = graded(FAILED, made("refund_order", 2, error="503"), *more, answer="The refund failed.")
    assert [finding.gating for finding in findings(verdict, "repeated_failure")] == gating


def test_numbers_of_equal_value_make_the_same_call() -> None:
    first = Invocation(tool="refund_order", args={"n": 1, "k": "a"}, error="503")
    again = Invocation(tool="refund_order", args={"k": "a", "n": 1.0}, error="503", turn=1)
    assert len(findings(graded(first, again), "repeated_failure")) == 1


LOOPS = [
    pytest.param([0, 0], 0, id="twice is no loop"),
    pytest.param([0, 0, 0], 1, id="three in a row"),
    pytest.param([0, 0, 1, 0], 0, id="interrupted by other arguments"),
    pytest.param([0, 0, 0, 1, 1, 1], 2, id="two loops"),
]


@pytest.mark.parametrize(("pages", "n"), LOOPS)
def test_loops(pages: list[int], n: int) -> None:
    verdict = graded(*[made("get_order", turn, page=page) for turn, page in enumerate(pages)])
    found = findings(verdict, "loop")
    assert [(finding.mode, finding.gating) for finding in found] == [("extra_call", False)] * n


def test_a_loop_of_failures_is_told_as_repeats() -> None:
    verdict = graded(*[made("get_order", turn, error="404") for turn in range(3)])
    assert findings(verdict, "loop") == []
    assert len(findings(verdict, "repeated_failure")) == 2
