"""Open what the user named: files, folders, globs, standard input; plain, gzip or zstd."""

from __future__ import annotations

import glob
import gzip
import hashlib
import io
import os
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
_PACKED_CHUNK = 1 << 14
_RUN_FILES = ("manifest.json", "verdicts.jsonl", "progress.jsonl")


class PathFile:
    """A file on disk, decompressed on the way."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is opened yet."""
        self.path = path
        self.label = _label(path)
        self.name = self.label.removesuffix(path.suffix) if path.suffix in _COMPRESSIONS else self.label
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
            raise InputError(f"{self.label}: cannot be read: {_reason(error)}") from error

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
            raise InputError(f"{self.label}: cannot be read: {_reason(error)}") from error
        return digest.hexdigest()


class StandardInput:
    """Standard input, decompressed on the way: read once, cannot be resumed."""

    name = "-"
    label = "-"
    size = 0
    position = 0

    def lines(self) -> Iterator[bytes]:
        """Yield the lines.

        Raises:
            InputError: It is closed, or its compressed data is damaged.
        """
        if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  # None when the shell closed it
            raise InputError("-: standard input is closed; pipe something into it or name a file")
        try:
            yield from _decompressed(sys.stdin.buffer)
        except (OSError, EOFError, zlib.error, zstandard.ZstdError) as error:
            raise InputError(f"-: cannot be read: {_reason(error)}") from error

    def read(self) -> bytes:
        """Return everything; raises as ``lines`` does."""
        return b"".join(self.lines())


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
    if not argument or "\0" in argument:
        raise InputError(f"{argument!r} names no file")
    if path.is_dir():
        inside = sorted(p for p in path.rglob("*") if _is_readable(p.relative_to(path)) and _is_recording(p))
        if not inside:
            raise InputError(f"{argument}: the folder holds no {', '.join(SUFFIXES)} file (.gz and .zst included)")
        yield from map(PathFile, inside)
    elif path.is_file():
        yield PathFile(path)
    elif path.exists():
        raise InputError(f"{argument}: a pipe or device, which can be read only once; pass it as standard input (-)")
    elif matches := sorted(match for match in glob.iglob(argument, recursive=True) if Path(match).is_file()):  # noqa: PTH207  # patterns may be absolute
        yield from (PathFile(Path(match)) for match in matches)
    else:
        raise InputError(f"{argument}: no such file or folder, and no file matches it as a pattern")


def _is_readable(path: Path) -> bool:
    name = path.name
    for compression in _COMPRESSIONS:
        name = name.removesuffix(compression)
    return name.endswith(SUFFIXES) and not any(part.startswith(".") for part in path.parts)


def _is_recording(path: Path) -> bool:
    """Return whether a path is a file that is no part of a run: a run may lie below the folder that it grades."""
    return path.is_file() and not all((path.parent / name).exists() for name in _RUN_FILES)


def _decompressed(raw: IO[bytes]) -> IO[bytes]:
    magic = _peek(raw)
    if magic.startswith(_GZIP_MAGIC):
        return io.BufferedReader(gzip.GzipFile(fileobj=raw), _CHUNK)
    if magic == _ZSTD_MAGIC:
        return io.BufferedReader(_ZstdStream(raw), _CHUNK)
    return raw


class _ZstdStream(io.RawIOBase):
    """Frames one after the other. zstandard's own reader takes a truncated frame for a whole one."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._is_inside = False
        self._packed = self._plain = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # what BufferedReader passes
        while not self._plain and self._fill():
            pass
        size = min(len(buffer), len(self._plain))
        buffer[:size], self._plain = self._plain[:size], self._plain[size:]
        return size

    def _fill(self) -> bool:
        """Unpack the next piece; False at the end of the last frame."""
        packed = self._packed or self._raw.read(_PACKED_CHUNK)
        self._packed = b""
        if not packed:
            if self._is_inside:
                raise EOFError("the compressed data ends in the middle")
            return False
        self._plain = self._frame.decompress(packed)
        self._is_inside = not self._frame.eof
        if self._frame.eof:
            self._packed = self._frame.unused_data
            self._frame = zstandard.ZstdDecompressor().decompressobj()
        return True


def _peek(raw: IO[bytes]) -> bytes:
    """Return the first four bytes and leave them to be read: standard input cannot be rewound."""
    if isinstance(raw, io.BufferedReader):
        return raw.peek(4)[:4]
    magic = raw.read(4)
    raw.seek(0)
    return magic


def _label(path: Path) -> str:
    """Return a path as text; the bytes of a name that are no UTF-8 are spelled out, for JSON cannot hold them."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
