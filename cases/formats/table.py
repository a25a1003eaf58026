"""The formats that callgrade reads, by name. A new one is one module with one function, and one entry here."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from cases.formats import native, openai_chat
from cases.formats.record import Reader
from cases.jsonvalue import JsonValue


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the table."""

    name: str
    version: str
    """Changes whenever the reader can give another case for the same bytes."""
    summary: str
    read: Reader
    recognises: Callable[[JsonValue], bool]
    """Whether a file's first document looks like this; asked only when no format is named."""


FORMATS: dict[str, Format] = {
    "native": Format(
        name="native",
        version="native/1",
        summary="callgrade's own fixtures and exports",
        read=native.read,
        recognises=native.recognises,
    ),
    "openai_chat": Format(
        name="openai_chat",
        version="openai_chat/1",
        summary="OpenAI chat messages, requests with responses, batch lines",
        read=openai_chat.read,
        recognises=openai_chat.recognises,
    ),
}
"""In the order in which they are asked to recognise a document: the first that does has it."""
