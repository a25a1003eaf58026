"""Users' complaints about other graders, one case each; an id names the thread in which it was told.

Each row is a native case, graded through the public API, and what the thread asked for.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from callgrade import Case, ExpectedPath, ExpectedStep, Invocation, Message, Tool, Verdict, grade_case
from cases.jsonvalue import JsonObject, JsonValue
from reports.summary import summarise

REFUND_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "order_id": {"type": "string"},
        "amount": {"type": "number"},
        "currency": {"type": "string", "enum": ["EUR", "GBP"]},
        "notify": {"type": "boolean", "default": True},
    },
    "required": ["order_id", "amount"],
    "additionalProperties": False,
}
SEARCH = Tool(name="search", effect="read")
REFUND = Tool(name="refund", effect="write", input_schema=REFUND_SCHEMA)
READ_RULES = Tool(name="read_rules", effect="read")
TOOLS = (SEARCH, REFUND, READ_RULES, Tool(name="notify", effect="write"))


def step(tool: str | tuple[str, ...], args: JsonObject | None = None, **more: object) -> ExpectedStep:
    return msgspec.convert({"tool": tool, "args": args, **more}, ExpectedStep)


def call(tool: str, args: JsonObject | str | None = None, **more: object) -> Invocation:
    return msgspec.convert({"tool": tool, "args": {} if args is None else args, **more}, Invocation)


def case(*calls: Invocation, wanted: tuple[ExpectedStep, ...] | None = None, **more: object) -> Case:
    fields: dict[str, Any] = {
        "task_id": "t",
        "tools": TOOLS,
        "actual_invocations": calls,
        "expected_invocations": wanted,
        **more,
    }
    return Case(**fields)


def failures(verdict: Verdict) -> list[tuple[str | None, str | None]]:
    return [(f.mode, f.sub_mode) for f in verdict.findings if f.status == "fail" and f.gating]


TWICE = (step("search", {"q": "tea"}), step("search", {"q": "tea"}))
TEA = call("search", {"q": "tea"})


@pytest.mark.parametrize(
    ("calls", "recall", "status"),
    [
        pytest.param((TEA, TEA), 1.0, "pass", id="deepeval-3141 identical call twice, made twice, is 2 of 2"),
        pytest.param((TEA,), 0.5, "fail", id="deepeval-3141 identical call twice, made once, is 1 of 2"),
    ],
)
def test_identical_calls_are_counted(calls: tuple[Invocation, ...], recall: float, status: str) -> None:
    verdict = grade_case(case(*calls, wanted=TWICE))
    assert (verdict.counts.tool_recall, verdict.status) == (recall, status)


NO_CALL = case(wanted=(), input="Hello")


@pytest.mark.parametrize(
    "silent",
    [
        pytest.param(NO_CALL, id="deepeval-2024 both lists empty is a pass, not 0"),
        pytest.param(
            case(input="Hello", expected_call="forbidden"), id="deepeval-2135 nothing expected divides nothing"
        ),
        pytest.param(case(wanted=(), input="?", no_call_kind="off_topic"), id="ai-twinkle-eval-138 empty ground truth"),
        pytest.param(case(wanted=(), input="?", tools=()), id="gorilla-1200 irrelevance without a catalog"),
    ],
)
def test_no_call_is_a_correct_outcome(silent: Case) -> None:
    verdict = grade_case(silent)
    assert (verdict.status, verdict.mode, verdict.steps.decide) == ("pass", "none", "pass")
    assert (verdict.counts.tool_score, verdict.counts.score) == (None, None)


def test_deepeval_2968_conversations_without_tools_do_not_drag_a_score_down() -> None:
    right = grade_case(case(TEA, wanted=(step("search", {"q": "tea"}),)))
    counts = summarise([right, *[grade_case(NO_CALL)] * 9]).overall.counts
    assert (counts.tool_score, counts.argument_score, counts.score) == (1.0, 1.0, 1.0)


def test_deepeval_2242_argument_score_without_calls_is_none_and_not_0_or_1() -> None:
    verdict = grade_case(NO_CALL)
    assert (verdict.counts.argument_score, verdict.steps.construct) == (None, "not_applicable")


def test_deepeval_3284_every_schema_error_is_told_with_its_pointer() -> None:
    bad = call("refund", {"order_id": 7, "currency": "USD", "colour": "red"})
    verdict = grade_case(case(bad, wanted=(step("refund"),)))
    assert sorted(f.target for f in verdict.findings if f.mode == "schema_error") == [
        "/actual_invocations/0/args/amount",
        "/actual_invocations/0/args/colour",
        "/actual_invocations/0/args/currency",
        "/actual_invocations/0/args/order_id",
    ]


def test_ragas_1893_extra_calls_lower_precision_and_leave_recall() -> None:
    verdict = grade_case(case(TEA, call("read_rules"), call("notify"), wanted=(step("search", {"q": "tea"}),)))
    assert (verdict.counts.tool_recall, verdict.counts.tool_precision) == (1.0, 1 / 3)
    assert failures(verdict) == [("extra_call", None)]  # the read informs, the write gates


@pytest.mark.parametrize(
    ("n_calls", "score"),
    [
        # wanted 2: 2 x accepted / (2 + sent)
        pytest.param(1, 2 / 3, id="ragas-2582 one short is partial credit, not 0"),
        pytest.param(2, 1.0, id="ragas-2079 all right is 1"),
        pytest.param(4, 4 / 6, id="ragas-2092 duplicates never lift a score above 1"),
    ],
)
def test_a_score_stays_within_bounds_with_partial_credit(n_calls: int, score: float) -> None:
    verdict = grade_case(case(*[TEA] * n_calls, wanted=TWICE))
    assert verdict.counts.tool_score == pytest.approx(score)
    assert 0.0 <= (verdict.counts.score or 0.0) <= 1.0


GROUPED = (step("search", {"q": "a"}, turn=1), step("search", {"q": "b"}, turn=1), step("refund", turn=2))
A, B = call("search", {"q": "a"}, turn=1), call("search", {"q": "b"}, turn=1)
PAY = call("refund", {"order_id": "1", "amount": 2}, turn=2)


@pytest.mark.parametrize(
    ("calls", "modes"),
    [
        pytest.param((A, B, PAY), [], id="ragas-1658 parallel then sequential"),
        pytest.param((B, A, PAY), [], id="ragas-1665 a parallel group has no order"),
        pytest.param((PAY, A, B), [("wrong_order", None)], id="promptfoo-9455 but the groups have one"),
        pytest.param((A, PAY, B), [("wrong_order", None)], id="ragas-1687 a straggler of the first group is late"),
    ],
)
def test_a_set_inside_a_list(calls: tuple[Invocation, ...], modes: list[tuple[str, None]]) -> None:
    assert failures(grade_case(case(*calls, wanted=GROUPED))) == modes


@pytest.mark.parametrize(
    ("wanted", "got", "status"),
    [
        pytest.param(3, "3", "fail", id="ragas-1823 3 is not the text 3"),
        pytest.param(3, 3.0, "pass", id="ragas-1788 3 is 3.0"),
        pytest.param(1, True, "fail", id="ragas-1823 true is not 1"),
        pytest.param({"a": 1, "b": [2]}, {"b": [2], "a": 1}, "pass", id="ragas-1823 nested keys have no order"),
        pytest.param({"$approx": 10, "abs": 0.5}, 10.4, "pass", id="adk-1591 numeric tolerance, within"),
        pytest.param({"$approx": 10, "abs": 0.5}, 10.6, "fail", id="adk-1591 numeric tolerance, beyond"),
        pytest.param({"$any": True}, "2026-03-12T10:30:00Z", "pass", id="adk-2757 a dynamic value is let free"),
        pytest.param({"$regex": "tea ?pots?"}, "teapot", "pass", id="adk-4794 a query by pattern"),
        pytest.param(
            {"$regex": "tea ?pots?"}, "kettle", "fail", id="mcp-server-tester-143 a pattern that does not match"
        ),
        pytest.param({"$one_of": ["x", "y"]}, "y", "pass", id="calibrate-69 one of several texts"),
        pytest.param("-5", "5", "fail", id="genie-claw-387 a sign is not punctuation"),
        pytest.param("1.5", "15", "fail", id="genie-claw-387 a decimal point is not punctuation"),
    ],
)
@pytest.mark.parametrize("policy", ["strict/1"])
def test_values(wanted: JsonValue, got: JsonValue, status: str, policy: str) -> None:
    graded = case(call("search", {"q": got}), wanted=(step("search", {"q": wanted}),))
    assert grade_case(graded, policy=policy).status == status


@pytest.mark.parametrize(
    ("wanted", "got"),
    [pytest.param("-5", "5", id="a sign"), pytest.param("1.5", "15", id="a point"), pytest.param("", 0, id="nothing")],
)
def test_genie_claw_387_leniency_has_counter_examples(wanted: JsonValue, got: JsonValue) -> None:
    graded = case(call("search", {"q": got}), wanted=(step("search", {"q": wanted}),))
    assert grade_case(graded, policy="lenient/1").mode == "value_error"


def test_adk_1591_order_of_argument_names_does_not_count() -> None:
    graded = case(call("search", {"b": 2, "a": 1}), wanted=(step("search", {"a": 1, "b": 2}),))
    assert grade_case(graded).status == "pass"


PAID: JsonObject = {"order_id": "K1", "amount": 5}
DEFAULTED = case(call("refund", {**PAID, "notify": True}), wanted=(step("refund", PAID),))


def test_promptfoo_9458_absent_or_default_is_one_value_under_lenient() -> None:
    assert grade_case(DEFAULTED, policy="lenient/1").status == "pass"
    assert failures(grade_case(DEFAULTED)) == [("value_error", "unexpected_argument")]


def test_promptfoo_9458_a_hallucinated_argument_is_told() -> None:
    graded = case(call("search", {"q": "tea", "lang": "en"}), wanted=(step("search", {"q": "tea"}),))
    for policy in ("strict/1", "lenient/1"):
        assert failures(grade_case(graded, policy=policy)) == [("value_error", "unexpected_argument")]


@pytest.mark.parametrize(
    "unrun",
    [
        pytest.param(case(wanted=TWICE, infrastructure_error="429 from the provider"), id="it did not run to its end"),
        pytest.param(Case(task_id="t", expected_invocations=TWICE), id="it was not recorded"),
    ],
)
def test_promptfoo_5192_a_missing_trace_is_ungraded_and_no_failure(unrun: Case) -> None:
    verdict = grade_case(unrun)
    assert (verdict.status, verdict.mode) == ("ungraded", "ungraded")
    assert verdict.reason
    assert summarise([verdict]).overall.statuses == {"ungraded": 1}


FOUR = tuple(step("search", {"q": q}) for q in "abcd")


def test_adk_5306_three_of_four_is_not_zero_of_four() -> None:
    verdict = grade_case(case(*[call("search", {"q": q}) for q in "abc"], wanted=FOUR))
    assert (verdict.status, verdict.counts.tool_recall) == ("fail", 0.75)


def test_adk_5306_repeated_tools_pair_by_what_they_carry() -> None:
    shifted = [call("search", {"q": q}) for q in "bcda"]  # in place nothing would fit
    verdict = grade_case(case(*shifted, wanted=FOUR))
    assert (verdict.counts.argument_score, verdict.counts.order_score) == (1.0, 0.75)


def test_adk_5643_arguments_are_scored_field_by_field_after_alignment() -> None:
    wanted = (step("refund", {"order_id": "K1", "amount": 5, "currency": "EUR"}), step("search", {"q": "tea"}))
    sent = (call("search", {"q": "tea"}), call("refund", {"order_id": "K1", "amount": 6, "notify": True}))
    # refund: union of order_id, amount, currency, notify = 4, right 1; search: 1 of 1
    counts = grade_case(case(*sent, wanted=wanted)).counts
    assert (counts.n_fields_right, counts.n_fields, counts.argument_score) == (2, 5, 0.4)


@pytest.mark.parametrize(
    "compare",
    [
        pytest.param([], id="adk-2757 the name alone"),
        pytest.param(["order_id"], id="adk-6079 the named arguments alone"),
    ],
)
def test_arguments_can_be_left_out_of_the_comparison(compare: list[str]) -> None:
    wanted = (step("refund", {"order_id": "K1", "amount": 5}, compare=compare),)
    assert grade_case(case(call("refund", {"order_id": "K1", "amount": 99}), wanted=wanted)).status == "pass"


def test_adk_5410_right_name_and_arguments_score_1() -> None:
    counts = grade_case(case(call("refund", PAID), wanted=(step("refund", PAID),))).counts
    assert (counts.tool_score, counts.argument_score, counts.order_score) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    "unclear",
    [
        pytest.param(Case(task_id="t"), id="adk-3439 not evaluated says why"),
        pytest.param(Case(task_id="t", actual_invocations=()), id="adk-5732 nothing to grade says so"),
        pytest.param(case(call("refund", {}), wanted=(step("search"),)), id="adk-5410 a failure says what and where"),
    ],
)
def test_every_verdict_explains_itself(unclear: Case) -> None:
    verdict = grade_case(unclear)
    assert verdict.reason or [f for f in verdict.findings if f.mode == verdict.mode and f.message and f.target]


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param((call("search", '{"q": '),), id="gorilla-1362 cut off"),
        pytest.param((call("", "search(q="),), id="gorilla-443 a text that names no tool"),
        pytest.param((call("search", {}, parse_error="no JSON"),), id="gorilla-1362 known when it was recorded"),
    ],
)
def test_a_call_that_does_not_parse_is_no_abstention(calls: tuple[Invocation, ...]) -> None:
    verdict = grade_case(case(*calls, wanted=(), input="Hello"))
    assert (verdict.mode, verdict.secondary) == ("unparsable_call", ("over_call",))
    assert verdict.decisions[0].observed == "unparsable"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{", id="lightspeed-evaluation-24 a brace"),
        pytest.param("None", id="deepeval-2440 a Python word"),
        pytest.param('"q"', id="phoenix-13226 a text where an object belongs"),
    ],
)
def test_malformed_arguments_are_kept_and_never_become_an_empty_object(text: str) -> None:
    verdict = grade_case(case(call("search", text), wanted=(step("search", {}),)))
    (finding,) = [f for f in verdict.findings if f.mode == "unparsable_call"]
    assert (verdict.mode, finding.got) == ("unparsable_call", text)
    assert verdict.counts.n_accepted == 1  # it named the right tool


def test_au_harness_31_scalars_are_compared() -> None:
    graded = case(call("search", {"n": 2}), wanted=(step("search", {"n": 1}),))
    assert grade_case(graded).mode == "value_error"


@pytest.mark.parametrize("gold", [pytest.param({"q": {"$nope": 1}}, id="unknown matcher")])
def test_aiperf_1318_a_broken_expectation_is_no_parse_failure_of_the_agent(gold: JsonObject) -> None:
    from callgrade.grading import CaseGrader
    from cases.formats.record import Record
    from deterministic.policy import STRICT

    broken = case(TEA, wanted=(step("search", gold),))
    verdict = CaseGrader(STRICT).grade_record(Record(source="f:1", case=broken)).verdict
    assert (verdict.status, verdict.findings) == ("ungraded", ())
    assert "unknown matcher '$nope'" in (verdict.reason or "")


@pytest.mark.parametrize(
    ("gating", "status", "step_state"),
    [
        pytest.param(True, "fail", "fail", id="tau2-bench-15 a required action that is missing fails"),
        pytest.param(False, "pass", "pass", id="tau2-bench-224 an informative one is told and does not"),
    ],
)
def test_gating_and_informative_checks_are_apart(gating: bool, status: str, step_state: str) -> None:
    wanted = (step("search", {"q": "tea"}), step("read_rules", gating=gating))
    verdict = grade_case(case(TEA, wanted=wanted))
    assert (verdict.status, verdict.steps.select) == (status, step_state)
    assert [(f.mode, f.gating) for f in verdict.findings] == [("missing_step", gating)]


def test_olmo_eval_338_a_partial_grid_of_trials_is_refused_and_not_truncated() -> None:
    from reports.trials import pass_hat_k

    def trial(task: str, attempt: int, *, passes: bool) -> Verdict:
        calls = (TEA,) if passes else ()
        graded = case(*calls, wanted=(step("search", {"q": "tea"}),), model="m", attempt=attempt)
        return grade_case(msgspec.structs.replace(graded, task_id=task))

    verdicts = [trial("full", 1, passes=True), trial("full", 2, passes=True), trial("half", 1, passes=False)]
    found = pass_hat_k(summarise(verdicts).models["m"].trials, 2)
    assert (found.value, found.n_tasks, found.n_left_out) == (1.0, 1, 1)


CLASSES = [
    pytest.param(call("refund", "{"), "syntax", id="syntax"),
    pytest.param(call("notify"), "intent", id="intent"),
    pytest.param(call("refund", {"order_id": "K1"}), "schema", id="schema"),
    pytest.param(call("refund", {"order_id": "K1", "amount": 6}), "value", id="value"),
]


@pytest.mark.parametrize(("made", "failure_class"), CLASSES)
def test_local_operator_825_classes_of_fault_stay_apart(made: Invocation, failure_class: str) -> None:
    verdict = grade_case(case(made, wanted=(step("refund", PAID),)))
    first = next(f for f in verdict.findings if f.mode == verdict.mode)
    assert first.failure_class == failure_class


def test_local_operator_825_an_execution_fault_is_none_of_the_models() -> None:
    made = call("refund", PAID, error="503 provider down")
    said = Message(role="assistant", content="The refund failed, please try again later.", turn=1)
    verdict = grade_case(case(made, wanted=(step("refund", PAID),), messages=(said,)))
    assert (verdict.status, verdict.steps.construct) == ("pass", "pass")


def test_tau2_bench_81_several_accepted_paths_name_the_one_that_counted() -> None:
    paths = (
        ExpectedPath(name="look first", steps=(step("search"), step("refund"))),
        ExpectedPath(name="at once", steps=(step("refund"),)),
    )
    verdict = grade_case(case(call("refund", PAID), wanted=None, expected_paths=paths))
    assert (verdict.status, verdict.path) == ("pass", "at once")
