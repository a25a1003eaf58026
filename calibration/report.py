"""The whole calibration report: every judge of an answers file against one set of labels.

Pure: same answers, labels, settings and seed give the same report, byte for byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from calibration.agreement import Agreement, measure
from calibration.alpha import Ceiling, ceiling
from calibration.cells import stratum_names
from calibration.comparison import Comparison, compare
from calibration.estimate import LEVEL
from calibration.gold import Gold, settle
from calibration.pairing import by_judge, pair
from calibration.records import Answer, Label
from calibration.sampling import Plan, plan_of
from calibration.scored import ScoreReport, measure_scores
from calibration.split import part_of
from calibration.trust import Bar, Trust, judge_trust
from cases.errors import InputError

VERSION = "agreement/1"
"""Changes whenever the same files can give other figures or other fields."""

MAX_STRATA = 200
"""Tables are held per stratum and conversation; what has more values than this does not group items."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the figures depend on besides the files."""

    plan: Plan | None = None
    """How labels were drawn; ``None``: by their inclusion probabilities."""
    min_labels: int = 1
    bar: Bar = Bar()
    level: float = LEVEL
    seed: int = 0


class JudgeReport(msgspec.Struct, frozen=True, kw_only=True):
    """One judge."""

    agreement: Agreement
    scores: ScoreReport | None
    trust: Trust


class CalibrationReport(msgspec.Struct, frozen=True, kw_only=True):
    """All judges on one set of labels."""

    version: str
    settings: Settings
    n_gold: int
    n_gold_fail: int
    n_disputed: int
    n_short: int
    """Labelled items with fewer than ``settings.min_labels`` labels that take a side."""
    test_set: str
    """Hash of the test half of the gold; looks are counted against it."""
    ceiling: Ceiling
    judges: tuple[JudgeReport, ...]
    comparisons: tuple[Comparison, ...]


def calibrate(
    answers: Sequence[Answer],
    labels: Sequence[Label],
    settings: Settings,
    *,
    against: str | None = None,
    earlier_looks: Mapping[str, int] | None = None,
) -> CalibrationReport:
    """Measure every judge, and compare each with the judge named ``against``.

    Args:
        answers: Of one or several judges; at least one.
        labels: In any order; at least one.
        earlier_looks: How often each test set was looked at before, by ``test_set``.

    Raises:
        InputError: Nothing to measure, contradictory records, too many strata, or ``against`` answers nothing.
    """
    judges = by_judge(answers)
    if not judges or not labels:
        raise InputError("no answers or no labels: there is nothing to measure; check both files")
    if against is not None and against not in judges:
        raise InputError(f"no answers by judge {against!r}; there are {sorted(judges)}")
    gold = settle(labels, min_labels=settings.min_labels)
    if (n_strata := len(stratum_names(gold.items))) > MAX_STRATA:
        raise InputError(f"{n_strata} strata; a stratum groups many items (a tool, a writer): use at most {MAX_STRATA}")
    test_set = _test_set(gold)
    n_earlier_looks = (earlier_looks or {}).get(test_set, 0)
    pairings = {name: pair(group, gold) for name, group in judges.items()}
    reports: list[JudgeReport] = []
    for pairing in pairings.values():
        plan = settings.plan or plan_of(pairing)
        agreement = measure(pairing, plan, _generator(settings), level=settings.level)
        scores = measure_scores(pairing, plan, n_earlier_looks=n_earlier_looks, level=settings.level)
        trust = judge_trust(agreement, settings.bar, level=settings.level)
        reports.append(JudgeReport(agreement=agreement, scores=scores, trust=trust))
    return CalibrationReport(
        version=VERSION,
        settings=settings,
        n_gold=len(gold.items),
        n_gold_fail=sum(item.gold == "fail" for item in gold.items),
        n_disputed=gold.n_disputed,
        n_short=gold.n_short,
        test_set=test_set,
        ceiling=ceiling(labels, _generator(settings), level=settings.level),
        judges=tuple(reports),
        comparisons=tuple(
            compare(pairing, pairings[against], _generator(settings), level=settings.level)
            for name, pairing in pairings.items()
            if against is not None and name != against
        ),
    )


def _generator(settings: Settings) -> np.random.Generator:
    """Return a fresh generator, so that no judge's figures depend on which others stand beside it."""
    return np.random.default_rng(settings.seed)


def _test_set(gold: Gold) -> str:
    test = sorted((item.item, item.gold) for item in gold.items if part_of(item.cluster) == "test")
    return "v1:" + hashlib.sha256(msgspec.json.encode(test)).hexdigest()
