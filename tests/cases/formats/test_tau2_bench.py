from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cases.case import Case
from cases.errors import InputError
from cases.formats import tau2_bench
from cases.formats.record import InputFile, Record
from deterministic.tau2_rule import action_matches

MakeFile = Callable[[object, str], InputFile]
DiskFile = Callable[[Path], InputFile]


def action(name: str, action_id: str = "1_0", **more: Any) -> dict[str, Any]:
    return {"action_id": action_id, "name": name, "arguments": {"x": 1}, "info": None, **more}


def task(task_id: str, actions: list[dict[str, Any]] | None, words: list[str] | None = None) -> dict[str, Any]:
    return {"id": task_id, "evaluation_criteria": {"actions": actions, "communicate_info": words}}


def call(name: str, requestor: str = "assistant", call_id: str = "c") -> dict[str, Any]:
    return {"id": call_id, "name": name, "arguments": {"x": 1}, "requestor": requestor}


def says(role: str, content: str | None, *calls: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, "tool_calls": list(calls) or None, **more}


def answer(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "id": "c", "content": content, **more}


def checks(*pairs: tuple[dict[str, Any], bool]) -> dict[str, Any]:
    return {"reward": 0.0, "action_checks": [{"action": a, "action_match": m} for a, m in pairs] or None}


def simulation(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "s1", "task_id": "1", "messages": list(messages), **more}


def results(sim: dict[str, Any], *tasks: dict[str, Any], domain: str = "airline", **more: Any) -> dict[str, Any]:
    info = {
        "agent_info": {"llm": "m1", "llm_args": {"api_key": "sk-secret"}},
        "user_info": {"implementation": "user_simulator"},
        "environment_info": {"domain_name": domain, "policy": "Be nice."},
        **more,
    }
    return {"info": info, "tasks": list(tasks or [task("1", [action("book_reservation")])]), "simulations": [sim]}


class Row(msgspec.Struct, frozen=True):
    id: str
    results: dict[str, Any]
    look: Callable[[Case], object]
    seen: object


def steps(case: Case) -> object:
    found = case.expected_invocations
    return None if found is None else [(s.tool, s.gating, s.compare, s.requestor) for s in found]


A, B = action("book_reservation", "1_0"), action("cancel_reservation", "2_0")
CHECKED_B = {"reward_info": checks((B, False)), "termination_reason": "user_stop"}
TWO_TASKS = (task("1", [A]), task("2", [B]))
TWINS = (task("1", [A]), task("5", []), task("6", []))
NO_STEPS: list[object] = []
UNCHECKED: dict[str, Any] = {"reward_info": checks(), "termination_reason": "user_stop"}

ROWS = [
    Row(
        "model, trial, id, tokens, cost and latency are carried over",
        results(
            simulation(
                says("assistant", "Hi", usage={"prompt_tokens": 5, "completion_tokens": 2}),
                says("user", "Hi", usage={"prompt_tokens": 90, "completion_tokens": 90}),
                says("assistant", "Bye", usage={"prompt_tokens": 7, "completion_tokens": 1}),
                trial=3,
                agent_cost=0.5,
                duration=9.0,
            )
        ),
        lambda c: (c.case_id, c.conversation_id, c.n_input_tokens, c.n_output_tokens, c.cost_usd, c.latency_s),
        ("airline-1@m1#3", "s1", 12, 3, 0.5, 9.0),
    ),
    Row("a missing trial is the first", results(simulation()), lambda c: c.attempt, 0),
    Row("the key in llm_args is never copied", results(simulation()), lambda c: "sk-" in str(c), False),
    Row(
        "parallel calls share a turn and keep their own results though their ids are one",
        results(simulation(says("assistant", None, call("a"), call("b")), answer("1"), answer("2"))),
        lambda c: [(i.tool, i.turn, i.result) for i in c.actual_invocations or ()],
        [("a", 0, 1), ("b", 0, 2)],
    ),
    Row(
        "a user's call is kept as the user's",
        results(simulation(says("user", None, call("toggle_data", "user")), answer("on", requestor="user"))),
        lambda c: [(i.tool, i.requestor, i.result) for i in c.actual_invocations or ()],
        [("toggle_data", "user", "on")],
    ),
    Row(
        "an error flag makes an error, its absence asks the text",
        results(
            simulation(
                says("assistant", None, call("a"), call("b"), call("c")),
                answer("no such user", error=True),
                answer("Error: gone"),
                answer("Error: a word in a title", error=False),
            )
        ),
        lambda c: [i.error for i in c.actual_invocations or ()],
        ["no such user", "Error: gone", None],
    ),
    Row("no gold is not an empty gold", results(simulation(), task("1", None)), steps, None),
    Row(
        "an empty gold leaves calling optional",
        results(simulation(), task("1", [])),
        lambda c: (steps(c), c.expected_call),
        (NO_STEPS, "optional"),
    ),
    Row(
        "compare_args and requestor reach the step",
        results(
            simulation(),
            task("1", [action("a", compare_args=[]), action("b", compare_args=["x"]), action("c", requestor="user")]),
        ),
        steps,
        [("a", True, (), "agent"), ("b", True, ("x",), "agent"), ("c", True, None, "user")],
    ),
    Row(
        "without a simulated user its actions are the agent's",
        results(
            simulation(),
            task("1", [action("toggle_data", requestor="user")]),
            user_info={"implementation": "dummy_user"},
        ),
        steps,
        [("toggle_data", True, None, "agent")],
    ),
    Row(
        "reads inform",
        results(simulation(), task("1", [action("get_user_details")])),
        steps,
        [("get_user_details", False, None, "agent")],
    ),
    Row(
        "reads gate where the reward counts actions",
        results(simulation(reward_info={"reward_basis": ["ACTION"]}), task("1", [action("get_user_details")])),
        steps,
        [("get_user_details", True, None, "agent")],
    ),
    Row(
        "recorded verdicts are kept aside",
        results(
            simulation(
                reward_info={**checks((A, True)), "db_check": {"db_match": False}}, termination_reason="max_steps"
            )
        ),
        lambda c: (c.metadata, c.infrastructure_error),
        ({"reward": 0.0, "action_match": [True], "db_match": False, "termination_reason": "max_steps"}, None),
    ),
    Row(
        "a simulator that broke is not the agent's fault",
        results(simulation(termination_reason="user_error")),
        lambda c: c.infrastructure_error,
        "user_error",
    ),
    Row(
        "a missing task_id is told by what was checked",
        results(simulation(task_id=None, **CHECKED_B), *TWO_TASKS),
        lambda c: c.task_id,
        "airline-2",
    ),
    Row(
        "a task_id that the checks contradict is corrected by them",
        results(simulation(**CHECKED_B), *TWO_TASKS),
        lambda c: (c.task_id, steps(c)),
        ("airline-2", [("cancel_reservation", True, None, "agent")]),
    ),
    Row(
        "tasks that cannot be told apart name the task after its simulation",
        results(simulation(**UNCHECKED), *TWINS),
        lambda c: (c.task_id, steps(c)),
        ("airline-simulation-s1", NO_STEPS),
    ),
    Row(
        "a run that was cut short contradicts nothing",
        results(simulation(**{**UNCHECKED, "termination_reason": "max_steps"}), *TWINS),
        lambda c: c.task_id,
        "airline-1",
    ),
]


