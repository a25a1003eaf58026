"""Find the task of a τ²-bench simulation: by its id, unless what was checked of it says otherwise.

Files exist that leave ``task_id`` out, and one in which it is a mere counter: 49 of its 50 simulations
ran another task. The gold actions and the words that the reward checked tell which.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cases.formats.shape import Misfit, decode_shape
from cases.formats.tau2_shape import Action, Simulation, Task

_Signature = tuple[tuple[str, ...], tuple[str, ...]]
"""Ids of the gold actions, and the words to communicate."""

_STOPS = frozenset({"user_stop", "agent_stop"})
_TASK = msgspec.json.Decoder(Task)


class Gold(msgspec.Struct, frozen=True):
    """What is known of a simulation's task."""

    task_id: str | None
    """``None`` where several tasks fit; their gold is then the same."""
    actions: Sequence[Action] | None
    """``None`` where the task states none, which is not "no action is wanted"."""


class Tasks:
    """The tasks of one file."""

    def __init__(self, documents: Sequence[bytes]) -> None:
        """Read the tasks; a broken one is told with the simulations that may need it."""
        self._by_id: dict[str, Task] = {}
        self._by_signature: dict[_Signature, list[Task]] = {}
        self._broken: list[str] = []
        for index, raw in enumerate(documents):
            task = decode_shape(raw, _TASK, "a τ²-bench task {id, evaluation_criteria}")
            if isinstance(task, Misfit):
                self._broken.append(f"#/tasks/{index} is broken: {task.problem}")
                continue
            self._by_id[str(task.id)] = task
            self._by_signature.setdefault(_signature(task), []).append(task)

    def gold(self, simulation: Simulation) -> Gold | Misfit:
        """Return the gold of ``simulation``, or why it cannot be told."""
        stated = None
        if simulation.task_id is not None:
            stated = self._by_id.get(str(simulation.task_id))
        if stated is not None and not _contradicts(simulation, stated):
            return Gold(str(stated.id), stated.actions)
        fitting = self._by_signature.get(_checked(simulation), [])
        if fitting and all(task.actions == fitting[0].actions for task in fitting):
            task_id = str(fitting[0].id) if len(fitting) == 1 else None
            return Gold(task_id, fitting[0].actions)
        if stated is not None:
            return Gold(str(stated.id), stated.actions)
        return self._unknown(simulation.task_id)

    def _unknown(self, task_id: int | str | None) -> Misfit:
        missing = "'task_id' is missing" if task_id is None else f"no task has the id {task_id!r}"
        broken = f" ({self._broken[0]})" if self._broken else ""
        return Misfit(
            f"{missing} and no task states what was checked{broken}; "
            "add the task, without it the simulation has no gold"
        )


def _contradicts(simulation: Simulation, task: Task) -> bool:
    """Return whether the reward checked something else than ``task`` states.

    A run that was cut short is not checked at all, which says nothing.
    """
    info = simulation.reward_info
    if info.action_checks is None and simulation.termination_reason not in _STOPS:
        return False
    (stated, stated_words), (checked, words) = _signature(task), _checked(simulation)
    return stated != checked or (info.communicate_checks is not None and stated_words != words)


def _signature(task: Task) -> _Signature:
    words = task.evaluation_criteria.communicate_info if task.evaluation_criteria else None
    return tuple(action.action_id for action in task.actions or ()), tuple(words or ())


def _checked(simulation: Simulation) -> _Signature:
    info = simulation.reward_info
    actions = tuple(check.action.action_id for check in info.action_checks or ())
    return actions, tuple(check.info for check in info.communicate_checks or ())
