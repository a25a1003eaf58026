"""How deep a value may be before explaining it under a recursive schema costs too much. Pure.

Every branch (``anyOf``) of a schema that refers to itself is explained on every level of the value: two such branches
on 20 levels are a million explanations, while the verdict itself is quick.
"""

from __future__ import annotations

from cases.jsonvalue import DEPTH_LIMIT, JsonValue, join_pointer

MAX_EXPLANATIONS = 1_000
"""Explanations of one call; a value that may need more is told as one error."""

_DEFINITIONS = ("$defs", "definitions")


def explainable_depth(schema: JsonValue) -> int:
    """Return the levels of nesting up to which a value can be explained field by field."""
    edges = _references(schema)
    n_references = max(2, sum(map(len, edges.values())))
    if not _has_cycle({owner: set(targets) for owner, targets in edges.items()}):
        return DEPTH_LIMIT
    depth = 0
    while n_references ** (depth + 1) <= MAX_EXPLANATIONS:
        depth += 1
    return depth


def _references(schema: JsonValue) -> dict[str, list[str]]:
    """Return the references of the root and of each definition; an unusual one counts as one to the root."""
    edges: dict[str, list[str]] = {"#": []}
    stack: list[tuple[str, str, JsonValue]] = [("#", "#", schema)]
    while stack:
        owner, place, node = stack.pop()
        if isinstance(node, list):
            stack.extend((owner, join_pointer(place, index), child) for index, child in enumerate(node))
        elif isinstance(node, dict):
            for key, child in node.items():
                if key in {"$ref", "$dynamicRef", "$recursiveRef"} and isinstance(child, str):
                    edges[owner].append(child)
                elif key in _DEFINITIONS and place == "#" and isinstance(child, dict):
                    for name, definition in child.items():
                        target = join_pointer(place, key, name)
                        edges[target] = []
                        stack.append((target, target, definition))
                else:
                    stack.append((owner, join_pointer(place, key), child))
    return {owner: [t if t in edges else "#" for t in targets] for owner, targets in edges.items()}


def _has_cycle(edges: dict[str, set[str]]) -> bool:
    """Return whether taking away what refers to nothing, again and again, leaves something."""
    while ends := {owner for owner, targets in edges.items() if not targets & edges.keys()}:
        edges = {owner: targets for owner, targets in edges.items() if owner not in ends}
    return bool(edges)
