"""What a grader said and what people said, one record each, as read from a file.

Pure. The four outcomes of an answer stay apart to the end: pass, fail, abstained (the grader would not say)
and errored (there is no readable answer). A label may be unsure. None of them is ever turned into another.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["pass", "fail"]
Outcome = Literal["pass", "fail", "abstained", "errored"]


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One grader's answer about one item."""

    item: str
    verdict: Outcome
    judge: str = "judge"
    score: float | None = None
    """The grader's probability of *pass*, 0..1."""

    def __post_init__(self) -> None:
        if self.score is not None and not 0.0 <= self.score <= 1.0:
            raise ValueError(f"score must lie within 0..1 or be absent, got {self.score!r}")


class Label(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One person's label of one item; what describes the item rides along."""

    item: str
    label: Literal["pass", "fail", "unsure"]
    labeller: str = "human"
    stratum: str | None = None
    """A group that may explain the label by itself: who wrote the text, which tool, which domain."""
    cluster: str | None = None
    """Items that are not independent share it: the conversation. Absent: the item stands alone."""
    inclusion_probability: float | None = None
    """Probability with which the item was drawn from the batch for labelling, 0 excluded..1."""
    text_length: int | None = None
    """Length of the text that was graded, in characters."""

    def __post_init__(self) -> None:
        probability = self.inclusion_probability
        if probability is not None and not 0.0 < probability <= 1.0:
            raise ValueError(f"inclusion_probability must lie above 0 and <= 1, got {probability!r}")
        if self.text_length is not None and self.text_length < 0:
            raise ValueError(f"text_length must be >= 0, got {self.text_length!r}")
