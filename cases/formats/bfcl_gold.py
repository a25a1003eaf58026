"""BFCL's possible answers as expected steps.

An argument's accepted values become ``$one_of`` (a single one stands for itself); ``""`` among
them, which means that the argument may be left out, becomes ``$optional``; an array becomes
``$ordered``, because BFCL compares arrays in order. So the list can be read back from the matcher.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cases.case import Case
from cases.errors import ExpectationError
from cases.expectation import ExpectedStep
from cases.formats.shape import Misfit
from cases.jsonvalue import JsonObject, JsonValue, json_text
from cases.pythoncalls import Unparsable, parse_python_calls

_WANTED = (
    "an answer is {tool: {argument: [accepted values]}}, for multi-turn tasks a list of Python "
    "call texts for each user turn"
)


def gold_case(task_id: str, tags: tuple[str, ...], answers: Sequence[JsonValue]) -> Case | Misfit:
    """Return the partial case that an answer record states.

    Calls of one user message are one unordered group, and any further call is wrong. Answers that
    are plain texts (memory, web search) say nothing about calls and go to the metadata.
    """
    if answers and all(isinstance(answer, str) for answer in answers):
        return Case(task_id=task_id, tags=tags, metadata={"accepted_answers": list(answers)})
    is_multi_turn = any(isinstance(answer, list) for answer in answers)
    try:
        steps = tuple(_turn_steps(answers) if is_multi_turn else _group_steps(answers))
    except ExpectationError as error:
        return Misfit(f"{error}; {_WANTED}")
    return Case(task_id=task_id, tags=tags, expected_invocations=steps, exact=not is_multi_turn)


def accepted_matcher(accepted: JsonValue) -> JsonValue:
    """Return the matcher for one argument's list of accepted values; a bare value is the only one.

    An object's members hold accepted lists again, one level deep, as in BFCL's own checker.
    """
    return _matcher(accepted, is_nested=False)


def _group_steps(answers: Sequence[JsonValue]) -> Iterator[ExpectedStep]:
    for index, answer in enumerate(answers):
        if not isinstance(answer, dict) or not answer:
            raise ExpectationError(f"$.ground_truth[{index}]: {json_text(answer)[:60]} names no tool")
        for tool, accepted in answer.items():
            if not isinstance(accepted, dict):
                raise ExpectationError(f"$.ground_truth[{index}].{tool}: {json_text(accepted)[:60]} names no arguments")
            args = {name: accepted_matcher(values) for name, values in accepted.items()}
            yield ExpectedStep(tool=tool, args=args, turn=1)


def _turn_steps(answers: Sequence[JsonValue]) -> Iterator[ExpectedStep]:
    for user_turn, texts in enumerate(answers):
        if not isinstance(texts, list):
            raise ExpectationError(f"$.ground_truth[{user_turn}]: {json_text(texts)[:60]} is no list")
        for index, text in enumerate(texts):
            place = f"$.ground_truth[{user_turn}][{index}]"
            if not isinstance(text, str):
                raise ExpectationError(f"{place}: {json_text(text)[:60]} is no call text")
            calls = parse_python_calls(text)
            if isinstance(calls, Unparsable):
                raise ExpectationError(f"{place}: {text[:60]!r} is no call ({calls.reason})")
            for tool, args in calls:
                yield ExpectedStep(tool=tool, args=_members(args), user_turn=user_turn)


def _matcher(accepted: JsonValue, *, is_nested: bool) -> JsonValue:
    if not isinstance(accepted, list):
        return _literal(accepted)
    may_be_absent = "" in accepted
    values = [value for value in accepted if value != ""]
    if may_be_absent and not values:
        return {"$optional": ""}
    choices = [_literal(value) if is_nested else _choice(value) for value in values]
    wanted: JsonValue = choices[0] if len(choices) == 1 else {"$one_of": choices}
    return {"$optional": wanted} if may_be_absent else wanted


def _choice(value: JsonValue) -> JsonValue:
    if isinstance(value, dict) and not _is_dollar(value):
        return {name: _matcher(accepted, is_nested=True) for name, accepted in value.items()}
    if isinstance(value, list):
        return _in_order([_choice(item) if isinstance(item, dict) else item for item in value])
    return _literal(value)


def _literal(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {"$literal": value} if _is_dollar(value) else _members(value)
    if isinstance(value, list):
        return _in_order([_literal(item) for item in value])
    return value


def _members(value: JsonObject) -> JsonObject:
    return {name: _literal(member) for name, member in value.items()}


def _in_order(items: list[JsonValue]) -> JsonValue:
    return {"$ordered": items} if len(items) > 1 else items


def _is_dollar(value: JsonObject) -> bool:
    return any(name.startswith("$") for name in value)
