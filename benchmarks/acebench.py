"""ACEBench: calls built from the truth of its items, and what the gates find in them.

It states what is wrong with a request (a bad value, missing values); graded is the call that a careless agent makes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from benchmarks.places import DATA
from callgrade.api import grade_case
from cases.case import Case, Invocation, Tool
from cases.expectation import ExpectedStep
from cases.finding import Finding
from cases.formats.tooldefs import read_tools
from cases.jsonvalue import JsonObject, JsonValue, json_text
from cases.verdict import Verdict

_NUMBER = re.compile(r"-?\d+(\.\d+)?")


class Item(msgspec.Struct, frozen=True):
    """One ACEBench item with its truth."""

    id: str
    question: str
    tools: tuple[Tool, ...]
    truth: JsonObject


def report() -> list[str]:
    """Return the page's sections."""
    return [
        *_error_lines(read_items("special_error_param")),
        *_incomplete_lines(read_items("special_incomplete")),
        *_similar_lines(read_items("normal_similar_api")),
    ]


def read_items(name: str) -> list[Item]:
    """Return the items of one ACEBench file."""
    folder = DATA / "acebench" / "data_en"
    truths = {row.id: row.ground_truth for row in _rows(folder / "possible_answer" / f"data_{name}.json", _Truth)}
    rows = _rows(folder / f"data_{name}.json", _Asked)
    return [Item(row.id, row.question, read_tools(row.function), truths[row.id]) for row in rows]


class _Asked(msgspec.Struct, frozen=True):
    id: str
    question: str
    function: list[JsonValue]


class _Truth(msgspec.Struct, frozen=True):
    id: str
    ground_truth: JsonObject


_Row = TypeVar("_Row")


def _rows(path: Path, kind: type[_Row]) -> list[_Row]:
    return [msgspec.json.decode(line, type=kind) for line in path.read_bytes().splitlines() if line.strip()]


def _members(schema: JsonValue) -> JsonObject:
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def _required(schema: JsonValue) -> list[JsonValue]:
    found = schema.get("required") if isinstance(schema, dict) else None
    return found if isinstance(found, list) else []


def _schema_findings(tool: Tool, tools: tuple[Tool, ...], args: JsonObject) -> list[Finding]:
    case = Case(task_id="t", tools=tools, actual_invocations=(Invocation(tool=tool.name, args=args),))
    return [finding for finding in grade_case(case).findings if finding.check == "schema" and finding.status == "fail"]


# --- ACEBench: a wrong value --------------------------------------------------


def wrong_value_call(item: Item) -> tuple[Tool, JsonObject]:
    """Return the call that copies the bad values of a request: a number where the schema wants one and it reads so."""
    tool = next(tool for tool in item.tools if item.truth.keys() <= _members(tool.input_schema).keys())
    members = _members(tool.input_schema)
    return tool, {name: _as_sent(values, members[name]) for name, values in item.truth.items()}


def _as_sent(values: JsonValue, schema: JsonValue) -> JsonValue:
    kind = schema.get("type") if isinstance(schema, dict) else None
    listed: list[JsonValue] = values if isinstance(values, list) else [values]
    if kind == "array":
        return listed
    (value,) = listed
    if isinstance(value, str) and kind in {"integer", "number", "float"} and _NUMBER.fullmatch(value):
        return float(value) if "." in value else int(value)
    return value


def _error_lines(items: Sequence[Item]) -> list[str]:
    keywords: Counter[str] = Counter()
    misses: list[str] = []
    for item in items:
        tool, args = wrong_value_call(item)
        found = _schema_findings(tool, item.tools, args)
        rules = {f.rule.rpartition(":")[2] for f in found for name in args if _is_at(f.target, name)}
        keywords.update(rules or {"(missed)"})
        if not rules:
            misses.append(_miss(item, tool, args))
    n = len(items) - len(misses)
    caught = ", ".join(f"`{rule}` {count}" for rule, count in sorted(keywords.items()) if rule != "(missed)")
    return [
        "## ACEBench, wrong values (special_error_param)",
        "",
        f"Caught at the bad argument: **{n} of {len(items)}** ({caught}; one call can break several rules).",
        "",
        "Missed:",
        "",
        "| item | argument | value | why | what the schema says |",
        "|---|---|---|---|---|",
        *misses,
        "",
    ]


def _is_at(target: str, name: str) -> bool:
    place = f"/actual_invocations/0/args/{name}"
    return target == place or target.startswith(f"{place}/")


def _miss(item: Item, tool: Tool, args: JsonObject) -> str:
    members = _members(tool.input_schema)
    stated = {name: {k: v for k, v in _plain(members[name]).items() if k != "default"} for name in args}
    text = "; ".join(f"{json_text(rules)}" for rules in stated.values())
    values = "; ".join(json_text(value) for value in args.values())
    why = _REASONS.get(item.id, "not looked at")
    return f"| {item.id} | {', '.join(args)} | `{values}` | {why} | `{text.replace('|', '¦')}` |"


