from __future__ import annotations

import msgspec
import pytest

from calibration.records import Answer, Label
from calibration.report import CalibrationReport, Settings, calibrate
from cases.errors import InputError

LABELS = tuple(Label(item=str(index), label="fail" if index % 3 else "pass") for index in range(60))
ANSWERS = tuple(
    Answer(item=str(index), verdict="fail" if (index + shift) % 3 else "pass", judge=judge, score=0.3)
    for judge, shift in (("a", 0), ("b", 1))
    for index in range(60)
)


def test_same_files_same_bytes() -> None:
    one, other = (msgspec.json.encode(calibrate(ANSWERS, LABELS, Settings())) for _ in range(2))
    assert one == other
    assert b"NaN" not in one


def test_a_judge_has_the_same_figures_alone() -> None:
    together = calibrate(ANSWERS, LABELS, Settings())
    alone = calibrate([answer for answer in ANSWERS if answer.judge == "b"], LABELS, Settings())
    assert together.judges[1] == alone.judges[0]


def test_the_document_reads_back() -> None:
    report = calibrate(ANSWERS, LABELS, Settings(), against="a")
    assert msgspec.json.decode(msgspec.json.encode(report), type=CalibrationReport) == report
    assert [(each.judge, each.other) for each in report.comparisons] == [("b", "a")]


def test_looks_are_counted_by_test_set() -> None:
    first = calibrate(ANSWERS, LABELS, Settings())
    again = calibrate(ANSWERS, LABELS, Settings(), earlier_looks={first.test_set: 3, "v1:other": 9})
    assert again.test_set == first.test_set
    assert calibrate(ANSWERS, LABELS[:30], Settings()).test_set != first.test_set


@pytest.mark.parametrize(("answers", "labels"), [((), LABELS), (ANSWERS, ())])
def test_nothing_to_measure_is_an_error(answers: tuple[Answer, ...], labels: tuple[Label, ...]) -> None:
    with pytest.raises(InputError, match="nothing to measure"):
        calibrate(answers, labels, Settings())


def test_a_stratum_that_groups_nothing_is_an_error() -> None:
    labels = [Label(item=str(index), label="pass", stratum=str(index)) for index in range(201)]
    with pytest.raises(InputError, match=r"^201 strata; a stratum groups many items"):
        calibrate(ANSWERS, labels, Settings())


def test_an_unknown_reference_judge_is_named() -> None:
    with pytest.raises(InputError, match=r"no answers by judge 'c'; there are \['a', 'b'\]"):
        calibrate(ANSWERS, LABELS, Settings(), against="c")
