"""Lines and tables: widths, folding, alignment."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.lines import Column, Line, Table, cell_width, fold, shorten


def text(line: Line) -> str:
    return "".join(part for part, _ in line)


FOLDED: list[tuple[str, Line, int, list[str]]] = [
    ("what fits stays", [("a ", ""), ("b c", "")], 30, ["a b c"]),
    ("between words", [("one two three", "")], 8, ["one two ", "three"]),
    (
        "under the text, beside the margin",
        [("agent  ", ""), ("one two three four five six", "")],
        30,
        ["agent  one two three four five", "       six"],
    ),
    ("a word longer than the line", [("x" * 25, "")], 10, ["x" * 10, "x" * 10, "x" * 5]),
    ("a margin that leaves no room", [("m" * 30, ""), ("one two three", "")], 40, ["m" * 30 + "one two ", "    three"]),
    ("wide characters count twice", [("日本語日本語", "")], 6, ["日本語", "日本語"]),
    ("nothing", [], 10, [""]),
]


@pytest.mark.parametrize(("line", "width", "wanted"), [pytest.param(x, w, y, id=i) for i, x, w, y in FOLDED])
def test_fold(line: Line, width: int, wanted: list[str]) -> None:
    assert [text(piece).rstrip() for piece in fold(line, width)] == [piece.rstrip() for piece in wanted]


WORDS = st.lists(st.text(alphabet="ab日é ", max_size=30), max_size=5)


@given(parts=WORDS, width=st.integers(min_value=24, max_value=60))
def test_folding_loses_nothing_and_fits(parts: list[str], width: int) -> None:
    line: Line = [("  ", ""), *((part, "bold") for part in parts)]
    pieces = list(fold(line, width))
    assert all(cell_width(text(piece).rstrip()) <= width for piece in pieces)
    assert "".join(map(text, pieces)).replace(" ", "") == text(line).replace(" ", "")


WIDTHS = [("ascii", 5), ("é", 1), ("e\u0301", 1), ("日本", 4), ("\u200b", 0), ("✓", 1), ("", 0)]


@pytest.mark.parametrize(("shown", "wanted"), WIDTHS)
def test_cell_width(shown: str, wanted: int) -> None:
    assert cell_width(shown) == wanted


def test_shorten_marks_the_cut() -> None:
    assert (shorten("abcdef", 4), shorten("abcd", 4), shorten("abcdef", None)) == ("abc…", "abcd", "abcdef")


def test_a_table_aligns_numbers_right_and_ends_no_line_with_blanks() -> None:
    table = Table(
        title="T",
        columns=[Column("tool"), Column("n", is_number=True), Column("how")],
        rows=[["日本", "7", ""], ["refund", "12", "late"]],
    )
    assert [text(line).rstrip() for line in table.lines()] == [
        "T",
        "tool     n  how",
        "日本     7",
        "refund  12  late",
    ]
