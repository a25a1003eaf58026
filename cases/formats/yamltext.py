"""YAML, read as JSON would be: no dates, no octal, no yes/no, no duplicate keys, no alias bombs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import cast

import yaml

from cases.errors import InputError
from cases.jsonvalue import DEPTH_LIMIT, JsonValue

NODE_LIMIT = 200_000
"""Values that the aliases of one YAML document may repeat."""


class _JsonLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Plain scalars follow YAML 1.2's core schema: true/false, null, JSON numbers; all else is text."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  # PyYAML's own protocol


_resolve = cast("Callable[[str, re.Pattern[str], list[str]], None]", _JsonLoader.add_implicit_resolver)  # pyright: ignore[reportUnknownMemberType]  # PyYAML's stubs leave it open
_CORE = "tag:yaml.org,2002:"
_BOOL = re.compile(r"^(?:true|false|True|False)$")
_NULL = re.compile(r"^(?:~|null|Null|)$")
_INT = re.compile(r"^-?(?:0|[1-9][0-9]{0,300})$")
_FLOAT = re.compile(r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?$")
_resolve(f"{_CORE}bool", _BOOL, list("tfTF"))
_resolve(f"{_CORE}null", _NULL, ["~", "n", "N", ""])
_resolve(f"{_CORE}int", _INT, list("-0123456789"))
_resolve(f"{_CORE}float", _FLOAT, list("-0123456789"))


def yaml_documents(name: str, content: bytes) -> Iterator[tuple[str, JsonValue]]:
    """Yield each document of a YAML file with its place.

    Raises:
        InputError: A document is no YAML, has a duplicate key or a tag, is nested deeper than ``DEPTH_LIMIT``, or
            its aliases expand beyond ``NODE_LIMIT``.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{name}: not UTF-8 text (UTF-16); save it as UTF-8")
    try:
        _check_depth(name, content)
        nodes = list(yaml.compose_all(content, Loader=_JsonLoader))
        if not nodes:
            raise InputError(f"{name}: the file is empty")
        for index, node in enumerate(nodes):
            place = name if len(nodes) == 1 else f"{name}#{index + 1}"
            yield place, _Expander(name).value(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}:{mark.line + 1}" if mark is not None else name
        problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"{where}: not YAML: {problem}") from error
    except RecursionError as error:
        raise InputError(f"{name}: nested too deeply, or an alias that contains itself") from error


def _check_depth(name: str, content: bytes) -> None:
    """Refuse deep nesting before composing, which recurses in C and would take the process down."""
    depth = 0
    for event in yaml.parse(content, Loader=_JsonLoader):
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            depth += 1
            if depth > DEPTH_LIMIT:
                line = event.start_mark.line + 1 if event.start_mark is not None else 0
                raise InputError(f"{name}:{line}: nested deeper than {DEPTH_LIMIT} levels")
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            depth -= 1


class _Expander:
    """Turns the nodes of one document into JSON values, and counts what its aliases repeat."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._seen: set[int] = set()
        self._n_repeated = 0

    def value(self, node: yaml.Node) -> JsonValue:
        where = f"{self._name}:{node.start_mark.line + 1}"
        self._count(node, where)
        if isinstance(node, yaml.MappingNode):
            _refuse_tag(node, "map", where)
            return self._mapping(node, where)
        if isinstance(node, yaml.SequenceNode):
            _refuse_tag(node, "seq", where)
            return [self.value(child) for child in node.value]
        return _scalar(node, where)

    def _count(self, node: yaml.Node, where: str) -> None:
        if id(node) not in self._seen:
            self._seen.add(id(node))
            return
        self._n_repeated += 1
        if self._n_repeated > NODE_LIMIT:
            raise InputError(f"{where}: its aliases repeat more than {NODE_LIMIT} values; write them out")

    def _mapping(self, node: yaml.MappingNode, where: str) -> JsonValue:
        found: dict[str, JsonValue] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise InputError(f"{where}: a key must be a text")
            key = str(key_node.value)
            if key in found:
                raise InputError(
                    f"{self._name}:{key_node.start_mark.line + 1}: duplicate key {key!r}; keep one of them"
                )
            found[key] = self.value(value_node)
        return found


def _refuse_tag(node: yaml.Node, plain: str, where: str) -> None:
    if node.tag != _CORE + plain:
        raise InputError(f"{where}: tag {node.tag!r} has no JSON form; leave it out")


def _scalar(node: yaml.Node, where: str) -> JsonValue:
    text = str(node.value)
    if node.tag == f"{_CORE}str":
        return text
    if node.tag == f"{_CORE}null" and _NULL.match(text):
        return None
    if node.tag == f"{_CORE}bool" and _BOOL.match(text):
        return text.lower() == "true"
    if node.tag == f"{_CORE}int" and _INT.match(text):
        return int(text)
    if node.tag == f"{_CORE}float" and _FLOAT.match(text) and math.isfinite(number := float(text)):
        return number
    raise InputError(
        f"{where}: {text[:40]!r} (tag {node.tag!r}) has no JSON form; write it in quotes and without a tag"
    )