_PATTERN_UNREAD = (
    "ungraded and said so: the pattern's `[\\w-\\.]` is legal in JavaScript only, so the schema counts as broken; "
    "read as meant, it refuses the value"
)
_NO_RULE = "the schema limits the length alone, which the value keeps: nothing says that a name has no digits or signs"
_REASONS = {
    "special_error_param_0": "the pattern admits letters and digits, and so the value; the item contradicts it",
    "special_error_param_7": _NO_RULE,
    "special_error_param_14": "the pattern leaves the scheme optional and so admits the value",
    "special_error_param_15": _PATTERN_UNREAD,
    "special_error_param_20": _NO_RULE,
    "special_error_param_22": _NO_RULE,
    "special_error_param_31": _NO_RULE,
    "special_error_param_46": _PATTERN_UNREAD,
}
"""Looked at one by one."""


def _plain(schema: JsonValue) -> JsonObject:
    return schema if isinstance(schema, dict) else {}


# --- ACEBench: missing values -------------------------------------------------


def incomplete_call(item: Item) -> tuple[Tool, JsonObject, set[str]]:
    """Return the call without the values that the request lacks, its required rest filled with stand-ins."""
    ((name, absent),) = item.truth.items()
    names = {str(value).strip() for value in absent} if isinstance(absent, list) else set[str]()
    tool = next(tool for tool in item.tools if tool.name == name)
    args = _stand_in(tool.input_schema, names)
    return tool, args if isinstance(args, dict) else {}, names


def _stand_in(schema: JsonValue, absent: set[str]) -> JsonValue:
    rules = _plain(schema)
    if isinstance(choices := rules.get("enum"), list):
        return choices[0]
    kind = rules.get("type")
    if kind in {"object", "dict"}:
        members = _members(schema)
        kept = [str(name) for name in _required(schema) if name not in absent]
        return {name: _stand_in(members.get(name), absent) for name in kept}
    if kind in {"array", "list", "tuple"}:
        return [_stand_in(rules.get("items"), absent)]
    stand_ins: dict[str, JsonValue] = {"integer": 1, "number": 1, "float": 1, "boolean": True}
    return stand_ins.get(str(kind), "x")


def _incomplete_lines(items: Sequence[Item]) -> list[str]:
    n_all = n_some = 0
    misses: list[str] = []
    for item in items:
        tool, args, absent = incomplete_call(item)
        rules = [f for f in _schema_findings(tool, item.tools, args) if f.rule.endswith(":required")]
        told = {name for name in absent if any(f.target.endswith(f"/{name}") for f in rules)}
        n_all += told == absent
        n_some += bool(told)
        if told != absent:
            misses.append(
                f"| {item.id} | {', '.join(sorted(absent - told))} | {_why_not_required(tool, absent - told)} |"
            )
    return [
        "## ACEBench, missing values (special_incomplete)",
        "",
        f"Calls with at least one missing value caught by `required`: **{n_some} of {len(items)}**,",
        f"with every one: **{n_all} of {len(items)}**.",
        "",
        "| item | not told | why |",
        "|---|---|---|",
        *misses,
        "",
    ]


def _why_not_required(tool: Tool, names: set[str]) -> str:
    return "; ".join(f"{name}: {_status(tool.input_schema, name, is_required=True)}" for name in sorted(names))


def _status(schema: JsonValue, name: str, *, is_required: bool) -> str:
    members = _members(schema)
    if name in members:
        if name not in _required(schema):
            return "optional in the schema"
        return "required" if is_required else "required inside an optional part, which is left out as a whole"
    for inner_name, inner in members.items():
        rules = _plain(inner)
        part = rules.get("items") if rules.get("type") == "array" else inner
        found = _status(part, name, is_required=is_required and inner_name in _required(schema))
        if found != "no such argument":
            return found
    return "no such argument"


# --- ACEBench: similar tools --------------------------------------------------


def _similar_lines(items: Sequence[Item]) -> list[str]:
    found: Counter[bool] = Counter()
    misses: list[str] = []
    for item in items:
        wanted = next(iter(item.truth))
        wanted = wanted if any(tool.name == wanted for tool in item.tools) else item.tools[0].name
        other = next(tool.name for tool in item.tools if tool.name != wanted)
        is_near = any(f.sub_mode == "near_miss" for f in _mistaken(item, wanted, other).findings)
        found[is_near] += 1
        if not is_near:
            misses.append(f"`{wanted}` / `{other}`")
    return [
        "## ACEBench, similar tools (normal_similar_api)",
        "",
        "A call of the other tool is `wrong_tool` in all; it is a `near_miss` (family found from the catalog) in",
        f"**{found[True]} of {len(items)}**.",
        "",
        f"No family found: {', '.join(misses) or 'none'}.",
        "",
    ]


def _mistaken(item: Item, wanted: str, other: str) -> Verdict:
    case = Case(
        task_id=item.id,
        tools=item.tools,
        expected_invocations=(ExpectedStep(tool=wanted),),
        actual_invocations=(Invocation(tool=other),),
    )
    verdict = grade_case(case)
    assert verdict.mode == "wrong_tool", (item.id, verdict.mode)
    return verdict
