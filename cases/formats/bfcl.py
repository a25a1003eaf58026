"""BFCL v4: three kinds of JSON Lines files, told apart by their keys, each yielding partial cases.

Questions ``{id, question, function}`` hold conversation and catalog, possible answers ``{id,
ground_truth}`` the gold, model results ``{id, result}`` the attempt; :class:`cases.joining.Gold`
joins them by task. Whether a call is wanted at all is told by the category, the front of the id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from cases.case import Case, Message, Role, Tool
from cases.errors import InputError
from cases.expectation import CallDecision
from cases.formats.bfcl_gold import gold_case
from cases.formats.bfcl_results import TURNS_PER_USER_TURN, read_output
from cases.formats.documents import Document, read_documents
from cases.formats.record import InputFile, Record
from cases.formats.shape import Misfit, decode_shape
from cases.jsonvalue import JsonObject, JsonValue

_WANTED = "a BFCL record {id, question}, {id, ground_truth} or {id, result}"
_KINDS = frozenset({"question", "ground_truth", "result"})
_CATEGORY = re.compile(r"([a-z]+(?:_[a-z]+)*)_\d", re.ASCII)
_DECISIONS: dict[str, CallDecision] = {
    "irrelevance": "forbidden",
    "live_irrelevance": "forbidden",
    "live_relevance": "required",
}
"""Categories without answers: valid means that no call was made, or that some call was."""
_ROLES: dict[str, Role] = {"system": "system", "user": "user", "assistant": "assistant"}
_MORE_TOOLS = "I have updated some more functions you can choose from. What about now?"
"""What BFCL's harness says in a user turn that the question file leaves empty."""

_INFERENCE_ERROR = "Error during inference"


class _Message(msgspec.Struct):
    role: str
    content: str | None = None


class _Function(msgspec.Struct):
    name: str
    description: str | None = None
    parameters: JsonValue = None


class _Record(msgspec.Struct):
    id: str
    question: list[list[_Message]] | None = None
    function: list[_Function] = []
    ground_truth: list[JsonValue] | None = None
    result: JsonValue | msgspec.UnsetType = msgspec.UNSET
    input_token_count: JsonValue = None
    output_token_count: JsonValue = None
    latency: JsonValue = None
    involved_classes: JsonValue = None
    excluded_function: JsonValue = None
    missed_function: JsonValue = None
    scenario: JsonValue = None


_SCORE_KEYS = frozenset({"accuracy", "total_count"})

_DECODER = msgspec.json.Decoder(_Record)


def read(file: InputFile) -> Iterator[Record]:
    """Yield a partial case for each record; a file that merely lies beside them yields none.

    Raises:
        InputError: The first record has no ``id`` and is no such companion either.
    """
    for index, document in enumerate(read_documents(file)):
        if index == 0 and _is_companion(document):
            return
        yield _read_record(document)


def recognises(value: JsonValue) -> bool:
    """Return whether ``value`` is one of the three records, or from another file of BFCL's folders."""
    if not isinstance(value, dict):
        return False
    return ("id" in value and not _KINDS.isdisjoint(value)) or _lies_beside(value)


def _is_companion(document: Document) -> bool:
    """Return whether a file only lies beside BFCL's records, so that its folder can be given as it is."""
    try:
        value: JsonValue = msgspec.json.decode(document.raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    if not isinstance(value, dict) or "id" in value:
        return False
    if not _lies_beside(value):
        raise InputError(
            f"{document.source}: an object with {sorted(value)[:4]!r} and no 'id'; {_WANTED} is wanted here"
        )
    return True


def _lies_beside(value: JsonObject) -> bool:
    """Return whether ``value`` is a tool of a multi-turn class, the totals of a score, or ids by category."""
    schema = value.get("parameters")
    is_tool = "name" in value and isinstance(schema, dict) and schema.get("type") == "dict"
    if is_tool or value.keys() >= _SCORE_KEYS:
        return True
    return bool(value) and all(_are_ids(ids, category) for category, ids in value.items())


def _are_ids(ids: JsonValue, category: str) -> bool:
    return isinstance(ids, list) and all(isinstance(name, str) and name.startswith(f"{category}_") for name in ids)


def _read_record(document: Document) -> Record:
    record = decode_shape(document.raw, _DECODER, _WANTED)
    if isinstance(record, Misfit):
        return Record(source=document.source, problem=record.problem)
    if not record.id:
        return Record(source=document.source, problem="'id' is empty; give the task its id")
    try:
        case = _case(record)
    except RecursionError:
        case = Misfit("nested too deeply")
    if isinstance(case, Misfit):
        return Record(source=document.source, problem=case.problem, task_id=record.id)
    return Record(source=document.source, case=case)


def _case(record: _Record) -> Case | Misfit:
    found = _CATEGORY.match(record.id)
    tags = () if found is None else (found[1],)
    if record.result is not msgspec.UNSET:
        return _attempt(record, record.result, tags)
    if record.ground_truth is not None:
        return gold_case(record.id, tags, record.ground_truth)
    if record.question is not None:
        return _question(record, record.question, tags)
    return Misfit(f"neither question nor ground_truth nor result; {_WANTED} is wanted here")


def _question(record: _Record, turns: Sequence[Sequence[_Message]], tags: tuple[str, ...]) -> Case:
    stated: JsonObject = {
        "involved_classes": record.involved_classes,
        "excluded_function": record.excluded_function,
        "missed_function": record.missed_function,
        "scenario": record.scenario,
    }
    return Case(
        task_id=record.id,
        tags=tags,
        messages=tuple(_messages(turns)),
        tools=tuple(
            Tool(name=f.name, description=f.description or "", input_schema=f.parameters) for f in record.function
        ),
        expected_call=_DECISIONS.get(tags[0]) if tags else None,
        metadata={name: value for name, value in stated.items() if value is not None},
    )


def _messages(turns: Sequence[Sequence[_Message]]) -> Iterator[Message]:
    for user_turn, messages in enumerate(turns):
        turn = user_turn * TURNS_PER_USER_TURN
        if not messages:
            yield Message(role="user", content=_MORE_TOOLS, turn=turn)
        for message in messages:
            if message.content:
                yield Message(role=_ROLES.get(message.role, "context"), content=message.content, turn=turn)


def _attempt(record: _Record, result: JsonValue, tags: tuple[str, ...]) -> Case | Misfit:
    if isinstance(result, str) and result.startswith(_INFERENCE_ERROR):
        return Case(task_id=record.id, tags=tags, infrastructure_error=result)
    output = read_output(result)
    if isinstance(output, Misfit):
        return output
    n_input, n_output = _total(record.input_token_count), _total(record.output_token_count)
    return Case(
        task_id=record.id,
        tags=tags,
        actual_invocations=output.invocations,
        final_answer=output.final_answer,
        pathway=output.pathway,
        n_input_tokens=None if n_input is None else int(n_input),
        n_output_tokens=None if n_output is None else int(n_output),
        latency_s=_total(record.latency),
        metadata={"intermediate_answers": list(output.answers)} if output.answers else {},
    )


def _total(value: JsonValue) -> float | None:
    """Return a count, summed over turns and steps where it is told so; ``None`` where unknown."""
    if isinstance(value, list):
        parts = [_total(item) for item in value]
        known = [part for part in parts if part is not None]
        return sum(known) if known else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value
