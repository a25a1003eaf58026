"""Graders that need no grader: always the majority, the stratum alone, the length of the text alone.

Pure and free of randomness. What they score is what a judge must beat. The stratum and length baselines are fitted on
nine tenths of the clusters and answer for the remaining tenth, so that they cannot learn the labels by heart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from calibration.cells import stratum_of
from calibration.gold import Item
from calibration.records import Verdict

N_FOLDS = 10
_MAX_CUTS = 64

_Model = Callable[[Item], Verdict]


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """One trivial grader's verdicts, aligned with the items."""

    name: str
    said: tuple[Verdict, ...]


def baselines(items: Sequence[Item]) -> tuple[Baseline, ...]:
    """Return the baselines that the items allow.

    Args:
        items: At least one. ``stratum only`` needs two strata, ``text length`` a length on every item.

    Returns:
        ``majority`` first; it answers with the more frequent class of all items (fail on a tie).
    """
    common = _majority(items)
    found = [Baseline(name="majority", said=tuple(common for _ in items))]
    if len({stratum_of(item) for item in items}) > 1:
        found.append(Baseline(name="stratum only", said=_cross_fit(items, _fit_stratum)))
    if all(item.text_length is not None for item in items):
        found.append(Baseline(name="text length", said=_cross_fit(items, _fit_length)))
    return tuple(found)


def _cross_fit(items: Sequence[Item], fit: Callable[[Sequence[Item]], _Model]) -> tuple[Verdict, ...]:
    """Answer for each fold of clusters by the model fitted on the others."""
    folds = [_fold(item.cluster) for item in items]
    models: dict[int, _Model] = {}
    for fold in set(folds):
        others = [item for item, own in zip(items, folds, strict=True) if own != fold]
        models[fold] = fit(others or items)
    return tuple(models[fold](item) for item, fold in zip(items, folds, strict=True))


def _fold(cluster: str) -> int:
    return hashlib.sha256(cluster.encode()).digest()[0] % N_FOLDS


def _fit_stratum(items: Sequence[Item]) -> _Model:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(stratum_of(item), []).append(item)
    verdicts: dict[str, Verdict] = {name: _majority(group) for name, group in groups.items()}
    common = _majority(items)
    return lambda item: verdicts.get(stratum_of(item), common)


def _fit_length(items: Sequence[Item]) -> _Model:
    """Cut at the length, and in the direction, that get most items right."""
    lengths = np.array([item.text_length or 0 for item in items])
    is_fail = np.array([item.gold == "fail" for item in items])
    cuts = np.unique(np.quantile(lengths, np.linspace(0.0, 1.0, _MAX_CUTS), method="lower"))
    n_right = ((lengths[:, None] > cuts) == is_fail[:, None]).sum(axis=0)
    longer, shorter = int(n_right.argmax()), int(n_right.argmin())
    longer_fails = n_right[longer] >= len(items) - n_right[shorter]
    cut = int(cuts[longer if longer_fails else shorter])
    return lambda item: "fail" if ((item.text_length or 0) > cut) == longer_fails else "pass"


def _majority(items: Sequence[Item]) -> Verdict:
    n_fail = sum(item.gold == "fail" for item in items)
    return "fail" if 2 * n_fail >= len(items) else "pass"
