"""The part of a τ²-bench results file that is read; everything else in it is passed over.

``info.agent_info.llm_args`` is left out on purpose: it may hold a key.
"""

from __future__ import annotations

import msgspec

from cases.jsonvalue import JsonObject, JsonValue


class Action(msgspec.Struct):
    """One gold action."""

    name: str
    arguments: dict[str, JsonValue]
    action_id: str = ""
    compare_args: list[str] | None = None
    requestor: str = "assistant"


class _Criteria(msgspec.Struct):
    actions: list[Action] | None = None
    communicate_info: list[str] | None = None


class Task(msgspec.Struct):
    """What a task states about its gold."""

    id: int | str
    evaluation_criteria: _Criteria | None = None

    @property
    def actions(self) -> list[Action] | None:
        """The gold actions; ``None`` where the task states none."""
        return None if self.evaluation_criteria is None else self.evaluation_criteria.actions


class Call(msgspec.Struct):
    """One call of the agent or of the simulated user."""

    name: str
    arguments: JsonObject | str = msgspec.field(default_factory=dict[str, JsonValue])
    id: str | None = None
    requestor: str = "assistant"


class Usage(msgspec.Struct):
    """Tokens of one request."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


class Message(msgspec.Struct):
    """One message; a tool's carries the id of the call that it answers."""

    role: str
    content: str | None = None
    tool_calls: list[Call] | None = None
    id: str | None = None
    error: bool | None = None
    usage: Usage | None = None


class ActionCheck(msgspec.Struct):
    """The recorded verdict on one gold action."""

    action: Action
    action_match: bool


class _DbCheck(msgspec.Struct):
    db_match: bool | None = None


class _CommunicateCheck(msgspec.Struct):
    info: str


class RewardInfo(msgspec.Struct):
    """The recorded verdicts on a simulation."""

    reward: float | None = None
    reward_basis: list[str] | None = None
    action_checks: list[ActionCheck] | None = None
    communicate_checks: list[_CommunicateCheck] | None = None
    db_check: _DbCheck | None = None


class Simulation(msgspec.Struct):
    """One attempt at one task."""

    messages: list[Message]
    id: str | None = None
    task_id: int | str | None = None
    trial: int = 0
    reward_info: RewardInfo = msgspec.field(default_factory=RewardInfo)
    termination_reason: str | None = None
    agent_cost: float | None = None
    duration: float | None = None


class _Agent(msgspec.Struct):
    llm: str | None = None


class _User(msgspec.Struct):
    implementation: str | None = None


class _Environment(msgspec.Struct):
    domain_name: str | None = None
    policy: str | None = None


class Info(msgspec.Struct):
    """How the file's simulations were run."""

    agent_info: _Agent = msgspec.field(default_factory=_Agent)
    user_info: _User = msgspec.field(default_factory=_User)
    environment_info: _Environment = msgspec.field(default_factory=_Environment)


class Results(msgspec.Struct):
    """A whole file; its parts are decoded one by one, so that a broken one costs no other."""

    info: Info
    tasks: list[msgspec.Raw]
    simulations: list[msgspec.Raw]
