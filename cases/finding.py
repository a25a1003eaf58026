"""A finding: one check's answer about one target, traceable to what it looked at and to what decided."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from cases.failure import MODE_CLASS, FailureClass, FailureMode, Step, SubMode
from cases.jsonvalue import JsonValue

Status = Literal["pass", "fail", "ungraded", "not_applicable"]
STATUSES: tuple[Status, ...] = get_args(Status)
Grader = Literal["gate", "evidence", "judge", "human"]
Blame = Literal["model", "system"]


class Evidence(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """Where a value comes from."""

    source: str
    """JSON pointer into the case."""
    quote: str
    """The words or the value that stand there, verbatim."""
    transform: str = "equal"
    """How the source turns into the value: equal, normalised, unit, rounded, date resolved, computed."""


class Finding(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One check's answer about one target."""

    step: Step
    check: str
    """Name of the check, e.g. ``schema``; all are listed in ``docs/checks.md``."""
    status: Status
    target: str
    """JSON pointer into the case; empty is the whole case."""
    message: str
    """One sentence for people: what is wrong, with the values."""
    tool: str | None = None
    """The tool it is about: the wanted one, else the called one."""
    mode: FailureMode | None = None
    """Set exactly when the status is ``fail``."""
    sub_mode: SubMode | None = None
    gating: bool = True
    """False: informative, the case does not fail by it."""
    by: Grader = "gate"
    rule: str = ""
    """The versioned rule that decided, e.g. ``strict/1`` or a normaliser's name."""
    expected: JsonValue | msgspec.UnsetType = msgspec.UNSET
    got: JsonValue | msgspec.UnsetType = msgspec.UNSET
    """Long values are cut with a visible mark; the whole value stays at ``target``."""
    repair: str | None = None
    """A sentence that can be fed back to the model."""
    blame: Blame | None = None
    """Whose fault a syntax error is: the system's under constrained decoding."""
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        if (self.mode is None) == (self.status == "fail"):
            raise ValueError(f"a failure mode belongs to status 'fail' alone, got {self.status!r} / {self.mode!r}")

    @property
    def failure_class(self) -> FailureClass | None:
        """Syntax, intent, schema, value or narration; ``None`` unless the finding fails."""
        if self.mode is None:
            return None
        if self.mode == "schema_error" and self.sub_mode in {
            "coercible_type",
            "value_rule",
            "business_rule",
        }:
            return "value"
        return MODE_CLASS[self.mode]
