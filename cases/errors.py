"""The errors that callgrade raises on purpose; the console shows their text, never a traceback.

    CallgradeError            base; ``exit_code`` says how the command ends
    ├── UsageError            2  the command or its options make no sense
    ├── InputError            3  a file or record cannot be read as what it is said to be
    │   └── ExpectationError  3  the gold itself is wrong (unknown matcher, bad pattern ...)
    ├── InstallationError     4  foreign files lie where ours should be
    ├── IncompleteError       6  stopped before the end; what is done is kept
    ├── DriftError            7  the validator or a judge no longer answers as recorded
    └── LockedError           8  another run owns the folder

A message says where, what is wrong (the value by ``!r``) and what to do about it, on one line.
"""

from __future__ import annotations

from typing import ClassVar


class CallgradeError(Exception):
    """Base of every error that is raised on purpose."""

    exit_code: ClassVar[int] = 4


class UsageError(CallgradeError):
    """The command line or the call makes no sense."""

    exit_code: ClassVar[int] = 2


class InputError(CallgradeError):
    """A file or a record cannot be read as what it is said to be."""

    exit_code: ClassVar[int] = 3


class ExpectationError(InputError):
    """The gold is wrong: unknown matcher, pattern that does not compile, path without steps."""


class InstallationError(CallgradeError):
    """The packages on the path are not ours (another distribution owns the name)."""

    exit_code: ClassVar[int] = 4


class IncompleteError(CallgradeError):
    """The work stopped before its end; what was done is kept and can be resumed."""

    exit_code: ClassVar[int] = 6


class DriftError(CallgradeError):
    """A validator or a judge answers differently from what was recorded."""

    exit_code: ClassVar[int] = 7


class LockedError(CallgradeError):
    """Another run owns the folder."""

    exit_code: ClassVar[int] = 8
