"""The gold: what the labels of an item settle, and which items they leave open.

Pure. People who disagree settle nothing: a disputed item is left out and counted, never decided by majority.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from calibration.records import Label, Verdict
from cases.errors import InputError


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One item whose label is settled."""

    item: str
    gold: Verdict
    n_labels: int
    stratum: str | None
    cluster: str
    inclusion_probability: float | None
    text_length: int | None


class Gold(msgspec.Struct, frozen=True, kw_only=True):
    """The settled items, and how many labelled items are left out and why."""

    items: tuple[Item, ...]
    n_disputed: int
    """Labelled both pass and fail."""
    n_short: int
    """Fewer than the wanted number of labels that say pass or fail."""


def settle(labels: Sequence[Label], *, min_labels: int = 1) -> Gold:
    """Return the items on which all labels that take a side agree.

    Args:
        labels: In any order; several per item by different labellers.
        min_labels: Labels that must say pass or fail (>= 1) before an item counts.

    Raises:
        InputError: One labeller labelled an item twice, or labels describe the item differently.
    """
    items: list[Item] = []
    n_disputed = n_short = 0
    for group in labels_by_item(labels).values():
        sides = {label.label for label in group if label.label != "unsure"}
        n_sides = sum(label.label != "unsure" for label in group)
        if n_sides < min_labels:
            n_short += 1
        elif len(sides) > 1:
            n_disputed += 1
        else:
            items.append(_item(group, "pass" if "pass" in sides else "fail", n_sides))
    return Gold(items=tuple(items), n_disputed=n_disputed, n_short=n_short)


def labels_by_item(labels: Sequence[Label]) -> dict[str, list[Label]]:
    """Return the labels of each item, items and labels in order of appearance.

    Raises:
        InputError: One labeller labelled an item twice.
    """
    groups: dict[str, list[Label]] = {}
    seen: set[tuple[str, str]] = set()
    for label in labels:
        key = (label.item, label.labeller)
        if key in seen:
            raise InputError(f"item {label.item!r} is labelled twice by {label.labeller!r}; keep one of the two")
        seen.add(key)
        groups.setdefault(label.item, []).append(label)
    return groups


def _item(group: list[Label], gold: Verdict, n_labels: int) -> Item:
    first = group[0]
    for label in group[1:]:
        for field in ("stratum", "cluster", "inclusion_probability", "text_length"):
            one, other = getattr(first, field), getattr(label, field)
            if one != other:
                raise InputError(
                    f"item {first.item!r} has {field} {one!r} in one label and {other!r} in another;"
                    " it describes the item, so all its labels must agree"
                )
    return Item(
        item=first.item,
        gold=gold,
        n_labels=n_labels,
        stratum=first.stratum,
        cluster=first.item if first.cluster is None else first.cluster,
        inclusion_probability=first.inclusion_probability,
        text_length=first.text_length,
    )
