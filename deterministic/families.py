"""Near-miss families: tools that are mistaken for each other, as the catalog declares or itself tells. Pure.

Two rules, in this order, and no learning:

1. *Names*: all words but one are shared (``cancel_trip`` / ``cancel_hotel``, ``get_account`` / ``get_profile``): the
   same verb on another object, or another verb on the same object with two or more words shared. A letter or a number
   at the end (``search_a``, ``search_v2``) is a variant of one tool. A first word that half of a larger catalog begins
   with is its namespace (``git_add``, ``git_log``), and a verb that more than a dozen tools share makes no family.
2. *Descriptions and schemas*: of the distinct words of name, description and argument names, at least three in ten are
   shared, or of those of the description alone where the names share a word as well. Words that a quarter of a larger
   catalog uses tell nothing and are left out. Every member must be that near to every other, so that no chain grows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from math import ceil

import msgspec

from cases.case import Tool

MIN_SHARED = 0.3
"""Shared words among the distinct ones of both (Jaccard index) from which two texts are alike."""
MIN_DESCRIPTION_WORDS = 3
"""Shorter descriptions say too little to be compared."""
COMMON_FROM = 8
"""Tools in a catalog from which its common words (a quarter of the tools) and its namespace are told apart."""
MAX_VERB_GROUP = 12
"""Members up to which names of two words that share the first are a family."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VARIANT = re.compile(r"[a-z]|v?\d+")
_TEXT_WORD = re.compile(r"[a-z]{3,}")
_ENDING = re.compile(r"(?<=...)(?:ations?|ings?|ions?|ies|es|ed|er|s|e|y)$")
_STOP_WORDS = frozenset(
    [
        "all",
        "and",
        "any",
        "are",
        "based",
        "can",
        "data",
        "details",
        "each",
        "for",
        "from",
        "get",
        "gets",
        "given",
        "has",
        "information",
        "into",
        "its",
        "new",
        "not",
        "only",
        "optional",
        "provide",
        "provided",
        "provides",
        "return",
        "returned",
        "returns",
        "specific",
        "specified",
        "that",
        "the",
        "their",
        "this",
        "tool",
        "use",
        "used",
        "user",
        "using",
        "what",
        "when",
        "which",
        "will",
        "with",
        "you",
        "your",
    ]
)


class _Text(msgspec.Struct, frozen=True):
    """Distinct word stems, rarest of the catalog first, and the same as a bit set, which is quick to compare."""

    words: tuple[str, ...]
    bits: int

    def share(self, other: _Text) -> float:
        """Return the words of both as a share of the distinct words of either."""
        n_shared = (self.bits & other.bits).bit_count()
        return n_shared / (len(self.words) + len(other.words) - n_shared) if n_shared else 0


class _Words(msgspec.Struct, frozen=True):
    """What a tool says of itself."""

    name: _Text
    description: _Text
    everything: _Text


def find_families(tools: tuple[Tool, ...], names: Iterable[str]) -> dict[str, str]:
    """Return the family of each name that has one; a declared family wins over a found one.

    Args:
        tools: Definitions; those without a description are compared by name alone.
        names: Further names of the catalog.
    """
    families = {tool.name: tool.family for tool in tools if tool.family is not None}
    free = sorted((set(names) | {tool.name for tool in tools}) - families.keys())
    clusters = _by_name(free)
    _join_alike(clusters, _words([tool for tool in tools if tool.name not in families]))
    for label, members in clusters.items():
        families.update(dict.fromkeys(members, f"~{label}"))
    return families


def name_words(name: str) -> tuple[str, ...]:
    """Return the lower-case words of a tool name: ``getUserProfile`` is get, user, profile."""
    return tuple(word.lower() for word in _WORD.findall(name))


def _by_name(names: list[str]) -> dict[str, list[str]]:
    """Group names by the shape they share; the longest shape, then the largest group comes first."""
    words = {name: name_words(name) for name in names}
    vague = (_namespace(words.values()), "*")
    by_shape: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        for shape in _shapes(words[name]):
            if shape != vague:
                by_shape.setdefault(shape, []).append(name)
    taken: set[str] = set()
    groups: dict[str, list[str]] = {}
    for shape, members in sorted(by_shape.items(), key=lambda item: (-len(item[0]), -len(item[1]), item[0])):
        free = [name for name in members if name not in taken]
        if len(free) > 1 and (len(shape) > 2 or len(members) <= MAX_VERB_GROUP):
            taken.update(free)
            groups["_".join(shape)] = free
    return groups


