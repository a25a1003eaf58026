"""The formats that callgrade reads, by name. A new one is one module with one function, and one entry here."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from cases.formats import bfcl, native, openai_chat, tau2_bench, tau_bench
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
    "tau_bench": Format(
        name="tau_bench",
        version="tau_bench/1",
        summary="τ-bench trajectories: an array of runs with gold in info.task.actions",
        read=tau_bench.read,
        recognises=tau_bench.recognises,
    ),
    "tau2_bench": Format(
        name="tau2_bench",
        version="tau2_bench/1",
        summary="τ²-bench results: one object {info, tasks, simulations}",
        read=tau2_bench.read,
        recognises=tau2_bench.recognises,
    ),
    "bfcl": Format(
        name="bfcl",
        version="bfcl/1",
        summary="BFCL v4 results; questions and possible answers are given as --gold",
        read=bfcl.read,
        recognises=bfcl.recognises,
    ),
}
"""In the order in which they are asked to recognise a document: the first that does has it."""
