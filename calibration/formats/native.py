"""callgrade's own form of answers, labels and texts: JSON Lines, JSON, YAML, or CSV with the same names.

The fields are those of ``Answer`` and ``Label`` (``docs/agreement.md`` lists them); an unknown field is an
error, because a misspelt one would be a label set without strata.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from calibration.formats.comma import read_rows
from calibration.formats.decoding import T, read_records
from calibration.records import Answer, Label
from cases.formats.record import InputFile

_ANSWER = "an answer has item and verdict (pass, fail, abstained, errored), and may have judge and score (0..1)"
_LABEL = (
    "a label has item and label (pass, fail, unsure), and may have labeller, stratum, cluster,"
    " inclusion_probability (above 0, at most 1) and text_length (whole number)"
)
_TEXT = "a text has item and text"


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    item: str
    text: str


def read_answers(file: InputFile) -> Iterator[Answer]:
    """Yield the answers of ``file``.

    Raises:
        InputError: A line is not an answer.
    """
    return _read(file, Answer, _ANSWER)


def read_labels(file: InputFile) -> Iterator[Label]:
    """Yield the labels of ``file``.

    Raises:
        InputError: A line is not a label.
    """
    return _read(file, Label, _LABEL)


def read_lengths(file: InputFile) -> Iterator[tuple[str, int]]:
    """Yield item and number of characters of its text.

    Raises:
        InputError: A line is not a text.
    """
    for text in _read(file, _Text, _TEXT):
        yield text.item, len(text.text)


def _read(file: InputFile, kind: type[T], what: str) -> Iterator[T]:
    if file.name.endswith(".csv"):
        yield from read_rows(file, kind, what)
    else:
        for _, record in read_records(file, kind, what):
            yield record
