"""Gate: business rules that the catalog declares for a tool's arguments, without gold. Pure."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime

import msgspec

from cases.case import Case, Rule
from cases.jsonvalue import JsonValue, join_pointer, json_text, preview, resolve_pointer
from deterministic.catalog import Catalog
from deterministic.dates import read_moment
from deterministic.equality import Comparison
from deterministic.selection import AgentCall
from deterministic.sheet import Sheet

_ORDERINGS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Unknown(msgspec.Struct, frozen=True):
    """A rule that could not be decided, and why."""

    reason: str


def check_rules(case: Case, calls: Sequence[AgentCall], catalog: Catalog, comparison: Comparison, sheet: Sheet) -> None:
    """Grade the declared rules of each parsed call."""
    n_kept = 0
    for position, call in enumerate(calls):
        tool = catalog.tools.get(call.name)
        args = call.invocation.args
        if tool is None or not isinstance(args, dict):
            continue
        for rule in tool.rules:
            if rule.arg not in args:
                continue
            bound = _bound(rule, calls[:position])
            kept = bound if isinstance(bound, Unknown) else _holds(rule, args[rule.arg], bound, case, comparison)
            pointer = join_pointer(call.pointer, "args", rule.arg)
            if isinstance(kept, Unknown):
                sheet.leave_open("construct", "rule", pointer, f"{call.name}: rule on {rule.arg}: {kept.reason}")
            elif kept:
                n_kept += 1
            else:
                _report(rule, call, pointer, args[rule.arg], bound, sheet)
    sheet.add_passes("construct", "rule", n_kept)


def _report(
    rule: Rule, call: AgentCall, pointer: str, got: JsonValue, bound: JsonValue | Unknown, sheet: Sheet
) -> None:
    if rule.must.endswith("_now"):
        wanted = f"{rule.must.removesuffix('_now')} the reference time"
    elif rule.must == "non_empty":
        wanted = "not empty"
    else:
        wanted = f"{rule.must} {json_text(preview(None if isinstance(bound, Unknown) else bound))}"
    sheet.fail(
        "value_error",
        "rule",
        pointer,
        f"{call.name}: {rule.arg} is {json_text(preview(got))} and must be {wanted}",
        tool=call.name,
        sub_mode="business_rule",
        expected=wanted,
        got=got,
        repair=f"field {rule.arg} must be {wanted}, got {json_text(preview(got))}",
    )


def _bound(rule: Rule, earlier: Sequence[AgentCall]) -> JsonValue | Unknown:
    if rule.result_of is None:
        return rule.value
    for call in reversed(earlier):
        invocation = call.invocation
        if call.name == rule.result_of and invocation.error is None and invocation.result is not msgspec.UNSET:
            try:
                return resolve_pointer(invocation.result, rule.pointer)
            except LookupError:
                return Unknown(f"the result of {rule.result_of!r} has nothing at {rule.pointer!r}")
    return Unknown(f"no earlier result of {rule.result_of!r} to compare with")


def _holds(rule: Rule, got: JsonValue, bound: JsonValue, case: Case, comparison: Comparison) -> bool | Unknown:
    if rule.must == "non_empty":
        return got not in (None, "", [], {})
    if rule.must in {"==", "!="}:
        return comparison.same(bound, got) == (rule.must == "==")
    if rule.must in {"after_now", "before_now"}:
        return _compare_with_now(rule, got, case)
    left, right = _ordinal(got), _ordinal(bound)
    if left is None or right is None:
        return Unknown(f"{json_text(preview(got))} and {json_text(preview(bound))} have no order")
    return _ORDERINGS[rule.must](left, right)


def _compare_with_now(rule: Rule, got: JsonValue, case: Case) -> bool | Unknown:
    if case.reference_time is None:
        return Unknown("the case has no reference_time")
    now, then = read_moment(case.reference_time), read_moment(got) if isinstance(got, str) else None
    if now is None or then is None:
        return Unknown(f"{json_text(preview(got))} or the reference time is no date")
    if not isinstance(now, datetime) or not isinstance(then, datetime):  # a bare date is compared with the day
        now, then = _day(now), _day(then)
        return then >= now if rule.must == "after_now" else then <= now
    if now.tzinfo is None or then.tzinfo is None:  # a time without a zone is local to the other one
        zone = now.tzinfo or then.tzinfo
        now, then = (moment if moment.tzinfo else moment.replace(tzinfo=zone) for moment in (now, then))
    return then >= now if rule.must == "after_now" else then <= now


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _ordinal(value: JsonValue) -> float | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    moment = read_moment(value) if isinstance(value, str) else None
    if moment is None:
        return None
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day, tzinfo=UTC)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
