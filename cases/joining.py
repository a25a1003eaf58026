"""Join attempts with their gold by task: what the attempt does not say, the gold fills in. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import msgspec

from cases.case import Case
from cases.jsonvalue import JsonValue

_DEFAULTS: dict[str, object] = {
    field.name: field.default if field.default is not msgspec.NODEFAULT else None
    for field in msgspec.structs.fields(Case)
}
_OWN = frozenset({"task_id", "model", "attempt", "actual_invocations", "final_answer", "infrastructure_error"})
"""Fields that belong to an attempt and are never taken from gold."""


class Gold:
    """Expectations by task; one task may be told by several files (questions here, answers there)."""

    def __init__(self, cases: Iterable[Case] = ()) -> None:
        """Collect the gold; of two values for one field of a task, the first one wins."""
        self._by_task: dict[str, dict[str, object]] = {}
        self._used: set[str] = set()
        for case in cases:
            known = self._by_task.setdefault(case.task_id, {})
            for name, value in _stated(case).items():
                known.setdefault(name, value)

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self._by_task)

    @property
    def n_unused(self) -> int:
        """Tasks that no attempt asked for so far."""
        return len(self._by_task) - len(self._used)

    def join(self, case: Case) -> Case | None:
        """Return ``case`` with the blanks filled in; ``None`` when the task is not known."""
        known = self._by_task.get(case.task_id)
        if known is None:
            return None
        self._used.add(case.task_id)
        own = _stated(case)
        fill = {name: value for name, value in known.items() if name not in own and name != "metadata"}
        if "messages" in own and "input" in fill:
            del fill["input"]
        metadata: dict[str, JsonValue] = {**_metadata(known), **case.metadata}
        return msgspec.structs.replace(case, **fill, **({"metadata": metadata} if metadata else {}))


def _stated(case: Case) -> dict[str, object]:
    stated: dict[str, object] = {}
    for name, default in _DEFAULTS.items():
        value = getattr(case, name)
        if name not in _OWN and value != default and value not in ({}, ()):
            stated[name] = value
    if case.expected_invocations == ():
        stated["expected_invocations"] = ()
    if "pathway" in stated and case.pathway == "unknown":
        del stated["pathway"]
    return stated


def _metadata(known: dict[str, object]) -> dict[str, JsonValue]:
    found = known.get("metadata")
    return dict(cast("dict[str, JsonValue]", found)) if found else {}
