"""An input file in memory: readers take bytes, so no test of a reader needs a disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
