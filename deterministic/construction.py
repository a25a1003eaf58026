"""Gates: parse, argument schema, argument values against gold. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cases.case import Case, Pathway, Tool
from cases.expectation import ExpectedStep
from cases.finding import Blame
from cases.jsonvalue import JsonValue, escape_token, json_text, preview
from cases.pythoncalls import Unparsable
from deterministic.alignment import Alignment
from deterministic.arguments import ArgumentDiff, FieldError, compare_arguments, narrow
from deterministic.catalog import Catalog
from deterministic.equality import Comparison, coerced_equal
from deterministic.policy import Policy
from deterministic.schema.dialect import SCHEMA_VERSION
from deterministic.schema.leaf import VALUE_KEYWORDS, LeafError
from deterministic.selection import AgentCall
from deterministic.sheet import Sheet

_BLAME: dict[Pathway, Blame] = {"constrained": "system", "free_form": "model"}


def check_parse(case: Case, calls: Sequence[AgentCall], problems: Mapping[int, Unparsable], sheet: Sheet) -> None:
    """Grade whether each call parsed."""
    sheet.add_passes("construct", "parse", len(calls) - len(problems))
    for call in calls:
        problem = problems.get(call.index)
        if problem is not None:
            sheet.fail(
                "unparsable_call",
                "parse",
                f"{call.pointer}/args",
                f"the call of {call.name or 'no nameable tool'!r} did not parse: {problem.reason}",
                tool=call.name,
                got=call.invocation.args if isinstance(call.invocation.args, str) else None,
                repair="send the arguments as one JSON object",
                blame=_BLAME.get(case.pathway),
            )


def check_schemas(calls: Sequence[AgentCall], catalog: Catalog, policy: Policy, sheet: Sheet) -> set[int]:
    """Grade each parsed call's arguments against its tool's schema; not applicable where the tool has none.

    Returns:
        The calls, by index in the case, that are invalid.
    """
    n_valid = 0
    invalid: set[int] = set()
    schemas, problems = catalog.schemas, catalog.problems
    for call in calls:
        args = call.invocation.args
        if type(args) is not dict or not call.is_parsed:
            continue
        schema = schemas.get(call.name)
        if schema is None:
            if call.name in problems:
                sheet.leave_open(
                    "construct",
                    "schema",
                    f"{call.pointer}/args",
                    f"the catalog's schema of {call.name!r} is itself broken: {problems[call.name]}",
                )
            continue
        recorded = call.invocation.schema_valid
        is_valid = schema.is_valid(args)
        if is_valid:
            n_valid += 1
        else:
            invalid.add(call.index)
            for error in schema.explain(args):
                _report_schema_error(call, error, policy, sheet)
        if recorded is not None and recorded != is_valid:
            _report_drift(call, recorded, sheet)
    sheet.add_passes("construct", "schema", n_valid)
    return invalid


def _report_schema_error(call: AgentCall, error: LeafError, policy: Policy, sheet: Sheet) -> None:
    is_coercible = error.is_coercible
    sheet.fail(
        "schema_error",
        "schema",
        f"{call.pointer}/args{error.pointer}",
        f"{call.name}: {error.repair}",
        tool=call.name,
        sub_mode="coercible_type" if is_coercible else "value_rule" if error.keyword in VALUE_KEYWORDS else "structure",
        gating=not (is_coercible and policy.coerces),
        expected=error.expected,
        got=error.got,
        repair=error.repair,
        rule=f"{SCHEMA_VERSION}:{error.keyword}",
    )


def _report_drift(call: AgentCall, recorded: bool, sheet: Sheet) -> None:
    then, now = ("valid", "invalid") if recorded else ("invalid", "valid")
    sheet.leave_open(
        "construct",
        "validator_drift",
        f"{call.pointer}/schema_valid",
        f"recorded as schema-{then}, now {now} under {SCHEMA_VERSION}: the fixture, its schema or the validator "
        "changed; convert the fixture again once you know which",
        gating=False,
    )


def check_values(
    alignment: Alignment,
    steps: Sequence[ExpectedStep],
    calls: Sequence[AgentCall],
    comparison: Comparison,
    sheet: Sheet,
) -> None:
    """Grade each paired call's arguments against its step."""
    n_right = 0
    for i, j in enumerate(alignment.call_of):
        diff = alignment.diffs[i]
        if diff is None:
            continue
        n_right += diff.n_right
        if diff.wrong:
            _report_values(steps[i], calls[j], diff, comparison, sheet)
    sheet.add_passes("construct", "arguments", n_right)


def check_call_values(
    step: ExpectedStep, call: AgentCall, comparison: Comparison, tool: Tool, sheet: Sheet
) -> ArgumentDiff:
    """Grade the arguments of one parsed call that took ``step``; the caller counts what passed."""
    args = call.invocation.args
    diff = compare_arguments(step, args if isinstance(args, dict) else None, comparison, tool)
    if diff.wrong:
        _report_values(step, call, diff, comparison, sheet)
    return diff


def _report_values(
    step: ExpectedStep, call: AgentCall, diff: ArgumentDiff, comparison: Comparison, sheet: Sheet
) -> None:
    args = call.invocation.args
    if not isinstance(args, dict) or step.args is None:
        return
    for error in diff.wrong:
        pointer = f"{call.pointer}/args/{escape_token(error.name)}"
        if error.relation == "differs":
            _report_difference(
                step,
                call,
                pointer,
                error,
                step.args[error.name],
                args[error.name],
                comparison,
                sheet,
            )
        elif error.relation == "missing":
            wanted = step.args[error.name]
            sheet.fail(
                "value_error",
                "arguments",
                pointer,
                f"{call.name}: {error.name} is missing, wanted {_shown(wanted)}",
                tool=call.name,
                sub_mode="missing_argument",
                gating=step.gating,
                expected=wanted,
                repair=f"pass {error.name} as well",
            )
        else:
            sheet.fail(
                "value_error",
                "arguments",
                pointer,
                f"{call.name}: {error.name} was not wanted, got {_shown(args[error.name])}",
                tool=call.name,
                sub_mode="unexpected_argument",
                gating=step.gating,
                got=args[error.name],
                repair=f"leave {error.name} out",
            )


def _report_difference(
    step: ExpectedStep,
    call: AgentCall,
    pointer: str,
    error: FieldError,
    wanted: JsonValue,
    got: JsonValue,
    comparison: Comparison,
    sheet: Sheet,
) -> None:
    inner, wanted, got = narrow(wanted, got, comparison)
    where = f"{error.name}{inner}"
    is_coercible = coerced_equal(wanted, got)
    sheet.fail(
        "value_error",
        "arguments",
        pointer + inner,
        f"{call.name}: {where} is {_shown(got)}, wanted {_shown(wanted)}",
        tool=call.name,
        sub_mode="coercible_type" if is_coercible else None,
        gating=step.gating,
        expected=wanted,
        got=got,
        repair=f"field {where}: wrong value {_shown(got)}",
    )


def _shown(value: JsonValue) -> str:
    text = json_text(preview(value))
    return text if len(text) <= 160 else f"{text[:160]}…"
