"""A file that nobody named a format for: the first document tells."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from cases.errors import InputError
from cases.formats.recognition import recognise
from cases.formats.record import InputFile
from cases.jsonvalue import JsonValue

MakeFile = Callable[[str, bytes], InputFile]
USER: JsonValue = {"role": "user", "content": "Hi"}
NATIVE: JsonValue = {"task_id": "t", "input": "Hi", "actual_invocations": []}

FILES: list[tuple[str, str, JsonValue, str | None]] = [
    ("a case", "f.json", NATIVE, "native"),
    ("an array of cases", "f.json", [NATIVE], "native"),
    ("a list of messages", "f.json", [USER], "openai_chat"),
    ("a list of lists of messages", "f.json", [[USER]], "openai_chat"),
    ("an object with messages", "f.json", {"messages": [USER]}, "openai_chat"),
    ("a chat log may name its task", "f.json", {"task_id": "t", "messages": [USER]}, "openai_chat"),
    ("a pair", "f.json", [{"request": {"messages": [USER]}, "response": {}}], "openai_chat"),
    ("a completion", "f.json", {"object": "chat.completion", "choices": []}, "openai_chat"),
    ("a batch line", "f.jsonl", {"custom_id": "t", "body": {"messages": [USER]}}, "openai_chat"),
    ("YAML is read like JSON", "f.yaml", NATIVE, "native"),
    ("something else", "f.json", {"a": 1}, None),
    ("an empty array", "f.json", [], None),
    ("a number", "f.json", 5, None),
]


@pytest.mark.parametrize(("name", "value", "wanted"), [pytest.param(n, v, w, id=i) for i, n, v, w in FILES])
def test_recognise(memory_file: MakeFile, name: str, value: JsonValue, wanted: str | None) -> None:
    found = recognise(memory_file(name, json.dumps(value).encode()))
    assert (found.name if found is not None else None) == wanted


def test_text_that_is_no_json_is_not_recognised(memory_file: MakeFile) -> None:
    assert recognise(memory_file("f.json", b"hello")) is None


def test_an_empty_file_is_refused(memory_file: MakeFile) -> None:
    with pytest.raises(InputError, match="the file is empty"):
        recognise(memory_file("f.json", b"\n"))
