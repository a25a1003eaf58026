"""LiveMCPBench: MCP agent runs with human success labels and the recorded answers of ten LLM judges.

The stratum is the task's category. The source's own parser lost 228 of 950 answers (``judge`` then holds the whole
text) and scored most of them as success; here a lost answer is *errored*. ``read_published_answers`` repeats the
source's scoring, so that its published agreement can be checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from calibration.formats.decoding import read_records
from calibration.records import Answer, Label, Outcome
from cases.formats.record import InputFile

_WHAT = "a judge row has judge_model, task_id, judge and reward (0 or 1)"
_WHAT_RUN = "a run has task_id, category, response and task_success (success or failure)"

_OUTCOMES: dict[str, Outcome] = {"success": "pass", "failure": "fail"}


class _JudgeRow(msgspec.Struct, frozen=True):
    judge_model: str
    task_id: str
    judge: str
    reward: Literal[0, 1]


class _Run(msgspec.Struct, frozen=True):
    task_id: str
    category: str
    task_success: Literal["success", "failure"]
    response: str = ""


def read_answers(file: InputFile) -> Iterator[Answer]:
    """Yield the verdicts that were parsed; the others are errored.

    Raises:
        InputError: A line is not a judge row.
    """
    for _, row in read_records(file, _JudgeRow, _WHAT):
        verdict = _OUTCOMES.get(row.judge, "errored")
        yield Answer(item=row.task_id, verdict=verdict, judge=row.judge_model)


def read_published_answers(file: InputFile) -> Iterator[Answer]:
    """Yield the verdicts as the source scored them, lost answers included.

    Raises:
        InputError: A line is not a judge row.
    """
    for _, row in read_records(file, _JudgeRow, _WHAT):
        verdict: Outcome = "pass" if row.reward == 1 else "fail"
        yield Answer(item=row.task_id, verdict=verdict, judge=row.judge_model)


def read_labels(file: InputFile) -> Iterator[Label]:
    """Yield the human success labels.

    Raises:
        InputError: A record is not a run.
    """
    for _, run in read_records(file, _Run, _WHAT_RUN):
        yield Label(
            item=run.task_id,
            label="pass" if run.task_success == "success" else "fail",
            stratum=run.category,
            text_length=len(run.response),
        )


def read_lengths(file: InputFile) -> Iterator[tuple[str, int]]:
    """Yield item and length of the agent's answer.

    Raises:
        InputError: A record is not a run.
    """
    for _, run in read_records(file, _Run, _WHAT_RUN):
        yield run.task_id, len(run.response)
