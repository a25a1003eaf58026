"""Model results made from BFCL's answers: the gold played back, and one systematic change at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from benchmarks.bfcl_values import CHANGES, SKIP
from callgrade.opening import PathFile
from cases.jsonvalue import JsonObject, JsonValue, json_text

CATEGORIES = (
    *("simple_python", "multiple", "parallel", "parallel_multiple", "irrelevance"),
    *("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple", "live_irrelevance", "live_relevance"),
    *("simple_java", "simple_javascript"),
)
Calls = list[tuple[str, JsonObject]]


class _Question(msgspec.Struct, frozen=True):
    id: str
    question: JsonValue
    function: list[JsonObject]


class _Answers(msgspec.Struct, frozen=True):
    id: str
    ground_truth: list[JsonObject]


_Row = TypeVar("_Row")


class Task(msgspec.Struct, frozen=True):
    """One question with its answers, as BFCL's files have them."""

    id: str
    category: str
    question: JsonValue
    function: list[JsonObject]
    answers: list[JsonObject]

    @property
    def is_python(self) -> bool:
        """False for Java and JavaScript, whose arguments are texts."""
        return "java" not in self.category


class Variant(msgspec.Struct, frozen=True):
    """One model result."""

    task: str
    kind: str
    result: JsonValue
    mode: str = "fc"


def read_tasks(folder: Path) -> list[Task]:
    """Return the tasks of all single-turn and live categories of BFCL's folder."""
    tasks: list[Task] = []
    for category in CATEGORIES:
        answers = {row.id: row.ground_truth for row in _rows(folder / "possible_answer", category, _Answers)}
        tasks += [
            Task(row.id, category, row.question, row.function, answers.get(row.id, []))
            for row in _rows(folder, category, _Question)
        ]
    return tasks


def variants(task: Task) -> Iterator[Variant]:
    """Yield the results for one task, the same ones every time."""
    rng = random.Random(task.id)  # noqa: S311  # a choice of examples, not a secret
    if not task.answers:
        yield from _decisions(task)
        return
    calls = gold_calls(task)
    if calls is None:
        return
    yield _fc(task, "gold", calls)
    last = gold_calls(task, pick=-1)
    if last is not None and last != calls:
        yield _fc(task, "gold: other accepted values", last)
    yield from _changed_values(task, calls, rng)
    yield from _changed_twice(task, calls, rng)
    yield from _changed_arguments(task, calls, rng)
    yield from _changed_calls(task, calls)
    yield from _broken(task, calls)
    if task.is_python:
        yield Variant(task.id, "prompt mode: gold", _as_python(calls), "prompt")
        yield Variant(task.id, "prompt mode: dots to underscores", _as_python(_undotted(calls)), "prompt")


def gold_calls(task: Task, pick: int = 0) -> Calls | None:
    """Return the calls that play the answers back; ``None`` where an argument has no accepted value."""
    calls: Calls = []
    for answer in task.answers:
        for tool, arguments in answer.items():
            args: JsonObject = {}
            for name, accepted in arguments.items() if isinstance(arguments, dict) else ():
                choices = [v for v in accepted if v != ""] if isinstance(accepted, list) else [accepted]
                if choices:
                    value = _played(choices[pick])
                    args[name] = value if task.is_python else _literal(value, _stated(task, tool, name), task.category)
                elif accepted == []:
                    return None
            calls.append((tool, args))
    return calls


def _rows(folder: Path, category: str, kind: type[_Row]) -> list[_Row]:
    found = [folder / f"BFCL_v4_{category}.json{suffix}" for suffix in ("", ".gz")]
    path = next((path for path in found if path.exists()), None)
    lines = () if path is None else PathFile(path).lines()
    return [msgspec.json.decode(line, type=kind) for line in lines if line.strip()]


