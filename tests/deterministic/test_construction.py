"""Construction: parse and blame, schema errors, drift, values against gold, edge buckets."""

from __future__ import annotations

import pytest

from callgrade import Case, ExpectedStep, Invocation, Tool, Verdict, grade_case
from cases.case import Pathway
from cases.finding import Blame
from cases.jsonvalue import JsonObject, JsonValue
from deterministic.buckets import find_buckets

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "s": {"type": "string"}, "o": {"type": "object"}, "l": {"type": "array"}},
    "required": ["n"],
}
TOOL = Tool(name="f", effect="write", input_schema=SCHEMA)


def graded(
    args: JsonObject | str,
    wanted: JsonObject | None = None,
    *,
    policy: str = "strict/1",
    tool: Tool = TOOL,
    pathway: Pathway = "unknown",
    schema_valid: bool | None = None,
    gating: bool = True,
) -> Verdict:
    call = Invocation(tool="f", args=args, schema_valid=schema_valid)
    step = ExpectedStep(tool="f", args=wanted, gating=gating)
    case = Case(task_id="t", tools=(tool,), expected_invocations=(step,), actual_invocations=(call,), pathway=pathway)
    return grade_case(case, policy=policy)


def told(verdict: Verdict) -> list[tuple[str | None, str | None, str, bool]]:
    place = "/actual_invocations/0/args"
    return [(f.mode, f.sub_mode, f.target.removeprefix(place), f.gating) for f in verdict.findings]


@pytest.mark.parametrize(
    ("pathway", "blame"),
    [
        pytest.param("constrained", "system", id="constrained decoding cannot break syntax: the system did"),
        pytest.param("free_form", "model", id="free text is the model's"),
        pytest.param("unknown", None, id="unknown blames nobody"),
    ],
)
def test_blame_of_a_call_that_did_not_parse(pathway: Pathway, blame: Blame | None) -> None:
    verdict = graded("{", pathway=pathway)
    assert [(f.mode, f.blame) for f in verdict.findings] == [("unparsable_call", blame)]


def test_a_call_that_did_not_parse_has_every_wanted_field_wrong() -> None:
    counts = graded("{", {"n": 1, "s": "x"}).counts
    assert (counts.n_fields_right, counts.n_fields) == (0, 2)


VALUES = [
    pytest.param({"n": 1}, {"n": 2}, [("value_error", None, "/n", True)], id="another value"),
    pytest.param({"n": 1, "s": "x"}, {"n": 1}, [("value_error", "missing_argument", "/s", True)], id="missing"),
    pytest.param({"n": 1}, {"n": 1, "s": "x"}, [("value_error", "unexpected_argument", "/s", True)], id="unexpected"),
    pytest.param(
        {"n": 1, "o": {"a": {"b/c": [1, 2]}}},
        {"n": 1, "o": {"a": {"b/c": [1, 3]}}},
        [("value_error", None, "/o/a/b~1c/1", True)],
        id="the pointer leads to the one place that differs",
    ),
    pytest.param(
        {"n": 1, "o": {"a": 1, "b": 2}},
        {"n": 1, "o": {"a": 2, "b": 1}},
        [("value_error", None, "/o", True)],
        id="two places are told at their common root",
    ),
    pytest.param({"n": 1, "s": "3"}, {"n": 1, "s": "3"}, [], id="all right"),
]


@pytest.mark.parametrize(("wanted", "got", "findings"), VALUES)
def test_values(wanted: JsonObject, got: JsonObject, findings: list[object]) -> None:
    assert told(graded(got, wanted)) == findings


def test_an_informative_step_tells_and_does_not_fail() -> None:
    verdict = graded({"n": 2}, {"n": 1}, gating=False)
    assert (verdict.status, told(verdict)) == ("pass", [("value_error", None, "/n", False)])


def test_a_coercible_type_gates_under_strict_and_informs_under_lenient() -> None:
    strict, lenient = graded({"n": "12345"}, {"n": 12345}), graded({"n": "12345"}, {"n": 12345}, policy="lenient/1")
    assert told(strict) == [
        ("schema_error", "coercible_type", "/n", True),
        ("value_error", "coercible_type", "/n", True),
    ]
    assert (strict.findings[0].failure_class, strict.status) == ("value", "fail")
    assert (lenient.status, told(lenient)) == ("pass", [("schema_error", "coercible_type", "/n", False)])


