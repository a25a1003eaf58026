"""A run: one folder with manifest, verdicts, the graded cases and a summary. Survives a kill at any moment.

Records are written in blocks of ``BLOCK``; after each block a line of ``progress.jsonl`` says how far every file is
whole. Resuming cuts the files back to the last such line, so that a resumed run ends byte-identical to an undisturbed
one. Manifest and summary are replaced whole, never edited.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import filelock
import msgspec
import zstandard

from cases.case import Case
from cases.errors import IncompleteError, InputError, LockedError, UsageError
from cases.verdict import Verdict

RUN_FORMAT = "callgrade-run/1"
BLOCK = 256
"""Records per block; what a kill can cost, and the unit of compression of the cases."""

MANIFEST, VERDICTS, CASES, SUMMARY, PROGRESS = (
    "manifest.json",
    "verdicts.jsonl",
    "cases.jsonl.zst",
    "summary.json",
    "progress.jsonl",
)
_LOCK = ".lock"


class InputEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One input as the manifest names it."""

    path: str
    format: str
    """Version of the reader, e.g. ``openai_chat/1``."""
    was_guessed: bool = False
    sha256: str | None = None
    """Digest of the bytes on disk; absent for standard input."""
    n_records: int | None = None
    """Records read from it, once it was read to its end."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a run is made of. Nothing is left out of the file: a killed run must say ``running``."""

    format: str = RUN_FORMAT
    status: Literal["running", "complete"] = "running"
    """A killed run keeps saying ``running``: it is incomplete and can be resumed."""
    versions: dict[str, str]
    policy: str
    inputs: tuple[InputEntry, ...]
    gold: tuple[InputEntry, ...] = ()
    tools: tuple[InputEntry, ...] = ()
    skips_bad: bool = False
    started: str
    """ISO 8601 in UTC; resuming keeps it."""
    finished: str | None = None
    n_records: int = 0
    n_bad: int = 0
    n_gold_unused: int | None = None
    """Tasks of the gold that no record attempted."""


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far each file of the run is whole."""

    n_records: int
    verdict_bytes: int
    case_bytes: int


class StoredCase(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of ``cases.jsonl.zst``; a bad record has no case."""

    source: str
    case: Case | None = None


