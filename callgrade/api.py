"""The Python API: read cases, grade them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike, fspath

from callgrade.grading import CaseGrader
from callgrade.opening import find_files
from callgrade.plugins import find_predicates
from callgrade.reading import choose_formats, located, read_gold, read_records, read_tools
from cases.case import Case, Tool
from cases.errors import InputError
from cases.verdict import Verdict
from deterministic.policy import find_policy

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


def read_cases(paths: Paths, *, format: str | None = None, gold: Paths = ()) -> Iterator[Case]:  # noqa: A002
    """Yield the cases of recordings.

    Args:
        paths: Files, folders or patterns, as ``callgrade grade`` takes them.
        format: Name of the format; ``None`` recognises each file.
        gold: Eval set with the expectations, joined by task id.

    Raises:
        InputError: A file or a record cannot be read.
    """
    gold_sources = choose_formats(find_files(_texts(gold)), None)
    expectations = read_gold(gold_sources) if gold_sources else None
    for source in choose_formats(find_files(_texts(paths)), format):
        for record in read_records(source, expectations):
            if record.case is None:
                raise InputError(located(record))
            yield record.case


def read_catalog(paths: Paths) -> tuple[Tool, ...]:
    """Return the tool definitions of files in any known shape.

    Raises:
        InputError: A file holds none, or two definitions of one name differ.
    """
    return read_tools(find_files(_texts(paths)))


def grade(cases: Iterable[Case], *, policy: str = "strict/1", tools: Sequence[Tool] = ()) -> Iterator[Verdict]:
    """Yield the verdict on each case, in order, without holding them.

    Args:
        policy: Name of the comparison rules.
        tools: Catalog for cases that carry no definitions of their own.

    Raises:
        ExpectationError: A case's gold is wrong in itself.
        UsageError: There is no such policy.
    """
    grader = CaseGrader(find_policy(policy), tuple(tools), predicates=find_predicates())
    for case in cases:
        yield grader.grade(case).verdict


def grade_case(case: Case, *, policy: str = "strict/1", tools: Sequence[Tool] = ()) -> Verdict:
    """Return the verdict on one case; raises as :func:`grade` does."""
    return next(grade([case], policy=policy, tools=tools))


def _texts(paths: Paths) -> list[str]:
    if isinstance(paths, (str, PathLike)):
        return [fspath(paths)]
    return [fspath(path) for path in paths]
