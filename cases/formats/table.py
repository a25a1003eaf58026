"""The formats that callgrade reads, by name. A new one is one module with one function, and one entry here."""

from __future__ import annotations

import msgspec

from cases.formats import native
from cases.formats.record import Reader


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the table."""

    name: str
    version: str
    """Changes whenever the reader can give another case for the same bytes."""
    summary: str
    read: Reader


FORMATS: dict[str, Format] = {
    "native": Format(
        name="native",
        version="native/1",
        summary="callgrade's own fixtures and exports",
        read=native.read,
    ),
}
