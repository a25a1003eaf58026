"""From files to located cases: choose a reader a file, join attempts with their gold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from callgrade.opening import OpenFile
from cases.case import Case, Tool
from cases.errors import InputError, UsageError
from cases.formats.recognition import recognise
from cases.formats.record import InputFile, Record
from cases.formats.table import FORMATS, Format
from cases.joining import Gold


class Source(msgspec.Struct, frozen=True):
    """One input and the reader that takes it."""

    file: OpenFile
    format: Format
    was_guessed: bool


def choose_formats(files: Sequence[OpenFile], name: str | None) -> list[Source]:
    """Return each file with its reader: the named one, else the one whose first document it recognises.

    Raises:
        UsageError: There is no format ``name``, or standard input comes without one.
        InputError: No reader recognises a file.
    """
    if name is not None:
        if name not in FORMATS:
            raise UsageError(f"no format {name!r}; choose one of {', '.join(FORMATS)} (see: callgrade formats)")
        return [Source(file, FORMATS[name], was_guessed=False) for file in files]
    return [Source(file, _guess(file), was_guessed=True) for file in files]


def read_gold(sources: Sequence[Source]) -> Gold:
    """Return the expectations of all gold files.

    Raises:
        InputError: A record of gold cannot be read: gold must be right before anything is graded with it.
    """
    cases: list[Case] = []
    for source in sources:
        for record in source.format.read(source.file):
            if record.case is None:
                raise InputError(located(record))
            cases.append(record.case)
    return Gold(cases)


def read_records(source: Source, gold: Gold | None) -> Iterator[Record]:
    """Yield the records of one input, joined with gold where there is any; a damaged file ends with a bad record."""
    for record in _records(source):
        if gold is None or record.case is None:
            yield record
            continue
        joined = gold.join(record.case)
        if joined is None:
            yield Record(
                source=record.source,
                problem=f"no task {record.case.task_id!r} in the gold; correct the id or leave the record out",
                task_id=record.case.task_id,
            )
        else:
            yield Record(source=record.source, case=joined)


def located(record: Record) -> str:
    """Return the problem of a bad record on one line, with its place in front."""
    problem = record.problem or ""
    return problem if problem.startswith(f"{record.source}:") else f"{record.source}: {problem}"


def _records(source: Source) -> Iterator[Record]:
    name, n_records = source.file.label, 0
    try:
        for record in source.format.read(source.file):
            n_records += 1
            yield record
    except InputError as error:
        yield Record(source=name, problem=str(error).removeprefix(f"{name}: "))
    else:
        if not n_records:  # a night with nothing to grade must not look like one without a failure
            yield Record(source=name, problem="holds no case; name the right file or leave it out")


def read_tools(files: Sequence[InputFile]) -> tuple[Tool, ...]:
    """Return the definitions of all tools files, each name once.

    Raises:
        InputError: A file holds no tool definitions, or two that share a name and differ.
    """
    from cases.formats.tooldefs import read_tool_file  # noqa: PLC0415  # heavy: loads only where it is used

    known: dict[str, Tool] = {}
    for file in files:
        for tool in read_tool_file(file):
            if known.setdefault(tool.name, tool) != tool:
                raise InputError(f"{file.name}: tool {tool.name!r} is defined twice and differently; keep one")
    return tuple(known.values())


def _guess(file: OpenFile) -> Format:
    if file.name == "-":
        raise UsageError("standard input needs --format, because it can be read only once")
    found = recognise(file)
    if found is None:
        raise InputError(f"{file.name}: no reader recognises it; name the format with --format ({', '.join(FORMATS)})")
    return found