def _played(value: JsonValue) -> JsonValue:
    """Return one accepted value; an object's members hold lists of accepted values again."""
    if isinstance(value, list):
        return [_played(item) if isinstance(item, dict) else item for item in value]
    if not isinstance(value, dict):
        return value
    chosen: JsonObject = {}
    for name, accepted in value.items():
        choices = [v for v in accepted if v != ""] if isinstance(accepted, list) else [accepted]
        if choices:
            chosen[name] = choices[0]
    return chosen


def _stated(task: Task, tool: str, name: str) -> JsonObject:
    for function in task.function:
        parameters = function.get("parameters")
        properties = parameters.get("properties") if isinstance(parameters, dict) else None
        found = properties.get(name) if isinstance(properties, dict) else None
        if function["name"] == tool and isinstance(found, dict):
            return found
    return {}


_SUFFIX = {("java", "long"): "L", ("java", "float"): "f", ("javascript", "Bigint"): "n"}


def _literal(value: JsonValue, schema: JsonObject, category: str) -> str:
    """Return ``value`` as a literal of the category's language."""
    language = "javascript" if "javascript" in category else "java"
    kind = str(schema.get("type"))
    if isinstance(value, str):
        return value
    if language == "javascript" or not isinstance(value, (list, dict)):
        return json_text(value) + _SUFFIX.get((language, kind), "")
    if isinstance(value, dict):
        return "new HashMap<>() {{ " + " ".join(f'put("{k}", {json_text(v)});' for k, v in value.items()) + " }}"
    items = schema.get("items")
    inner = str(items.get("type")) if isinstance(items, dict) else ""
    if kind == "ArrayList":
        return (
            f"new ArrayList<>(Arrays.asList({', '.join(json_text(v) for v in value)}))"
            if value
            else ("new ArrayList<>()")
        )
    parts = [str(v) if isinstance(v, str) else json_text(v) + _SUFFIX.get(("java", inner), "") for v in value]
    return f"new {inner}[]{{{', '.join(parts)}}}"


def _changed_values(task: Task, calls: Calls, rng: random.Random) -> Iterator[Variant]:
    spots = [(index, name) for index, (_, args) in enumerate(calls) for name in args]
    for kind, change in CHANGES.items():
        found = [(i, n, new) for i, n in spots if (new := change(calls[i][1][n])) != SKIP]
        if found:
            index, name, new = rng.choice(found)
            yield _fc(task, kind, _with_args(calls, index, {**calls[index][1], name: new}))


def _changed_twice(task: Task, calls: Calls, rng: random.Random) -> Iterator[Variant]:
    """Change two arguments at once: which error comes first, and which call is the nearest, then matters."""
    spots = [(index, name) for index, (_, args) in enumerate(calls) for name in args]
    for _ in range(4 if len(spots) > 1 else 0):
        changed = calls
        for index, name in rng.sample(spots, 2):
            args = changed[index][1]
            news = [new for change in CHANGES.values() if (new := change(args[name])) != SKIP]
            changed = _with_args(changed, index, {**args, name: rng.choice(news)})
        yield _fc(task, "two values changed", changed)


def _changed_arguments(task: Task, calls: Calls, rng: random.Random) -> Iterator[Variant]:
    for index, (tool, args) in enumerate(calls[:3]):
        for name in args:
            rest = {key: value for key, value in args.items() if key != name}
            yield _fc(task, "argument: missing", _with_args(calls, index, rest))
        yield _fc(task, "argument: unknown one added", _with_args(calls, index, {**args, "zz_new": 1}))
        yield _fc(task, "arguments: all missing", _with_args(calls, index, {}))
        unlisted = sorted(_properties(task, tool) - args.keys())
        if unlisted:
            extra = {**args, rng.choice(unlisted): rng.choice(["x", 1, True, None, ""])}
            yield _fc(task, "argument: optional one added", _with_args(calls, index, extra))
        if len(args) > 1:
            backwards = dict(reversed(args.items()))
            yield _fc(task, "arguments: reordered", _with_args(calls, index, backwards))


