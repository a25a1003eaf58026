"""τ²-bench results: one JSON object ``{info, tasks, simulations}``; each simulation is a case.

The gold is its task's ``evaluation_criteria.actions``, read as τ-bench's (see ``tau_domains``),
except that reads gate too where the reward's basis has ``ACTION``. Calls of the simulated user are
kept with their requestor. A call's ``turn`` is its message's index in ``messages``.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from cases.case import Case, Invocation, Requestor, Role, Tool
from cases.errors import InputError
from cases.expectation import ExpectedStep
from cases.formats.dialogue import Dialogue, is_error_text
from cases.formats.documents import Document, read_documents
from cases.formats.record import InputFile, Record
from cases.formats.shape import Misfit, decode_shape
from cases.formats.tau2_shape import Info, Results, Simulation
from cases.formats.tau2_tasks import Gold, Tasks
from cases.formats.tau_domains import (
    CATALOGS,
    TELECOM_SOLO,
    gates,
    gold_decision,
    policy_clock,
)
from cases.jsonvalue import JsonObject, JsonValue

_WANTED = "a τ²-bench simulation {id, task_id, messages, reward_info, ...}"
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant"}
_NOT_THE_AGENT = frozenset({"user_error", "infrastructure_error"})
"""Of the termination reasons; step and error limits are the agent's own doing."""


class _Setting(msgspec.Struct, frozen=True):
    """What all simulations of a file share."""

    domain: str | None
    policy: str | None
    model: str | None
    tools: tuple[Tool, ...]
    is_solo: bool
    """True: there was no simulated user, and the user's actions were the agent's to make."""


_RESULTS = msgspec.json.Decoder(Results)
_SIMULATION = msgspec.json.Decoder(Simulation)


def read(file: InputFile) -> Iterator[Record]:
    """Yield a case for each simulation of a results file.

    Raises:
        InputError: The file is no object with info, tasks and simulations.
    """
    for document in read_documents(file):
        yield from _read_results(document)


def recognises(value: JsonValue) -> bool:
    """Return whether ``value`` has the keys of a results file."""
    return isinstance(value, dict) and {"info", "tasks", "simulations"} <= value.keys()


def _read_results(document: Document) -> Iterator[Record]:
    results = decode_shape(document.raw, _RESULTS, "a τ²-bench result {info, tasks, simulations}")
    if isinstance(results, Misfit):
        raise InputError(f"{document.source}: {results.problem}")
    setting = _setting(results.info)
    tasks = Tasks([bytes(raw) for raw in results.tasks])
    for index, raw in enumerate(results.simulations):
        source = f"{document.source}#/simulations/{index}"
        simulation = decode_shape(bytes(raw), _SIMULATION, _WANTED)
        if isinstance(simulation, Misfit):
            yield Record(source=source, problem=simulation.problem)
            continue
        gold = tasks.gold(simulation)
        if isinstance(gold, Misfit):
            yield Record(source=source, problem=gold.problem)
        else:
            yield Record(source=source, case=_case(simulation, gold, setting, index))


def _setting(info: Info) -> _Setting:
    environment = info.environment_info
    domain, is_solo = environment.domain_name, info.user_info.implementation == "dummy_user"
    tools = CATALOGS.get(domain or "", ())
    if domain == "telecom" and is_solo:
        tools = TELECOM_SOLO
    return _Setting(domain, environment.policy, info.agent_info.llm, tools, is_solo)


def _case(simulation: Simulation, gold: Gold, setting: _Setting, index: int) -> Case:
    dialogue = _dialogue(simulation, setting.policy)
    messages, final_answer = dialogue.split_final()
    reference_time, time_zone = policy_clock(setting.policy or "")
    steps = _steps(gold, simulation, setting)
    ended = simulation.termination_reason
    usages = [m.usage for m in simulation.messages if m.role == "assistant" and m.usage]
    return Case(
        task_id=_task_id(simulation, gold, setting, index),
        model=setting.model,
        attempt=simulation.trial,
        tags=() if setting.domain is None else (setting.domain,),
        messages=messages,
        tools=setting.tools,
        expected_call=None if steps is None else gold_decision(steps),
        expected_invocations=steps,
        actual_invocations=dialogue.calls,
        final_answer=final_answer,
        infrastructure_error=ended if ended in _NOT_THE_AGENT else None,
        reference_time=reference_time,
        time_zone=time_zone,
        conversation_id=simulation.id,
        n_input_tokens=sum(u.prompt_tokens for u in usages) if usages else None,
        n_output_tokens=sum(u.completion_tokens for u in usages) if usages else None,
        cost_usd=simulation.agent_cost,
        latency_s=simulation.duration,
        metadata=_metadata(simulation),
    )


def _dialogue(simulation: Simulation, policy: str | None) -> Dialogue:
    dialogue = Dialogue()
    dialogue.say("system", policy, 0)
    for turn, message in enumerate(simulation.messages):
        if message.role == "tool":
            content = message.content or ""
            is_error = is_error_text(content) if message.error is None else message.error
            dialogue.answer(message.id, content, turn, is_error=is_error)
            continue
        dialogue.say(_ROLES.get(message.role, "context"), message.content, turn)
        if message.tool_calls:
            dialogue.call(
                [
                    Invocation(
                        tool=call.name,
                        args=call.arguments,
                        turn=turn,
                        id=call.id,
                        requestor=_requestor(call.requestor),
                    )
                    for call in message.tool_calls
                ]
            )
    return dialogue


def _task_id(simulation: Simulation, gold: Gold, setting: _Setting, index: int) -> str:
    """Return the task's name; a task that cannot be told is named after its one simulation."""
    name = gold.task_id or f"simulation-{simulation.id or index}"
    return name if setting.domain is None else f"{setting.domain}-{name}"


def _steps(gold: Gold, simulation: Simulation, setting: _Setting) -> tuple[ExpectedStep, ...] | None:
    if gold.actions is None:
        return None
    decides = "ACTION" in (simulation.reward_info.reward_basis or ())
    return tuple(
        ExpectedStep(
            tool=action.name,
            args=action.arguments,
            turn=1,
            gating=decides or gates(action.name),
            compare=None if action.compare_args is None else tuple(action.compare_args),
            requestor="agent" if setting.is_solo else _requestor(action.requestor),
        )
        for action in gold.actions
    )


def _requestor(name: str) -> Requestor:
    return "user" if name == "user" else "agent"


def _metadata(simulation: Simulation) -> JsonObject:
    info = simulation.reward_info
    checks = None if info.action_checks is None else [c.action_match for c in info.action_checks]
    stated: JsonObject = {
        "reward": info.reward,
        "action_match": None if checks is None else list(checks),
        "db_match": info.db_check.db_match if info.db_check else None,
        "termination_reason": simulation.termination_reason,
    }
    return {name: value for name, value in stated.items() if value is not None}
