"""F1 by tool, micro and macro, confusions, the taxonomy and its chain: hand-derived from small tallies."""

from __future__ import annotations

import pytest

from callgrade import Case, ExpectedStep, Invocation, Tool, Verdict, grade_case
from reports.f1 import Confusion, confusions, selection
from reports.shares import share, share_text
from reports.summary import summarise
from reports.tally import ToolTally
from reports.taxonomy import chain, fields, taxonomy


def test_f1_micro_and_macro() -> None:
    tools = {
        # a: P 3/4, R 3/3, F1 6/7; b: P 0/1, R 0/2, F1 0/3; c was called where nobody said what was wanted
        "a": ToolTally(n_expected=3, n_sent=4, n_accepted=3),
        "b": ToolTally(n_expected=2, n_sent=1, n_accepted=0),
        "c": ToolTally(n_sent=5, n_unasked=5),
    }
    found = selection(tools)
    assert [(row.tool, row.precision.value, row.recall.value, row.f1.value) for row in found.tools] == [
        ("a", 3 / 4, 1.0, 6 / 7),
        ("b", 0.0, 0.0, 0.0),
    ]
    # micro: accepted 3 of expected 5 and sent 5; macro: (6/7 + 0) / 2
    assert (found.micro.precision, found.micro.recall, found.micro.f1) == (share(3, 5), share(3, 5), share(6, 10))
    assert found.macro_f1 == pytest.approx(3 / 7)


def test_without_tools_everything_is_undefined() -> None:
    found = selection({})
    assert (found.tools, found.macro_f1, found.micro.f1.value) == ((), None, None)


def test_a_tool_that_was_called_and_never_wanted_has_no_recall() -> None:
    (row,) = selection({"a": ToolTally(n_sent=2)}).tools
    assert (row.precision.value, row.recall.value, row.f1.value) == (0.0, None, 0.0)


def test_confused_cells_come_first_and_most_frequent_first() -> None:
    matrix = {"a": {"a": 9, "b": 1, "": 2}, "": {"b": 2}, "b": {"b": 0}}
    assert confusions(matrix) == (
        Confusion(wanted="", called="b", n=2),
        Confusion(wanted="a", called="", n=2),
        Confusion(wanted="a", called="b", n=1),
        Confusion(wanted="a", called="a", n=9),
    )


@pytest.mark.parametrize(
    ("k", "n", "text"),
    [
        pytest.param(0, 0, "undefined (n = 0)", id="no n, no rate"),
        pytest.param(2, 3, "66.7% of 3", id="a rate with its n"),
        pytest.param(3, 3, "100% of 3", id="all is exact"),
        pytest.param(9_999, 10_000, "99.9% of 10000", id="nearly all is not all"),
    ],
)
def test_share_text(k: int, n: int, text: str) -> None:
    assert share_text(share(k, n)) == text


def test_chain_asks_each_stage_of_what_passed_the_one_before() -> None:
    # 10 sent, 1 of them where nobody said what was wanted; 8 parsed, that 1 among them; 6 accepted, 1 of them unparsed
    tool = ToolTally(
        n_expected=7,
        n_sent=10,
        n_accepted=6,
        n_parsed=8,
        n_valid=4,
        n_right=3,
        n_unasked=1,
        n_unasked_parsed=1,
        n_accepted_unparsed=1,
    )
    found = chain([tool])
    assert found.parsed == share(8, 10)
    assert found.intent_given_parsed == share(5, 7)
    assert found.schema_given_intent == share(4, 5)
    assert found.value_given_schema == share(3, 4)


CATALOG = (
    Tool(name="pay", effect="write", input_schema={"type": "object", "properties": {"n": {"type": "integer"}}}),
    Tool(name="mail", effect="write"),
)


def one(made: Invocation, model: str) -> Verdict:
    step = ExpectedStep(tool="pay", args={"n": 1})
    return grade_case(
        Case(task_id="t", model=model, tools=CATALOG, expected_invocations=(step,), actual_invocations=(made,))
    )


SUMMARY = summarise(
    [
        one(Invocation(tool="pay", args={"n": 1}), "good"),
        one(Invocation(tool="pay", args="{"), "bad"),
        one(Invocation(tool="mail"), "bad"),
        one(Invocation(tool="pay", args={"n": []}), "bad"),
        one(Invocation(tool="pay", args={"n": 2}), "bad"),
    ]
)


def test_taxonomy_of_models_counts_cases_by_class() -> None:
    rows = {row.name: row for row in taxonomy(SUMMARY) if row.kind == "model"}
    assert rows["good"].n == 0
    assert rows["bad"].classes == {"syntax": 1, "intent": 1, "schema": 1, "value": 1, "narration": 0}
    # bad: 4 sent, 3 parsed; of those pay twice; of those one valid; that one has the wrong value
    chained = rows["bad"].chain
    assert (chained.parsed, chained.intent_given_parsed) == (share(3, 4), share(2, 3))
    assert (chained.schema_given_intent, chained.value_given_schema) == (share(1, 2), share(0, 1))


def test_taxonomy_of_tools_counts_failures() -> None:
    rows = {row.name: row for row in taxonomy(SUMMARY) if row.kind == "tool"}
    # [] for 1 is a schema and a value failure of pay; the wrong tool is booked on the wanted one
    assert rows["pay"].classes == {"syntax": 1, "intent": 1, "schema": 1, "value": 2, "narration": 0}
    assert rows["mail"].n == 0


def test_fields_by_failures() -> None:
    assert [(row.tool, row.field, row.n, row.modes, row.n_calls) for row in fields(SUMMARY.overall.tools)] == [
        ("pay", "n", 3, {"schema_error": 1, "value_error": 2}, 4)
    ]


def test_an_odd_argument_name_is_shown_as_it_is() -> None:
    tool = ToolTally(n_sent=1, fields={"a~1b~0c": {"value_error": 1}})
    assert [row.field for row in fields({"f": tool})] == ["a/b~c"]
