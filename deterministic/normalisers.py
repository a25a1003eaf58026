"""Text normalisers: named, versioned, each with counter-examples in its tests. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import groupby


def text_1(text: str) -> str:
    """Fold case, width and ligatures (NFKC) and white space; keep every digit, sign and punctuation mark.

    ``" Café  LATTE"`` equals ``"café latte"``; ``"-5"`` and ``"5"``, ``"1.5"`` and ``"15"`` stay apart, and so do
    ``"10²"`` and ``"102"``, ``"1½"`` and ``"11/2"``: a raised, lowered, circled or fractional form is no mere writing.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    runs = groupby(text, _has_own_value)
    folded = "".join("".join(run) if is_kept else _nfkc("".join(run)) for is_kept, run in runs)
    return " ".join(folded.split())


_OWN_VALUE = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")


def _has_own_value(character: str) -> bool:
    return unicodedata.decomposition(character).startswith(_OWN_VALUE)


def _nfkc(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded)  # folding can undo a composition


def identity(text: str) -> str:
    """Return the text as it is."""
    return text


NORMALISERS: dict[str, Callable[[str], str]] = {"": identity, "text/1": text_1}
