"""The argument validator: real tools' dialects, broken schemas, formats, bounds, and what it says of each error."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from cases.jsonvalue import DEPTH_LIMIT, JsonObject, JsonValue
from deterministic.schema.leaf import LeafError
from deterministic.schema.validator import CompiledSchema, SchemaProblem, compile_schema


def compiled(schema: JsonValue, *, asserts_formats: bool = True) -> CompiledSchema:
    result = compile_schema(schema, asserts_formats=asserts_formats)
    assert isinstance(result, CompiledSchema), result
    return result


def field(schema: JsonValue) -> CompiledSchema:
    return compiled({"type": "object", "properties": {"a": schema}})


def repairs(schema: JsonValue, value: JsonValue) -> list[str]:
    return [leaf.repair for leaf in compiled(schema).explain(value)]


BFCL: JsonValue = {
    "type": "dict",
    "properties": {"r": {"type": "float"}, "x": {"type": "any"}, "p": {"type": "tuple", "items": {"type": "int"}}},
    "required": ["r"],
}
OPENAI_STRICT: JsonValue = {
    "type": "object",
    "properties": {"q": {"type": "string"}, "n": {"type": ["integer", "null"]}},
    "required": ["q", "n"],
    "additionalProperties": False,
}
PYDANTIC: JsonValue = {
    "properties": {"when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None}},
    "title": "Args",
    "type": "object",
}
DRAFT_4: JsonValue = {"type": "object", "properties": {"n": {"minimum": 0, "exclusiveMinimum": True}}}
DRAFT_7: JsonValue = {
    "properties": {"p": {"items": [{"type": "integer"}, {"type": "string"}], "additionalItems": False}}
}
MONEY: JsonValue = {"properties": {"amount": {"type": "number", "multipleOf": 0.01}}}


@pytest.mark.parametrize(
    ("schema", "value", "is_valid"),
    [
        pytest.param(BFCL, {"r": 1}, True, id="BFCL: an integer is a float"),
        pytest.param(BFCL, {"r": 1.5, "x": [None], "p": [1, 2]}, True, id="BFCL: any and tuple"),
        pytest.param(BFCL, {"r": "1.5"}, False, id="BFCL: a text is no float"),
        pytest.param(BFCL, {"r": 1, "p": [1, "2"]}, False, id="BFCL: a tuple's items"),
        pytest.param(OPENAI_STRICT, {"q": "x", "n": None}, True, id="strict: an optional field is nullable"),
        pytest.param(OPENAI_STRICT, {"q": "x"}, False, id="strict: and required"),
        pytest.param(OPENAI_STRICT, {"q": "x", "n": 1, "z": 1}, False, id="strict: no further fields"),
        pytest.param(PYDANTIC, {"when": None}, True, id="pydantic: null"),
        pytest.param(PYDANTIC, {"when": "2024-05-20"}, True, id="pydantic: a date"),
        pytest.param(PYDANTIC, {"when": "soon"}, False, id="pydantic: a word"),
        pytest.param(PYDANTIC, {}, True, id="nothing is required where nothing says so"),
        pytest.param(DRAFT_4, {"n": 0}, False, id="draft 4: a boolean bound"),
        pytest.param(DRAFT_4, {"n": 1}, True, id="draft 4: above it"),
        pytest.param(DRAFT_7, {"p": [1, "x"]}, True, id="draft 7: items by place"),
        pytest.param(DRAFT_7, {"p": [1, "x", 2]}, False, id="draft 7: no further items"),
        pytest.param(MONEY, {"amount": 19.99}, True, id="19.99 is a multiple of 0.01"),
        pytest.param(MONEY, {"amount": 0.07}, True, id="so is 0.07"),
        pytest.param(MONEY, {"amount": 19.995}, False, id="19.995 is not"),
        pytest.param({"type": "integer"}, 1.0, True, id="1.0 is an integer"),
        pytest.param({"type": "integer"}, True, False, id="true is none"),
        pytest.param({"enum": [1]}, True, False, id="true is not the 1 of an enum"),
        pytest.param({"type": "number"}, float("nan"), False, id="NaN is no number"),
        pytest.param({"maximum": 10}, 10**400, False, id="a huge integer is compared"),
        pytest.param({"pattern": "^ab$"}, "ab\n", False, id="the end of a pattern is the end of the text"),
        pytest.param({"pattern": "^\\d$"}, "٣", False, id="a digit of another script is no digit"),
        pytest.param({"pattern": "b"}, "abc", True, id="a pattern is found anywhere"),
        pytest.param({"pattern": "^(?!x)"}, "xy", False, id="a pattern with look-around"),
        pytest.param({"minLength": 2}, "😀", False, id="a length counts characters"),
        pytest.param({"$schema": "draft-99", "prefixItems": [False]}, [1], False, id="an unknown draft: 2020-12"),
        pytest.param(True, {"a": 1}, True, id="true admits all"),
        pytest.param(False, {}, False, id="false admits nothing"),
        pytest.param({}, {"a": 1}, True, id="so does an empty schema"),
        pytest.param({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}, {}, True, id="a local reference"),
        pytest.param({"properties": {"a": {"$ref": "#"}}, "type": "object"}, {"a": {"a": 1}}, False, id="to itself"),
    ],
)
def test_validity(schema: JsonValue, value: JsonValue, is_valid: bool) -> None:
    assert compiled(schema).is_valid(value) is is_valid
    assert bool(compiled(schema).explain(value)) is not is_valid


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("date", "2024-05-20", "2024-02-30"),
        ("date", "2024-02-29", "20/05/2024"),
        ("date-time", "2024-05-20T10:00:00Z", "2024-05-20"),
        ("date-time", "2024-05-20T10:00:00+02:00", "2024-05-20T10:00:00"),
        ("time", "10:00:00Z", "25:00:00Z"),
        ("duration", "P1DT2H", "1 day"),
        ("email", "a@example.com", "a.example.com"),
        ("hostname", "example.com", "-example.com"),
        ("ipv4", "192.0.2.1", "192.0.2.256"),
        ("ipv6", "2001:db8::1", "2001:db8"),
        ("uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08-aa98-11ea-b4aa"),
        ("uri", "https://example.com/a?b=1", "example.com/a b"),
        ("uri-reference", "/a/b", "\\\\a"),
        ("json-pointer", "/a/0", "a/0"),
        ("regex", "a+", "(a"),
    ],
)
def test_formats_are_asserted_by_default(name: str, right: str, wrong: str) -> None:
    schema: JsonValue = {"type": "string", "format": name}
    assert compiled(schema).is_valid(right)
    assert not compiled(schema).is_valid(wrong)
    assert [leaf.keyword for leaf in compiled(schema).explain(wrong)] == ["format"]
    assert compiled(schema, asserts_formats=False).is_valid(wrong)


def test_an_unknown_format_asserts_nothing() -> None:
    assert compiled({"format": "currency-code"}).is_valid("?")


def test_a_format_that_is_not_asserted_is_not_told_of_either() -> None:
    schema: JsonValue = {"properties": {"a": {"format": "date"}, "b": {"type": "string"}}}
    leaves = compiled(schema, asserts_formats=False).explain({"a": "soon", "b": 1})
    assert [leaf.pointer for leaf in leaves] == ["/b"]


BOTH: JsonValue = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["b", "c"]}
BRANCHES: JsonValue = {
    "properties": {
        "ship": {
            "anyOf": [
                {"type": "object", "properties": {"kind": {"const": "pickup"}, "shop": {"type": "string"}}},
                {
                    "type": "object",
                    "properties": {"kind": {"const": "parcel"}, "zip": {"type": "string"}, "n": {"type": "integer"}},
                    "required": ["kind", "zip", "n"],
                },
                {"type": "null"},
            ]
        }
    }
}


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        pytest.param(
            {"properties": {"amount": {"type": "number"}}},
            {"amount": "24.50"},
            ['field amount failed type: expected number, got string "24.50"'],
            id="a type",
        ),
        pytest.param(
            {"properties": {"n": {"type": ["integer", "null"]}}},
            {"n": "x"},
            ['field n failed type: expected one of integer, null, got string "x"'],
            id="several types",
        ),
        pytest.param(
            BOTH,
            {"a": "x"},
            [
                "field b is required and missing",
                "field c is required and missing",
                'field a failed type: expected integer, got string "x"',
            ],
            id="all errors at once",
        ),
        pytest.param(
            BOTH, [], ["field arguments failed type: expected object, got array []"], id="the arguments whole"
        ),
        pytest.param(
            {"properties": {"a": True}, "additionalProperties": False},
            {"a": 1, "b": 2, "c": 3},
            ["field b is not known to this tool: leave it out", "field c is not known to this tool: leave it out"],
            id="unknown fields, one by one",
        ),
        pytest.param(
            {"properties": {"u": {"enum": ["kg", "lb"]}}},
            {"u": "st"},
            ['field u failed enum: expected one of kg, lb, got string "st"'],
            id="an enum",
        ),
        pytest.param(
            {"properties": {"k": {"const": "x"}}},
            {"k": None},
            ["field k failed const: expected x, got null"],
            id="a constant",
        ),
        pytest.param(
            {"properties": {"n": {"maximum": 10}}},
            {"n": 11},
            ["field n failed maximum: expected 10, got integer 11"],
            id="a bound",
        ),
        pytest.param(
            {"properties": {"i": {"items": {"properties": {"id": {"type": "integer"}}}}}},
            {"i": [{"id": 1}, {"id": "x"}, {"id": 2.5}]},
            [
                'field i[1].id failed type: expected integer, got string "x"',
                "field i[2].id failed type: expected integer, got number 2.5",
            ],
            id="inside arrays",
        ),
        pytest.param(
            {"properties": {"a.b": {"type": "string"}}},
            {"a.b": 1},
            ["field ['a.b'] failed type: expected string, got integer 1"],
            id="a name with a point is quoted",
        ),
        pytest.param(
            {"required": ['it\'s "x"']},
            {},
            ["field ['it\\'s \"x\"'] is required and missing"],
            id="a missing name with quotes",
        ),
        pytest.param(
            {"properties": {"t": {"uniqueItems": True}}},
            {"t": [1, 1]},
            ["field t failed uniqueItems: expected no two equal items, got array [1,1]"],
            id="duplicates",
        ),
        pytest.param(
            {"properties": {"t": {"contains": {"type": "string"}}}},
            {"t": [1]},
            ["field t failed contains: expected a matching item, got array [1]"],
            id="nothing that matches",
        ),
        pytest.param(
            {"properties": {"t": {"not": {"type": "string"}}}},
            {"t": "x"},
            ['field t failed not: expected anything but {"type":"string"}, got string "x"'],
            id="not",
        ),
        pytest.param(
            {"properties": {"t": False}},
            {"t": 1},
            ["field t is not known to this tool: leave it out"],
            id="a field that is ruled out",
        ),
        pytest.param(
            {"propertyNames": {"pattern": "^a"}},
            {"ab": 1, "b": 2},
            ['field b failed propertyNames: expected ^a, got string "b"'],
            id="a name that is ruled out",
        ),
        pytest.param(
            {"propertyNames": False},
            {"b": 2},
            ["field b is not known to this tool: leave it out"],
            id="every name is ruled out",
        ),
        pytest.param(
            {"dependentRequired": {"a": ["b"]}},
            {"a": 1},
            ["field b is required and missing"],
            id="what another field asks for",
        ),
        pytest.param(
            {"properties": {"a": True}, "unevaluatedProperties": False},
            {"a": 1, "b": 2},
            ["field b is not known to this tool: leave it out"],
            id="unevaluated fields",
        ),
        pytest.param(
            PYDANTIC,
            {"when": 3},
            ["field when failed type: expected one of string, null, got integer 3"],
            id="every branch refuses the type: all types",
        ),
        pytest.param(
            PYDANTIC,
            {"when": "soon"},
            ['field when failed format: expected date, got string "soon"'],
            id="the branch whose type fits explains",
        ),
        pytest.param(
            BRANCHES,
            {"ship": {"kind": "parcel"}},
            ["field ship.zip is required and missing", "field ship.n is required and missing"],
            id="the branch that the constant chooses explains, though it has more errors",
        ),
        pytest.param(
            {"properties": {"a": {"oneOf": [{"minimum": 0}, {"maximum": 9}, {"const": 20}]}}},
            {"a": 5},
            ["field a failed oneOf: expected exactly one of the alternatives, got integer 5"],
            id="two alternatives fit: neither is to blame",
        ),
        pytest.param(
            {"properties": {"a": {"anyOf": [{"minimum": 10}, {"maximum": 0}]}}},
            {"a": 5},
            ["field a failed minimum: expected 10, got integer 5"],
            id="equally close: the first",
        ),
        pytest.param(
            {"properties": {"a": {"anyOf": [False, False]}}},
            {"a": 5},
            ["field a is not known to this tool: leave it out"],
            id="no alternative admits anything",
        ),
        pytest.param(
            {"properties": {"amount": {"multipleOf": 0.01}, "n": {"type": "integer"}}},
            {"amount": 19.99, "n": "x"},
            ['field n failed type: expected integer, got string "x"'],
            id="jsonschema's opinion of 19.99 is not told beside another error",
        ),
    ],
)
def test_repair_messages(schema: JsonValue, value: JsonValue, said: list[str]) -> None:
    assert repairs(schema, value) == said


def test_a_long_value_is_cut_in_the_message() -> None:
    (said,) = repairs({"properties": {"a": {"type": "integer"}}}, {"a": "x" * 100_000})
    assert len(said) < 2_200
    assert "[cut: 100000 characters]" in said


def test_large_arguments_are_explained_without_jsonschema() -> None:
    schema: JsonValue = {"properties": {"a": {"items": {"type": "integer"}}, "b": {"type": "integer"}}}
    leaves = compiled(schema).explain({"a": [*range(10_000), "x"], "b": "y"})
    assert sorted(leaf.pointer for leaf in leaves) == ["/a/10000", "/b"]


@pytest.mark.parametrize(
    ("leaf", "pointer", "json_path"),
    [
        pytest.param(("a", 0, "b"), "/a/0/b", "$.a[0].b", id="names and places"),
        pytest.param(("a/b", "c~d"), "/a~1b/c~0d", "$['a/b']['c~d']", id="escapes"),
        pytest.param(("é", "it's", "a\\b"), "/é/it's/a\\b", "$['é']['it\\'s']['a\\\\b']", id="quotes"),
        pytest.param((), "", "$", id="the root"),
    ],
)
def test_where_a_leaf_stands(leaf: tuple[str | int, ...], pointer: str, json_path: str) -> None:
    error = LeafError(path=leaf, keyword="type", expected="string", got=1)
    assert (error.pointer, error.json_path) == (pointer, json_path)


@pytest.mark.parametrize(
    ("got", "wanted", "is_coercible"),
    [
        ("12345", "integer", True),
        (" 3 ", "integer", True),
        ("3.0", "integer", True),
        ("3.5", "integer", False),
        ("3.5", "number", True),
        ("-1e3", "number", True),
        ("nan", "number", False),
        ("inf", "number", False),
        ("1e400", "number", False),
        ("1_000", "number", False),
        ("٣", "integer", False),
        ("", "number", False),
        ("three", "number", False),
        ("1" * 41, "integer", False),
        (3.5, "integer", False),
        (True, "integer", False),
        (None, "integer", False),
        ("true", "boolean", True),
        ("FALSE", "boolean", True),
        ("yes", "boolean", False),
        (1, "boolean", False),
        (3, "string", True),
        (3.5, "string", True),
        (None, "string", False),
        ([1], "string", False),
        ("null", "null", False),
        ("[]", "array", False),
        ("3", ["integer", "null"], True),
        ("x", ["integer", "null"], False),
        ("3", True, False),
    ],
)
def test_what_spells_the_right_type(got: JsonValue, wanted: JsonValue, is_coercible: bool) -> None:
    assert LeafError(path=(), keyword="type", expected=wanted, got=got).is_coercible is is_coercible


def test_only_a_wrong_type_is_coercible() -> None:
    assert not LeafError(path=(), keyword="enum", expected=["integer"], got="3").is_coercible


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        pytest.param("string", 'a schema is an object, got "string"', id="a text"),
        pytest.param(["a"], 'a schema is an object, got ["a"]', id="an array"),
        pytest.param(
            {"properties": {"a": {"minimum": "0"}}}, '"0" is not of type "number" at /properties/a/minimum', id="b"
        ),
        pytest.param({"required": True}, 'true is not of type "array" at /required', id="required of draft 3"),
        pytest.param({"type": "tensor"}, '"tensor" is not valid under any of the schemas', id="an unknown type"),
        pytest.param({"properties": {"a": {"$ref": "#/nope"}}}, "Pointer '/nope' does not exist", id="a dangling one"),
        pytest.param({"pattern": "("}, '"(" is not a "regex" at /pattern', id="a pattern that does not compile"),
        pytest.param({"pattern": "(a{1000}){1000}"}, '"(a{1000}){1000}" is not a "regex"', id="a huge pattern"),
        pytest.param({"$ref": "http://example.com/x.json"}, "Resource 'http://example.com/x.json' is not", id="http"),
        pytest.param({"$ref": "https://example.com/x.json"}, "Resource 'https://example.com/x.json' is", id="https"),
        pytest.param({"$ref": "file:///etc/passwd"}, "Resource 'file:///etc/passwd' is not present", id="a file"),
    ],
)
def test_a_broken_schema_is_a_problem_of_the_catalog(schema: JsonValue, reason: str) -> None:
    problem = compile_schema(schema)
    assert isinstance(problem, SchemaProblem)
    assert problem.reason.startswith(reason)


def test_a_schema_that_is_too_deep_is_a_problem() -> None:
    schema: JsonValue = {}
    for _ in range(5_000):
        schema = {"items": schema}
    assert compile_schema(schema) == SchemaProblem(f"nested deeper than {DEPTH_LIMIT} levels")


def test_arguments_at_the_depth_limit_are_validated() -> None:
    value: JsonValue = 1
    for _ in range(DEPTH_LIMIT):
        value = {"a": value}
    schema: JsonValue = {"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#"}, {"const": 1}]}}}
    assert compiled(schema).is_valid(value)
    assert not compiled({**schema, "required": ["b"]}).is_valid(value)  # type: ignore[dict-item]  # schema is an object
    assert compiled({"required": ["b"]}).explain(value)[0].pointer == "/b"


HOSTILE = r"""
from deterministic.schema.validator import CompiledSchema, compile_schema
for pattern in ["^(a+)+$", "^(a|aa)+$", "^(?=a)(a+)+$", "^(?!b)(a|a)*c$", "(.*)*x(?<=y)", r"^(a*)*\1$"]:
    compiled = compile_schema({"properties": {"a": {"type": "string", "pattern": pattern}}})
    assert isinstance(compiled, CompiledSchema), pattern
    value = {"a": "a" * 100_000 + "b"}
    assert not compiled.is_valid(value), pattern
    assert [leaf.keyword for leaf in compiled.explain(value)] == ["pattern"], pattern
