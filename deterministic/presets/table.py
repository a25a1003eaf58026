"""The checkers that a policy can name in place of the gates. One function and one entry each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cases.case import Case, Tool
from cases.failure import Step
from deterministic.presets import bfcl, tau2
from deterministic.sheet import Sheet

Checker = Callable[[Case, Sequence[Tool], Sheet], set[Step]]
"""Writes its verdict on a case as read (arguments maybe still texts), given the tools, and returns the steps that must
be graded for the case to pass."""

CHECKERS: dict[str, Checker] = {"bfcl": bfcl.check, "tau2": tau2.check}
