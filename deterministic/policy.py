"""Policies: named, versioned sets of comparison rules. Every verdict records which one decided.

A rule that changes gets a new version; an old version keeps its meaning for ever.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from cases.errors import UsageError

NameRelaxation = Literal["separator", "prefix", "case", "special_token"]


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """How values, names and extra calls are compared."""

    id: str
    """Name and version, e.g. ``strict/1``."""
    summary: str
    coerces: bool = False
    """True: ``"3"`` equals 3 and ``"true"`` equals true; a coercible schema error then informs and does not gate."""
    text_normaliser: str = ""
    """Name of the normaliser that strings pass before they are compared; empty compares code points."""
    arrays: Literal["multiset", "ordered"] = "multiset"
    accepts_defaults: bool = False
    """True: an argument that the gold does not list is right when it equals its schema default."""
    relaxed_names: frozenset[NameRelaxation] = frozenset({"separator", "prefix"})
    """Differences in a tool's name that transports make; others make the name unknown."""
    unknown_effect_gates: bool = True
    """True: an extra call of a tool with unknown effect fails the case like a write."""
    asserts_formats: bool = True
    checker: Literal["gates", "bfcl", "tau2"] = "gates"
    """What decides the case: the gates, or a benchmark's own rules, beside which the gates' findings only inform."""


STRICT = Policy(
    id="strict/1",
    summary="values equal by type (3 is 3.0, never '3'; true is not 1), arrays as multisets, "
    "extra calls of write or unknown effect gate",
)
LENIENT = Policy(
    id="lenient/1",
    summary="coercible values and text differing in case, width or white space are equal, schema defaults may be "
    "spelled out, only extra writes gate",
    coerces=True,
    text_normaliser="text/1",
    accepts_defaults=True,
    relaxed_names=frozenset({"separator", "prefix", "case", "special_token"}),
    unknown_effect_gates=False,
)

BFCL = Policy(
    id="bfcl/1",
    summary="the verdict that BFCL's own checker gives (single turn, irrelevance, relevance); the gates inform",
    checker="bfcl",
)
TAU2 = Policy(
    id="tau2/1",
    summary="τ²-bench's action checks, agent's and user's calls alike, and all must match; the gates inform",
    checker="tau2",
)

POLICIES: dict[str, Policy] = {policy.id: policy for policy in (STRICT, LENIENT, BFCL, TAU2)}


def find_policy(name: str) -> Policy:
    """Return the policy ``name``; without a version, the newest one of that name.

    Raises:
        UsageError: There is none.
    """
    if name in POLICIES:
        return POLICIES[name]
    versions = [p for p in POLICIES.values() if p.id.partition("/")[0] == name]
    if versions:
        return max(versions, key=lambda p: int(p.id.partition("/")[2]))
    raise UsageError(f"no policy {name!r}; choose one of {', '.join(sorted(POLICIES))}")
