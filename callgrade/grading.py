"""Grade one case or a stream of records: gates, then the verdict. No files, no processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

import msgspec

from cases.case import Case, Tool
from cases.errors import CallgradeError
from cases.folding import fold, ungraded_verdict
from cases.formats.record import Record
from cases.verdict import Verdict, Versions
from deterministic.gates import GATES_VERSION, Gates, check_expectation
from deterministic.matchers import Predicate
from deterministic.policy import Policy
from deterministic.schema.dialect import SCHEMA_VERSION

BAD_RECORD = "bad record"
"""How the reason of a verdict begins when the record could not be read."""

INTERNAL = "internal error while grading this case"
"""How the reason of a verdict begins when a grader itself broke."""


class Graded(msgspec.Struct, frozen=True):
    """A record with its verdict."""

    record: Record
    case: Case | None
    """The case as graded: the document that the verdict's pointers point into."""
    verdict: Verdict


class CaseGrader:
    """Grades cases under one policy with one shared catalog."""

    def __init__(
        self,
        policy: Policy,
        tools: tuple[Tool, ...] = (),
        *,
        reader: str = "",
        is_partial: bool = False,
        predicates: Mapping[str, Predicate] = MappingProxyType({}),
    ) -> None:
        """Prepare the graders.

        Args:
            tools: Catalog of the cases that carry no definitions of their own.
            reader: Version of the reader, for the verdicts.
            is_partial: True when ``tools`` may lack tools that the agent could call.
            predicates: The user's own tests of a value, for the matcher ``$predicate``.
        """
        self._gates = Gates(policy, tools, is_partial=is_partial, predicates=predicates)
        self.versions = Versions(policy=policy.id, gates=GATES_VERSION, schema=SCHEMA_VERSION, reader=reader)

    def grade(self, case: Case, source: str = "") -> Graded:
        """Return the verdict on one case.

        Raises:
            ExpectationError: The case's gold is wrong in itself.
        """
        record = Record(source=source, case=case)
        if case.infrastructure_error is not None:
            reason = f"the attempt did not run to its end: {case.infrastructure_error}"
            return Graded(record, case, ungraded_verdict(case, reason, self.versions, source))
        if case.actual_invocations is None:
            reason = "not evaluated: the case records no attempt ('actual_invocations' is absent)"
            return Graded(record, case, ungraded_verdict(case, reason, self.versions, source))
        check_expectation(case)
        grades = self._gates.grade(case)
        verdict = fold(
            grades.case,
            grades.findings,
            passed=grades.passed,
            passed_steps=grades.passed_steps,
            stated_steps=grades.stated_steps,
            counts=grades.counts,
            tools=grades.tools,
            decisions=grades.decisions,
            versions=self.versions,
            path=grades.path,
            source=source,
        )
        return Graded(record, grades.case, verdict)

    def grade_record(self, record: Record) -> Graded:
        """Return the verdict on a record; a bad one, and one that breaks a grader, is ungraded with the reason."""
        if record.case is None:
            return Graded(record, None, self._bad(record, record.problem or ""))
        try:
            return self.grade(record.case, record.source)
        except CallgradeError as error:
            return Graded(
                Record(source=record.source, problem=str(error), task_id=record.case.task_id),
                record.case,
                self._bad(record, str(error)),
            )
        except Exception as error:  # noqa: BLE001  # the one boundary: a case must not take the batch down with it
            reason = f"{INTERNAL} ({type(error).__name__}: {error}); please report it"
            return Graded(
                record,
                record.case,
                ungraded_verdict(record.case, reason, self.versions, record.source),
            )

    def grade_all(self, records: Iterable[Record]) -> Iterator[Graded]:
        """Yield a verdict for each record, in order."""
        return map(self.grade_record, records)

    def _bad(self, record: Record, problem: str) -> Verdict:
        name = record.task_id or (record.case.task_id if record.case else None) or record.source
        return ungraded_verdict(Case(task_id=name), f"{BAD_RECORD}: {problem}", self.versions, record.source)
