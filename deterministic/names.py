"""Tool names: exact, or the same but for what transports and tokenizers do to names. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from deterministic.policy import NameRelaxation

_SPECIAL = re.compile(r"<\|[^|]{0,40}\|>.*", re.DOTALL)
_SEPARATORS = str.maketrans({".": "_", "-": "_", "/": "_", ":": "_"})
_PREFIX = re.compile(r"^(?:mcp__[^_]+(?:_[^_]+)*__|functions[._]|default_api[._]|tools?[.:])")


class RelaxedName(msgspec.Struct, frozen=True):
    """A name that matched only after something was taken away."""

    name: str
    """The catalog's name."""
    relaxation: NameRelaxation


def relaxed_match(emitted: str, known: Iterable[str]) -> RelaxedName | None:
    """Return the one known name that ``emitted`` stands for, the mildest relaxation first; ``None`` when unclear.

    Relaxations, mild to strong: separators (dots become underscores), prefixes (``mcp__server__``, ``functions.``),
    leaked special tokens (``f<|channel|>json``), case. Two candidates are no match.
    """
    names = tuple(known)
    steps: tuple[tuple[NameRelaxation, bool, bool, bool], ...] = (
        ("separator", False, False, False),
        ("prefix", True, False, False),
        ("special_token", True, True, False),
        ("case", True, True, True),
    )
    for relaxation, prefix, special, case in steps:
        wanted = _reduce(emitted, prefix=prefix, special=special, case=case)
        found = {name for name in names if _reduce(name, prefix=prefix, special=False, case=case) == wanted}
        if len(found) == 1:
            return RelaxedName(found.pop(), relaxation)
        if found:
            return None
    return None


def _reduce(name: str, *, prefix: bool, special: bool, case: bool) -> str:
    if special:
        name = _SPECIAL.sub("", name).strip()
    if prefix:
        name = _PREFIX.sub("", name)
    name = name.translate(_SEPARATORS)
    return name.casefold() if case else name
