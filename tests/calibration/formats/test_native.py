from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from calibration.formats import native
from calibration.records import Answer, Label
from cases.errors import InputError


@dataclass
class Held:
    """A file in memory."""

    name: str
    content: bytes

    def lines(self) -> Iterator[bytes]:
        yield from self.content.splitlines(keepends=True)

    def read(self) -> bytes:
        return self.content


def test_json_lines() -> None:
    file = Held(
        "a.jsonl", b'{"item":"1","verdict":"fail","judge":"j","score":0.25}\n\n{"item":"2","verdict":"errored"}\n'
    )
    assert list(native.read_answers(file)) == [
        Answer(item="1", verdict="fail", judge="j", score=0.25),
        Answer(item="2", verdict="errored"),
    ]


def test_csv_reads_as_the_same_records() -> None:
    content = (
        'item,label,labeller,stratum,inclusion_probability,text_length\n1,pass,ann,"a, b",0.5,12\n2,unsure,ann,,,\n'
    )
    assert list(native.read_labels(Held("l.csv", b"\xef\xbb\xbf" + content.encode()))) == [
        Label(item="1", label="pass", labeller="ann", stratum="a, b", inclusion_probability=0.5, text_length=12),
        Label(item="2", label="unsure", labeller="ann"),
    ]


def test_an_item_that_looks_like_a_number_stays_text() -> None:
    (label,) = native.read_labels(Held("l.csv", b"item,label\n007,pass\n"))
    assert label.item == "007"


def test_texts_are_measured_in_characters() -> None:
    file = Held("t.jsonl", '{"item":"1","text":"äöü"}\n'.encode())
    assert list(native.read_lengths(file)) == [("1", 3)]


BAD = [
    (
        "misspelt verdict",
        "a.jsonl",
        b'{"item":"1","verdict":"fail"}\n{"item":"2","verdict":"FAIL"}',
        "a.jsonl:2: Invalid enum value 'FAIL' - at `$.verdict`; an answer has item and verdict",
    ),
    (
        "unknown field",
        "a.jsonl",
        b'{"item":"1","verdict":"fail","confidence":1}',
        "a.jsonl:1: Object contains unknown field `confidence`; an answer has",
    ),
    ("missing field", "a.jsonl", b'{"item":"1"}', "a.jsonl:1: Object missing required field `verdict`"),
    (
        "score out of range",
        "a.jsonl",
        b'{"item":"1","verdict":"fail","score":7}',
        "a.jsonl:1: score must lie within 0..1 or be absent, got 7.0",
    ),
    ("no JSON", "a.jsonl", b'{"item":"1"', "a.jsonl:1: not JSON"),
    (
        "bad CSV cell",
        "a.csv",
        b"item,verdict,score\n1,fail,0.5\n2,fail,high\n",
        "a.csv:3: Expected `float | null`, got `str` - at `$.score`",
    ),
    ("short CSV row", "a.csv", b"item,verdict\n1\n", "a.csv:2: the row has not as many cells as the header"),
    ("long CSV row", "a.csv", b"item,verdict\n1,fail,2\n", "a.csv:2: the row has not as many cells as the header"),
    ("open quote", "a.csv", b'item,verdict\n1,"fail\n', "a.csv:2: not CSV: unexpected end of data"),
    ("empty CSV", "a.csv", b"", "a.csv: the file is empty"),
    ("CSV in another encoding", "a.csv", b"item,verdict\n\xff,fail\n", "a.csv: not UTF-8 text"),
    ("empty JSON Lines", "a.jsonl", b"", "a.jsonl: the file is empty"),
]


@pytest.mark.parametrize(("name", "content", "message"), [pytest.param(*case[1:], id=case[0]) for case in BAD])
def test_what_cannot_be_read_says_where_and_what(name: str, content: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(native.read_answers(Held(name, content)))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
