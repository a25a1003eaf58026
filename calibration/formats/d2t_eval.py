"""D2T-Eval (Kasner et al. 2025): texts about API JSON, human error spans, recorded LLM judges.

An item fails when a span of type 0 (contradictory) or 1 (not checkable) is marked on it. The stratum is the
model that wrote the text, the cluster the JSON it was written from. Only ``split`` "test" counts; writers are
spelt "phi3.5" in some files and "phi3-5" in others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

import msgspec

from calibration.formats.decoding import read_records
from calibration.records import Answer, Label, Verdict
from cases.formats.record import InputFile

MIN_LABELS = 2
"""One crowd label is not the truth here: two people agree with kappa .28 only."""

_UNGROUNDED = frozenset({0, 1})
_WHAT = "a D2T-Eval annotation has dataset, split, setup_id, example_idx and annotations"
_WHAT_TEXT = "a D2T-Eval output has dataset, split, setup_id, example_idx and output"


class _Place(msgspec.Struct, frozen=True):
    dataset: str
    split: str
    setup_id: str
    example_idx: int

    @property
    def writer(self) -> str:
        return self.setup_id.replace(".", "-")

    @property
    def source(self) -> str:
        return f"{self.dataset}/{self.example_idx}"

    @property
    def item(self) -> str:
        return f"{self.source}/{self.writer}"


class _Span(msgspec.Struct, frozen=True):
    type: int


class _Annotation(_Place, frozen=True):
    annotations: list[_Span]
    annotator_group: int = 0

    @property
    def verdict(self) -> Verdict:
        return "fail" if any(span.type in _UNGROUNDED for span in self.annotations) else "pass"


class _Output(_Place, frozen=True):
    output: str


def read_answers(file: InputFile) -> Iterator[Answer]:
    """Yield a judge's answers; the judge is named by the folder that holds the file.

    Raises:
        InputError: A line is not an annotation record.
    """
    judge = PurePath(file.name).parent.name or PurePath(file.name).stem
    for _, record in read_records(file, _Annotation, _WHAT):
        if record.split == "test":
            yield Answer(item=record.item, verdict=record.verdict, judge=judge)


def read_labels(file: InputFile) -> Iterator[Label]:
    """Yield one label for each human record; the labeller is the annotator group.

    Raises:
        InputError: A line is not an annotation record.
    """
    for _, record in read_records(file, _Annotation, _WHAT):
        if record.split == "test":
            yield Label(
                item=record.item,
                label=record.verdict,
                labeller=f"group {record.annotator_group}",
                stratum=record.writer,
                cluster=record.source,
            )


def read_lengths(file: InputFile) -> Iterator[tuple[str, int]]:
    """Yield item and length of its text, from a file under ``outputs/``.

    Raises:
        InputError: A line is not an output record.
    """
    for _, record in read_records(file, _Output, _WHAT_TEXT):
        if record.split == "test":
            yield record.item, len(record.output)
