"""One judge's answers beside the gold: which items have both, and where the others went.

Pure. The *batch* is everything the judge answered with pass or fail, labelled or not: the rate over the batch is
what gets corrected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from calibration.gold import Gold, Item
from calibration.records import Answer, Verdict
from cases.errors import InputError


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """How the judge's verdicts fall over all items it was asked about."""

    n_pass: int
    n_fail: int
    n_abstained: int = 0
    n_errored: int = 0

    @property
    def n_decided(self) -> int:
        """Items judged pass or fail."""
        return self.n_pass + self.n_fail

    @property
    def n(self) -> int:
        """All items that the judge was asked about."""
        return self.n_decided + self.n_abstained + self.n_errored


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """The labelled items that one judge decided, aligned with what it said."""

    judge: str
    items: tuple[Item, ...]
    said: tuple[Verdict, ...]
    scores: tuple[float | None, ...]
    batch: Batch
    """All answers of the judge."""
    unlabelled: Batch
    """Its answers about items without a settled label."""
    n_abstained: int
    """Labelled items on which the judge abstained."""
    n_errored: int
    """Labelled items without a readable answer."""
    n_unanswered: int
    """Labelled items that the judge was not asked about."""

    @property
    def n_left_out(self) -> int:
        """Labelled items without a pass or fail by the judge."""
        return self.n_abstained + self.n_errored + self.n_unanswered


def pair(answers: Sequence[Answer], gold: Gold) -> Pairing:
    """Join the answers of one judge with the gold by item id.

    Args:
        answers: At least one, all of the same judge.

    Raises:
        InputError: The judge answered an item twice.
    """
    by_item: dict[str, Answer] = {}
    for answer in answers:
        if answer.item in by_item:
            raise InputError(
                f"judge {answer.judge!r} answers item {answer.item!r} twice; keep one answer an item,"
                " or give the second run another judge name"
            )
        by_item[answer.item] = answer
    labelled = {item.item for item in gold.items}
    items: list[Item] = []
    said: list[Verdict] = []
    scores: list[float | None] = []
    n_lost = {"abstained": 0, "errored": 0, "unanswered": 0}
    for item in gold.items:
        found = by_item.get(item.item)
        if found is None:
            n_lost["unanswered"] += 1
        elif found.verdict == "pass" or found.verdict == "fail":  # noqa: PLR1714  # narrows the type
            items.append(item)
            said.append(found.verdict)
            scores.append(found.score)
        else:
            n_lost[found.verdict] += 1
    return Pairing(
        judge=answers[0].judge,
        items=tuple(items),
        said=tuple(said),
        scores=tuple(scores),
        batch=_batch(answers),
        unlabelled=_batch([answer for answer in answers if answer.item not in labelled]),
        n_abstained=n_lost["abstained"],
        n_errored=n_lost["errored"],
        n_unanswered=n_lost["unanswered"],
    )


def by_judge(answers: Sequence[Answer]) -> dict[str, tuple[Answer, ...]]:
    """Return the answers of each judge, judges in order of appearance."""
    groups: dict[str, list[Answer]] = {}
    for answer in answers:
        groups.setdefault(answer.judge, []).append(answer)
    return {judge: tuple(group) for judge, group in groups.items()}


def _batch(answers: Iterable[Answer]) -> Batch:
    counts = dict.fromkeys(("pass", "fail", "abstained", "errored"), 0)
    for answer in answers:
        counts[answer.verdict] += 1
    return Batch(
        n_pass=counts["pass"],
        n_fail=counts["fail"],
        n_abstained=counts["abstained"],
        n_errored=counts["errored"],
    )
