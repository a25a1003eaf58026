"""Tool definitions of every shape met in the wild, as :class:`cases.case.Tool`.

OpenAI (chat, Responses, legacy ``functions``), MCP (a tool, a ``tools/list`` result), Anthropic, BFCL, τ²'s tools-data,
callgrade's own, a mapping from name to definition, bare names. Foreign schema dialects pass unchanged: the schema gate
converts them. Definitions come out in the order of the source, repeated names included.
"""

from __future__ import annotations

import msgspec

from cases.case import Effect, Tool
from cases.errors import InputError
from cases.formats.documents import read_documents
from cases.formats.rawjson import decode_value, quoted, where, wrong_kind
from cases.formats.record import InputFile
from cases.jsonvalue import JsonObject, JsonValue, join_pointer

_NATIVE = frozenset(field.encode_name for field in msgspec.structs.fields(Tool))
_SCHEMA_KEYS = ("parameters", "inputSchema", "input_schema")
_LIST_KEYS = ("tools", "functions")
_HINT = "; write a tool definition (name, description, parameters) or a bare name"
_EFFECTS: dict[str, Effect] = {"READ": "read", "WRITE": "write"}


def read_tools(value: JsonValue, place: str = "", *, domain: str | None = None) -> tuple[Tool, ...]:
    """Return the tools that a decoded JSON value defines.

    Args:
        value: One definition, an array of them, an object that holds such an array under ``tools`` or ``functions``,
            or a mapping from name to definition or from domain (server) to a group of them.
        place: JSON pointer of ``value``, for messages.
        domain: Name of the one group to take; by default all groups are taken.

    Raises:
        InputError: An entry is no tool definition, or the domain is not there.
    """
    if domain is not None:
        value, place = _choose_domain(value, place, domain)
    if isinstance(value, list):
        groups = (
            read_tools(entry, join_pointer(place, index))
            if _is_group(entry)
            else (read_tool(entry, join_pointer(place, index)),)
            for index, entry in enumerate(value)
        )
        return tuple(tool for group in groups for tool in group)
    if not isinstance(value, dict):
        raise wrong_kind(value, place, "an array of tool definitions", _HINT)
    if _is_definition(value):
        return (read_tool(value, place),)
    for key in (*_LIST_KEYS, "result"):
        if isinstance(value.get(key), (list, dict)):
            return read_tools(value[key], join_pointer(place, key))
    return _read_mapping(value, place)


def read_tool_file(file: InputFile, *, domain: str | None = None) -> tuple[Tool, ...]:
    """Return the tools that a whole file (JSON, JSON Lines, YAML) defines.

    Raises:
        InputError: The file cannot be read, an entry is no tool definition, or no document has the domain.
    """
    tools: list[Tool] = []
    for document in read_documents(file, splits_arrays=False):
        place = f"{document.source}#"
        tools.extend(read_tools(decode_value(document.raw, place), place, domain=domain))
    return tuple(tools)


def read_tool(entry: JsonValue, place: str = "") -> Tool:
    """Return the one tool that ``entry`` defines, or names.

    Raises:
        InputError: It is no tool definition.
    """
    if isinstance(entry, str) and entry:
        return Tool(name=entry)
    if not isinstance(entry, dict):
        raise wrong_kind(entry, place, "a tool definition", _HINT)
    for key in ("function", "custom"):
        if isinstance(inner := entry.get(key), dict):
            entry, place = {"type": key, **inner}, join_pointer(place, key)
    if entry.keys() <= _NATIVE:
        return _native_tool(entry, place)
    if entry.get("type") == "custom":
        return _tool(entry, place, _CUSTOM_SCHEMA)
    if "name" not in entry and isinstance(kind := entry.get("type"), str) and kind != "function":
        return Tool(name=kind)  # hosted by the endpoint (web_search ...): its type is its name
    for key in _SCHEMA_KEYS:
        if key in entry:
            return _tool(entry, place, _schema(entry[key], join_pointer(place, key)))
    return _tool(entry, place, None)


