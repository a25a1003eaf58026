from __future__ import annotations

import re
from pathlib import Path

import pytest

from callgrade.api import grade_case
from cases.case import Case, Invocation, Tool
from cases.errors import UsageError
from cases.expectation import ExpectedStep
from cases.jsonvalue import JsonObject, JsonValue
from deterministic.policy import POLICIES, find_policy
from deterministic.presets.table import CHECKERS

PAGE = Path(__file__).parents[2] / "docs" / "policies.md"


def test_a_name_without_a_version_is_the_newest() -> None:
    assert find_policy("strict").id == "strict/1"
    assert find_policy("bfcl/1").checker == "bfcl"


def test_an_unknown_policy_is_told_with_the_known_ones() -> None:
    with pytest.raises(
        UsageError, match=re.escape("no policy 'mild'; choose one of bfcl/1, lenient/1, strict/1, tau2/1")
    ):
        find_policy("mild")


def test_every_checker_belongs_to_a_policy() -> None:
    assert {policy.checker for policy in POLICIES.values()} == {"gates", *CHECKERS}


@pytest.mark.checkout
def test_the_page_has_a_section_for_each_policy_and_no_other() -> None:
    sections = re.findall(r"^## `([a-z0-9]+/\d+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(sections) == sorted(POLICIES)


@pytest.mark.checkout
@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_each_section_states_the_policys_summary(policy: str) -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert POLICIES[policy].summary in page


VALUES: list[tuple[str, str, JsonValue, JsonValue, str]] = [
    ("a text for an integer", "integer", 3, "3", "-+--"),
    ("a float for an integer", "integer", 3, 3.0, "++-+"),
    ("an integer for a float", "number", 3.0, 3, "++++"),
    ("true for 1", "integer", 1, True, "---+"),
    ("case and blanks", "string", "Paris", "paris ", "-++-"),
    ("a minus", "string", "5", "-5", "--+-"),
    ("an array in another order", "array", ["a", "b"], ["b", "a"], "++--"),
]
"""Rows of the page's table: right (+) or wrong (-) under strict, lenient, bfcl, tau2."""
_BFCL_TYPES = {"number": "float", "object": "dict"}


@pytest.mark.parametrize(("kind", "wanted", "got", "marks"), [pytest.param(*row[1:], id=row[0]) for row in VALUES])
def test_values_under_each_policy(kind: str, wanted: JsonValue, got: JsonValue, marks: str) -> None:
    found = ""
    for policy in ("strict/1", "lenient/1", "bfcl/1", "tau2/1"):
        stated = _BFCL_TYPES.get(kind, kind) if policy == "bfcl/1" else kind
        schema: JsonObject = {"properties": {"x": {"type": stated, "items": {"type": "string"}}}, "type": "object"}
        case = Case(
            task_id="t",
            tools=(Tool(name="f", input_schema=schema),),
            expected_invocations=(ExpectedStep(tool="f", args={"x": wanted}),),
            actual_invocations=(Invocation(tool="f", args={"x": got}),),
        )
        found += "+" if grade_case(case, policy=policy).status == "pass" else "-"
    assert found == marks


def test_extra_calls_under_each_policy() -> None:
    """A read call that no step asks for."""
    case = Case(
        task_id="t",
        tools=tuple(
            Tool(name=name, effect="read", input_schema={"type": "object", "properties": {}}) for name in ("f", "g")
        ),
        expected_invocations=(ExpectedStep(tool="f", args={}),),
        actual_invocations=(Invocation(tool="f"), Invocation(tool="g")),
    )
    passes = {policy for policy in POLICIES if grade_case(case, policy=policy).status == "pass"}
    assert passes == {"strict/1", "lenient/1", "tau2/1"}
