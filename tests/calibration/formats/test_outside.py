"""The readers of outside sets, on lines made up in their form (the sets themselves: ``test_outside_data``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from calibration.formats import d2t_eval, livemcpbench
from calibration.formats.catalog import FORMATS
from calibration.records import Answer, Label
from cases.errors import InputError
from cases.formats.record import InputFile


@dataclass
class Held:
    """A file in memory."""

    name: str
    content: bytes

    def lines(self) -> Iterator[bytes]:
        yield from self.content.splitlines(keepends=True)

    def read(self) -> bytes:
        return self.content


ANNOTATIONS = b"""
{"dataset":"d2t-x","split":"test","setup_id":"phi3.5","example_idx":4,"annotations":[{"type":2},{"type":1}],"annotator_group":7}
{"dataset":"d2t-x","split":"test","setup_id":"phi3-5","example_idx":5,"annotations":[{"type":2}],"annotator_group":7}
{"dataset":"d2t-x","split":"iaa","setup_id":"phi3-5","example_idx":5,"annotations":[]}
"""


def test_d2t_eval_spans_of_type_0_and_1_fail() -> None:
    assert list(d2t_eval.read_answers(Held("x/o3-mini/annotations.jsonl", ANNOTATIONS))) == [
        Answer(item="d2t-x/4/phi3-5", verdict="fail", judge="o3-mini"),
        Answer(item="d2t-x/5/phi3-5", verdict="pass", judge="o3-mini"),
    ]


def test_d2t_eval_labels_know_writer_and_source() -> None:
    first, _ = d2t_eval.read_labels(Held("annotations.jsonl", ANNOTATIONS))
    assert first == Label(item="d2t-x/4/phi3-5", label="fail", labeller="group 7", stratum="phi3-5", cluster="d2t-x/4")


def test_d2t_eval_outputs_join_their_annotations() -> None:
    line = b'{"dataset":"d2t-x","split":"test","setup_id":"phi3.5","example_idx":4,"output":"four"}'
    assert list(d2t_eval.read_lengths(Held("o.jsonl", line))) == [("d2t-x/4/phi3-5", 4)]


ROWS = b"""
{"judge_model":"m","task_id":"1","judge":"success","reward":1}
{"judge_model":"m","task_id":"2","judge":"Thoughts: ... Status: \\"failure\\"","reward":1}
"""


def test_livemcpbench_lost_answers_are_errored_not_passed() -> None:
    assert [answer.verdict for answer in livemcpbench.read_answers(Held("r.jsonl", ROWS))] == ["pass", "errored"]
    published = livemcpbench.read_published_answers(Held("r.jsonl", ROWS))
    assert [answer.verdict for answer in published] == ["pass", "pass"]


def test_livemcpbench_runs_carry_the_labels() -> None:
    file = Held("runs.json", b'[{"task_id":"1","category":"work","task_success":"failure","response":"done"}]')
    assert list(livemcpbench.read_labels(file)) == [Label(item="1", label="fail", stratum="work", text_length=4)]
    assert list(livemcpbench.read_lengths(file)) == [("1", 4)]


READERS: list[Callable[[InputFile], Iterator[object]]] = [
    reader
    for name, entry in FORMATS.items()
    if name != "native"
    for reader in (entry.read_answers, entry.read_labels, entry.read_lengths)
]


@pytest.mark.parametrize("reader", READERS)
def test_another_file_is_refused_with_its_place(reader: Callable[[InputFile], Iterator[object]]) -> None:
    with pytest.raises(InputError, match=r"^f\.jsonl:1: Object missing required field"):
        list(reader(Held("f.jsonl", b'{"something":"else"}')))