def test_a_type_that_cannot_be_coerced_is_structure_under_both() -> None:
    for policy in ("strict/1", "lenient/1"):
        verdict = graded({"n": "twelve"}, policy=policy)
        assert told(verdict) == [("schema_error", "structure", "/n", True)]


@pytest.mark.parametrize(
    ("args", "recorded", "n_drifted"),
    [
        pytest.param({"n": 1}, True, 0, id="valid as recorded"),
        pytest.param({"n": "x"}, False, 0, id="invalid as recorded"),
        pytest.param({"n": 1}, False, 1, id="invalid then, valid now"),
        pytest.param({"n": "x"}, True, 1, id="valid then, invalid now"),
        pytest.param({"n": 1}, None, 0, id="nothing recorded"),
    ],
)
def test_drift_of_the_validator(args: JsonObject, recorded: bool | None, n_drifted: int) -> None:
    verdict = graded(args, schema_valid=recorded)
    found = [f for f in verdict.findings if f.check == "validator_drift"]
    assert [(f.status, f.gating) for f in found] == [("ungraded", False)] * n_drifted


def test_a_broken_schema_is_the_catalogs_fault() -> None:
    verdict = graded({"n": 1}, {"n": 1}, tool=Tool(name="f", input_schema={"type": "integr"}))
    assert (verdict.status, verdict.steps.construct) == ("ungraded", "ungraded")
    assert "schema of 'f' is itself broken" in (verdict.reason or "")


def test_a_tool_without_a_schema_is_held_to_its_gold_alone() -> None:
    verdict = graded({"n": "x"}, {"n": "x"}, tool=Tool(name="f"))
    assert (verdict.status, "schema" in verdict.passed) == ("pass", False)


def test_order_of_argument_names_changes_nothing() -> None:
    one = graded({"n": "x", "s": 1, "z": None}, {"n": 1, "s": "x"})
    other = graded({"z": None, "s": 1, "n": "x"}, {"s": "x", "n": 1})
    assert sorted(told(one), key=str) == sorted(told(other), key=str)
    assert (one.mode, one.counts, one.secondary) == (other.mode, other.counts, other.secondary)


BUCKETS: list[object] = [
    pytest.param({"a": None}, ("null",), id="null"),
    pytest.param({"a": ""}, ("empty",), id="an empty text"),
    pytest.param({"a": []}, ("empty",), id="an empty array"),
    pytest.param({"a": {}}, ("empty",), id="an empty object"),
    pytest.param({"a": "caf\u00e9"}, ("unicode",), id="beyond ASCII"),
    pytest.param({"a": "12"}, ("coercion",), id="a spelled number"),
    pytest.param({"a": "-1.5"}, ("coercion",), id="a spelled negative"),
    pytest.param({"a": "true"}, ("coercion",), id="a spelled boolean"),
    pytest.param({"a": "12 High Street"}, (), id="a text that begins with a number"),
    pytest.param({"a": "truth"}, (), id="a word that begins like one"),
    pytest.param({"a": 12, "b": False, "c": 1.5}, (), id="plain values touch none"),
    pytest.param({"a": [{"price": None}]}, ("currency", "null"), id="at any depth"),
    pytest.param({"start_date": 1}, ("time_zone",), id="a date field"),
    pytest.param({"departureTime": 1}, ("time_zone",), id="a time field in camel case"),
    pytest.param({"refund_amount": 5}, ("currency",), id="a money field"),
    pytest.param({"update": 1, "discount": 2}, (), id="names that only contain a word"),
]


@pytest.mark.parametrize(("args", "buckets"), BUCKETS)
def test_buckets(args: JsonObject, buckets: tuple[str, ...]) -> None:
    sent = Case(task_id="t", actual_invocations=(Invocation(tool="f", args=args),))
    wanted = Case(task_id="t", expected_invocations=(ExpectedStep(tool="f", args=args),), actual_invocations=())
    assert find_buckets(sent) == find_buckets(wanted) == buckets


def test_a_call_of_the_users_side_touches_no_bucket_of_the_agent() -> None:
    call = Invocation(tool="f", args={"a": None}, requestor="user")
    assert find_buckets(Case(task_id="t", actual_invocations=(call,))) == ()


def test_a_huge_argument_is_scanned_within_a_bound() -> None:
    huge: list[JsonValue] = [1] * 100_000
    call = Invocation(tool="f", args={"b": None, "a": huge})
    assert find_buckets(Case(task_id="t", actual_invocations=(call,))) == ()
