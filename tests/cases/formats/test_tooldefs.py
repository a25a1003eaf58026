"""Tool definitions: every shape becomes the same Tool; what is none says where and what to do."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from cases.case import Effect, Tool
from cases.errors import InputError
from cases.formats.record import InputFile
from cases.formats.tooldefs import read_tool_file, read_tools, strict_names
from cases.jsonvalue import JsonObject, JsonValue

MakeFile = Callable[[str, bytes], InputFile]

SCHEMA: JsonObject = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
FLAT: JsonObject = {"name": "weather", "description": "Tells.", "parameters": SCHEMA}
WEATHER = Tool(name="weather", description="Tells.", input_schema=SCHEMA)


class Shape(msgspec.Struct, frozen=True):
    id: str
    value: JsonValue
    tools: tuple[Tool, ...] = (WEATHER,)


SHAPES = [
    Shape("OpenAI chat wraps it in 'function'", [{"type": "function", "function": {**FLAT, "strict": True}}]),
    Shape("OpenAI Responses is flat", [{"type": "function", "strict": False, **FLAT}]),
    Shape("legacy functions are bare", {"functions": [FLAT], "model": "m"}),
    Shape("MCP says inputSchema", [{"name": "weather", "description": "Tells.", "inputSchema": SCHEMA}]),
    Shape("a tools/list result holds tools", {"jsonrpc": "2.0", "result": {"tools": [FLAT]}}),
    Shape("Anthropic says input_schema", [{"name": "weather", "description": "Tells.", "input_schema": SCHEMA}]),
    Shape("BFCL's response schema is left out", [{**FLAT, "response": {"type": "dict"}}]),
    Shape("one definition needs no array", FLAT),
    Shape("a mapping names the tool", {"weather": {"description": "Tells.", "parameters": SCHEMA}}),
    Shape("a mapping may hold whole definitions", {"weather": {"type": "function", "function": FLAT}}),
    Shape("servers hold tools", [{"name": "srv", "description": "", "tools": {"srv": {"tools": [FLAT]}}}]),
    Shape("a bare string is a name", ["weather"], (Tool(name="weather"),)),
    Shape("a mapping to null names tools", {"a": None, "b": None}, (Tool(name="a"), Tool(name="b"))),
    Shape("a hosted tool goes by its type", [{"type": "web_search", "size": "low"}], (Tool(name="web_search"),)),
    Shape("nothing defined is no tools", [], ()),
    Shape(
        "a foreign dialect passes unchanged",
        [{"name": "f", "parameters": {"type": "dict"}}],
        (Tool(name="f", input_schema={"type": "dict"}),),
    ),
    Shape(
        "our own keeps effect, family and prerequisites",
        [{"name": "f", "effect": "write", "family": "g", "requires": ["h"]}],
        (Tool(name="f", effect="write", family="g", requires=("h",)),),
    ),
    Shape(
        "a custom tool takes its text as the argument input",
        [{"type": "custom", "custom": {"name": "sql", "format": {"type": "text"}}}],
        (
            Tool(
                name="sql",
                input_schema={
                    "type": "object",
                    "properties": {"input": {"type": "string"}},
                    "required": ["input"],
                    "additionalProperties": False,
                },
            ),
        ),
    ),
    Shape(
        "τ² lists parameters and says READ",
        {
            "shop": {
                "description": "A shop.",
                "tools": [
                    {
                        "name": "weather",
                        "type": "READ",
                        "description": "Tells.",
                        "parameters": [{"name": "city", "type": "string", "required": True}],
                        "returns": "Text.",
                    }
                ],
            }
        },
        (msgspec.structs.replace(WEATHER, effect="read"),),
    ),
]


@pytest.mark.parametrize("shape", [pytest.param(s, id=s.id) for s in SHAPES])
def test_shapes(shape: Shape) -> None:
    assert read_tools(shape.value) == shape.tools


@pytest.mark.parametrize(
    ("hints", "effect"),
    [
        pytest.param({"readOnlyHint": True}, "read", id="read-only reads"),
        pytest.param({"readOnlyHint": True, "destructiveHint": True}, "read", id="destructive means nothing then"),
        pytest.param({"readOnlyHint": False}, "write", id="said not to be read-only"),
        pytest.param({"destructiveHint": False}, "write", id="additive writes are writes"),
        pytest.param({"title": "T"}, "unknown", id="MCP's defaults state nothing"),
        pytest.param(None, "unknown", id="no hints"),
    ],
)
def test_mcp_effects(hints: JsonValue, effect: Effect) -> None:
    (tool,) = read_tools([{"name": "f", "inputSchema": {}, "annotations": hints}])
    assert tool.effect == effect


class Bad(msgspec.Struct, frozen=True):
    id: str
    value: JsonValue
    message: str


BAD = [
    Bad("a number is no catalog", 5, "the document: 5 where an array of tool definitions belongs"),
    Bad("a number is no entry", ["a", 5], "/1: 5 where a tool definition belongs"),
    Bad("an empty name", [{"name": "", "parameters": {}}], "/0/name: '' where a tool's name belongs"),
    Bad("no name", [{"parameters": {}}], "/0/name: null where a tool's name belongs"),
    Bad("a schema that is a text", [{"name": "f", "parameters": "{}"}], "/0/parameters: '{}' where a JSON Schema"),
    Bad("our own with a wrong effect", [{"name": "f", "effect": "kill"}], "/0: Invalid enum value 'kill'"),
    Bad("a parameter without a name", [{"name": "f", "parameters": [{}]}], "/0/parameters/0: an object with 0 keys"),
    Bad("a mapping to a number", {"f": 5}, "/f: 5 where a tool definition belongs"),
    Bad("escapes do not reach the terminal", ["a", {"name": ["\x1b"]}], "/1"),
]


@pytest.mark.parametrize("bad", [pytest.param(b, id=b.id) for b in BAD])
def test_bad_definitions_say_where(bad: Bad) -> None:
    with pytest.raises(InputError) as caught:
        read_tools(bad.value)
    assert str(caught.value).startswith(bad.message)
    assert "\x1b" not in str(caught.value)


def test_an_unknown_domain_names_the_known_ones() -> None:
    with pytest.raises(InputError, match="no domain 'sea'; known domains: 'air'"):
        read_tools({"air": {"tools": []}}, domain="sea")


def test_strict_names_are_those_declared_strict() -> None:
    tools: JsonValue = [
        {"type": "function", "function": {"name": "a", "strict": True}},
        {"type": "function", "name": "b", "strict": True},
        {"type": "function", "function": {"name": "c", "strict": False}},
        "d",
    ]
    assert strict_names(tools) == {"a", "b"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("t.json", json.dumps([FLAT], indent=1), id="JSON"),
        pytest.param("t.jsonl", json.dumps(FLAT) + "\n", id="JSON Lines"),
        pytest.param("t.yaml", json.dumps([FLAT]), id="YAML"),
    ],
)
def test_files(memory_file: MakeFile, name: str, text: str) -> None:
    assert read_tool_file(memory_file(name, text.encode())) == (WEATHER,)


def test_a_bad_file_says_file_and_place(memory_file: MakeFile) -> None:
    with pytest.raises(InputError, match=r"t\.jsonl:2#/name: 7 where a tool's name belongs"):
        read_tool_file(memory_file("t.jsonl", b'{"name": "f", "x": 1}\n{"name": 7, "parameters": {}}\n'))


def test_644_real_schemas_are_read(shared_data: Path, memory_file: MakeFile) -> None:
    folder = shared_data / "tool_schemas"
    snaps = [
        tool
        for path in sorted((folder / "github_mcp_toolsnaps").glob("*.snap"))
        for tool in read_tool_file(memory_file(path.name, path.read_bytes()))
    ]
    livemcp = gzip.decompress((folder / "livemcp_tools.json.gz").read_bytes())
    servers = read_tool_file(memory_file("livemcp.json", livemcp))
    assert (len(snaps), len(servers)) == (117, 527)
    assert all(isinstance(tool.input_schema, dict) for tool in (*snaps, *servers))
    assert {tool.effect for tool in snaps} == {"read", "write"}


@pytest.mark.parametrize(
    ("domain", "counts"),
    [
        pytest.param("airline", {"read": 5, "write": 4, "unknown": 1}, id="airline: one tool is generic"),
        pytest.param("retail", {"read": 6, "write": 6}, id="retail"),
        pytest.param("telecom", {"read": 7, "write": 10}, id="telecom"),
        pytest.param(None, {"read": 20, "write": 22, "unknown": 2}, id="all domains"),
    ],
)
def test_tau2_tools(shared_data: Path, memory_file: MakeFile, domain: str | None, counts: dict[Effect, int]) -> None:
    path = shared_data / "tau2_bench" / "tools-data.json"
    tools = read_tool_file(memory_file(path.name, path.read_bytes()), domain=domain)
    assert Counter(tool.effect for tool in tools) == counts


def test_tau_bench_and_bfcl_tools(shared_data: Path, memory_file: MakeFile) -> None:
    def count(pattern: str) -> int:
        paths = shared_data.glob(pattern)
        return sum(len(read_tool_file(memory_file(p.name, p.read_bytes()))) for p in paths)

    assert count("tau_bench/envs/*/tools.json") == 30
    assert count("bfcl/v4/multi_turn_func_doc/*.json") == 162
