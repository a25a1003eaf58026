"""Preset ``bfcl/1``: the verdict of BFCL's own checker on a single-turn case. Pure.

Rewritten from its rules, its quirks included, because the verdict is to be the same: the first error decides, the
names of the rules are its ``error_type``. Three groups of categories: with answers (calls are counted, then checked one
by one; calls in parallel may come in any order, and the first that fits an answer takes it), irrelevance (right when
nothing can be decoded as calls, so that a broken call counts as "no call") and relevance (right when something can).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from cases.case import Case, Tool
from cases.expectation import ExpectedStep
from cases.failure import FailureMode, Step, SubMode
from cases.jsonvalue import JsonObject, JsonValue, encode, escape_token, json_text, preview
from cases.pythoncalls import Unparsable
from deterministic.equality import coerced_equal
from deterministic.presets.bfcl_gold import Accepted, ForeignMatcherError, accepted_values
from deterministic.presets.bfcl_languages import Language, Stated, UnknownTypeError, find_language, read_typed
from deterministic.presets.bfcl_values import Problem, check_value
from deterministic.sheet import Sheet

CHECK = "bfcl"
_SIMPLE, _PARALLEL = "simple_function_checker", "parallel_function_checker_no_order"
_NO_DECODE, _NO_CALL_SHAPE = "ast_decoder:decoder_failed", "ast_decoder:decoder_wrong_output_format"


class _Call(msgspec.Struct, frozen=True):
    """One decoded call."""

    index: int
    name: str
    args: JsonObject
    is_free_form: bool

    @property
    def pointer(self) -> str:
        return f"/actual_invocations/{self.index}"


class _Answer(msgspec.Struct, frozen=True):
    """One call that is wanted, with what its tool states."""

    tool: str
    accepted: dict[str, Accepted]
    properties: JsonObject
    required: Sequence[JsonValue]


class _Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Why the case fails, in BFCL's words and in ours."""

    rule: str
    mode: FailureMode
    target: str
    message: str
    tool: str | None = None
    sub_mode: SubMode | None = None
    expected: JsonValue | msgspec.UnsetType = msgspec.UNSET
    got: JsonValue | msgspec.UnsetType = msgspec.UNSET


def check(case: Case, tools: Sequence[Tool], sheet: Sheet) -> set[Step]:
    """Write the verdict; see :data:`deterministic.presets.table.Checker`."""
    steps = case.paths[0].steps if case.paths else ()
    step: Step = "construct" if steps else "decide"
    decoded = _decode(case)
    try:
        fault = _check_answers(case, steps, tools, decoded) if steps else _check_decision(case, decoded)
    except (ForeignMatcherError, UnknownTypeError) as error:
        sheet.leave_open(step, CHECK, "", f"{sheet.rule} cannot tell: {error}")
        return {step}
    if fault is None:
        sheet.add_passes(step, CHECK)
        return {step}
    sheet.fail(
        fault.mode,
        CHECK,
        fault.target,
        fault.message,
        tool=fault.tool,
        sub_mode=fault.sub_mode,
        expected=fault.expected,
        got=fault.got,
        rule=f"{sheet.rule}:{fault.rule}",
    )
    return {step}


def _decode(case: Case) -> list[_Call] | _Fault:
    """Return the calls as BFCL decodes them: one that does not decode spoils all, repeated keys do not matter."""
    calls: list[_Call] = []
    shapeless: _Fault | None = None
    is_free_form = case.pathway == "free_form"
    for index, call in enumerate(case.actual_invocations or ()):
        if call.requestor != "agent":
            continue
        if call.parse_error is not None:
            return _undecodable(_NO_DECODE, index, call.tool, call.parse_error)
        args = _decode_text(call.args) if isinstance(call.args, str) else call.args
        if isinstance(args, Unparsable):
            return _undecodable(_NO_DECODE, index, call.tool, args.reason)
        if not isinstance(args, dict):
            shapeless = shapeless or _undecodable(_NO_CALL_SHAPE, index, call.tool, "the arguments are no object")
            continue
        if is_free_form:  # positional arguments, which the reader numbers, do not exist for BFCL
            args = {name: value for name, value in args.items() if not name.isdigit()}
        calls.append(_Call(index, call.tool, args, is_free_form))
    return shapeless or calls


