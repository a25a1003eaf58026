"""Splitting a file into documents, each with the place an editor shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cases.errors import InputError
from cases.formats.documents import Document, explain_syntax, find_duplicate_key, read_documents
from cases.formats.record import InputFile
from cases.jsonvalue import resolve_pointer

MakeFile = Callable[[str, bytes], InputFile]

SPLIT: list[tuple[str, str, bytes, list[tuple[str, bytes]]]] = [
    ("one object", "c.json", b'{"a": 1}', [("c.json:1", b'{"a": 1}')]),
    ("an object over several lines", "c.json", b'{\n"a": 1}\n', [("c.json", b'{\n"a": 1}\n')]),
    ("an array", "c.json", b"[1, {}]", [("c.json#/0", b"1"), ("c.json#/1", b"{}")]),
    ("JSON Lines by suffix", "c.jsonl", b"[1]\n[2]\n", [("c.jsonl:1", b"[1]"), ("c.jsonl:2", b"[2]")]),
    ("JSON Lines by content", "c.json", b'{"a":1}\n{"a":2}', [("c.json:1", b'{"a":1}'), ("c.json:2", b'{"a":2}')]),
    ("blank lines are skipped and counted", "c.jsonl", b"\n{}\n \n{}\n", [("c.jsonl:2", b"{}"), ("c.jsonl:4", b"{}")]),
    ("CRLF", "c.jsonl", b"{}\r\n{}\r\n", [("c.jsonl:1", b"{}"), ("c.jsonl:2", b"{}")]),
    ("a UTF-8 byte order mark", "c.json", b"\xef\xbb\xbf{}", [("c.json:1", b"{}")]),
    ("a bad line stays one document", "c.jsonl", b"{}\n{oops\n", [("c.jsonl:1", b"{}"), ("c.jsonl:2", b"{oops")]),
    ("YAML", "c.yaml", b"a: 1\n", [("c.yaml", b'{"a":1}')]),
    ("several YAML documents", "c.yml", b"a: 1\n---\na: 2\n", [("c.yml#1", b'{"a":1}'), ("c.yml#2", b'{"a":2}')]),
    ("a YAML list", "c.yaml", b"- a: 1\n- b\n", [("c.yaml#/0", b'{"a":1}'), ("c.yaml#/1", b'"b"')]),
    ("YAML from standard input", "-", b"a: 1\nb: no\n", [("-", b'{"a":1,"b":"no"}')]),
    ("JSON from standard input", "-", b"[{}]", [("-#/0", b"{}")]),
]


@pytest.mark.parametrize(("name", "content", "wanted"), [pytest.param(n, c, w, id=i) for i, n, c, w in SPLIT])
def test_documents(memory_file: MakeFile, name: str, content: bytes, wanted: list[tuple[str, bytes]]) -> None:
    assert [(d.source, d.raw) for d in read_documents(memory_file(name, content))] == wanted


def test_an_array_can_stay_whole(memory_file: MakeFile) -> None:
    assert list(read_documents(memory_file("c.json", b"[1]"), splits_arrays=False)) == [Document("c.json", b"[1]")]


REFUSED: list[tuple[str, str, bytes, str]] = [
    ("an empty file", "c.json", b"", "c.json: the file is empty"),
    ("a blank file", "c.jsonl", b"\n \n", "c.jsonl: the file is empty"),
    ("an empty YAML file", "c.yaml", b"# nothing\n", "c.yaml: the file is empty"),
    ("UTF-16, little-endian", "c.json", b"\xff\xfe{\x00}\x00", "not UTF-8 text .* save it as UTF-8"),
    ("UTF-16, no mark", "c.json", b"{\x00}\x00", "not UTF-8 text"),
    ("UTF-16 YAML", "c.yaml", b"\xff\xfea\x00", "not UTF-8 text"),
    ("an array with a slip", "c.json", b"\n\n[1,\n 2,\n}\n", r"c.json: not JSON: .* at line 5, column 1"),
    ("an array that breaks off", "c.json", b"[1, 2", "c.json: not JSON: Input data was truncated"),
    ("YAML that is none", "c.yaml", b"a: 1\nb: [\n", r"c\.yaml:3: not YAML: "),
]


@pytest.mark.parametrize(("name", "content", "message"), [pytest.param(n, c, m, id=i) for i, n, c, m in REFUSED])
def test_what_is_no_document(memory_file: MakeFile, name: str, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_documents(memory_file(name, content)))


DUPLICATES: list[tuple[str, bytes, str | None]] = [
    ("at the top", b'{"a": 1, "a": 1}', "a"),
    ("in the depth", b'[{"b": {"c": 1, "c": 2}}]', "c"),
    ("spelled with an escape", b'{"a": 1, "\\u0061": 2}', "a"),
    ("none", b'{"a": {"a": 1}, "b": {"a": 1}}', None),
    ("no JSON", b"{", None),
    ("too deep to tell", b"[" * 100_000, None),
]


@pytest.mark.parametrize(("raw", "key"), [pytest.param(r, k, id=i) for i, r, k in DUPLICATES])
def test_duplicate_keys(raw: bytes, key: str | None) -> None:
    found = find_duplicate_key(raw)
    assert (found is None) if key is None else (found is not None and f"duplicate key {key!r}" in found)


def test_a_syntax_error_is_explained_by_line_and_column() -> None:
    error = ValueError("JSON is malformed: invalid character (byte 7)")
    assert explain_syntax(b'{"a":\n {x', error) == "JSON is malformed: invalid character at line 2, column 2"
    assert explain_syntax(b'{"a":  {x', error) == "JSON is malformed: invalid character at column 8"


def test_pointers_of_places_name_the_element(memory_file: MakeFile) -> None:
    (_, second) = read_documents(memory_file("c.json", b'[{"a": 1}, {"a": 2}]'))
    assert resolve_pointer([{"a": 1}, {"a": 2}], second.source.partition("#")[2]) == {"a": 2}