def _changed_calls(task: Task, calls: Calls) -> Iterator[Variant]:
    tool, args = calls[0]
    others = sorted(str(f["name"]) for f in task.function if f["name"] != tool)
    for other in others[:2]:
        yield _fc(task, "tool: another of the catalog", [(other, args), *calls[1:]])
    yield _fc(task, "tool: invented", [("zz_tool", args), *calls[1:]])
    yield _fc(task, "tool: case", [(tool.swapcase(), args), *calls[1:]])
    yield _fc(task, "calls: one repeated", [*calls, calls[-1]])
    yield _fc(task, "calls: none", [])
    if len(calls) > 1:
        yield _fc(task, "calls: reversed", calls[::-1])
        yield _fc(task, "calls: one dropped", calls[1:])
        yield _fc(task, "calls: first made twice for the last", [*calls[:-1], calls[0]])
    if "." in tool:
        dotted: JsonValue = [{name: json_text(args)} for name, args in calls]
        underscored = _fc(task, "", calls).result
        yield Variant(task.id, "tool: dots kept, as the model's API does", dotted, "fc_dotted")
        yield Variant(task.id, "tool: dots kept, unlike the model's API", dotted)
        yield Variant(task.id, "tool: dots to underscores, unlike the model's API", underscored, "fc_dotted")


def _broken(task: Task, calls: Calls) -> Iterator[Variant]:
    good: list[JsonValue] = [{name: json_text(args)} for name, args in _undotted(calls)]
    name = _undotted(calls)[0][0]
    texts = {"cut": json_text(calls[0][1])[:-1], "empty": "", "an array": "[]", "null": "null", "a text": '"x"'}
    for what, text in texts.items():
        yield Variant(task.id, f"arguments: {what}", [{name: text}, *good[1:]])
    args = calls[0][1]
    if args:
        key, value = next(iter(args.items()))
        doubled = f"{{{json_text(key)}: 1, {json_text(args)[1:]}"
        yield Variant(task.id, "arguments: a key twice", [{name: doubled}, *good[1:]])
        spaced = f"{{{json_text(key)} : {json_text(value)}, {json_text({**args, key: 0})[1:]}"
        yield Variant(task.id, "arguments: a key twice, the last wrong", [{name: spaced}, *good[1:]])
    yield Variant(task.id, "words instead of calls", "I cannot help with that.")


def _decisions(task: Task) -> Iterator[Variant]:
    name = str(task.function[0]["name"]).replace(".", "_") if task.function else "zz_tool"
    results: dict[str, JsonValue] = {
        "no call: words": "None of the tools fits.",
        "no call: an empty list": [],
        "a call": [{name: "{}"}],
        "a call of an invented tool": [{"zz_tool": '{"a": 1}'}],
        "two calls": [{name: "{}"}, {name: '{"a": 1}'}],
        "a broken call": [{name: "{"}],
        "a call with an array for arguments": [{name: "[]"}],
        "a call and a broken one": [{name: "{}"}, {name: "{"}],
    }
    for kind, result in results.items():
        yield Variant(task.id, f"decision: {kind}", result)
    for kind, text in {"words": "None of the tools fits.", "a call": f"[{name}(a=1)]", "none": "[]"}.items():
        yield Variant(task.id, f"prompt mode, decision: {kind}", text, "prompt")


def _properties(task: Task, tool: str) -> set[str]:
    parameters = next((f.get("parameters") for f in task.function if f["name"] == tool), None)
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    return set(properties) if isinstance(properties, dict) else set()


def _with_args(calls: Calls, index: int, args: JsonObject) -> Calls:
    return [(tool, args if place == index else old) for place, (tool, old) in enumerate(calls)]


def _undotted(calls: Calls) -> Calls:
    return [(tool.replace(".", "_"), args) for tool, args in calls]


def _fc(task: Task, kind: str, calls: Calls) -> Variant:
    return Variant(task.id, kind, [{tool: json_text(args)} for tool, args in _undotted(calls)])


def _as_python(calls: Calls) -> str:
    return f"[{', '.join(f'{tool}({_keywords(args)})' for tool, args in calls)}]"


def _keywords(args: JsonObject) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in args.items())
