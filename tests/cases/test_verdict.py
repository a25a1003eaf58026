"""Scores of a verdict: each with the fraction behind it, and none where nothing was expected."""

from __future__ import annotations

import pytest

from callgrade import Case, ExpectedStep, Invocation, grade_case
from cases.failure import MODE_CLASS, MODE_STEP, PRECEDENCE, RANK
from cases.finding import Finding, Status
from cases.verdict import Counts

SCORES = [
    # recall 3/4, precision 3/5, tool 2*3/(4+5), arguments 5/8, order 2/4, score their mean without recall and precision
    pytest.param(
        Counts(n_expected=4, n_sent=5, n_accepted=3, n_fields=8, n_fields_right=5, n_in_order=2),
        (3 / 4, 3 / 5, 6 / 9, 5 / 8, 2 / 4, (6 / 9 + 5 / 8 + 2 / 4) / 3),
        id="every fraction",
    ),
    pytest.param(Counts(), (None,) * 6, id="nothing expected and nothing sent"),
    pytest.param(Counts(n_sent=2), (None, 0.0, 0.0, None, None, 0.0), id="calls where none was wanted"),
    pytest.param(Counts(n_sent=2, n_unasked=2), (None,) * 6, id="calls of which the gold says nothing"),
    pytest.param(Counts(n_expected=2), (0.0, None, 0.0, None, 0.0, 0.0), id="nothing was called"),
    pytest.param(
        Counts(n_expected=1, n_sent=1, n_accepted=1, n_in_order=1),
        (1.0, 1.0, 1.0, None, 1.0, 1.0),
        id="no argument was compared",
    ),
]


@pytest.mark.parametrize(("counts", "scores"), SCORES)
def test_scores(counts: Counts, scores: tuple[float | None, ...]) -> None:
    found = (
        counts.tool_recall,
        counts.tool_precision,
        counts.tool_score,
        counts.argument_score,
        counts.order_score,
        counts.score,
    )
    assert found == tuple(None if score is None else pytest.approx(score) for score in scores)


def graded(steps: list[ExpectedStep], calls: list[Invocation]) -> Counts:
    case = Case(task_id="t", expected_invocations=tuple(steps), actual_invocations=tuple(calls))
    return grade_case(case).counts


def test_counts_of_a_graded_case() -> None:
    steps = [
        ExpectedStep(tool="a", args={"x": 1, "y": 2}),
        ExpectedStep(tool="b", args={"z": 3}),
        ExpectedStep(tool="c", optional=True),
        ExpectedStep(tool="d"),
    ]
    calls = [
        Invocation(tool="b", args={"z": 3}),
        Invocation(tool="a", args={"x": 1, "w": 9}),
        Invocation(tool="e"),
    ]
    # expected a, b, d: the optional c was left out; paired a and b, out of order; a: x right of x, y, w; b: z right
    assert graded(steps, calls) == Counts(
        n_expected=3, n_sent=3, n_accepted=2, n_fields=4, n_fields_right=2, n_in_order=1
    )


def test_an_optional_step_is_expected_once_it_is_taken() -> None:
    steps = [ExpectedStep(tool="c", optional=True)]
    assert graded(steps, [Invocation(tool="c")]).n_expected == 1
    assert graded(steps, []).n_expected == 0


def test_order_is_the_longest_common_subsequence_over_the_expected_length() -> None:
    steps = [ExpectedStep(tool=name) for name in "abcd"]
    # of b, a, c, d the longest run in order is a, c, d (or b, c, d): 3 of 4
    assert graded(steps, [Invocation(tool=name) for name in "bacd"]).order_score == 3 / 4


def test_precedence_is_one_order_of_all_modes() -> None:
    assert [mode for mode, _ in sorted(RANK.items(), key=lambda item: item[1])] == list(PRECEDENCE)
    assert PRECEDENCE[0] == "unparsable_call"
    assert (MODE_STEP["wrong_order"], MODE_CLASS["wrong_order"]) == ("select", "intent")


@pytest.mark.parametrize("status", ["pass", "ungraded", "not_applicable"])
def test_a_mode_belongs_to_a_failure_alone(status: Status) -> None:
    with pytest.raises(ValueError, match="belongs to status 'fail' alone"):
        Finding(step="select", check="c", status=status, target="", message="m", mode="wrong_tool")


def test_a_failure_has_a_mode() -> None:
    with pytest.raises(ValueError, match="belongs to status 'fail' alone"):
        Finding(step="select", check="c", status="fail", target="", message="m")


CLASSES = [
    pytest.param("schema_error", "structure", "schema", id="structure is schema"),
    pytest.param("schema_error", "coercible_type", "value", id="a coercible type is value"),
    pytest.param("schema_error", "value_rule", "value", id="a range is value"),
    pytest.param("value_error", "missing_argument", "value", id="against gold is value"),
    pytest.param("ignored_tool_error", "claimed_success", "narration", id="a false claim is narration"),
]


@pytest.mark.parametrize(("mode", "sub_mode", "failure_class"), CLASSES)
def test_failure_class(mode: str, sub_mode: str, failure_class: str) -> None:
    finding = Finding(
        step="construct",
        check="c",
        status="fail",
        target="",
        message="m",
        mode=mode,  # type: ignore[arg-type]  # one of the literals
        sub_mode=sub_mode,  # type: ignore[arg-type]  # one of the literals
    )
    assert finding.failure_class == failure_class