@pytest.mark.parametrize("row", [pytest.param(r, id=r.id) for r in ROWS])
def test_a_simulation_becomes_a_case(row: Row, json_file: MakeFile) -> None:
    (record,) = tau2_bench.read(json_file(row.results, "f.json"))
    assert record.case is not None, record.problem
    assert row.look(record.case) == row.seen


BROKEN = [
    pytest.param(
        results(simulation(messages=3)), "$.messages: Expected `array`, got `int`: 3", id="messages of a wrong kind"
    ),
    pytest.param(results(simulation(task_id="9")), "no task has the id '9'", id="a task that is not there"),
    pytest.param(
        results(simulation(), {"id": "1", "evaluation_criteria": 4}),
        "no task has the id '1' and no task states what was checked (#/tasks/0 is broken: $.evaluation_criteria",
        id="a broken task",
    ),
]


@pytest.mark.parametrize(("value", "problem"), BROKEN)
def test_a_broken_simulation_is_told_by_place(value: dict[str, Any], problem: str, json_file: MakeFile) -> None:
    (record,) = tau2_bench.read(json_file(value, "f.json"))
    assert record.source == "f.json:1#/simulations/0"
    assert record.problem is not None
    assert record.problem.startswith(problem)


def test_a_file_without_simulations_is_an_input_error(json_file: MakeFile) -> None:
    with pytest.raises(InputError, match="missing required field `simulations`"):
        list(tau2_bench.read(json_file({"info": {}, "tasks": []}, "f.json")))


@pytest.fixture(scope="module")
def recorded(shared_data: Path, disk_file: DiskFile) -> list[Record]:
    files = sorted((shared_data / "tau2_bench/trajectories").iterdir())
    return [record for path in files for record in tau2_bench.read(disk_file(path))]


def test_no_simulation_is_lost(recorded: list[Record]) -> None:
    assert len(recorded) == 454
    assert [r.problem for r in recorded if r.problem] == []


def test_the_users_calls_are_in_the_cases(recorded: list[Record]) -> None:
    calls = [i for r in recorded if r.case for i in r.case.actual_invocations or ()]
    assert sum(i.requestor == "user" for i in calls) == 482
    assert all(i.result is not msgspec.UNSET or i.error is not None for i in calls)


def test_no_key_is_carried_over(recorded: list[Record]) -> None:
    assert b"api_key" not in msgspec.json.encode([r.case for r in recorded])


def test_the_benchmarks_own_rule_gives_its_recorded_verdicts(recorded: list[Record]) -> None:
    n_checks = 0
    for case in (r.case for r in recorded if r.case is not None):
        stated = case.metadata.get("action_match")
        if isinstance(stated, list):
            assert list(action_matches(case.expected_invocations or (), case.actual_invocations or ())) == stated
            n_checks += len(stated)
    assert n_checks == 1710
