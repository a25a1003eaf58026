"""Whatever stands in a file, a reader of benchmark recordings yields cases or problems, or raises InputError."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from cases.errors import ExpectationError, InputError
from cases.formats.recognition import recognise_value
from cases.formats.record import InputFile, Record
from cases.formats.table import FORMATS
from deterministic.gates import Gates, check_expectation
from deterministic.policy import STRICT

N_MUTANTS = 1_500

CALL = {"id": "c", "type": "function", "function": {"name": "book_reservation", "arguments": '{"a": 1}'}}
TAU = [
    {
        "task_id": 1,
        "trial": 0,
        "reward": 1.0,
        "info": {"task": {"user_id": "u", "outputs": [], "actions": [{"name": "think", "kwargs": {"a": [1]}}]}},
        "traj": [
            {"role": "system", "content": "The current time is 2024-05-15 15:00:00 EST."},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c", "name": "x", "content": "{}"},
            {"role": "assistant", "content": "Done"},
        ],
    }
]
GOLD = {"action_id": "1_0", "name": "toggle_data", "arguments": {"a": 1}, "compare_args": ["a"], "requestor": "user"}
TAU2 = {
    "info": {
        "agent_info": {"llm": "m"},
        "user_info": {"implementation": "dummy_user"},
        "environment_info": {"domain_name": "telecom", "policy": "p"},
    },
    "tasks": [{"id": "1", "evaluation_criteria": {"actions": [GOLD], "communicate_info": ["w"]}}],
    "simulations": [
        {
            "id": "s",
            "task_id": "1",
            "trial": 0,
            "agent_cost": 0.5,
            "messages": [
                {
                    "role": "user",
                    "content": "x",
                    "usage": {"prompt_tokens": 1, "completion_tokens": 2},
                    "tool_calls": [{"id": "c", "name": "toggle_data", "arguments": {"a": 1}, "requestor": "user"}],
                },
                {"role": "tool", "id": "c", "content": "1", "error": False},
            ],
            "reward_info": {
                "reward": 1.0,
                "reward_basis": ["ACTION"],
                "action_checks": [{"action": GOLD, "action_match": True}],
                "communicate_checks": [{"info": "w"}],
                "db_check": {"db_match": True},
            },
        }
    ],
}
BFCL: list[dict[str, Any]] = [
    {
        "id": "simple_python_0",
        "question": [[{"role": "user", "content": "q"}]],
        "function": [{"name": "f", "description": "d", "parameters": {"type": "dict", "properties": {}}}],
    },
    {"id": "simple_python_0", "ground_truth": [{"f": {"a": [1, ""], "b": [{"c": ["d"]}], "e": [[1, 2]]}}]},
    {"id": "multi_turn_base_0", "ground_truth": [["f(a=1)", "g('x')"], []]},
    {"id": "simple_python_0", "result": [{"f": '{"a": 1}'}], "input_token_count": 3, "latency": 0.5},
    {"id": "multi_turn_base_0", "result": [[[{"f": "{}"}], "text"], ["[g(a=1)]"]], "latency": [[0.5]]},
    {"id": "simple_python_1", "result": "[f(a=1, b=[{'c': 'd'}])]"},
]
SEEDS: dict[str, Any] = {"tau_bench": TAU, "tau2_bench": TAU2, "bfcl": BFCL}
ODD: list[Any] = [
    *(None, True, -1, 0.5, 2**70, 1e308, "", "Error: x", "$any", "[f(", "[f(a='\\ud800')]", "f(" * 300),
    *([], {}, [[]], [{}], {"$one_of": 3}, {"$": []}, {"": ""}, ["", None], [[[]]]),
    "[f(a=" + "9" * 4000 + ")]",
    "[" * 5000,
    msgspec.Raw(b"[" * 100 + b"]" * 100),
    msgspec.Raw(b'{"$ordered":' * 50 + b"0" + b"}" * 50),
]


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("spoil", ["values", "bytes"])
def test_no_mutant_gets_through_as_an_exception(
    name: str, spoil: str, json_file: Callable[[object, str], InputFile]
) -> None:
    chance = random.Random(f"{name} {spoil}")  # noqa: S311  # mutants, not secrets
    gates = Gates(STRICT)
    for _ in range(N_MUTANTS):
        raw = _mutant(SEEDS[name], spoil, chance)
        for record in read_or_nothing(name, raw, json_file):
            if record.case is None:
                assert record.problem
                continue
            assert msgspec.json.decode(msgspec.json.encode(record.case))
            try:
                check_expectation(record.case)
            except ExpectationError:
                continue
            gates.grade(record.case)


def _mutant(seed: Any, spoil: str, chance: random.Random) -> bytes:
    if spoil == "values":
        return msgspec.json.encode(_spoiled(copy.deepcopy(seed), chance))
    raw = bytearray(msgspec.json.encode(seed))
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(raw))
        stop = min(len(raw), start + chance.choice([0, 1, 1, 2, 8, 40]))
        raw[start:stop] = chance.choice(
            [b"", b"\xff", b"\x00", b"null", b'"', b"{", b"]", b"\\ud800", b"\r\n", b"1e999"]
        )
    return bytes(raw)


def _spoiled(value: Any, chance: random.Random) -> Any:
    """Replace or remove one to three nodes."""
    for _ in range(chance.randint(1, 3)):
        holder, key = chance.choice([({"": value}, ""), *_places(value)])
        if chance.random() < 0.2:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(chance.choice(ODD))
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    keys: list[Any] = list(value) if isinstance(value, dict) else []  # pyright: ignore[reportUnknownArgumentType]  # JSON
    if isinstance(value, list):
        keys = [*range(len(value))]  # pyright: ignore[reportUnknownArgumentType]  # JSON
    own: list[tuple[Any, Any]] = [(value, key) for key in keys]
    return own + [place for key in keys for place in _places(value[key])]


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("depth", [150, 300, 450, 600, 900, 1_500, 100_000])
def test_depth_is_a_problem_or_a_case(name: str, depth: int, json_file: Callable[[object, str], InputFile]) -> None:
    text = msgspec.json.encode(SEEDS[name])
    for inner in (b'{"a":', b"["):
        deep = inner * depth + b"1" + (b"}" if inner[0] == ord("{") else b"]") * depth
        for spot in (b'{"a":1}', b"[1]", b'["d"]', b'"{}"'):
            for record in read_or_nothing(name, text.replace(spot, deep), json_file):
                assert record.case is not None or record.problem


def read_or_nothing(name: str, raw: bytes, json_file: Callable[[object, str], InputFile]) -> list[Record]:
    try:
        return list(FORMATS[name].read(json_file(raw, "f.json")))
    except InputError:
        return []


@pytest.mark.parametrize("name", SEEDS)
def test_each_recording_is_recognised_as_its_own_format(name: str) -> None:
    seed = SEEDS[name]
    for value in seed if name == "bfcl" else [seed]:
        found = recognise_value(value)
        assert found is not None
        assert found.name == name
