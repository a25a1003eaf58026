"""Names, counts of calls, and what the catalog ties together."""

from __future__ import annotations

from typing import Any

import pytest

from callgrade import Case, ExpectedStep, Invocation, Tool, Verdict, grade_case

CATALOG = (
    Tool(name="get_order", effect="read"),
    Tool(name="refund", effect="write"),
    Tool(name="rate"),
)


def graded(*calls: Invocation, policy: str = "strict/1", wanted: tuple[str, ...] | None = None, **more: Any) -> Verdict:
    steps = None if wanted is None else tuple(ExpectedStep(tool=name) for name in wanted)
    fields: dict[str, Any] = {"task_id": "t", "tools": CATALOG, **more}
    return grade_case(Case(actual_invocations=calls, expected_invocations=steps, **fields), policy=policy)


def told(verdict: Verdict) -> list[tuple[str | None, str | None, bool]]:
    return [(f.mode, f.sub_mode, f.gating) for f in verdict.findings if f.status == "fail"]


UNKNOWN = ("unknown_tool", None, True)

NAMES = [
    pytest.param("get_order", {}, [], [], id="the exact name"),
    pytest.param("get.order", {}, [("unknown_tool", "relaxed_name", False)], None, id="dots for underscores inform"),
    pytest.param(
        "mcp__shop__get_order", {}, [("unknown_tool", "relaxed_name", False)], None, id="an MCP prefix informs"
    ),
    pytest.param(
        "Get_Order",
        {},
        [("unknown_tool", "relaxed_name", True)],
        [("unknown_tool", "relaxed_name", False)],
        id="case gates under strict only",
    ),
    pytest.param(
        "get_order<|channel|>json",
        {},
        [("unknown_tool", "relaxed_name", True)],
        [("unknown_tool", "relaxed_name", False)],
        id="a leaked token gates under strict only",
    ),
    pytest.param("get_orders", {}, [UNKNOWN], None, id="another name is unknown"),
    pytest.param("get_orders", {"is_catalog_partial": True}, [], None, id="not in a catalog that may lack tools"),
    pytest.param("get_orders", {"tools": ()}, [], None, id="not without a catalog"),
    pytest.param("get_order", {"tools": (), "allowed_tools": ()}, [UNKNOWN], None, id="any name when there is no tool"),
    pytest.param("rate", {"allowed_tools": ("refund",)}, [UNKNOWN], None, id="defined and not allowed"),
]


@pytest.mark.parametrize(("name", "more", "strict", "lenient"), NAMES)
def test_names(name: str, more: dict[str, Any], strict: list[object], lenient: list[object] | None) -> None:
    assert told(graded(Invocation(tool=name), **more)) == strict
    assert told(graded(Invocation(tool=name), policy="lenient/1", **more)) == (strict if lenient is None else lenient)


def test_a_relaxed_name_takes_its_step() -> None:
    verdict = graded(Invocation(tool="functions.get_order"), wanted=("get_order",))
    assert (verdict.status, verdict.counts.tool_score, list(verdict.tools)) == ("pass", 1.0, ["get_order"])


@pytest.mark.parametrize(
    ("turn", "wanted"),
    [pytest.param(1, [UNKNOWN], id="before it was offered"), pytest.param(2, [], id="from then on")],
)
def test_a_tool_that_comes_later(turn: int, wanted: list[object]) -> None:
    late = (Tool(name="refund", effect="write", available_from=2),)
    assert told(graded(Invocation(tool="refund", turn=turn), tools=late, wanted=("refund",))) == wanted


EXTRA = [
    pytest.param(Invocation(tool="get_order"), {}, False, False, id="a read informs"),
    pytest.param(Invocation(tool="refund"), {}, True, True, id="a write gates"),
    pytest.param(Invocation(tool="rate"), {}, True, False, id="an unknown effect gates under strict only"),
    pytest.param(Invocation(tool="refund", error="503"), {}, False, False, id="a failed write changed nothing"),
    pytest.param(Invocation(tool="get_order"), {"exact": True}, True, True, id="any gates where the gold is exact"),
    pytest.param(Invocation(tool="refund", error="503"), {"exact": True}, True, True, id="also a failed one"),
]