def _decode_text(text: str) -> JsonValue | Unparsable:
    """Return the JSON value that ``text`` spells, read as leniently as BFCL does; it must only be writable again."""
    try:
        value: JsonValue = json.loads(text)
        encode(value)
    except (ValueError, RecursionError) as error:
        return Unparsable(str(error))
    return value


def _undecodable(rule: str, index: int, tool: str, reason: str) -> _Fault:
    return _Fault(
        rule=rule,
        mode="unparsable_call",
        target=f"/actual_invocations/{index}/args",
        message=f"BFCL's decoder refuses the output: {reason}",
        tool=tool or None,
    )


def _check_decision(case: Case, decoded: list[_Call] | _Fault) -> _Fault | None:
    wanted = case.expected_call
    if wanted is None and case.paths:
        wanted = "forbidden"
    if wanted == "forbidden":
        if isinstance(decoded, _Fault) or not decoded:
            return None
        return _Fault(
            rule="irrelevance_error:decoder_success",
            mode="over_call",
            target=decoded[0].pointer,
            message=f"no call was wanted, and {decoded[0].name!r} was called",
            tool=decoded[0].name,
        )
    if wanted != "required":
        raise ForeignMatcherError("the case has no answers and says neither that a call is required nor forbidden")
    if isinstance(decoded, _Fault):
        return msgspec.structs.replace(decoded, rule="relevance_error:decoder_failed")
    if decoded:
        return None
    return _Fault(
        rule="relevance_error:decoder_failed",
        mode="missed_call",
        target="/actual_invocations",
        message="some call was wanted and none was made",
    )


def _check_answers(
    case: Case, steps: Sequence[ExpectedStep], tools: Sequence[Tool], decoded: list[_Call] | _Fault
) -> _Fault | None:
    if len(case.paths) > 1:
        raise ForeignMatcherError("several accepted paths; BFCL has one")
    answers = [_answer(step, tools) for step in steps]
    if isinstance(decoded, _Fault):
        return decoded
    category = next(
        (tag for tag in case.tags if tag.startswith(("simple", "multiple", "parallel", "live"))), "parallel"
    )
    language = find_language(category)
    kind = "parallel" if "parallel" in category else "multiple" if "multiple" in category else "simple"
    n_wanted = 1 if kind == "simple" else len(answers)
    if len(decoded) != n_wanted:
        return _miscounted(case, kind, n_wanted, decoded)
    if kind == "parallel":
        return _check_parallel(answers, decoded, language)
    return _check_call(answers[0], decoded[0], language)


def _answer(step: ExpectedStep, tools: Sequence[Tool]) -> _Answer:
    if not isinstance(step.tool, str) or step.optional or step.args is None or step.compare is not None:
        raise ForeignMatcherError(f"the step of {step.tools[0]!r} says more than BFCL's answers can")
    if step.user_turn is not None:
        raise ForeignMatcherError("multi-turn verdicts come from executing the calls, which callgrade does not do")
    tool = next((tool for tool in tools if tool.name == step.tool), None)
    schema = tool.input_schema if tool is not None else None
    if not isinstance(schema, dict):
        raise ForeignMatcherError(f"no schema of {step.tool!r} is given")
    properties, required = schema.get("properties"), schema.get("required")
    return _Answer(
        step.tool,
        {name: accepted_values(value) for name, value in step.args.items()},
        properties if isinstance(properties, dict) else {},
        required if isinstance(required, list) else [],
    )


def _miscounted(case: Case, kind: str, n_wanted: int, decoded: list[_Call]) -> _Fault:
    n = len(decoded)
    told_in_words = not n and case.final_answer is not None
    checkers = {"parallel": _PARALLEL, "multiple": "multiple_function_checker", "simple": _SIMPLE}
    return _Fault(
        rule=_NO_DECODE if told_in_words else f"{checkers[kind]}:wrong_count",
        mode="missed_call" if not n else "extra_call" if n > n_wanted else "missing_step",
        target=decoded[n_wanted].pointer if n > n_wanted else "/actual_invocations",
        message=f"{n_wanted} call{'s' * (n_wanted != 1)} wanted, {n} made",
        expected=n_wanted,
        got=n,
    )


def _check_parallel(answers: Sequence[_Answer], calls: Sequence[_Call], language: Language) -> _Fault | None:
    free = list(calls)
    for index, answer in enumerate(answers):
        faults: list[tuple[_Call, _Fault]] = []
        for call in free:
            fault = _check_call(answer, call, language)
            if fault is None:
                free.remove(call)
                break
            faults.append((call, fault))
        else:
            return _unmatched(answer, index, faults)
    return None


