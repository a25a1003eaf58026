"""The forms of recorded answers and labels, by name. A new one is one module and one entry here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from calibration.formats import d2t_eval, livemcpbench, native
from calibration.records import Answer, Label
from cases.formats.record import InputFile


@dataclass(frozen=True, kw_only=True)
class AgreementFormat:
    """How to read one form; each reader raises ``InputError`` for a file that is not of it."""

    summary: str
    read_answers: Callable[[InputFile], Iterator[Answer]]
    read_labels: Callable[[InputFile], Iterator[Label]]
    read_lengths: Callable[[InputFile], Iterator[tuple[str, int]]]
    """Item and length of its text in characters."""
    min_labels: int = 1
    """Labels that an item needs unless the user says otherwise."""


FORMATS: dict[str, AgreementFormat] = {
    "native": AgreementFormat(
        summary="callgrade's own: JSON Lines or CSV",
        read_answers=native.read_answers,
        read_labels=native.read_labels,
        read_lengths=native.read_lengths,
    ),
    "d2t_eval": AgreementFormat(
        summary="D2T-Eval annotation and output files",
        read_answers=d2t_eval.read_answers,
        read_labels=d2t_eval.read_labels,
        read_lengths=d2t_eval.read_lengths,
        min_labels=d2t_eval.MIN_LABELS,
    ),
    "livemcpbench": AgreementFormat(
        summary="LiveMCPBench judge rows and runs; lost answers are errored",
        read_answers=livemcpbench.read_answers,
        read_labels=livemcpbench.read_labels,
        read_lengths=livemcpbench.read_lengths,
    ),
    "livemcpbench_published": AgreementFormat(
        summary="the same, scored as the source did it",
        read_answers=livemcpbench.read_published_answers,
        read_labels=livemcpbench.read_labels,
        read_lengths=livemcpbench.read_lengths,
    ),
}
