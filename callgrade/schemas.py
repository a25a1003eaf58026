"""JSON Schemas of the files that callgrade reads and writes, made from the types that read and write them."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from callgrade.runfolder import Manifest
from cases.case import Case
from cases.jsonvalue import JsonObject
from cases.verdict import Verdict
from reports.summary import Summary


def struct_schema(kind: type[msgspec.Struct]) -> JsonObject:
    """Return the JSON Schema (2020-12) of a struct's JSON form, field documentation included."""
    schema: JsonObject = msgspec.json.schema(kind)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _of(kind: type[msgspec.Struct]) -> Callable[[], JsonObject]:
    return lambda: struct_schema(kind)


SCHEMAS: dict[str, Callable[[], JsonObject]] = {
    "case": _of(Case),
    "verdict": _of(Verdict),
    "summary": _of(Summary),
    "manifest": _of(Manifest),
}
"""Name, as ``callgrade schema NAME`` takes it, to the schema."""
