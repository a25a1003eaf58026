"""Public sets with recorded judges, through the product's command: the figures published about them come out.

Reads ``shared/data`` beside the checkout, or below ``CALLGRADE_SHARED``; skips where it is not.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from calibration.formats.catalog import FORMATS
from calibration.records import Answer
from calibration.report import CalibrationReport, JudgeReport, Settings
from calibration.report import calibrate as measure_all
from callgrade.cli import group
from callgrade.opening import find_files

ROOT = Path(__file__).parent.parent.parent
SHARED = Path(os.environ.get("CALLGRADE_SHARED") or ROOT.parent / "shared")
D2T = SHARED / "data" / "d2t_eval"
LIVE = SHARED / "data" / "livemcpbench_judged"

pytestmark = [
    pytest.mark.checkout,
    pytest.mark.skipif(not D2T.exists() or not LIVE.exists(), reason=f"no outside data below {SHARED}"),
]

# kappa, kappa within writer, F1, TPR, TNR: the table of shared/data/README.md, made without this product
D2T_FIGURES = {
    "o3-mini": (0.665, 0.509, 0.872, 0.881, 0.780),
    "gemini-2-0-flash-thinking": (0.629, 0.461, 0.826, 0.730, 0.941),
    "deepseek-r1": (0.584, 0.359, 0.804, 0.708, 0.915),
    "claude-3-7-sonnet": (0.561, 0.410, 0.851, 0.930, 0.602),
    "gpt4o": (0.398, 0.244, 0.798, 0.876, 0.500),
    "llama3-3": (0.342, 0.209, 0.750, 0.762, 0.576),
}
LOST = {
    "claude-opus-4-20250514": 13,
    "claude-sonnet-4-20250514": 58,
    "deepseek_deepseek-chat-v3-0324": 77,
    "deepseek_deepseek-r1-0528": 27,
    "models_gemini-2.5-pro": 46,
    "qwen25_72b_int4_instruct": 1,
    "qwen_qwen3-235b-a22b": 6,
}
"""Answers that the source's own parser lost, 228 in all."""


def calibrate(*arguments: str) -> CalibrationReport:
    ran = CliRunner().invoke(group, ["calibrate", "--json", *arguments], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return msgspec.json.decode(ran.stdout_bytes, type=CalibrationReport)


@pytest.fixture(scope="module")
def d2t() -> CalibrationReport:
    return calibrate(
        "--format=d2t_eval",
        f"--answers={D2T}/annotations/model/d2t-eval/test/*/annotations.jsonl.gz",
        f"--labels={D2T}/annotations/human/d2t-eval/test/annotations.jsonl.gz",
        f"--texts={D2T}/outputs/d2t-eval/*/*-test.jsonl",
    )


def live(format_name: str) -> CalibrationReport:
    return calibrate(
        f"--format={format_name}",
        f"--answers={LIVE}/judge_outputs_10_models.jsonl.gz",
        f"--labels={LIVE}/human_annotated_trajectories_95.json.gz",
    )


def by_name(report: CalibrationReport) -> dict[str, JudgeReport]:
    return {judge.agreement.judge: judge for judge in report.judges}


def test_d2t_eval_gold_is_what_two_people_agree_on(d2t: CalibrationReport) -> None:
    assert (d2t.n_gold, d2t.n_gold_fail, d2t.n_disputed, d2t.n_short) == (303, 185, 172, 725)


@pytest.mark.parametrize("name", D2T_FIGURES)
def test_d2t_eval_judges_have_their_published_figures(d2t: CalibrationReport, name: str) -> None:
    agreement = by_name(d2t)[name].agreement
    rates = agreement.rates
    estimates = (agreement.kappa, agreement.kappa_within, rates.f1_of_fail, rates.tpr, rates.tnr)
    assert [round(each.value or 0.0, 3) for each in estimates] == pytest.approx(D2T_FIGURES[name], abs=1e-9)
    for each in estimates:
        assert each.interval is not None
        assert each.interval.low < (each.value or 0.0) < each.interval.high


def test_d2t_eval_knowing_the_writer_is_worth_517(d2t: CalibrationReport) -> None:
    for judge in d2t.judges:
        writer = {each.name: each for each in judge.agreement.baselines}["stratum only"]
        assert round(writer.kappa.value or 0.0, 3) == 0.517
        assert writer.kappa_within.value == 0.0


def test_d2t_eval_only_two_judges_beat_knowing_the_writer(d2t: CalibrationReport) -> None:
    useless = {judge.agreement.judge for judge in d2t.judges if "useless" in judge.trust.sentence}
    assert useless == set(D2T_FIGURES) - {"o3-mini", "gemini-2-0-flash-thinking"}
    assert {judge.trust.status for judge in d2t.judges} == {"untrusted"}


def test_d2t_eval_a_jury_of_five_has_its_published_figures() -> None:
    entry = FORMATS["d2t_eval"]
    votes: Counter[str] = Counter()
    for file in find_files([f"{D2T}/annotations/model/d2t-eval/test/*/annotations.jsonl.gz"]):
        for answer in entry.read_answers(file):
            if answer.judge != "gpt4o":
                votes[answer.item] += 1 if answer.verdict == "fail" else -1
    jury = [Answer(item=item, verdict="fail" if lead > 0 else "pass", judge="jury") for item, lead in votes.items()]
    (file,) = find_files([f"{D2T}/annotations/human/d2t-eval/test/annotations.jsonl.gz"])
    report = measure_all(jury, list(entry.read_labels(file)), Settings(min_labels=entry.min_labels))
    (judge,) = report.judges
    rates = judge.agreement.rates
    estimates = (judge.agreement.kappa, judge.agreement.kappa_within, rates.tpr, rates.tnr)
    assert [round(each.value or 0.0, 3) for each in estimates] == [0.725, 0.586, 0.876, 0.856]


def test_d2t_eval_people_agree_little(d2t: CalibrationReport) -> None:
    assert round(d2t.ceiling.kappa.value or 0.0, 2) == 0.28
    assert d2t.ceiling.unanimous.n_hits == 303


def test_livemcpbench_published_agreement_comes_out() -> None:
    with (LIVE / "human_agreement.csv").open(newline="") as stream:
        published = {row["Model"]: float(row["human_agreement"]) for row in csv.DictReader(stream)}
    del published["human"]
    found = {
        name: round(100.0 * (judge.agreement.rates.accuracy.value or 0.0), 2)
        for name, judge in by_name(live("livemcpbench_published")).items()
    }
    assert found == published
    assert (min(found.values()), max(found.values())) == (58.95, 85.26)


def test_livemcpbench_lost_answers_are_counted_apart() -> None:
    report = live("livemcpbench")
    agreements = [judge.agreement for judge in report.judges]
    assert {each.judge: each.batch.n_errored for each in agreements if each.batch.n_errored} == LOST
    assert sum(LOST.values()) == 228
    assert all(each.table.n + each.batch.n_errored == 95 for each in agreements)
    assert "77 errored" in by_name(report)["deepseek_deepseek-chat-v3-0324"].trust.sentence
