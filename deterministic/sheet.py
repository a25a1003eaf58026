"""The sheet that gates write on while one case is graded: failures one by one, passes as counts."""

from __future__ import annotations

import msgspec

from cases.failure import MODE_STEP, FailureMode, Step, SubMode
from cases.finding import Blame, Evidence, Finding
from cases.jsonvalue import JsonValue, preview
from cases.verdict import Decision


class Sheet:
    """Collects what the gates find in one case."""

    __slots__ = ("decisions", "findings", "passed", "passed_steps", "rule")

    def __init__(self, rule: str) -> None:
        """Start an empty sheet; ``rule`` is the policy that decides unless a finding names another."""
        self.rule = rule
        self.findings: list[Finding] = []
        self.decisions: list[Decision] = []
        self.passed: dict[str, int] = {}
        self.passed_steps: set[Step] = set()

    def add_passes(self, step: Step, check: str, n: int = 1) -> None:
        """Count ``n`` targets that passed ``check``."""
        if n:
            self.passed[check] = self.passed.get(check, 0) + n
            self.passed_steps.add(step)

    def fail(
        self,
        mode: FailureMode,
        check: str,
        target: str,
        message: str,
        *,
        tool: str | None = None,
        sub_mode: SubMode | None = None,
        gating: bool = True,
        expected: JsonValue | msgspec.UnsetType = msgspec.UNSET,
        got: JsonValue | msgspec.UnsetType = msgspec.UNSET,
        repair: str | None = None,
        blame: Blame | None = None,
        rule: str = "",
        evidence: tuple[Evidence, ...] = (),
    ) -> None:
        """Write down one failure."""
        self.findings.append(
            Finding(
                step=MODE_STEP[mode],
                check=check,
                status="fail",
                target=target,
                message=message,
                tool=tool or None,
                mode=mode,
                sub_mode=sub_mode,
                gating=gating,
                rule=rule or self.rule,
                expected=expected if expected is msgspec.UNSET else preview(expected),
                got=got if got is msgspec.UNSET else preview(got),
                repair=repair,
                blame=blame,
                evidence=evidence,
            )
        )

    def leave_open(self, step: Step, check: str, target: str, message: str, *, gating: bool = True) -> None:
        """Write down one target that should have been graded and could not be."""
        self.findings.append(
            Finding(
                step=step,
                check=check,
                status="ungraded",
                target=target,
                message=message,
                gating=gating,
                rule=self.rule,
            )
        )
