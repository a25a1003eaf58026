"""Two graders on the same items: which is better, and is the difference more than luck?

Pure; the only randomness is the generator that is passed in.
"""

from __future__ import annotations

import msgspec
import numpy as np

from calibration.estimate import LEVEL, Estimate
from calibration.gold import Item
from calibration.mcnemar import McNemar, mcnemar
from calibration.pairing import Pairing
from calibration.records import Verdict
from calibration.resampled import resample_tables


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """``judge`` minus ``other`` on the items that both decided."""

    judge: str
    other: str
    n: int
    n_left_out: int
    """Labelled items that only one of the two decided."""
    lead: Estimate
    """Difference of pooled kappas."""
    lead_within: Estimate
    """Difference of kappas within strata."""
    right: McNemar
    """Items that only one of the two got right."""


def compare(first: Pairing, second: Pairing, generator: np.random.Generator, *, level: float = LEVEL) -> Comparison:
    """Compare two pairings with the same gold; every item counts one, however it was drawn."""
    said_by_second: dict[str, Verdict] = {item.item: said for item, said in zip(second.items, second.said, strict=True)}
    both: list[tuple[Item, Verdict, Verdict]] = [
        (item, said, said_by_second[item.item])
        for item, said in zip(first.items, first.said, strict=True)
        if item.item in said_by_second
    ]
    items = [item for item, _, _ in both]
    n_left_out = len(first.items) + len(second.items) - 2 * len(both)
    tables = resample_tables(
        items,
        [[one for _, one, _ in both], [other for _, _, other in both]],
        np.ones(len(both)),
        generator,
        n_left_out=n_left_out,
        level=level,
    )
    return Comparison(
        judge=first.judge,
        other=second.judge,
        n=len(both),
        n_left_out=n_left_out,
        lead=tables.lead(0, 1),
        lead_within=tables.lead_within(0, 1),
        right=mcnemar(
            sum(item.gold == one != other for item, one, other in both),
            sum(item.gold == other != one for item, one, other in both),
        ),
    )
