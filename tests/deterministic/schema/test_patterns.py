"""Patterns that JavaScript reads: rewritten only where a stricter engine would refuse or misread them."""

from __future__ import annotations

import pytest

from cases.jsonvalue import JsonValue
from deterministic.schema.patterns import portable, with_portable_patterns
from deterministic.schema.validator import CompiledSchema, compile_schema

PATTERNS = [
    pytest.param(r"^[\w-\.]+$", r"^[\w\-\.]+$", id="a hyphen behind a class is itself"),
    pytest.param(r"[\d-x]", r"[\d\-x]", id="a class begins no range"),
    pytest.param(r"[a-z]", r"[a-z]", id="a range stays"),
    pytest.param(r"[\w-]", r"[\w-]", id="a hyphen at the end needs nothing"),
    pytest.param(r"[\\w-z]", r"[\\w-z]", id="an escaped backslash is no class"),
    pytest.param(r"[\.-z]", r"[\.-z]", id="an escaped sign may begin a range"),
]


@pytest.mark.parametrize(("pattern", "wanted"), PATTERNS)
def test_portable(pattern: str, wanted: str) -> None:
    assert portable(pattern) == wanted


def test_a_schema_without_such_a_pattern_is_the_same_object() -> None:
    schema: JsonValue = {"properties": {"a": {"pattern": "[a-z]"}}, "anyOf": [{"pattern": "^x"}]}
    assert with_portable_patterns(schema) is schema


def test_the_common_email_pattern_validates() -> None:
    email: JsonValue = {"properties": {"to": {"type": "string", "pattern": r"^[\w-\.]+@([\w-]+\.)+[\w-]{2,4}$"}}}
    compiled = compile_schema(email)
    assert isinstance(compiled, CompiledSchema)
    assert compiled.is_valid({"to": "ann-lee.x@example.com"})
    assert not compiled.is_valid({"to": "bob@@example.com"})
    assert [leaf.keyword for leaf in compiled.explain({"to": "bob@@example.com"})] == ["pattern"]
