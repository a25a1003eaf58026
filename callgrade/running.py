"""A whole run: read, grade, write, summarise. Streams; nothing is kept but the tallies."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import msgspec

from callgrade.grading import BAD_RECORD, INTERNAL, CaseGrader
from callgrade.opening import OpenFile, PathFile, find_files
from callgrade.plugins import find_predicates
from callgrade.reading import Source, choose_formats, located, read_gold, read_records, read_tools
from callgrade.runfolder import InputEntry, Manifest, RunFolder, RunWriter, now_text, prepare_folder
from cases.case import Tool
from cases.errors import InputError
from cases.joining import Gold
from cases.verdict import Verdict
from deterministic.gates import GATES_VERSION
from deterministic.policy import Policy
from deterministic.schema.dialect import SCHEMA_VERSION
from reports.summary import Summary, SummaryBuilder

_ENGINES = ("callgrade", "msgspec", "jsonschema", "jsonschema-rs")


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be graded, and how."""

    inputs: tuple[str, ...]
    out: Path
    policy: Policy
    format: str | None = None
    """Name of the format; ``None`` lets each file be recognised."""
    gold: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    resumes: bool = False
    overwrites: bool = False
    skips_bad: bool = False


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a run."""

    folder: Path
    manifest: Manifest
    summary: Summary
    n_internal: int
    """Cases on which a grader itself broke."""


class Watcher(Protocol):
    """Is told how a run goes."""

    def note(self, text: str) -> None:
        """Hear something the user should know, on one line."""
        ...

    def advance(self, n_records: int, share: float | None) -> None:
        """Hear how many records are done, and which share of all bytes was read, where that is known."""
        ...


def run(request: Request, watcher: Watcher) -> Outcome:
    """Grade everything the request names into its run folder.

    Raises:
        InputError: An input cannot be read, or holds a bad record and the request does not skip those.
        UsageError: The request makes no sense.
        LockedError: Another process writes the folder.
    """
    prepare_folder(request.out, resumes=request.resumes, overwrites=request.overwrites)
    sources = choose_formats(find_files(request.inputs), request.format)
    for note in _guess_notes(sources):
        watcher.note(note)
    tool_files = find_files(request.tools)
    gold_sources = choose_formats(find_files(request.gold), None)
    tools = read_tools(tool_files)
    gold = read_gold(gold_sources) if gold_sources else None
    manifest = Manifest(
        versions=engine_versions(),
        policy=request.policy.id,
        inputs=tuple(_entry(source.file, source.format.version, was_guessed=source.was_guessed) for source in sources),
        gold=tuple(
            _entry(source.file, source.format.version, was_guessed=source.was_guessed) for source in gold_sources
        ),
        tools=tuple(_entry(file, "tools/1") for file in tool_files),
        skips_bad=request.skips_bad,
        started=now_text(),
    )
    with RunWriter(request.out, manifest) as writer:
        # Again, now that nobody else can write: another process may have come and gone since.
        prepare_folder(request.out, resumes=request.resumes, overwrites=request.overwrites, is_locked=True)
        writer.resume() if request.resumes else writer.start()
        return _grade(request, sources, gold, tools, writer, watcher)


def _guess_notes(sources: list[Source]) -> Iterator[str]:
    """Yield one line a format that was guessed, however many files a folder holds."""
    guessed: dict[str, list[str]] = {}
    for source in sources:
        if source.was_guessed:
            guessed.setdefault(source.format.name, []).append(source.file.name)
    for name, files in guessed.items():
        n_more = len(files) - 1
        more = f" and {n_more} more file{'' if n_more == 1 else 's'}" if n_more else ""
        yield f"{files[0]}{more}: read as {name} (recognised; --format says it for sure)"


def engine_versions() -> dict[str, str]:
    """Return the versions of everything that can change a verdict."""
    return {
        **{name: version(name) for name in _ENGINES},
        "python": platform.python_version(),
        "gates": GATES_VERSION,
        "schema": SCHEMA_VERSION,
    }


def _grade(
    request: Request,
    sources: list[Source],
    gold: Gold | None,
    tools: tuple[Tool, ...],
    writer: RunWriter,
    watcher: Watcher,
) -> Outcome:
    summary = SummaryBuilder()
    n_records = n_internal = 0
    if writer.n_done:
        for verdict in RunFolder(request.out).verdicts():
            summary.add(verdict)
            n_internal += _is_internal(verdict)
    entries: list[InputEntry] = []
    total = sum(source.file.size for source in sources)
    done_bytes = 0
    predicates = find_predicates()
    for source, entry in zip(sources, writer.manifest.inputs, strict=True):
        grader = CaseGrader(request.policy, tools, reader=source.format.version, predicates=predicates)
        n_before = n_records
        for record in read_records(source, gold):
            n_records += 1
            if n_records <= writer.n_done:
                continue
            graded = grader.grade_record(record)
            if graded.record.case is None and not request.skips_bad:
                raise InputError(f"{located(graded.record)} ({_how_to_skip(source)})")
            n_internal += _is_internal(graded.verdict)
            writer.add(graded.verdict, record.source, graded.case)
            summary.add(graded.verdict)
            if n_records % 64 == 0:
                watcher.advance(n_records, (done_bytes + source.file.position) / total if total else None)
        done_bytes += source.file.size
        entries.append(msgspec.structs.replace(entry, n_records=n_records - n_before))
    watcher.advance(n_records, 1.0)
    closed = summary.build()
    manifest = msgspec.structs.replace(
        writer.manifest,
        status="complete",
        inputs=tuple(entries),
        finished=now_text(),
        n_records=n_records,
        n_bad=closed.overall.reasons.get(BAD_RECORD, 0),
        n_gold_unused=gold.n_unused if gold is not None else None,
    )
    writer.finish(msgspec.json.format(msgspec.json.encode(closed), indent=1) + b"\n", manifest)
    return Outcome(folder=request.out, manifest=manifest, summary=closed, n_internal=n_internal)


def _how_to_skip(source: Source) -> str:
    options = "--resume --skip-bad goes on from here" if isinstance(source.file, PathFile) else "--skip-bad goes on"
    return f"{options} and records it as ungraded"


def _is_internal(verdict: Verdict) -> bool:
    return verdict.reason is not None and verdict.reason.startswith(INTERNAL)


def _entry(file: OpenFile, reader: str, *, was_guessed: bool = False) -> InputEntry:
    digest = file.sha256() if isinstance(file, PathFile) else None
    return InputEntry(
        path=file.label,
        format=reader,
        was_guessed=was_guessed,
        sha256=digest,
    )
