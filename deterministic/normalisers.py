"""Text normalisers: named, versioned, each with counter-examples in its tests. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable


def text_1(text: str) -> str:
    """Fold case, compatibility forms (NFKC) and white space; keep every digit, sign and punctuation mark.

    ``" Café  LATTE"`` equals ``"café latte"``; ``"-5"`` and ``"5"``, ``"1.5"`` and ``"15"`` stay apart.
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def identity(text: str) -> str:
    """Return the text as it is."""
    return text


NORMALISERS: dict[str, Callable[[str], str]] = {"": identity, "text/1": text_1}
