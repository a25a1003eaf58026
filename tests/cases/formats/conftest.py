"""Bytes as a file, and every reader of recordings by name."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from cases.formats.record import InputFile

MakeFile = Callable[[object, str], InputFile]


class _MemoryFile:
    """An input that lies in memory."""

    def __init__(self, name: str, raw: bytes) -> None:
        self.name = name
        self._raw = raw

    def lines(self) -> Iterator[bytes]:
        return iter(io.BytesIO(self._raw))

    def read(self) -> bytes:
        return self._raw


@pytest.fixture(scope="session")
def json_file() -> MakeFile:
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
