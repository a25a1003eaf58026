"""Business rules of a catalog: bounds stated or taken from results, dates, what cannot be decided."""

from __future__ import annotations

from typing import Any

import pytest

from callgrade import Case, Invocation, Tool, Verdict, grade_case
from cases.case import Rule
from cases.jsonvalue import JsonValue


def graded(value: JsonValue, rule: Rule, *earlier: Invocation, **more: Any) -> Verdict:
    tools = (Tool(name="pay", rules=(rule,)), Tool(name="get_order", effect="read"))
    call = Invocation(tool="pay", args={"x": value})
    return grade_case(Case(task_id="t", tools=tools, actual_invocations=(*earlier, call), **more))


def outcome(verdict: Verdict) -> str:
    (found,) = [f.status for f in verdict.findings if f.check == "rule"] or ["pass"]
    assert verdict.passed.get("rule", 0) == (found == "pass")
    return found


def rule(must: str, value: JsonValue = None, **more: Any) -> Rule:
    return Rule(arg="x", must=must, value=value, **more)  # type: ignore[arg-type]  # one of the literals


RULES = [
    pytest.param(5, rule("<=", 5), "pass", id="at most, at the bound"),
    pytest.param(5.01, rule("<=", 5), "fail", id="at most, above"),
    pytest.param(5, rule("<", 5), "fail", id="below, at the bound"),
    pytest.param(6, rule(">", 5), "pass", id="above"),
    pytest.param(5, rule(">=", 5), "pass", id="at least"),
    pytest.param("a", rule("==", "a"), "pass", id="equal texts"),
    pytest.param("1", rule("==", 1), "fail", id="a text is no number"),
    pytest.param("a", rule("!=", "a"), "fail", id="must differ"),
    pytest.param("", rule("non_empty"), "fail", id="an empty text"),
    pytest.param([], rule("non_empty"), "fail", id="an empty array"),
    pytest.param(None, rule("non_empty"), "fail", id="null is empty"),
    pytest.param(0, rule("non_empty"), "pass", id="zero is a value"),
    pytest.param(False, rule("non_empty"), "pass", id="false is a value"),
    pytest.param("2026-03-01", rule("<", "2026-03-02"), "pass", id="dates have an order"),
    pytest.param("abc", rule("<", 5), "ungraded", id="a text and a number have none"),
    pytest.param(True, rule("<", 5), "ungraded", id="a boolean has none"),
]


@pytest.mark.parametrize(("value", "must", "wanted"), RULES)
def test_stated_bounds(value: JsonValue, must: Rule, wanted: str) -> None:
    assert outcome(graded(value, must)) == wanted


TOTAL = rule("<=", result_of="get_order", pointer="/total")


def order(result: JsonValue, *, error: str | None = None) -> Invocation:
    return Invocation(tool="get_order", result=result, error=error)


FROM_RESULTS = [
    pytest.param([order({"total": 9})], "pass", id="within the result"),
    pytest.param([order({"total": 4})], "fail", id="beyond the result"),
    pytest.param([order({"total": 4}), order({"total": 9})], "pass", id="the latest result counts"),
    pytest.param([order({"total": 9}), order({"total": 4}, error="503")], "pass", id="a failed call has no result"),
    pytest.param([order({"sum": 4})], "ungraded", id="nothing at the pointer"),
    pytest.param([order("text")], "ungraded", id="a text has no places"),
    pytest.param([Invocation(tool="get_order")], "ungraded", id="the result was not recorded"),
    pytest.param([], "ungraded", id="no earlier result"),
]


@pytest.mark.parametrize(("earlier", "wanted"), FROM_RESULTS)
def test_bounds_from_results(earlier: list[Invocation], wanted: str) -> None:
    assert outcome(graded(5, TOTAL, *earlier)) == wanted


def test_a_later_result_bounds_nothing() -> None:
    tools = (Tool(name="pay", rules=(TOTAL,)), Tool(name="get_order"))
    calls = (Invocation(tool="pay", args={"x": 5}), order({"total": 4}))
    assert outcome(grade_case(Case(task_id="t", tools=tools, actual_invocations=calls))) == "ungraded"


BRUSSELS = "2026-03-12T00:30:00+01:00"  # 23:30 on the 11th in UTC

DATES = [
    pytest.param("2026-03-12", "after_now", BRUSSELS, "pass", id="today is not past"),
    pytest.param("2026-03-11", "after_now", BRUSSELS, "fail", id="yesterday is, by the local calendar"),
    pytest.param("2026-03-12", "before_now", BRUSSELS, "pass", id="today is not future"),
    pytest.param("2026-03-13", "before_now", BRUSSELS, "fail", id="tomorrow is"),
    pytest.param("2026-03-11T23:45:00Z", "after_now", BRUSSELS, "pass", id="instants compare across zones"),
    pytest.param("2026-03-11T23:15:00Z", "after_now", BRUSSELS, "fail", id="an instant that has passed"),
    pytest.param("2026-03-12T00:15:00", "after_now", BRUSSELS, "fail", id="a time without a zone is local"),
    pytest.param("2026-03-12T00:45:00", "after_now", BRUSSELS, "pass", id="and so is a later one"),
    pytest.param("20 May 2026", "after_now", "2026-03-12", "pass", id="a written date"),
    pytest.param("soon", "after_now", BRUSSELS, "ungraded", id="no date"),
    pytest.param(7, "after_now", BRUSSELS, "ungraded", id="a number is no date"),
    pytest.param("2026-03-12", "after_now", None, "ungraded", id="no reference time"),
    pytest.param("2026-03-12", "after_now", "today", "ungraded", id="a reference time that is none"),
]


@pytest.mark.parametrize(("value", "must", "now", "wanted"), DATES)
def test_dates_against_the_reference_time(value: JsonValue, must: str, now: str | None, wanted: str) -> None:
    assert outcome(graded(value, rule(must), reference_time=now)) == wanted


def test_a_rule_on_an_argument_that_was_not_sent_is_silent() -> None:
    tools = (Tool(name="pay", rules=(Rule(arg="y", must="non_empty"),)),)
    verdict = grade_case(Case(task_id="t", tools=tools, actual_invocations=(Invocation(tool="pay"),)))
    assert (verdict.findings, "rule" in verdict.passed) == ((), False)


def test_a_broken_rule_names_argument_bound_and_repair() -> None:
    (finding,) = graded(7, rule("<=", 5)).findings
    assert (finding.mode, finding.sub_mode, finding.target) == (
        "value_error",
        "business_rule",
        "/actual_invocations/0/args/x",
    )
    assert (finding.message, finding.repair) == ("pay: x is 7 and must be <= 5", "field x must be <= 5, got 7")


def test_the_pointer_of_an_odd_argument_name_is_escaped() -> None:
    tools = (Tool(name="pay", rules=(Rule(arg="a/b", must="non_empty"),)),)
    call = Invocation(tool="pay", args={"a/b": ""})
    (finding,) = grade_case(Case(task_id="t", tools=tools, actual_invocations=(call,))).findings
    assert finding.target == "/actual_invocations/0/args/a~1b"