compiled = compile_schema({"properties": {"a": {"uniqueItems": True}}})
assert compiled.is_valid({"a": list(range(50_000))})
assert compiled.explain({"a": [*range(50_000), 0]})
for schema in [{"$ref": "#"}, {"allOf": [{"$ref": "#"}]}, {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}]:
    compile_schema(schema).is_valid({"a": 1})
"""


def test_neither_patterns_nor_references_hang() -> None:
    subprocess.run([sys.executable, "-c", HOSTILE], check=True, timeout=120)


def real_tools(folder: Path) -> Iterator[tuple[str, JsonValue]]:
    for path in sorted((folder / "github_mcp_toolsnaps").glob("*.snap")):
        tool = json.loads(path.read_bytes())
        yield tool["name"], tool["inputSchema"]
    for entry in json.loads(gzip.decompress((folder / "livemcp_tools.json.gz").read_bytes())):
        for server in entry["tools"].values():
            yield from ((tool["name"], tool["inputSchema"]) for tool in server["tools"])


@pytest.mark.checkout
def test_every_schema_of_644_real_tools_compiles(shared_data: Path) -> None:
    tools = list(real_tools(shared_data / "tool_schemas"))
    assert len(tools) == 644
    problems = {name: result for name, schema in tools if isinstance(result := compile_schema(schema), SchemaProblem)}
    assert problems == {}


def bfcl_functions(folder: Path) -> Iterator[JsonObject]:
    decoder = msgspec.json.Decoder()
    for path in sorted(folder.glob("BFCL_v4_*")):
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for record in decoder.decode_lines(raw):
            yield from record.get("function", ())


@pytest.mark.checkout
def test_every_function_of_bfcl_compiles(shared_data: Path) -> None:
    functions = list(bfcl_functions(shared_data / "bfcl" / "v4"))
    assert len(functions) == 8_726
    problems = [f["name"] for f in functions if isinstance(compile_schema(f["parameters"]), SchemaProblem)]
    assert problems == []
