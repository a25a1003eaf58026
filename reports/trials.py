"""Repeated trials: pass@1, pass^k and all-k from an inventory of (task x trial). Pure.

Ungraded trials (infrastructure, bad records) are no trials: they leave n and are shown. With fewer than k trials a task
has no pass^k; it is left out and counted, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

import msgspec

from cases.verdict import CaseStatus

MAX_TASKS = 200_000
"""Tasks whose trials are told apart; a run with more has no inventory, and says so."""

MAX_TRIALS = 1_000_000
"""Trials that are told apart."""


class Trials(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Tasks that share one outcome, written as an array."""

    n_passed: int
    n_failed: int
    n_ungraded: int
    n_tasks: int


class PassK(msgspec.Struct, frozen=True, kw_only=True):
    """pass^k over the tasks that have at least k graded trials."""

    k: int
    value: float | None
    """Mean of C(c, k) / C(n, k), 0..1; ``None`` when no task has k trials."""
    n_tasks: int
    n_left_out: int
    """Tasks with fewer than k graded trials."""


class TrialInventory:
    """Collects the trials of one model, task by task."""

    def __init__(self) -> None:
        """Start empty."""
        self._by_task: dict[str, list[int]] = {}
        self._seen: set[tuple[str, int]] = set()
        self.n_repeated = 0
        """Trials whose number their task had already: which one is meant nobody can tell, so the first one counts."""
        self.overflowed = False

    def add(self, task_id: str, attempt: int, status: CaseStatus) -> None:
        """Count one trial."""
        if (task_id, attempt) in self._seen:
            self.n_repeated += 1
            return
        if len(self._seen) < MAX_TRIALS:
            self._seen.add((task_id, attempt))
        else:
            self.overflowed = True
        counts = self._by_task.get(task_id)
        if counts is None:
            if len(self._by_task) >= MAX_TASKS:
                self.overflowed = True
                return
            counts = self._by_task[task_id] = [0, 0, 0]
        counts[_INDEX[status]] += 1

    def table(self) -> tuple[Trials, ...]:
        """Return the inventory by outcome, sorted; empty when it overflowed, because part of it would mislead."""
        if self.overflowed:
            return ()
        found: dict[tuple[int, int, int], int] = {}
        for passed, failed, ungraded in self._by_task.values():
            key = passed, failed, ungraded
            found[key] = found.get(key, 0) + 1
        return tuple(Trials(*key, n) for key, n in sorted(found.items()))


_INDEX: dict[CaseStatus, int] = {"pass": 0, "fail": 1, "ungraded": 2}


def merge_trials(tables: Iterable[Iterable[Trials]]) -> tuple[Trials, ...]:
    """Return the sum of inventories over different tasks."""
    found: dict[tuple[int, int, int], int] = {}
    for entry in (entry for table in tables for entry in table):
        key = entry.n_passed, entry.n_failed, entry.n_ungraded
        found[key] = found.get(key, 0) + entry.n_tasks
    return tuple(Trials(*key, n) for key, n in sorted(found.items()))


def pass_hat_k(trials: Iterable[Trials], k: int) -> PassK:
    """Return the probability that k trials of a task, drawn without replacement, all pass, averaged over tasks.

    Args:
        k: At least 1; pass^1 is pass@1.

    Source: Yao et al. 2024 (tau-bench): mean over tasks of C(c, k) / C(n, k).
    """
    total, n_tasks, n_left_out = 0.0, 0, 0
    for entry in trials:
        n = entry.n_passed + entry.n_failed
        if n < k:
            n_left_out += entry.n_tasks
        else:
            n_tasks += entry.n_tasks
            total += entry.n_tasks * comb(entry.n_passed, k) / comb(n, k)
    return PassK(k=k, value=total / n_tasks if n_tasks else None, n_tasks=n_tasks, n_left_out=n_left_out)


def all_k(trials: Sequence[Trials]) -> PassK:
    """Return the share of tasks whose trials all pass, whatever their number (at least one graded trial)."""
    graded = [entry for entry in trials if entry.n_passed + entry.n_failed]
    left_out = sum(entry.n_tasks for entry in trials) - sum(entry.n_tasks for entry in graded)
    n_tasks = sum(entry.n_tasks for entry in graded)
    n_all = sum(entry.n_tasks for entry in graded if not entry.n_failed)
    return PassK(
        k=max((entry.n_passed + entry.n_failed for entry in graded), default=0),
        value=n_all / n_tasks if n_tasks else None,
        n_tasks=n_tasks,
        n_left_out=left_out,
    )


def largest_common_k(trials: Iterable[Trials]) -> int:
    """Return the largest k that every task with a graded trial has; 0 when there is none."""
    return min((e.n_passed + e.n_failed for e in trials if e.n_passed + e.n_failed), default=0)
