"""YAML, read as JSON would be: no dates, no octal, no yes/no, no duplicate keys, no alias bombs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import cast

import yaml

from cases.errors import InputError
from cases.formats.record import InputFile
from cases.jsonvalue import JsonValue

NODE_LIMIT = 200_000
"""Values that one YAML document may expand to; aliases count each time they are used."""


class _JsonLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Plain scalars follow YAML 1.2's core schema: true/false, null, JSON numbers; all else is text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  # PyYAML's own protocol


_resolve = cast("Callable[[str, re.Pattern[str], list[str]], None]", _JsonLoader.add_implicit_resolver)  # pyright: ignore[reportUnknownMemberType]  # PyYAML's stubs leave it open
_resolve("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false|True|False)$"), list("tfTF"))
_resolve("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|)$"), ["~", "n", "N", ""])
_resolve("tag:yaml.org,2002:int", re.compile(r"^-?(?:0|[1-9][0-9]{0,300})$"), list("-0123456789"))
_resolve(
    "tag:yaml.org,2002:float",
    re.compile(r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?$"),
    list("-0123456789"),
)


def yaml_documents(file: InputFile) -> Iterator[tuple[str, JsonValue]]:
    """Yield each document of a YAML file with its place.

    Raises:
        InputError: A document is no YAML, has a duplicate key, or expands beyond ``NODE_LIMIT``.
    """
    try:
        nodes = list(yaml.compose_all(file.read(), Loader=_JsonLoader))
        for index, node in enumerate(nodes):
            place = file.name if len(nodes) == 1 else f"{file.name}#{index + 1}"
            yield place, _value(node, file.name, [NODE_LIMIT])
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{file.name}:{mark.line + 1}" if mark is not None else file.name
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"{where}: not YAML: {problem}") from error
    except RecursionError as error:
        raise InputError(f"{file.name}: nested too deeply") from error


def _value(node: yaml.Node, name: str, budget: list[int]) -> JsonValue:
    where = f"{name}:{node.start_mark.line + 1}"
    budget[0] -= 1
    if budget[0] < 0:
        raise InputError(f"{where}: the document expands to more than {NODE_LIMIT} values; write aliases out")
    if isinstance(node, yaml.MappingNode):
        result: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise InputError(f"{where}: a key must be a text")
            key = str(key_node.value)
            if key in result:
                raise InputError(f"{name}:{key_node.start_mark.line + 1}: duplicate key {key!r}; keep one of them")
            result[key] = _value(value_node, name, budget)
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, name, budget) for child in node.value]
    return _scalar(node, where)


def _scalar(node: yaml.Node, where: str) -> JsonValue:
    text = str(node.value)
    kind = node.tag.rpartition(":")[2]
    if kind == "str":
        return text
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    if kind == "int":
        return int(text)
    if kind == "float":
        return float(text)
    raise InputError(f"{where}: tag {node.tag!r} has no JSON form; write {text[:40]!r} in quotes")
