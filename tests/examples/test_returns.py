"""The example eval set: its shape, its gold, and the gates against the author's key."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from callgrade.grading import CaseGrader
from cases.case import Case, Tool
from cases.expectation import ExpectedStep
from cases.failure import PRECEDENCE, FailureMode, SubMode
from cases.formats import native
from cases.joining import Gold
from cases.jsonvalue import JsonObject, JsonValue
from cases.verdict import Verdict
from deterministic.equality import is_matcher
from deterministic.gates import check_expectation
from deterministic.policy import STRICT
from deterministic.schema.validator import CompiledSchema, compile_schema

pytestmark = pytest.mark.checkout

FOLDER = Path(__file__).parents[2] / "examples" / "returns"
AGENTS = ("heron", "magpie")
BUCKETS = ("null", "empty", "unicode", "coercion", "time_zone", "currency")


class Defect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the author's key: an attempt that is not right."""

    task_id: str
    model: str
    attempt: int
    mode: FailureMode
    note: str
    needs: Literal["gate", "evidence", "judge"]
    sub_mode: SubMode | None = None

    @property
    def case_id(self) -> str:
        return f"{self.task_id}@{self.model}#{self.attempt}"


class ToolFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tools: tuple[Tool, ...]


class LocalFile:
    """An input file as the readers take it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def name(self) -> str:
        return str(self._path.relative_to(FOLDER))

    def lines(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            yield from file

    def read(self) -> bytes:
        return self._path.read_bytes()


def read(name: str) -> tuple[Case, ...]:
    records = list(native.read(LocalFile(FOLDER / name)))
    assert [record.problem for record in records if record.problem is not None] == []
    return tuple(record.case for record in records if record.case is not None)


@cache
def tasks() -> tuple[Case, ...]:
    return read("cases.jsonl")


@cache
def attempts() -> tuple[Case, ...]:
    return tuple(case for agent in AGENTS for case in read(f"attempts/{agent}.jsonl"))


@cache
def catalog() -> tuple[Tool, ...]:
    return msgspec.json.decode((FOLDER / "tools.json").read_bytes(), type=ToolFile).tools


@cache
def defects() -> dict[str, Defect]:
    lines = (FOLDER / "defects.jsonl").read_bytes().splitlines()
    listed = [msgspec.json.decode(line, type=Defect) for line in lines]
    by_id = {defect.case_id: defect for defect in listed}
    assert len(by_id) == len(listed)
    return by_id


@cache
def verdicts() -> dict[str, Verdict]:
    grader, gold = CaseGrader(STRICT, catalog()), Gold(tasks())
    found: dict[str, Verdict] = {}
    for attempt in attempts():
        joined = gold.join(attempt)
        assert joined is not None, attempt.task_id
        found[attempt.case_id] = grader.grade(joined).verdict
    return found


def sub_modes(verdict: Verdict) -> set[SubMode | None]:
    """Sub-modes of the gating findings that gave the verdict its primary mode."""
    return {finding.sub_mode for finding in verdict.findings if finding.gating and finding.mode == verdict.mode}


# --- shape


def test_sixty_tasks_in_the_shape_10_20_20_10() -> None:
    kinds = ("no_call", "selection", "argument", "integration")
    of_each = [[kind for kind in kinds if kind in case.tags] for case in tasks()]
    assert {len(found) for found in of_each} == {1}
    assert Counter(found[0] for found in of_each) == dict(zip(kinds, (10, 20, 20, 10), strict=True))
    assert len({case.task_id for case in tasks()}) == 60


def test_near_misses_semantics_and_edges_are_there() -> None:
    n = Counter(tag for case in tasks() for tag in case.tags)
    assert n["near_miss"] >= 8
    assert n["semantic"] == 6
    assert [bucket for bucket in BUCKETS if n[bucket] < 2] == []


def test_every_kind_of_no_call_is_there_and_nowhere_else() -> None:
    silent = [case for case in tasks() if "no_call" in case.tags]
    assert {case.no_call_kind for case in silent} == {
        "greeting",
        "clarification",
        "in_model",
        "refusal",
        "off_topic",
    }
    assert [case.task_id for case in tasks() if case.expected_call == "forbidden"] == [case.task_id for case in silent]


def test_two_agents_try_every_task_three_times() -> None:
    wanted = [f"{case.task_id}@{agent}#{trial}" for agent in AGENTS for case in tasks() for trial in (1, 2, 3)]
    assert [attempt.case_id for attempt in attempts()] == wanted


def test_the_key_covers_every_failure_mode() -> None:
    assert {defect.mode for defect in defects().values()} == set(PRECEDENCE)
    assert {defect.needs for defect in defects().values()} == {"gate", "evidence", "judge"}
    assert defects().keys() <= {attempt.case_id for attempt in attempts()}
    kinds = {(defect.mode, defect.sub_mode) for defect in defects().values()}
    assert kinds >= {
        ("wrong_tool", "near_miss"),
        ("wrong_tool", None),
        ("schema_error", "structure"),
        ("schema_error", "coercible_type"),
        ("schema_error", "value_rule"),
    }


# --- gold and recordings


def test_catalog_has_two_near_miss_families_and_guarded_refunds() -> None:
    members = Counter(tool.family for tool in catalog() if tool.family is not None)
    assert sum(n >= 2 for n in members.values()) >= 2
    for tool in catalog():
        if tool.name.startswith("refund_"):
            assert tool.requires == ("read_refund_rules",), tool.name


@pytest.mark.parametrize("case", [pytest.param(c, id=c.task_id) for c in tasks()])
def test_gold_is_sound_and_valid_under_its_tools_schema(case: Case) -> None:
    check_expectation(case)
    assert case.has_expectation
    for step in (step for path in case.paths for step in path.steps):
        for name in step.tools:
            schema = compiled()[name]
            assert [args for args in accepted(step) if not schema.is_valid(args)] == [], name


def compiled() -> dict[str, CompiledSchema]:
    found: dict[str, CompiledSchema] = {}
    for tool in catalog():
        schema = compile_schema(tool.input_schema, asserts_formats=True)
        assert isinstance(schema, CompiledSchema), tool.name
        found[tool.name] = schema
    return found


def accepted(step: ExpectedStep) -> Iterator[JsonObject]:
    """Arguments that the step accepts, its matchers spelled out."""
    names = list(step.args or ())
    for values in itertools.product(*(spelled(value) for value in (step.args or {}).values())):
        yield dict(zip(names, values, strict=True))


def spelled(value: JsonValue) -> list[JsonValue]:
    if not is_matcher(value) or not isinstance(value, dict):
        return [value]
    name, content = next(iter(value.items()))
    if name == "$one_of":
        assert isinstance(content, list)
        return content
    assert name in {"$optional", "$date", "$text"}, f"teach this test to spell {name}"
    return [content]


def test_one_order_reads_the_same_everywhere() -> None:
    read_orders: dict[str, set[bytes]] = {}
    for attempt in attempts():
        for call in attempt.actual_invocations or ():
            if call.tool in {"get_order", "read_refund_rules", "track_parcel"} and not call.error:
                key = f"{call.tool} {msgspec.json.encode(call.args).decode()}"
                read_orders.setdefault(key, set()).add(msgspec.json.encode(call.result))
    assert len(read_orders) > 20
    assert [key for key, texts in read_orders.items() if len(texts) > 1] == []


# --- gates against the key


def test_gates_give_the_keys_primary_mode() -> None:
    wrong: list[str] = []
    for case_id, defect in defects().items():
        if defect.needs == "gate":
            verdict = verdicts()[case_id]
            if verdict.mode != defect.mode:
                wrong.append(f"{case_id}: {verdict.mode}, the key says {defect.mode}")
            elif defect.sub_mode not in sub_modes(verdict):
                wrong.append(f"{case_id}: {sub_modes(verdict)}, the key says {defect.sub_mode}")
    assert wrong == []


def test_gates_fail_nothing_that_the_key_does_not_give_them() -> None:
    for_gates = {case_id for case_id, defect in defects().items() if defect.needs == "gate"}
    failed = {case_id: v.mode for case_id, v in verdicts().items() if v.status == "fail"}
    assert {case_id: mode for case_id, mode in failed.items() if case_id not in for_gates} == {}


AGENT_RATES = [
    pytest.param("heron", 153, 37, id="heron is careful"),
    pytest.param("magpie", 102, 14, id="magpie is sloppy"),
]


@pytest.mark.parametrize(("agent", "n_right", "n_always"), AGENT_RATES)
def test_readme_states_the_agents_true_rates(agent: str, n_right: int, n_always: int) -> None:
    right = [a for a in attempts() if a.model == agent and a.case_id not in defects()]
    by_task = Counter(attempt.task_id for attempt in right)
    assert (len(right), sum(n == 3 for n in by_task.values())) == (n_right, n_always)
    readme = (FOLDER / "README.md").read_text()
    assert f"| `{agent}` | {n_right} of 180 | {n_always} of 60 |" in readme
