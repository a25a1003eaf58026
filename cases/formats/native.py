"""The native format: one JSON object a case, its keys the fields of :class:`cases.case.Case`.

For fixtures written by hand and for export. Unknown keys are refused, except under ``metadata``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

import msgspec

from cases.case import Case, Invocation, Message, Rule, Tool
from cases.expectation import ExpectedPath, ExpectedStep
from cases.formats.documents import Document, explain_syntax, find_duplicate_key, read_documents
from cases.formats.record import InputFile, Record
from cases.jsonvalue import JsonValue

_DECODER = msgspec.json.Decoder(Case)
_ENCODER = msgspec.json.Encoder()
_UNKNOWN = re.compile(r"unknown field `(?P<name>[^`]*)`(?: - at `(?P<path>[^`]*)`)?")
_LAST_NAME = re.compile(r"\.([a-z_]+)(?:\[\.\.\.\]|\[\d+\])*$")
_TELLING = frozenset({"actual_invocations", "expected_invocations", "expected_paths", "expected_call"})
_STRUCTS: dict[str, type[msgspec.Struct]] = {
    "actual_invocations": Invocation,
    "expected_invocations": ExpectedStep,
    "steps": ExpectedStep,
    "expected_paths": ExpectedPath,
    "messages": Message,
    "tools": Tool,
    "rules": Rule,
}


def read(file: InputFile) -> Iterator[Record]:
    """Yield the cases of a native file: one object, an array, JSON Lines or YAML."""
    for document in read_documents(file):
        yield read_case(document)


def recognises(value: JsonValue) -> bool:
    """Return whether ``value`` has the key that every native case has, and calls or an expectation."""
    return isinstance(value, dict) and "task_id" in value and not value.keys().isdisjoint(_TELLING)


def read_case(document: Document) -> Record:
    """Return the one case that a document holds, or what is wrong with it."""
    raw = document.raw
    try:
        case = _DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Record(source=document.source, problem=explain(raw, error), task_id=_task_id(raw))
    if case.input is not None and any(message.role == "user" for message in case.messages):
        problem = "both 'input' and user 'messages' are given; 'input' is short for one user message, keep one"
        return Record(source=document.source, problem=problem, task_id=case.task_id)
    if not case.task_id:
        return Record(source=document.source, problem="'task_id' is empty; give the task a name")
    # A decoder keeps the last of duplicate keys. Encoding drops what it dropped, so the colons differ then; the exact
    # check costs more than decoding and runs only where they do.
    if (raw.count(b":") != _ENCODER.encode(case).count(b":") or (b"\\" in raw and b"\\u003" in raw)) and (
        duplicate := find_duplicate_key(raw)
    ):
        return Record(source=document.source, problem=duplicate, task_id=case.task_id)
    return Record(source=document.source, case=case)


def explain(raw: bytes, error: Exception) -> str:
    """Return what is wrong with a native document: the path, the problem, and the nearest known key."""
    text = str(error)
    if not isinstance(error, msgspec.ValidationError):
        return f"not JSON: {explain_syntax(raw, error)}"
    unknown = _UNKNOWN.search(text)
    if unknown is None:
        return text.replace("Object missing required field", "missing required key")
    name, path = unknown["name"], unknown["path"] or "$"
    owner = _STRUCTS.get(found[1], Case) if (found := _LAST_NAME.search(path)) else Case
    known = [field.encode_name for field in msgspec.structs.fields(owner)]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
    return f"unknown key {name!r} at {path}; {hint} (anything of your own belongs under 'metadata')"


class _TaskOnly(msgspec.Struct):
    task_id: str


def _task_id(raw: bytes) -> str | None:
    try:
        return msgspec.json.decode(raw, type=_TaskOnly).task_id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
