"""A share: k of n, which is undefined for n = 0 and says so. Pure."""

from __future__ import annotations

import msgspec

from reports.intervals import percent


class Share(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """K of n; both stand beside the value wherever it is shown."""

    k: int
    n: int
    value: float | None
    """K / n, 0..1; ``None`` for n = 0: undefined, neither 0 nor 1."""


def share(k: int, n: int) -> Share:
    """Return k of n."""
    return Share(k=k, n=n, value=k / n if n else None)


def share_text(found: Share) -> str:
    """Return a share as ``66.7% of 3``, or that it is undefined."""
    return "undefined (n = 0)" if found.value is None else f"{percent(found.value)} of {found.n}"
