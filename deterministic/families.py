"""Near-miss families: tools that are mistaken for each other, as the catalog declares or as their names tell. Pure.

Two names are near when they share all words but one (``cancel_trip`` / ``cancel_hotel``, ``get_account`` /
``get_profile``): the same verb on another object, or another verb on the same object with two or more words shared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from cases.case import Tool

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def find_families(tools: tuple[Tool, ...], names: Iterable[str]) -> dict[str, str]:
    """Return the family of each name that has one; a declared family wins over a found one."""
    families = {tool.name: tool.family for tool in tools if tool.family is not None}
    by_shape: dict[tuple[str, ...], list[str]] = {}
    for name in sorted(set(names) | {tool.name for tool in tools}):
        if name not in families:
            for shape in _shapes(name_words(name)):
                by_shape.setdefault(shape, []).append(name)
    for shape, members in sorted(by_shape.items(), key=lambda item: (-len(item[0]), -len(item[1]), item[0])):
        free = [name for name in members if name not in families]
        if len(free) > 1:
            families.update(dict.fromkeys(free, "~" + "_".join(shape)))
    return families


def name_words(name: str) -> tuple[str, ...]:
    """Return the lower-case words of a tool name: ``getUserProfile`` is get, user, profile."""
    return tuple(word.lower() for word in _WORD.findall(name))


def _shapes(words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    if len(words) < 2:
        return
    for index in range(len(words)):
        rest = (*words[:index], "*", *words[index + 1 :])
        if len(words) > 2 or index > 0:
            yield rest
