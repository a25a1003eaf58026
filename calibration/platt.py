"""Platt scaling: one slope and one offset that make a grader's probabilities honest."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from calibration.intervals import Floats
from calibration.scores import Scored

_EDGE = 1e-6
"""Scores are kept this far from 0 and 1, where the logit is infinite."""
_MAX_STEPS = 100
_TOLERANCE = 1e-10


class Platt(msgspec.Struct, frozen=True, kw_only=True):
    """P(pass) = 1 / (1 + exp(-(slope logit(score) + offset)))."""

    slope: float
    """1 leaves the spread of the scores alone; below 1 the grader was over-confident."""
    offset: float
    n: int
    """Labels it was fitted on."""


def fit_platt(scored: Scored) -> Platt | None:
    """Fit slope and offset on labelled scores.

    Returns:
        ``None`` when one class is missing or all scores are the same: there is nothing to fit.

    Source: Platt 1999: maximum likelihood with targets (n+ + 1) / (n+ + 2) and 1 / (n- + 2), which keeps
    separable data finite; Newton steps with halving.
    """
    labels, counts = scored.labels, scored.counts
    n_pass, n_fail = float(counts @ labels), float(counts @ (1.0 - labels))
    x = logit(scored.scores)
    if min(n_pass, n_fail) == 0.0 or np.ptp(x) == 0.0:
        return None
    targets = np.where(labels == 1.0, (n_pass + 1.0) / (n_pass + 2.0), 1.0 / (n_fail + 2.0))
    design = np.column_stack([x, np.ones_like(x)])
    weights = np.array([0.0, math.log((n_pass + 1.0) / (n_fail + 1.0))])
    loss = _loss(design @ weights, targets, counts)
    for _ in range(_MAX_STEPS):
        fitted = _sigmoid(design @ weights)
        gradient = design.T @ (counts * (fitted - targets))
        curvature = (design * (counts * fitted * (1.0 - fitted))[:, None]).T @ design
        step = np.linalg.solve(curvature + _TOLERANCE * np.eye(2), gradient)
        while (after := _loss(design @ (weights - step), targets, counts)) > loss and np.abs(step).max() > _TOLERANCE:
            step = step / 2.0
        weights, loss = weights - step, after
        if np.abs(step).max() <= _TOLERANCE:
            break
    return Platt(slope=float(weights[0]), offset=float(weights[1]), n=len(labels))


def apply_platt(platt: Platt, scores: Floats) -> Floats:
    """Return the scaled probabilities of pass, shape of ``scores``."""
    return _sigmoid(platt.slope * logit(scores) + platt.offset)


def logit(scores: Floats) -> Floats:
    """Return log(p / (1 - p)), with p kept ``1e-6`` away from 0 and 1."""
    p = np.clip(scores, _EDGE, 1.0 - _EDGE)
    return np.log(p / (1.0 - p))


def _sigmoid(x: Floats) -> Floats:
    return 0.5 * (1.0 + np.tanh(x / 2.0))


def _loss(x: Floats, targets: Floats, counts: Floats) -> float:
    return float(counts @ (np.logaddexp(0.0, x) - targets * x))