def strict_names(value: JsonValue) -> frozenset[str]:
    """Return the names of OpenAI tools whose arguments the endpoint decodes under their schema (``strict``)."""
    entries = value if isinstance(value, list) else []
    flat = [
        entry["function"] if isinstance(entry.get("function"), dict) else entry
        for entry in entries
        if isinstance(entry, dict)
    ]
    return frozenset(
        str(entry["name"])
        for entry in flat
        if isinstance(entry, dict) and entry.get("strict") is True and "name" in entry
    )


_CUSTOM_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
    "additionalProperties": False,
}
"""A custom tool takes free text; callgrade holds it as the one argument ``input``."""


def _is_definition(value: JsonObject) -> bool:
    if isinstance(value.get("function"), dict) or isinstance(value.get("custom"), dict):
        return True
    has_schema = any(key in value for key in _SCHEMA_KEYS)
    return "name" in value and (has_schema or (isinstance(value["name"], str) and not _is_group(value)))


def _is_group(value: JsonValue) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(key), (list, dict)) for key in _LIST_KEYS)


def _choose_domain(value: JsonValue, place: str, domain: str) -> tuple[JsonValue, str]:
    groups = value if isinstance(value, dict) else {}
    if domain in groups:
        return groups[domain], join_pointer(place, domain)
    known = ", ".join(quoted(name) for name, group in groups.items() if _is_group(group))
    raise InputError(f"{where(place)}: no domain {domain!r}; known domains: {known or 'none'}")


def _read_mapping(value: JsonObject, place: str) -> tuple[Tool, ...]:
    tools: list[Tool] = []
    for name, entry in value.items():
        inner = join_pointer(place, name)
        if _is_group(entry):
            tools.extend(read_tools(entry, inner))
        elif entry is None:
            tools.append(read_tool(name, inner))
        elif isinstance(entry, dict):
            named = entry if _is_definition(entry) else {"name": name, **entry}
            tools.append(read_tool(named, inner))
        else:
            raise wrong_kind(entry, inner, "a tool definition", _HINT)
    return tuple(tools)


def _native_tool(entry: JsonObject, place: str) -> Tool:
    try:
        tool = msgspec.convert(entry, Tool)
    except msgspec.ValidationError as error:
        raise InputError(f"{where(place)}: {error}; correct the tool definition") from error
    _check_schema(tool.input_schema, join_pointer(place, "input_schema"))
    if not tool.name:
        raise InputError(f"{where(place)}/name: '' where a tool's name belongs")
    return tool


def _tool(entry: JsonObject, place: str, schema: JsonValue) -> Tool:
    name, description = entry.get("name"), entry.get("description")
    if not isinstance(name, str) or not name:
        raise wrong_kind(name, join_pointer(place, "name"), "a tool's name", _HINT)
    if description is not None and not isinstance(description, str):
        raise wrong_kind(description, join_pointer(place, "description"), "a text")
    return Tool(name=name, description=description or "", input_schema=schema, effect=_effect(entry))


def _schema(value: JsonValue, place: str) -> JsonValue:
    if isinstance(value, list):
        return _schema_of_parameters(value, place)
    _check_schema(value, place)
    return value


def _check_schema(value: JsonValue, place: str) -> None:
    if value is not None and not isinstance(value, (dict, bool)):
        raise wrong_kind(value, place, "a JSON Schema (an object)")


def _schema_of_parameters(parameters: list[JsonValue], place: str) -> JsonObject:
    """Return the JSON Schema of τ²'s parameter list."""
    properties: JsonObject = {}
    required: list[JsonValue] = []
    for index, parameter in enumerate(parameters):
        inner = join_pointer(place, index)
        if not isinstance(parameter, dict) or not isinstance(name := parameter.get("name"), str):
            raise wrong_kind(parameter, inner, "a parameter with a name")
        properties[name] = {key: parameter[key] for key in ("type", "description") if key in parameter}
        if parameter.get("required") is True:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def _effect(entry: JsonObject) -> Effect:
    """Return the effect that MCP's hints or τ²'s type state; MCP's unstated defaults state nothing."""
    if isinstance(hints := entry.get("annotations"), dict):
        if hints.get("readOnlyHint") is True:
            return "read"
        if hints.get("readOnlyHint") is False or isinstance(hints.get("destructiveHint"), bool):
            return "write"
    kind = entry.get("type")
    return _EFFECTS.get(kind, "unknown") if isinstance(kind, str) else "unknown"
