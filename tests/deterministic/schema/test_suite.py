"""The official JSON Schema test suite: verdicts, explanations, and how often both engines name the same leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import jsonschema_rs
import msgspec
import pytest

from cases.jsonvalue import JsonObject, JsonValue, resolve_pointer
from deterministic.schema.leaf import LeafError
from deterministic.schema.validator import CompiledSchema, compile_schema

pytestmark = pytest.mark.checkout


class Draft(NamedTuple):
    folder: str
    uri: str
    number: int
    n_tests: int


DRAFTS = [
    Draft("draft2020-12", "https://json-schema.org/draft/2020-12/schema", jsonschema_rs.Draft202012, 1_299),
    Draft("draft7", "http://json-schema.org/draft-07/schema#", jsonschema_rs.Draft7, 927),
    Draft("draft4", "http://json-schema.org/draft-04/schema#", jsonschema_rs.Draft4, 618),
]
HOST = "http://localhost:1234/"


class Example(NamedTuple):
    name: str
    compiled: CompiledSchema
    value: JsonValue
    is_valid: bool


def registry(suite: Path, draft: Draft) -> jsonschema_rs.Registry:
    """Return the documents that the suite's schemas refer to; the suite serves them at ``HOST``."""
    remotes = suite / "remotes"
    other_drafts = {p.name for p in remotes.glob("draft*")} - {draft.folder} | {"v1"}
    names = {path.relative_to(remotes).as_posix(): path for path in remotes.rglob("*.json")}
    kept = {HOST + name: path for name, path in names.items() if name.partition("/")[0] not in other_drafts}
    return jsonschema_rs.Registry([(uri, json.loads(path.read_bytes())) for uri, path in kept.items()], draft.number)


def examples(suite: Path, draft: Draft) -> Iterator[Example]:
    known = registry(suite, draft)
    for path in sorted((suite / "tests" / draft.folder).glob("*.json")):
        for group in json.loads(path.read_bytes()):
            schema: JsonValue = group["schema"]
            if isinstance(schema, dict):
                declared: JsonObject = {"$schema": draft.uri, **schema}
                schema = declared
            is_remote = HOST in json.dumps(schema)
            compiled = compile_schema(schema, asserts_formats=False, registry=known if is_remote else None)
            assert isinstance(compiled, CompiledSchema), f"{path.name}: {group['description']}: {compiled.reason}"
            for test in group["tests"]:
                name = f"{path.name}: {group['description']}: {test['description']}"
                yield Example(name, compiled, test["data"], test["valid"])


@pytest.mark.parametrize("draft", [pytest.param(draft, id=draft.folder) for draft in DRAFTS])
def test_every_required_test_agrees_and_every_error_is_explained(draft: Draft, shared_data: Path) -> None:
    suite = shared_data / "json_schema_test_suite"
    n_tests = 0
    for example in examples(suite, draft):
        n_tests += 1
        assert example.compiled.is_valid(example.value) is example.is_valid, example.name
        leaves = example.compiled.explain(example.value)
        assert bool(leaves) is not example.is_valid, example.name
        for leaf in leaves:
            check_leaf(leaf, example)
    assert n_tests == draft.n_tests


def check_leaf(leaf: LeafError, example: Example) -> None:
    assert leaf.keyword, example.name
    assert leaf.expected is not None or leaf.keyword == "const", f"{example.name}: {leaf}"
    if leaf.got is msgspec.UNSET:
        parent = resolve_pointer(example.value, leaf.pointer.rpartition("/")[0])
        assert isinstance(parent, dict), example.name
        assert leaf.path[-1] not in parent, example.name
    elif leaf.keyword == "propertyNames":
        assert leaf.got == leaf.path[-1], example.name
    else:
        assert leaf.got == resolve_pointer(example.value, leaf.pointer), example.name


def test_a_reference_to_a_document_that_nobody_gave_is_a_problem(shared_data: Path) -> None:
    suite = shared_data / "json_schema_test_suite"
    schema: JsonValue = {"$ref": HOST + "integer.json"}
    assert not isinstance(compile_schema(schema), CompiledSchema)
    given = compile_schema(schema, registry=registry(suite, DRAFTS[0]))
    assert isinstance(given, CompiledSchema)
    assert given.is_valid(1)
    assert not given.is_valid("1")
