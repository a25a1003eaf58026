"""Tallies: hand-derived sums of a small set, and the sum of parts against the whole."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callgrade import Case, ExpectedStep, Invocation, Tool, Verdict, grade_case
from cases.jsonvalue import JsonObject
from reports.summary import Summary, summarise
from reports.tally import MAX_NAMES, OTHER, Tally

TOOLS = (
    Tool(name="look", effect="read", input_schema={"type": "object", "properties": {"n": {"type": "integer"}}}),
    Tool(name="pay", effect="write"),
    Tool(name="pay_back", effect="write"),
)


def verdict(*calls: str, wanted: tuple[str, ...] | None, task: str = "t", args: JsonObject | None = None) -> Verdict:
    steps = None if wanted is None else tuple(ExpectedStep(tool=name) for name in wanted)
    made = tuple(Invocation(tool=name, args=args or {"n": index}) for index, name in enumerate(calls))
    return grade_case(Case(task_id=task, tools=TOOLS, expected_invocations=steps, actual_invocations=made))


def tally(*verdicts: Verdict) -> Tally:
    found = Tally()
    for one in verdicts:
        found.add(one)
    return found


CONFUSIONS = [
    pytest.param(verdict("look", "pay", wanted=("look", "pay")), {"look": {"look": 1}, "pay": {"pay": 1}}, id="right"),
    pytest.param(verdict("pay_back", wanted=("pay",)), {"pay": {"pay_back": 1}}, id="a wrong tool"),
    pytest.param(verdict("pay", wanted=("pay", "look")), {"pay": {"pay": 1}, "look": {"": 1}}, id="a missing step"),
    pytest.param(verdict(wanted=("pay", "look")), {"pay": {"": 1}, "look": {"": 1}}, id="no call at all"),
    pytest.param(verdict("pay", "look", wanted=("pay",)), {"pay": {"pay": 1}, "": {"look": 1}}, id="an extra call"),
    pytest.param(verdict("pay", "pay", wanted=()), {"": {"pay": 2}}, id="calls where none was wanted"),
    pytest.param(verdict("pay", wanted=None), {}, id="a gold that says nothing about tools"),
    pytest.param(
        verdict("look", "look", "look", wanted=("look",), args={"n": 1}),
        {"look": {"look": 1}, "": {"look": 2}},
        id="a loop is counted call by call",
    ),
]


@pytest.mark.parametrize(("one", "matrix"), CONFUSIONS)
def test_confusion(one: Verdict, matrix: dict[str, dict[str, int]]) -> None:
    found = tally(one)
    assert found.confusion == matrix
    for name, tool in found.tools.items():
        assert sum(found.confusion.get(name, {}).values()) == tool.n_expected
        assert sum(row.get(name, 0) for row in found.confusion.values()) == tool.n_sent - tool.n_unasked


def test_alternatives_are_wanted_under_the_name_that_was_called() -> None:
    step = ExpectedStep(tool=("pay", "pay_back"))
    case = Case(
        task_id="t", tools=TOOLS, expected_invocations=(step,), actual_invocations=(Invocation(tool="pay_back"),)
    )
    assert tally(grade_case(case)).confusion == {"pay_back": {"pay_back": 1}}


def test_rates_of_a_tool() -> None:
    # pay: wanted 3 times, called 4 times of which one where nobody said what was wanted, right 2 times
    found = tally(
        verdict("pay", wanted=("pay",)),
        verdict("pay", "pay", wanted=("pay",)),
        verdict(wanted=("pay",)),
        verdict("pay", wanted=None),
    ).tools["pay"]
    assert (found.n_expected, found.n_sent, found.n_accepted, found.n_unasked) == (3, 4, 2, 1)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(2 / 3)
    assert found.f1 == pytest.approx(2 * 2 / (3 + 3))


def test_a_tool_nobody_spoke_of_has_no_rates() -> None:
    found = tally(verdict("pay", wanted=None)).tools["pay"]
    assert (found.precision, found.recall, found.f1) == (None, None, None)


def test_counts_of_a_set() -> None:
    # recall (2 + 1) / (2 + 2), precision 3 / (2 + 1 + 1 over-call), the unasked call is outside
    found = tally(
        verdict("look", "pay", wanted=("look", "pay")),
        verdict("pay", wanted=("look", "pay")),
        verdict("pay", wanted=()),
        verdict("pay", wanted=None),
    ).counts
    assert (found.tool_recall, found.tool_precision) == (3 / 4, 3 / 4)
    assert found.tool_score == 2 * 3 / (4 + 4)


FIELDS = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["m"]}


def test_failures_by_argument_and_by_class() -> None:
    tools = (Tool(name="pay", input_schema=FIELDS),)  # type: ignore[arg-type]  # JSON
    step = ExpectedStep(tool="pay", args={"n": 1, "m": 2})
    made = Invocation(tool="pay", args={"n": "1"})
    found = tally(grade_case(Case(task_id="t", tools=tools, expected_invocations=(step,), actual_invocations=(made,))))
    assert found.tools["pay"].fields == {
        "n": {"schema_error": 1, "value_error": 1},
        "m": {"schema_error": 1, "value_error": 1},
    }
    # "1" for 1 is a value fault that the schema tells too; the missing m is one of structure, and one of value
    assert found.tools["pay"].classes == {"value": 3, "schema": 1}
    assert found.classes == {"schema": 1}  # of the primary mode's classes the one that breaks first


def test_informative_failures_are_counted_apart() -> None:
    found = tally(verdict("pay", "look", wanted=("pay",)))
    assert (found.n_informative, found.modes, found.tools["look"].modes) == (1, {"none": 1}, {})


def test_slices_count_a_case_once_a_name() -> None:
    case = Case(
        task_id="t",
        tags=("a", "a", "b"),
        expected_call="forbidden",
        no_call_kind="greeting",
        actual_invocations=(),
    )
    slices = tally(grade_case(case)).slices
    assert {name: part.n_cases for name, part in slices.items()} == {"tag:a": 1, "tag:b": 1, "no_call:greeting": 1}


def test_names_beyond_the_limit_share_one_entry() -> None:
    found = Tally()
    for index in range(MAX_NAMES + 5):
        case = Case(task_id="t", tags=(f"tag{index}",), expected_call="forbidden", actual_invocations=())
        found.add(grade_case(case))
    assert len(found.slices) == MAX_NAMES + 1
    assert found.slices[OTHER].n_cases == 5


def test_usage_adds_up_exactly_and_says_how_many_recorded_it() -> None:
    base = verdict("pay", wanted=("pay",))
    cases = [
        Case(task_id="t", actual_invocations=(), expected_call="forbidden", cost_usd=cost, n_input_tokens=tokens)
        for cost, tokens in ((0.1, 10), (0.2, None), (0.3, 0))
    ]
    usage = tally(base, *map(grade_case, cases)).usage
    assert usage.cost_nano_usd == 600_000_000  # 0.1 + 0.2 + 0.3, which floats make 0.6000000000000001
    assert (usage.n_cases_with_cost, usage.n_input_tokens, usage.n_cases_with_tokens) == (3, 10, 2)


POOL = [
    verdict("look", "pay", wanted=("look", "pay")),
    verdict("pay_back", wanted=("pay",)),
    verdict("pay", "look", wanted=("pay",)),
    verdict("pay", wanted=()),
    verdict("pay", wanted=None),
    verdict(wanted=("pay",)),
    verdict("nowhere", wanted=("pay",)),
    verdict("look", wanted=("look",), args={"n": "x"}),
    grade_case(Case(task_id="u")),
]


@st.composite
def verdicts(draw: st.DrawFn) -> list[Verdict]:
    found: list[Verdict] = []
    for number in range(draw(st.integers(0, 12))):
        base = draw(st.sampled_from(POOL))
        found.append(
            msgspec.structs.replace(
                base,
                task_id=draw(st.sampled_from("xyz")),
                model=draw(st.sampled_from([None, "m", "n"])),
                attempt=draw(st.sampled_from([None, number])),
                tags=draw(st.sampled_from([(), ("a",), ("a", "b")])),
            )
        )
    return found


def encoded(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


@settings(max_examples=150, deadline=None)
@given(verdicts(), st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_parts_add_up_to_the_whole(listed: list[Verdict], part_of: list[int]) -> None:
    merged = Tally()
    for part in range(4):
        merged.merge(tally(*[one for one, place in zip(listed, part_of, strict=False) if place == part]))
    assert encoded(merged) == encoded(tally(*listed))


@settings(max_examples=100, deadline=None)
@given(verdicts(), st.randoms(use_true_random=False))
def test_order_of_cases_changes_no_summary(listed: list[Verdict], random: object) -> None:
    shuffled = list(listed)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis types its Random as an object
    assert encoded(summarise(shuffled)) == encoded(summarise(listed))


@given(verdicts())
def test_a_summary_survives_its_file(listed: list[Verdict]) -> None:
    summary = summarise(listed)
    assert encoded(msgspec.json.decode(msgspec.json.encode(summary), type=Summary)) == encoded(summary)
