"""What must hold for any mutant: an answer, in time, and no pass that the mutant does not deserve."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from callgrade.grading import INTERNAL, CaseGrader
from callgrade.opening import PathFile
from callgrade.reading import choose_formats, read_records
from cases.errors import CallgradeError
from cases.verdict import Verdict
from deterministic.policy import STRICT

PATIENCE_S = 20.0


def run(mutants: Iterable[Any], n_may_pass: Callable[[Any], int | None]) -> tuple[Counter[str], list[str]]:
    """Grade every mutant; return how often each outcome came, and what must not be.

    Args:
        n_may_pass: The oracle; ``None`` where it cannot tell.
    """
    outcomes: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, mutant in enumerate(mutants):
            path = Path(folder) / mutant.name
            path.write_bytes(mutant.content)
            began = time.monotonic()
            try:
                verdicts = _grade(path, mutant.seed.format)
            except CallgradeError as error:
                outcomes[f"{mutant.seed.format}: input error"] += 1
                problems = [] if "\n" not in str(error) else ["an error of several lines"]
                verdicts = []
            except Exception as error:  # noqa: BLE001  # what the fuzzer is looking for
                problems, verdicts = [f"a traceback: {type(error).__name__}: {str(error)[:200]}"], []
            else:
                problems = _problems(verdicts, n_may_pass(mutant))
            outcomes.update(f"{mutant.seed.format}: {verdict.status}" for verdict in verdicts)
            if time.monotonic() - began > PATIENCE_S:
                problems.append("took too long")
            faults += [
                f"#{number} {mutant.seed.format}, {mutant.kind}, {mutant.name}: {problem}" for problem in problems
            ]
    return outcomes, faults


def _grade(path: Path, name: str) -> list[Verdict]:
    (source,) = choose_formats([PathFile(path)], name)
    grader = CaseGrader(STRICT, reader=source.format.version)
    return [graded.verdict for graded in grader.grade_all(read_records(source, None))]


def _problems(verdicts: list[Verdict], n_may_pass: int | None) -> list[str]:
    found = [f"a grader broke: {v.reason}" for v in verdicts if v.reason is not None and v.reason.startswith(INTERNAL)]
    found += ["ungraded without a reason" for v in verdicts if v.status == "ungraded" and not v.reason]
    found += ["a verdict that names no place" for v in verdicts if not v.source]
    if not verdicts:
        found.append("neither a verdict nor an error")
    if n_may_pass is not None and sum(verdict.status == "pass" for verdict in verdicts) > n_may_pass:
        found.append("a wrong pass")
    return found