class RunFolder:
    """A run on disk, for reading."""

    def __init__(self, path: Path) -> None:
        """Open the folder.

        Raises:
            InputError: There is no run.
        """
        self.path = path
        try:
            self.manifest = msgspec.json.decode((path / MANIFEST).read_bytes(), type=Manifest)
        except OSError as error:
            raise InputError(
                f"{path}: no run there ({MANIFEST} is missing); name the folder that --out named"
            ) from error
        except msgspec.DecodeError as error:
            raise InputError(f"{path / MANIFEST}: damaged: {error}; resume or grade again") from error

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the whole verdicts, in order of input."""
        decoder = msgspec.json.Decoder(Verdict)
        for line in _whole_lines(self.path / VERDICTS):
            try:
                yield decoder.decode(line)
            except msgspec.DecodeError as error:
                raise InputError(f"{self.path / VERDICTS}: damaged line: {error}; grade again") from error

    def cases(self) -> Iterator[StoredCase]:
        """Yield the cases as graded, one for each verdict and in the same order."""
        decoder = msgspec.json.Decoder(StoredCase)
        path = self.path / CASES
        try:
            with path.open("rb") as raw:
                reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
                for line in _lines(reader):
                    yield decoder.decode(line)
        except (OSError, zstandard.ZstdError, msgspec.DecodeError) as error:
            raise InputError(f"{path}: damaged: {error}; grade again") from error

    def pairs(self) -> Iterator[tuple[Verdict, StoredCase]]:
        """Yield each verdict with its case.

        Raises:
            InputError: A file of the run is damaged.
        """
        is_complete = self.manifest.status == "complete"
        try:
            yield from zip(self.verdicts(), self.cases(), strict=is_complete)
        except ValueError as error:
            raise InputError(f"{self.path}: damaged: verdicts and cases differ in number; grade again") from error


class RunWriter:
    """A run on disk, for writing. Use as a context manager; leaving it early leaves a run that can be resumed."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        """Remember where and what; nothing is touched before the context is entered."""
        self.path = path
        self.manifest = manifest
        self._lock = filelock.FileLock(path / _LOCK)
        self._verdicts: list[bytes] = []
        self._cases: list[bytes] = []
        self._done = Progress(n_records=0, verdict_bytes=0, case_bytes=0)
        self._compressor = zstandard.ZstdCompressor(level=3)
        self._encode = msgspec.json.Encoder().encode

    @property
    def n_done(self) -> int:
        """Records that are safely in the folder."""
        return self._done.n_records

    def __enter__(self) -> Self:
        """Lock the folder; start a fresh run in it unless :meth:`resume` was called.

        Raises:
            LockedError: Another process writes this run.
            UsageError: Nothing can be written there.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=0)
        except filelock.Timeout as error:
            raise _locked(self.path) from error
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written: {error.strerror}; choose another --out") from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Keep what is complete, and let go of the folder."""
        self._lock.release()

    def start(self) -> None:
        """Begin an empty run in the folder.

        The progress goes first and the manifest comes next: a kill in between leaves no run that looks whole.
        """
        with _writing(self.path):
            (self.path / PROGRESS).unlink(missing_ok=True)
            self._replace(MANIFEST, _pretty(self.manifest))
            for name in (SUMMARY, VERDICTS, CASES):
                (self.path / name).unlink(missing_ok=True)
            for name in (VERDICTS, CASES, PROGRESS):
                (self.path / name).touch()

    def resume(self) -> None:
        """Cut the files back to the last whole block and go on from there.

        Raises:
            InputError: The run was made from other inputs or under other rules.
        """
        before = RunFolder(self.path).manifest
        _check_same(before, self.manifest, self.path)
        self.manifest = msgspec.structs.replace(self.manifest, started=before.started)
        with _writing(self.path):
            for name in (VERDICTS, CASES, PROGRESS):
                (self.path / name).touch()  # the kill may have come before they were made
            self._replace(MANIFEST, _pretty(self.manifest))
            whole = self._whole_blocks()
            self._done = whole[-1] if whole else self._done
            for name, size in ((VERDICTS, self._done.verdict_bytes), (CASES, self._done.case_bytes)):
                with (self.path / name).open("r+b") as file:
                    file.truncate(size)
            self._replace(PROGRESS, b"".join(self._encode(block) + b"\n" for block in whole))

    def add(self, verdict: Verdict, source: str, case: Case | None) -> None:
        """Add the next record; it is safe on disk once its block is full or the run finishes."""
        self._verdicts.append(self._encode(verdict))
        self._cases.append(self._encode(StoredCase(source, case)))
        if len(self._verdicts) == BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write the records added so far as one block."""
        if not self._verdicts:
            return
        verdicts = b"\n".join(self._verdicts) + b"\n"
        cases = self._compressor.compress(b"\n".join(self._cases) + b"\n")
        done = Progress(
            n_records=self._done.n_records + len(self._verdicts),
            verdict_bytes=self._done.verdict_bytes + len(verdicts),
            case_bytes=self._done.case_bytes + len(cases),
        )
        with _writing(self.path):
            self._append(VERDICTS, verdicts)
            self._append(CASES, cases)
            self._append(PROGRESS, self._encode(done) + b"\n")
        self._done = done
        self._verdicts.clear()
        self._cases.clear()

    def finish(self, summary: bytes, manifest: Manifest) -> None:
        """Write the last block, the summary and, last of all, the manifest that calls the run complete."""
        self.flush()
        with _writing(self.path):
            for name in (VERDICTS, CASES):
                with (self.path / name).open("rb") as file:
                    os.fsync(file.fileno())
            self._replace(SUMMARY, summary)
            self._replace(MANIFEST, _pretty(manifest))
        self.manifest = manifest

    def _append(self, name: str, content: bytes) -> None:
        with (self.path / name).open("ab") as file:
            file.write(content)

    def _replace(self, name: str, content: bytes) -> None:
        fresh = self.path / f".{name}.new"
        with fresh.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path / name)

    def _whole_blocks(self) -> list[Progress]:
        """Return the blocks, in order, whose bytes are all there."""
        n_verdicts, n_cases = ((self.path / name).stat().st_size for name in (VERDICTS, CASES))
        blocks: list[Progress] = []
        for line in _whole_lines(self.path / PROGRESS):
            try:
                block = msgspec.json.decode(line, type=Progress)
            except msgspec.DecodeError:
                break  # what follows a damaged line is graded again
            if block.verdict_bytes > n_verdicts or block.case_bytes > n_cases:
                break
            blocks.append(block)
        return blocks


def prepare_folder(path: Path, *, resumes: bool, overwrites: bool, is_locked: bool = False) -> None:
    """Refuse a folder that holds something else than what is to happen there.

    Args:
        is_locked: True when the caller holds the folder's lock.

    Raises:
        UsageError: The folder holds a run and neither option was given, or holds no run and is not empty.
        LockedError: Another process writes the run that is there.
    """
    if resumes and overwrites:
        raise UsageError("--resume and --overwrite exclude each other")
    if path.exists() and not path.is_dir():
        raise UsageError(f"{path}: a file, not a folder; choose another --out")
    try:
        holds_run = (path / MANIFEST).exists()
        entries = {entry.name for entry in path.iterdir()} if path.is_dir() else set[str]()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; choose another --out") from error
    if resumes and not holds_run:
        raise UsageError(f"{path}: no run there to resume; leave --resume out to start one")
    if holds_run and not (resumes or overwrites):
        if not is_locked and _is_held(path):
            raise _locked(path)
        raise UsageError(f"{path}: holds a run already; use --resume, --overwrite or another --out")
    if not holds_run and entries - {_LOCK, f".{MANIFEST}.new"}:
        raise UsageError(f"{path}: not empty and no run; choose another --out")


def _is_held(path: Path) -> bool:
    if not (path / _LOCK).exists():
        return False
    try:
        with filelock.FileLock(path / _LOCK, timeout=0):
            return False
    except filelock.Timeout:
        return True
    except OSError:
        return False  # a lock that may not be opened says nothing


def _locked(path: Path) -> LockedError:
    return LockedError(f"{path}: another process is writing this run; wait for it or choose another --out")


@contextlib.contextmanager
def _writing(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise IncompleteError(
            f"{path}: cannot be written: {error.strerror}; make room there and finish the run with --resume"
        ) from error


def now_text() -> str:
    """Return the time as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _check_same(before: Manifest, now: Manifest, path: Path) -> None:
    for name in ("format", "versions", "policy"):
        if getattr(before, name) != getattr(now, name):
            raise InputError(
                f"{path}: the run was made with {name} {getattr(before, name)!r}, now it is {getattr(now, name)!r}; "
                "grade again with --overwrite"
            )
    for name in ("inputs", "gold", "tools"):
        old, new = getattr(before, name), getattr(now, name)
        if [(e.path, e.format, e.sha256) for e in old] != [(e.path, e.format, e.sha256) for e in new]:
            changed = sorted({e.path for e in old} ^ {e.path for e in new}) or [
                a.path for a, b in zip(old, new, strict=True) if a != b
            ]
            raise InputError(
                f"{path}: {', '.join(changed) or name} changed since the run was started; grade again with --overwrite"
            )
    if any(entry.sha256 is None for entry in now.inputs):
        raise InputError(f"{path}: standard input cannot be resumed; grade again with --overwrite")


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _whole_lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; the run is damaged, grade again") from error


def _lines(reader: zstandard.ZstdDecompressionReader) -> Iterator[bytes]:
    rest = b""
    while chunk := reader.read(1 << 20):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
