"""Opening what the user named, whatever shape it has on disk."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from callgrade.opening import PathFile, find_files
from cases.errors import InputError

TEXT = b'{"a": 1}\n{"a": 2}\n'


def zstd(content: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(content)


PACKED: list[tuple[str, str, bytes]] = [
    ("plain", "c.jsonl", TEXT),
    ("gzip", "c.jsonl.gz", gzip.compress(TEXT)),
    ("zstd", "c.jsonl.zst", zstd(TEXT)),
    ("gzip without its suffix", "c.jsonl", gzip.compress(TEXT)),
    ("zstd in several frames", "c.jsonl.zst", zstd(TEXT[:9]) + zstd(TEXT[9:])),
    ("gzip in several members", "c.jsonl.gz", gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:])),
]


@pytest.mark.parametrize(("name", "content"), [pytest.param(n, c, id=i) for i, n, c in PACKED])
def test_lines_come_out_unpacked(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    file = PathFile(path)
    assert list(file.lines()) == TEXT.splitlines(keepends=True)
    assert file.read() == TEXT
    assert file.name == str(tmp_path / "c.jsonl")


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
def test_a_truncated_archive_is_an_input_error_after_its_whole_lines(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "c.jsonl.x"
    packed = pack(os.urandom(200_000).hex().encode())
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(InputError, match=r"c\.jsonl\.x: cannot be read: "):
        PathFile(path).read()


def names(folder: Path, *arguments: str) -> list[str]:
    found = find_files([str(folder / argument) for argument in arguments])
    return [str(file.path.relative_to(folder)) for file in found if isinstance(file, PathFile)]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    run = ("run/manifest.json", "run/verdicts.jsonl", "run/progress.jsonl", "run/summary.json")
    for name in ("b.jsonl", "a.json", "sub/c.yaml.gz", ".hidden.json", ".git/x.json", "notes.md", *run):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"{}")
    return tmp_path


NAMED: list[tuple[str, list[str], list[str]]] = [
    ("a file", ["b.jsonl"], ["b.jsonl"]),
    ("several, in their order", ["b.jsonl", "a.json"], ["b.jsonl", "a.json"]),
    ("a file of any suffix, when named itself", ["notes.md"], ["notes.md"]),
    ("a folder: sorted, deep, without hidden files and runs", [""], ["a.json", "b.jsonl", "sub/c.yaml.gz"]),
    ("a pattern", ["*.json*"], ["a.json", "b.jsonl"]),
    ("a deep pattern", ["**/c.*"], ["sub/c.yaml.gz"]),
    ("a file named twice is read once", ["a.json", "*.json"], ["a.json"]),
]


@pytest.mark.parametrize(("arguments", "wanted"), [pytest.param(a, w, id=i) for i, a, w in NAMED])
def test_what_arguments_name(tree: Path, arguments: list[str], wanted: list[str]) -> None:
    assert names(tree, *arguments) == wanted


def test_a_name_with_pattern_characters_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "run[1].json").write_bytes(b"{}")
    (tmp_path / "run1.json").write_bytes(b"{}")
    assert names(tmp_path, "run[1].json") == ["run[1].json"]


REFUSED: list[tuple[str, str, str]] = [
    ("nothing there", "none.json", "no such file or folder"),
    ("a pattern without a match", "*.parquet", "no such file or folder, and no file matches"),
    ("an empty folder", "empty", "the folder holds no .json"),
    ("a pipe", "pipe", "which can be read only once; pass it as standard input"),
]


@pytest.mark.parametrize(("argument", "message"), [pytest.param(a, m, id=i) for i, a, m in REFUSED])
def test_what_is_refused(tmp_path: Path, argument: str, message: str) -> None:
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=message):
        names(tmp_path, argument)


@pytest.mark.parametrize("argument", ["", "a\0b"], ids=["empty", "a NUL"])
def test_a_name_that_no_file_can_have_is_refused(argument: str) -> None:
    with pytest.raises(InputError, match="names no file"):
        find_files([argument])


def test_a_file_name_that_is_no_text_can_still_be_printed(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    path.write_bytes(b"{}")
    assert PathFile(path).label.endswith("caf\\xe9.json")
