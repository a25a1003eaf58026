"""Tool names: exact, or the same but for what transports and tokenizers do to names. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

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
    for relaxation, forms, is_special in _STEPS:
        wanted = forms(_without_special(emitted) if is_special else emitted)
        found = {name for name in names if _are_one(wanted, forms(name))}
        if len(found) == 1:
            return RelaxedName(found.pop(), relaxation)
        if found:
            return None
    return None


def _are_one(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Return whether one name is the other, or what is left of the other without prefixes.

    Both may not lose one: ``mcp__mail__search`` and ``mcp__files__search`` are two tools.
    """
    return left[0] in right or right[0] in left


def _plain(name: str) -> tuple[str, ...]:
    return (name.translate(_SEPARATORS),)


def _prefixed(name: str) -> tuple[str, ...]:
    """Return the name, then what is left as one prefix after the other is taken away."""
    forms = [name.translate(_SEPARATORS)]
    while (shorter := _PREFIX.sub("", name)) not in {name, ""}:
        name = shorter
        forms.append(name.translate(_SEPARATORS))
    return tuple(forms)


def _folded(name: str) -> tuple[str, ...]:
    return tuple(form.casefold() for form in _prefixed(name))


def _without_special(name: str) -> str:
    return _SPECIAL.sub("", name).strip()


_STEPS: tuple[tuple[NameRelaxation, Callable[[str], tuple[str, ...]], bool], ...] = (
    ("separator", _plain, False),
    ("prefix", _prefixed, False),
    ("special_token", _prefixed, True),
    ("case", _folded, True),
)
