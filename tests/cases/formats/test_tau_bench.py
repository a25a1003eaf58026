from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cases.case import Case
from cases.errors import InputError
from cases.formats import tau_bench
from cases.formats.record import InputFile

POLICY = "# Airline Agent Policy\n\nThe current time is 2024-05-15 15:00:00 EST.\n\nBe nice."


def call(name: str, arguments: str = "{}", call_id: str = "c1") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def assistant(content: str | None, *calls: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": content}
    return {**message, "tool_calls": list(calls)} if calls else message


def tool(content: str, call_id: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "name": "x", "content": content}


def user(content: str) -> dict[str, Any]:
    return {"role": "user", "content": content}


def run(*traj: dict[str, Any], **changes: Any) -> dict[str, Any]:
    task = {"user_id": "mia", "actions": changes.pop("actions", []), "outputs": ["327"]}
    record: dict[str, Any] = {"task_id": 7, "trial": 2, "reward": 1.0, "info": {"task": task}}
    record["traj"] = [{"role": "system", "content": POLICY}, *traj]
    return {**record, **changes}


BOOK = {"name": "book_reservation", "kwargs": {"cabin": "economy"}}
LOOK = {"name": "get_user_details", "kwargs": {"user_id": "mia"}}
REPEATED_IDS = (
    assistant(None, call("get_user_details", '{"user_id":"a"}')),
    tool('{"n": 1}'),
    assistant(None, call("get_user_details", '{"user_id":"b"}')),
    tool('{"n": 2}'),
)


class Row(msgspec.Struct, frozen=True):
    id: str
    run: dict[str, Any]
    look: Callable[[Case], object]
    seen: object


def results(case: Case) -> list[object]:
    return [c.result for c in case.actual_invocations or ()]


def texts(case: Case) -> list[tuple[str, int]]:
    return [(m.content, m.turn) for m in case.messages if m.role != "system"]


ROWS = [
    Row("results pair by order though ids repeat", run(*REPEATED_IDS), results, [{"n": 1}, {"n": 2}]),
    Row(
        "parallel results pair by id where ids differ",
        run(assistant(None, call("a", call_id="1"), call("b", call_id="2")), tool("x", "2"), tool("y", "1")),
        results,
        ["y", "x"],
    ),
    Row(
        "a call without a result has none, also when a later call has one",
        run(assistant(None, call("a")), user("?"), assistant(None, call("b")), tool("3")),
        results,
        [msgspec.UNSET, 3],
    ),
    Row(
        "a result without a call is kept as context",
        run(tool("stray")),
        lambda c: [(m.role, m.content) for m in c.messages[1:]],
        [("context", "stray")],
    ),
    Row(
        "an error text is an error and no result",
        run(assistant(None, call("a")), tool("Error: payment method not found")),
        lambda c: [(i.error, i.result) for i in c.actual_invocations or ()],
        [("Error: payment method not found", msgspec.UNSET)],
    ),
    Row("a result that is no JSON stays text", run(assistant(None, call("a")), tool("mia_li")), results, ["mia_li"]),
    Row(
        "argument texts pass through as they were emitted",
        run(assistant(None, call("a", '{"x": 1, "x": 2}'))),
        lambda c: [i.args for i in c.actual_invocations or ()],
        ['{"x": 1, "x": 2}'],
    ),
    Row(
        "a text beside a call stands in the call's turn",
        run(user("hi"), assistant("Let me look.", call("a")), tool("1")),
        lambda c: (texts(c), [i.turn for i in c.actual_invocations or ()]),
        ([("hi", 1), ("Let me look.", 2)], [2]),
    ),
    Row(
        "the last text is the final answer and no message; the simulator's stop mark stays",
        run(user("hi"), assistant("Done."), user("Thanks ###STOP###")),
        lambda c: (texts(c), c.final_answer),
        ([("hi", 1), ("Thanks ###STOP###", 3)], "Done."),
    ),
    Row(
        "a conversation that ends with a call has no final answer",
        run(assistant("Wait."), assistant(None, call("transfer_to_human_agents")), tool("ok")),
        lambda c: (texts(c), c.final_answer),
        ([("Wait.", 1)], None),
    ),
    Row(
        "writes gate, reads inform, all in one unordered group",
        run(actions=[LOOK, BOOK]),
        lambda c: [(s.tool, s.turn, s.gating) for s in c.expected_invocations or ()],
        [("get_user_details", 1, False), ("book_reservation", 1, True)],
    ),
    Row("a write makes calling required", run(actions=[LOOK, BOOK]), lambda c: c.expected_call, None),
    Row("reads alone leave calling optional", run(actions=[LOOK]), lambda c: c.expected_call, "optional"),
    Row(
        "an empty list leaves calling optional",
        run(),
        lambda c: (c.expected_call, c.expected_invocations),
        ("optional", ()),
    ),
    Row(
        "a gold tool that no table knows gates",
        run(actions=[{"name": "sing", "kwargs": {}}]),
        lambda c: [s.gating for s in c.expected_invocations or ()],
        [True],
    ),
    Row(
        "the task is named by domain and id, the attempt by its trial",
        run(),
        lambda c: (c.case_id, c.conversation_id, c.tags),
        ("airline-7#2", "airline-7#2", ("airline",)),
    ),
    Row(
        "a telling tool name decides the domain before the policy does",
        run(assistant(None, call("get_order_details"))),
        lambda c: c.tags,
        ("retail",),
    ),
    Row(
        "an unknown domain leaves name and catalog open",
        run(traj=[user("hi")]),
        lambda c: (c.task_id, c.tags, c.tools),
        ("7", (), ()),
    ),
    Row(
        "the policy tells the time",
        run(),
        lambda c: (c.reference_time, c.time_zone),
        ("2024-05-15T15:00:00", "EST"),
    ),
    Row(
        "the recorded reward and outputs are kept aside",
        run(reward=0.0),
        lambda c: c.metadata,
        {"reward": 0.0, "user_id": "mia", "outputs": ["327"]},
    ),
    Row(
        "a run that crashed is the harness's failure and has no gold",
        run(info={"error": "timeout", "traceback": "..."}, traj=[]),
        lambda c: (c.infrastructure_error, c.expected_invocations),
        ("timeout", None),
    ),
]

MakeFile = Callable[[object, str], InputFile]


@pytest.mark.parametrize("row", [pytest.param(r, id=r.id) for r in ROWS])
def test_a_run_becomes_a_case(row: Row, json_file: MakeFile) -> None:
    (record,) = tau_bench.read(json_file([row.run], "f.json"))
    assert record.case is not None, record.problem
    assert row.look(record.case) == row.seen


def test_all_runs_of_a_domain_share_one_catalog_object(json_file: MakeFile) -> None:
    first, second = tau_bench.read(json_file([run(), run(task_id=8)], "f.json"))
    assert first.case is not None
    assert second.case is not None
    assert first.case.tools is second.case.tools


BROKEN = [
    ([{**run(), "traj": None}], "f.json#/0", "$.traj: Expected `array`, got `null`: null; a τ-bench run"),
    ([run(), 3], "f.json#/1", "$: Expected `object`, got `int`: 3; a τ-bench run"),
    ([{"task_id": 1}], "f.json#/0", "$: Object missing required field `traj`; a τ-bench run"),
    ([run({"role": 5})], "f.json#/0", "$.traj[1].role: Expected `str`, got `int`: 5; a τ-bench run"),
]


@pytest.mark.parametrize(("value", "source", "problem"), BROKEN)
def test_a_broken_run_is_told_by_place_value_and_advice(
    value: object, source: str, problem: str, json_file: MakeFile
) -> None:
    record = list(tau_bench.read(json_file(value, "f.json")))[-1]
    assert record.source == source
    assert record.problem is not None
    assert record.problem.startswith(problem)


def test_a_file_that_is_no_json_is_an_input_error(json_file: MakeFile) -> None:
    with pytest.raises(InputError, match="not JSON"):
        list(tau_bench.read(json_file(b"[{]", "f.json")))


TRAJECTORIES = "tau_bench/historical_trajectories/gpt-4o-airline.json.gz"


@pytest.fixture(scope="module")
def airline(shared_data: Path, disk_file: Callable[[Path], InputFile]) -> list[Case]:
    records = list(tau_bench.read(disk_file(shared_data / TRAJECTORIES)))
    return [record.case for record in records if record.case is not None]


def test_no_airline_run_is_lost(airline: list[Case]) -> None:
    assert len(airline) == 200
    assert len({case.case_id for case in airline}) == 200
    assert sum(len(case.actual_invocations or ()) for case in airline) == 1164


def test_every_airline_call_has_its_own_result(airline: list[Case], shared_data: Path) -> None:
    raw = json.loads(gzip.decompress((shared_data / TRAJECTORIES).read_bytes()))
    for case, recorded in zip(airline, raw, strict=True):
        traj = recorded["traj"]
        follows = [(m, traj[i + 1]["content"]) for i, m in enumerate(traj) if m.get("tool_calls")]
        for invocation, (message, answer) in zip(case.actual_invocations or (), follows, strict=True):
            function = message["tool_calls"][0]["function"]
            assert (invocation.tool, invocation.args) == (function["name"], function["arguments"])
            got = invocation.error if invocation.error is not None else invocation.result
            assert got == answer or got == json.loads(answer)
            assert (invocation.error is not None) == answer.startswith("Error:")


@pytest.mark.parametrize("index", [26, 70, 126, 170])
def test_invented_payment_ids_ended_in_an_error(index: int, airline: list[Case]) -> None:
    invented = [
        i
        for i in airline[index].actual_invocations or ()
        if any(x in str(i.args) for x in ('"credit_card_7334"', '"credit_card_5634230"'))
    ]
    assert [i.error for i in invented] == ["Error: payment method not found"] * len(invented)
    assert invented