def _unmatched(answer: _Answer, index: int, faults: Sequence[tuple[_Call, _Fault]]) -> _Fault:
    """Return why no call fits an answer, told by the first call of its tool."""
    nearest = next((f for call, f in faults if _is_named(answer.tool, call)), faults[0][1])
    message = f"no call fits answer {index + 1} ({answer.tool}); nearest: {nearest.message} ({nearest.rule})"
    return msgspec.structs.replace(nearest, rule=f"{_PARALLEL}:cannot_find_match", message=message)


def _is_named(wanted: str, call: _Call) -> bool:
    """Return whether the call names the tool; through an API, dots become underscores."""
    return call.name == wanted or (not call.is_free_form and call.name == wanted.replace(".", "_"))


def _check_call(answer: _Answer, call: _Call, language: Language) -> _Fault | None:
    """Return the first fault of ``call``, in BFCL's order of checks."""
    if not _is_named(answer.tool, call):
        return _Fault(
            rule=f"{_SIMPLE}:wrong_func_name",
            mode="wrong_tool",
            target=f"{call.pointer}/tool",
            message=f"called {call.name!r} where {answer.tool!r} was wanted",
            tool=answer.tool,
            expected=answer.tool,
            got=call.name,
        )
    for name in answer.required:
        if isinstance(name, str) and name not in call.args:
            return _absent(answer, call, name, "missing_required")
    for name, value in call.args.items():
        if name not in answer.properties or name not in answer.accepted:
            return _unexpected(answer, call, name, value)
        accepted = answer.accepted[name]
        problem = _check_argument(value, accepted, answer.properties[name], language)
        if problem is not None:
            return _wrong(answer, call, name, problem)
    for name, accepted in answer.accepted.items():
        if name not in call.args and "" not in accepted:
            return _absent(answer, call, name, "missing_optional")
    return None


def _check_argument(value: JsonValue, accepted: Accepted, schema: JsonValue, language: Language) -> Problem | None:
    typed = read_typed(value, schema, language)
    if isinstance(typed, Stated):
        return check_value(typed.value, accepted, typed.wanted, typed.item)
    return Problem(typed, accepted, value)


def _absent(answer: _Answer, call: _Call, name: str, rule: str) -> _Fault:
    is_required = rule == "missing_required"
    accepted = answer.accepted.get(name)
    return _Fault(
        rule=f"{_SIMPLE}:{rule}",
        mode="schema_error" if is_required else "value_error",
        target=f"{call.pointer}/args/{escape_token(name)}",
        message=f"{call.name}: {name} is missing{', which the tool requires' if is_required else ''}",
        tool=answer.tool,
        sub_mode="structure" if is_required else "missing_argument",
        expected=msgspec.UNSET if accepted is None else list(accepted),
    )


def _unexpected(answer: _Answer, call: _Call, name: str, value: JsonValue) -> _Fault:
    is_declared = name in answer.properties
    return _Fault(
        rule=f"{_SIMPLE}:unexpected_param",
        mode="value_error" if is_declared else "schema_error",
        target=f"{call.pointer}/args/{escape_token(name)}",
        message=f"{call.name}: {name} is {'not wanted' if is_declared else 'no argument of the tool'}",
        tool=answer.tool,
        sub_mode="unexpected_argument" if is_declared else "structure",
        got=value,
    )


def _wrong(answer: _Answer, call: _Call, name: str, problem: Problem) -> _Fault:
    is_type = problem.rule.startswith("type_error")
    is_coercible = is_type and any(coerced_equal(choice, problem.got) for choice in _choices(problem.wanted))
    tail = "".join(f"/{escape_token(str(token))}" for token in (name, *problem.place))
    return _Fault(
        rule=problem.rule,
        mode="schema_error" if is_type else "value_error",
        target=f"{call.pointer}/args{tail}",
        message=f"{call.name}: {tail[1:]} is {_shown(problem.got)}, accepted: {_shown(problem.wanted)}",
        tool=answer.tool,
        sub_mode="coercible_type" if is_coercible else "structure" if is_type else None,
        expected=problem.wanted,
        got=problem.got,
    )


def _choices(wanted: JsonValue) -> list[JsonValue]:
    return wanted if isinstance(wanted, list) else []


def _shown(value: JsonValue) -> str:
    text = json_text(preview(value))
    return text if len(text) <= 160 else f"{text[:160]}…"
