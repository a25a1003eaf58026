"""What readers take and give: a file's bytes in, located records out. Opening files is the roof's business."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import msgspec

from cases.case import Case


class InputFile(Protocol):
    """One input, decompressed; may be read more than once unless it is a pipe."""

    @property
    def name(self) -> str:
        """Path as the user wrote it, without compression suffix; ``-`` is standard input."""
        ...

    def lines(self) -> Iterator[bytes]:
        """Yield the lines, line ends included, without holding the file."""
        ...

    def read(self) -> bytes:
        """Return everything."""
        ...


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One thing read from an input: a case, or the reason why there is none."""

    source: str
    """Where it stands: ``file:line``, or ``file#/pointer`` inside one document."""
    case: Case | None = None
    problem: str | None = None
    """What is wrong and what to do, on one line; set exactly when there is no case."""
    task_id: str | None = None
    """The task that a bad record belongs to, where it could still be read."""

    def __post_init__(self) -> None:
        if (self.case is None) == (self.problem is None):
            raise ValueError("a record is a case or a problem, not both and not neither")


Reader = Callable[[InputFile], Iterator[Record]]
"""Yields one record for every case the file holds; never raises for what the file says, only when it is no such file.

Raises:
    InputError: The file as a whole is not of this format.
"""
