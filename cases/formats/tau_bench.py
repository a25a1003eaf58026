"""τ-bench trajectories: a JSON array of runs ``{task_id, trial, reward, info, traj}``.

The gold actions are one way to reach the final state and no script: one unordered group in which
writes gate and reads inform. A call's ``turn`` is its message's index in ``traj``. The file states
no catalog; names and effects are those of the benchmark's domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from cases.case import Case, Invocation, Role
from cases.expectation import ExpectedStep
from cases.formats.dialogue import Dialogue, is_error_text
from cases.formats.documents import Document, read_documents
from cases.formats.record import InputFile, Record
from cases.formats.shape import Misfit, decode_shape
from cases.formats.tau_domains import (
    CATALOGS,
    find_domain,
    gold_decision,
    gold_step,
    policy_clock,
)
from cases.jsonvalue import JsonObject, JsonValue

_WANTED = "a τ-bench run {task_id, trial, reward, info, traj}"
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant"}


class _Function(msgspec.Struct):
    name: str
    arguments: JsonValue = ""


class _Call(msgspec.Struct):
    function: _Function
    id: str | None = None


class _Message(msgspec.Struct):
    role: str
    content: str | None = None
    tool_calls: list[_Call] | None = None
    tool_call_id: str | None = None


class _Action(msgspec.Struct):
    name: str
    kwargs: dict[str, JsonValue]


class _Task(msgspec.Struct):
    actions: list[_Action] | None = None
    user_id: str | None = None
    outputs: list[JsonValue] = []


class _Info(msgspec.Struct):
    task: _Task | None = None
    error: str | None = None


class _Run(msgspec.Struct):
    task_id: int | str
    traj: list[_Message]
    info: _Info
    trial: int | None = None
    reward: float | None = None


_DECODER = msgspec.json.Decoder(_Run)


def read(file: InputFile) -> Iterator[Record]:
    """Yield a case for each run of a trajectory file."""
    for document in read_documents(file):
        yield _read_run(document)


def recognises(value: JsonValue) -> bool:
    """Return whether ``value`` has the keys of a run."""
    return isinstance(value, dict) and {"task_id", "info", "traj"} <= value.keys()


def _read_run(document: Document) -> Record:
    run = decode_shape(document.raw, _DECODER, _WANTED)
    if isinstance(run, Misfit):
        return Record(source=document.source, problem=run.problem)
    return Record(source=document.source, case=_case(run))


def _case(run: _Run) -> Case:
    dialogue = _dialogue(run.traj)
    messages, final_answer = dialogue.split_final()
    policy = next((m.content for m in messages if m.role == "system"), "")
    steps = _steps(run.info.task)
    calls = dialogue.calls
    named = [*(step.tools[0] for step in steps or ()), *(call.tool for call in calls)]
    domain = find_domain(named, policy)
    task_id = f"{run.task_id}" if domain is None else f"{domain}-{run.task_id}"
    reference_time, time_zone = policy_clock(policy)
    return Case(
        task_id=task_id,
        attempt=run.trial,
        tags=() if domain is None else (domain,),
        messages=messages,
        tools=() if domain is None else CATALOGS[domain],
        expected_call=None if steps is None else gold_decision(steps),
        expected_invocations=steps,
        actual_invocations=calls,
        final_answer=final_answer,
        infrastructure_error=run.info.error,
        reference_time=reference_time,
        time_zone=time_zone,
        conversation_id=task_id if run.trial is None else f"{task_id}#{run.trial}",
        metadata=_metadata(run),
    )


def _dialogue(traj: Sequence[_Message]) -> Dialogue:
    dialogue = Dialogue()
    for turn, message in enumerate(traj):
        if message.role == "tool":
            content = message.content or ""
            dialogue.answer(message.tool_call_id, content, turn, is_error=is_error_text(content))
            continue
        dialogue.say(_ROLES.get(message.role, "context"), message.content, turn)
        if message.tool_calls:
            dialogue.call([_invocation(call, turn) for call in message.tool_calls])
    return dialogue


def _invocation(call: _Call, turn: int) -> Invocation:
    args = call.function.arguments
    if not isinstance(args, (dict, str)):
        args = msgspec.json.encode(args).decode()
    return Invocation(tool=call.function.name, args=args, turn=turn, id=call.id)


def _steps(task: _Task | None) -> tuple[ExpectedStep, ...] | None:
    if task is None or task.actions is None:
        return None
    return tuple(gold_step(action.name, action.kwargs) for action in task.actions)


def _metadata(run: _Run) -> JsonObject:
    task = run.info.task or _Task()
    stated: JsonObject = {"reward": run.reward, "user_id": task.user_id, "outputs": task.outputs}
    return {name: value for name, value in stated.items() if value not in (None, [])}