def _namespace(names: Collection[tuple[str, ...]]) -> str:
    """Return the first word that more than half of a larger catalog's names begin with, or an empty text."""
    first = Counter(words[0] for words in names if words)
    if len(names) < COMMON_FROM or not first:
        return ""
    word, n_using = first.most_common(1)[0]
    return word if 2 * n_using > len(names) else ""


def _shapes(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if len(words) > 1 and _VARIANT.fullmatch(words[-1]):
        words = words[:-1]
        yield (*words, "#")
    if len(words) < 2:
        return
    for index in range(len(words)):
        rest = (*words[:index], "*", *words[index + 1 :])
        if len(words) > 2 or index > 0:
            yield rest


def _words(tools: list[Tool]) -> dict[str, _Words]:
    """Return the word sets of each tool whose description says enough."""
    texts: dict[str, tuple[set[str], set[str], set[str]]] = {}
    for tool in tools:
        description = {_stem(w) for w in _TEXT_WORD.findall(tool.description.lower()) if w not in _STOP_WORDS}
        if len(description) >= MIN_DESCRIPTION_WORDS:
            arguments = {_stem(word) for name in _argument_names(tool) for word in name_words(name)}
            texts[tool.name] = ({_stem(w) for w in name_words(tool.name)}, description, arguments)
    n_using = Counter(word for own, said, arguments in texts.values() for word in own | said | arguments)
    limit = len(texts) / 4 if len(texts) >= COMMON_FROM else len(texts)
    telling = (word for word, n in n_using.items() if n <= limit)
    rank = {word: place for place, word in enumerate(sorted(telling, key=lambda word: (n_using[word], word)))}

    def text(words: set[str]) -> _Text:
        kept = sorted(words & rank.keys(), key=rank.__getitem__)
        return _Text(tuple(kept), sum(1 << rank[word] for word in kept))

    return {
        name: _Words(text(own), text(description), text(own | description | arguments))
        for name, (own, description, arguments) in texts.items()
    }


def _argument_names(tool: Tool) -> Iterable[str]:
    schema = tool.input_schema
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else ()


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    """Return the word without a common English ending; crude, and the same for both sides."""
    return _ENDING.sub("", word, count=1)


def _join_alike(clusters: dict[str, list[str]], words: dict[str, _Words]) -> None:
    """Join what is alike by text, the nearest pair first, where every member is near to every other."""
    label_of = {name: label for label, members in clusters.items() for name in members}
    candidates = _candidates({name: own.everything.words for name, own in words.items()})
    candidates |= _candidates({name: own.description.words for name, own in words.items()})
    near = {pair: score for pair in candidates if (score := _likeness(words[pair[0]], words[pair[1]])) > 0}
    for left, right in sorted(near, key=lambda pair: (-near[pair], pair)):
        one, other = label_of.get(left, left), label_of.get(right, right)
        members, others = clusters.get(one, [left]), clusters.get(other, [right])
        if one != other and all((min(a, b), max(a, b)) in near for a in members for b in others):
            clusters.pop(other, None)
            clusters[one] = sorted(members + others)
            label_of.update(dict.fromkeys(clusters[one], one))


def _candidates(texts: dict[str, tuple[str, ...]]) -> set[tuple[str, str]]:
    """Return a superset of the pairs that share ``MIN_SHARED`` of their words, without looking at every pair.

    Two sets that share that much share a word among the rarest of each: all but the last ``MIN_SHARED`` of them, and
    one more.

    Source: prefix filtering (Chaudhuri, Ganti and Kaushik 2006).
    """
    holders: dict[str, list[str]] = {}
    for name in sorted(texts):
        words = texts[name]
        for word in words[: len(words) - ceil(MIN_SHARED * len(words)) + 1]:
            holders.setdefault(word, []).append(name)
    return {pair for names in holders.values() for pair in combinations(names, 2)}


def _likeness(a: _Words, b: _Words) -> float:
    """Return the share of words that both have, or 0 where it is too small to be mistaken for each other."""
    whole = a.everything.share(b.everything)
    if whole >= MIN_SHARED:
        return whole
    described = a.description.share(b.description) if a.name.bits & b.name.bits else 0
    return described if described >= MIN_SHARED else 0
