"""Open what the user named: files, folders, globs, standard input; plain, gzip or zstd."""

from __future__ import annotations

import glob
import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import zstandard

from cases.errors import InputError

SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml")
"""What is read from a folder; a file that is named itself may have any suffix."""

_GZIP_MAGIC = b"\x1f\x8b"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_COMPRESSIONS = (".gz", ".zst")
_CHUNK = 1 << 20


class PathFile:
    """A file on disk, decompressed on the way."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is opened yet."""
        self.path = path
        text = str(path)
        self.name = text.removesuffix(path.suffix) if path.suffix in _COMPRESSIONS else text
        self._raw: IO[bytes] | None = None

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return self.path.stat().st_size

    @property
    def position(self) -> int:
        """Bytes of the file on disk that were read so far."""
        return 0 if self._raw is None or self._raw.closed else self._raw.tell()

    def lines(self) -> Iterator[bytes]:
        """Yield the lines.

        Raises:
            InputError: The file cannot be opened, or its compressed data is damaged.
        """
        try:
            with self.path.open("rb") as self._raw, _decompressed(self._raw) as stream:
                yield from stream
        except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
            raise InputError(f"{self.path}: cannot be read: {_reason(error)}") from error

    def read(self) -> bytes:
        """Return the whole content; raises as ``lines`` does."""
        return b"".join(self.lines())

    def sha256(self) -> str:
        """Return the digest of the bytes on disk, as 64 hex digits."""
        digest = hashlib.sha256()
        try:
            with self.path.open("rb") as stream:
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {_reason(error)}") from error
        return digest.hexdigest()


class StandardInput:
    """Standard input: read once, cannot be resumed."""

    name = "-"
    size = 0
    position = 0

    def lines(self) -> Iterator[bytes]:
        """Yield the lines."""
        yield from sys.stdin.buffer

    def read(self) -> bytes:
        """Return everything."""
        return sys.stdin.buffer.read()


OpenFile = PathFile | StandardInput


def find_files(arguments: Sequence[str]) -> list[OpenFile]:
    """Return the files that the arguments name, each once, folders and globs in sorted order.

    Raises:
        InputError: An argument names nothing.
    """
    found: dict[str, OpenFile] = {}
    for argument in arguments:
        for file in _expand(argument):
            found.setdefault(str(file.path) if isinstance(file, PathFile) else "-", file)
    return list(found.values())


def _expand(argument: str) -> Iterator[OpenFile]:
    if argument == "-":
        yield StandardInput()
        return
    path = Path(argument)
    if path.is_dir():
        inside = sorted(p for p in path.rglob("*") if p.is_file() and _is_readable(p))
        if not inside:
            raise InputError(f"{argument}: the folder holds no {', '.join(SUFFIXES)} file (.gz and .zst included)")
        yield from map(PathFile, inside)
    elif path.exists():
        yield PathFile(path)
    elif matches := sorted(match for match in glob.iglob(argument, recursive=True) if Path(match).is_file()):  # noqa: PTH207  # patterns may be absolute
        yield from (PathFile(Path(match)) for match in matches)
    else:
        raise InputError(f"{argument}: no such file or folder, and no file matches it as a pattern")


def _is_readable(path: Path) -> bool:
    name = path.name
    for compression in _COMPRESSIONS:
        name = name.removesuffix(compression)
    return name.endswith(SUFFIXES) and not name.startswith(".")


def _decompressed(raw: IO[bytes]) -> IO[bytes]:
    magic = raw.read(4)
    raw.seek(0)
    if magic.startswith(_GZIP_MAGIC):
        return io.BufferedReader(gzip.GzipFile(fileobj=raw), _CHUNK)
    if magic == _ZSTD_MAGIC:
        reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        return io.BufferedReader(reader, _CHUNK)
    return raw


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