@pytest.mark.parametrize(("extra", "more", "strict", "lenient"), EXTRA)
def test_extra_calls(extra: Invocation, more: dict[str, Any], strict: bool, lenient: bool) -> None:
    needed = Invocation(tool="get_order", args={"id": 1})
    for policy, gates in (("strict/1", strict), ("lenient/1", lenient)):
        verdict = graded(needed, extra, policy=policy, wanted=("get_order",), **more)
        found = [f for f in verdict.findings if f.check == "tool_count"]
        assert [(f.mode, f.gating) for f in found] == [("extra_call", gates)]
        assert (verdict.status, verdict.counts.tool_precision) == ("fail" if gates else "pass", 0.5)


def test_a_repeated_extra_call_is_told_as_one() -> None:
    verdict = graded(Invocation(tool="refund"), Invocation(tool="refund"), wanted=("refund",))
    assert told(verdict) == [("extra_call", "repeated_call", True)]


def test_where_every_call_is_missing_the_decision_says_it_all() -> None:
    assert told(graded(wanted=("refund", "get_order"))) == [("missed_call", None, True)]


# --- prerequisites and follow-ups

GUARDED = (
    Tool(name="rules", effect="read"),
    Tool(name="refund", effect="write", requires=("rules",), followed_by=("mail",)),
    Tool(name="mail", effect="write"),
)
FIRST = "'refund' was called without 'rules' first, which the catalog asks for"
AFTERWARDS = "'refund' was called without 'mail' afterwards, which the catalog asks for"


def at(tool: str, turn: int, error: str | None = None, args: str | None = None) -> Invocation:
    return Invocation(tool=tool, turn=turn, error=error, args=args if args is not None else {})


SEQUENCES = [
    pytest.param([at("rules", 1), at("refund", 2), at("mail", 3)], [], 2, id="all kept"),
    pytest.param([at("refund", 2), at("mail", 3)], [FIRST], 1, id="the prerequisite never ran"),
    pytest.param([at("rules", 1), at("refund", 2)], [AFTERWARDS], 1, id="the follow-up never came"),
    pytest.param([at("refund", 1), at("rules", 2), at("mail", 3)], [FIRST], 1, id="it ran too late"),
    pytest.param([at("rules", 1), at("refund", 1), at("mail", 2)], [FIRST], 1, id="in parallel is not before"),
    pytest.param([at("rules", 0), at("refund", 0), at("mail", 0)], [], 2, id="without turns the order tells"),
    pytest.param([at("rules", 1, "404"), at("refund", 2), at("mail", 3)], [FIRST], 1, id="it failed"),
    pytest.param([at("rules", 1, None, "{"), at("refund", 2), at("mail", 3)], [FIRST], 1, id="it did not parse"),
    pytest.param([at("refund", 1, "503")], [], 0, id="a call that failed owes nothing"),
    pytest.param([at("refund", 1, None, "{")], [], 0, id="nor does one that did not parse"),
    pytest.param([at("rules", 1)], [], 0, id="nothing is tied to the prerequisite itself"),
]


@pytest.mark.parametrize(("calls", "messages", "n_kept"), SEQUENCES)
def test_sequence(calls: list[Invocation], messages: list[str], n_kept: int) -> None:
    verdict = graded(*calls, tools=GUARDED)
    found = [f for f in verdict.findings if f.check == "prerequisite"]
    assert [f.message for f in found] == messages
    assert {(f.mode, f.sub_mode) for f in found} <= {("missing_step", "skipped_prerequisite")}
    assert verdict.passed.get("prerequisite", 0) == n_kept
