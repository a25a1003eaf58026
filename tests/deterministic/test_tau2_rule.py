from __future__ import annotations

import msgspec
import pytest

from cases.case import Invocation
from cases.expectation import ExpectedStep
from cases.jsonvalue import JsonObject
from deterministic.tau2_rule import action_matches


class Row(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    wanted: JsonObject | None
    compare: tuple[str, ...] | None = None
    tool: str = "f"
    sent: JsonObject | str
    matches: bool


ROWS = [
    Row(id="equal arguments match", wanted={"a": 1}, sent={"a": 1}, matches=True),
    Row(id="1 is 1.0 and true, as in Python", wanted={"a": 1, "b": 1}, sent={"a": 1.0, "b": True}, matches=True),
    Row(id="arrays compare in order", wanted={"a": [1, 2]}, sent={"a": [2, 1]}, matches=False),
    Row(id="null compares the keys that the call used", wanted={"a": 1, "b": 2}, sent={"a": 1}, matches=True),
    Row(id="a key that the gold lacks differs", wanted={"a": 1}, sent={"a": 1, "b": 2}, matches=False),
    Row(id="no keys compare the name alone", wanted={"a": 1}, compare=(), sent={"a": 2}, matches=True),
    Row(id="listed keys alone count", wanted={"a": 1, "b": 2}, compare=("b",), sent={"a": 9, "b": 2}, matches=True),
    Row(id="a listed key that is missing differs", wanted={"a": 1}, compare=("a",), sent={}, matches=False),
    Row(id="another name never matches", wanted={}, compare=(), tool="g", sent={}, matches=False),
    Row(id="a call that did not parse never matches", wanted={}, compare=(), sent="{", matches=False),
    Row(id="a gold without arguments wants none", wanted=None, sent={"a": 1}, matches=False),
]


@pytest.mark.parametrize("row", [pytest.param(r, id=r.id) for r in ROWS])
def test_one_action_against_one_call(row: Row) -> None:
    step = ExpectedStep(tool="f", args=row.wanted, compare=row.compare)
    assert action_matches([step], [Invocation(tool=row.tool, args=row.sent)]) == (row.matches,)


def test_the_users_call_serves_the_agents_action_and_one_call_several() -> None:
    steps = [ExpectedStep(tool="f", args={}), ExpectedStep(tool="f", args={}), ExpectedStep(tool="g")]
    assert action_matches(steps, [Invocation(tool="f", requestor="user")]) == (True, True, False)
