"""An input file in memory: readers take bytes, so no test of a reader needs a disk."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from cases.formats.record import InputFile


class _MemoryFile:
    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self._content = content

    def lines(self) -> Iterator[bytes]:
        return iter(self._content.splitlines(keepends=True))

    def read(self) -> bytes:
        return self._content


@pytest.fixture(scope="session")
def memory_file() -> Callable[[str, bytes], InputFile]:
    return _MemoryFile


@pytest.fixture(scope="session")
def json_file() -> Callable[[object, str], InputFile]:
    """Makes an input of a JSON value, or of bytes as they are."""

    def make(value: object, name: str = "f.json") -> InputFile:
        return _MemoryFile(name, value if isinstance(value, bytes) else msgspec.json.encode(value))

    return make


@pytest.fixture(scope="session")
def disk_file() -> Callable[[Path], InputFile]:
    """Makes an input of a file, unpacked where it is packed."""

    def make(path: Path) -> InputFile:
        raw = path.read_bytes()
        is_packed = path.suffix == ".gz"
        return _MemoryFile(path.name.removesuffix(".gz"), gzip.decompress(raw) if is_packed else raw)

    return make
