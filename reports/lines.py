"""Lines for people: spans of text with a style, and tables of them. Pure; printing is the roof's business.

Text that comes from a recording must be made ``visible`` before it enters a span, so that it cannot steer a terminal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

Span = tuple[str, str]
"""Text and style."""
Line = list[Span]
"""Of a line with several spans the first one is the margin: a folded line goes on to the right of it."""

_WORDS = re.compile(r"\s+|\S+")
_MIN_TEXT = 20
"""Columns that folding leaves for text; a wider margin is not kept free."""


class Column(NamedTuple):
    """Head and alignment of one column; numbers stand to the right."""

    head: str
    is_number: bool = False


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Rows under a title; the last column may be long and is folded inside itself."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]

    def lines(self) -> Iterator[Line]:
        """Yield title, head and rows, two spaces between columns and none at the end."""
        heads = [column.head for column in self.columns]
        widths = [max(map(cell_width, cells)) for cells in zip(heads, *self.rows, strict=True)]
        yield [(self.title, "bold")]
        yield self._line(heads, widths, "dim")
        for row in self.rows:
            yield self._line(row, widths, "")

    def _line(self, cells: Sequence[str], widths: Sequence[int], style: str) -> Line:
        padded = [
            " " * (width - cell_width(cell)) + cell if column.is_number else cell + " " * (width - cell_width(cell))
            for column, cell, width in zip(self.columns, cells, widths, strict=True)
        ]
        return [("  ".join(padded[:-1]) + "  ", style), (padded[-1].rstrip(), style)]


def cell_width(text: str) -> int:
    """Return how many columns of a terminal ``text`` takes."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def shorten(text: str, limit: int | None) -> str:
    """Return ``text`` cut to ``limit`` characters with a mark; ``None`` cuts nothing."""
    return text if limit is None or len(text) <= limit else text[: limit - 1] + "…"


def fold(line: Line, width: int) -> Iterator[Line]:
    """Yield ``line`` in pieces of at most ``width`` columns, broken between words where there are any."""
    margin = line[:1] if len(line) > 1 else []
    indent = cell_width(margin[0][0]) if margin else 0
    if width - indent < _MIN_TEXT:
        margin, indent = [], 4 if margin else 0
    piece: Line = list(margin)
    used = cell_width(margin[0][0]) if margin else 0
    for word, style in _split_words(line[len(margin) :], max(width - indent, 1)):
        size = cell_width(word)
        if used + size > width:
            yield piece
            piece, used = [(" " * indent, "")], indent
            if word.isspace():
                continue
        if len(piece) > 1 and piece[-1][1] == style:
            piece[-1] = (piece[-1][0] + word, style)
        else:
            piece.append((word, style))
        used += size
    yield piece


def _split_words(spans: Iterable[Span], limit: int) -> Iterator[Span]:
    for text, style in spans:
        for word in _WORDS.findall(text):
            while cell_width(word) > limit:
                size = limit if word.isascii() else max(limit // 2, 1)
                yield word[:size], style
                word = word[size:]  # noqa: PLW2901  # the rest of a word that is longer than a line
            yield word, style


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
