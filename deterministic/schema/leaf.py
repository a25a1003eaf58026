"""Leaf errors of a schema check: where, which keyword, what was wanted, what was there. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

import jsonschema_rs
import msgspec

from cases.jsonvalue import JsonValue, join_pointer, json_text, preview

Path = tuple[str | int, ...]

_TYPE_NAMES: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}

VALUE_KEYWORDS = frozenset(
    [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "pattern",
        "format",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "uniqueItems",
    ]
)
"""Keywords that limit a value of the right type: their errors are of class ``value``, not ``schema``."""

BRANCH_KEYWORDS = frozenset({"anyOf", "oneOf"})
_UNKNOWN_FIELD = frozenset({"additionalProperties", "unevaluatedProperties", "falseSchema"})
_WANTED: dict[str, JsonValue] = {
    "uniqueItems": "no two equal items",
    "contains": "a matching item",
    "minContains": "more matching items",
    "maxContains": "fewer matching items",
    "additionalItems": "no further items",
    "unevaluatedItems": "no further items",
    "falseSchema": "absent",
    "oneOf": "exactly one of the alternatives",
    "anyOf": "one of the alternatives",
}
"""What keywords ask for whose own value (a schema, a flag) would tell a reader nothing."""

_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class LeafError(msgspec.Struct, frozen=True, kw_only=True):
    """One broken keyword at one place of the arguments."""

    path: Path
    """Keys and indices from the arguments' root; for ``required`` it ends in the missing name."""
    keyword: str
    """The schema keyword, e.g. ``type``; ``anyOf`` where no branch explains the value better."""
    expected: JsonValue
    """What the keyword asks for, e.g. ``"integer"``."""
    got: JsonValue | msgspec.UnsetType
    """The value there; unset where it is missing."""

    @property
    def pointer(self) -> str:
        """JSON pointer from the arguments' root."""
        return join_pointer("", *self.path)

    @property
    def json_path(self) -> str:
        """JSON path from the arguments' root, as jsonschema writes it: ``$.items[0].id``."""
        return "$" + "".join(map(_path_part, self.path))

    @property
    def repair(self) -> str:
        """One sentence to feed back to the model."""
        name = self.json_path.removeprefix("$").removeprefix(".") or "arguments"
        if self.got is msgspec.UNSET:
            return f"field {name} is required and missing"
        if self.keyword in _UNKNOWN_FIELD:
            return f"field {name} is not known to this tool: leave it out"
        got = "null" if self.got is None else f"{type_name(self.got)} {json_text(preview(self.got))}"
        wanted = _names(self.expected) if self.keyword == "type" else _words(self.expected)
        expected = f"anything but {wanted}" if self.keyword == "not" else wanted
        return f"field {name} failed {self.keyword}: expected {expected}, got {got}"

    @property
    def is_coercible(self) -> bool:
        """True when the value is of the wrong type and its text spells one of the right type ("3" for an integer)."""
        wanted = self.expected if isinstance(self.expected, list) else [self.expected]
        return self.keyword == "type" and any(isinstance(w, str) and _spells(self.got, w) for w in wanted)


def type_name(value: object) -> str:
    """Return JSON Schema's name of the value's type."""
    return _TYPE_NAMES.get(type(value), type(value).__name__)


def leaf_error(path: Path, keyword: str, limit: JsonValue, got: JsonValue) -> LeafError:
    """Return the leaf of a broken keyword; ``limit`` is the keyword's value in the schema."""
    return LeafError(path=path, keyword=keyword, expected=_WANTED.get(keyword, limit), got=got)


def missing_field(path: Path, name: str, keyword: str) -> LeafError:
    """Return the leaf of a field that ``keyword`` (``required`` or a dependency) wants and that is not there."""
    return LeafError(path=(*path, name), keyword=keyword, expected="present", got=msgspec.UNSET)


def unknown_field(path: Path, name: str, keyword: str, got: JsonValue) -> LeafError:
    """Return the leaf of a field that the schema does not admit."""
    return LeafError(path=(*path, name), keyword=keyword, expected="absent", got=got)


def from_jsonschema_rs(error: jsonschema_rs.ValidationError) -> Iterator[LeafError]:
    """Yield the leaf errors of one jsonschema-rs error."""
    kind = error.kind
    path = tuple(error.instance_path)
    details = kind.as_dict()
    instance = cast("JsonValue", error.instance)
    if kind.name in BRANCH_KEYWORDS:
        branches = [[leaf for inner in branch for leaf in from_jsonschema_rs(inner)] for branch in details["context"]]
        yield from pick_branch(branches, path, kind.name, instance)
    elif kind.name == "required":
        yield missing_field(path, details["property"], str(error.schema_path[-1]))
    elif kind.name in {"additionalProperties", "unevaluatedProperties"} and isinstance(instance, dict):
        for name in details["unexpected"]:
            yield unknown_field(path, name, kind.name, instance[name])
    elif kind.name == "propertyNames":
        inner = details["error"]
        yield leaf_error((*path, inner.instance), "propertyNames", _limit(inner.kind.as_dict()), inner.instance)
    elif kind.name == "falseSchema" and isinstance(instance, dict) and _rules_out_names(error.schema_path, path):
        for name, value in instance.items():
            yield unknown_field(path, name, kind.name, value)
    elif kind.name == "contains":  # its last place tells the bound that broke: contains, minContains, maxContains
        yield leaf_error(path, str(error.schema_path[-1]), None, instance)
    else:
        yield leaf_error(path, kind.name, _limit(details), instance)


def pick_branch(
    branches: Sequence[Sequence[LeafError]], path: Path, keyword: str, instance: JsonValue
) -> Iterator[LeafError]:
    """Yield the errors of the branch that the value was closest to, or one error for them all.

    A branch whose own type fits the value is closer than one that refuses its type; among those, the one that the
    value's constants choose (a ``kind`` that fits its ``const``), then the one with fewest errors. When every branch
    refuses the type, one ``type`` error names all of the types. Where ``oneOf`` fails because several branches fit,
    none of them is to blame.
    """
    fitting = [b for b in branches if b and not any(e.keyword == "type" and e.path == path for e in b)]
    if not branches or not all(branches):
        yield leaf_error(path, keyword, None, instance)
    elif fitting:
        yield from min(fitting, key=lambda b: (sum(e.keyword in {"const", "enum"} for e in b), len(b)))
    else:
        types = [e.expected for b in branches for e in b if e.keyword == "type" and e.path == path]
        wanted = [*dict.fromkeys(t for entry in types for t in (entry if isinstance(entry, list) else [entry]))]
        yield LeafError(path=path, keyword="type", expected=wanted if len(wanted) > 1 else wanted[0], got=instance)


def _rules_out_names(schema_path: Sequence[str | int], path: Path) -> bool:
    """Return whether ``false`` stood under ``propertyNames``, and not under a property of that name."""
    return list(schema_path)[-1:] == ["propertyNames"] != list(path)[-1:]


def _path_part(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    if _PLAIN_NAME.fullmatch(part):
        return f".{part}"
    quoted = part.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{quoted}']"


def _limit(details: dict[str, JsonValue]) -> JsonValue:
    for key in ("types", "options", "limit", "pattern", "format", "expected_value", "multiple_of", "schema"):
        if key in details:
            value = details[key]
            if key == "types" and isinstance(value, list):  # in no order of the schema's
                return value[0] if len(value) == 1 else [*sorted(map(str, value))]
            return value
    return None


def _names(types: JsonValue) -> str:
    return "one of " + ", ".join(map(str, types)) if isinstance(types, list) else str(types)


def _words(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        is_plain = not any(isinstance(v, str) and _looks_like_json(v) for v in value)
        return "one of " + ", ".join(v if isinstance(v, str) and is_plain else json_text(v) for v in value)
    return json_text(value)


def _looks_like_json(text: str) -> bool:
    """Return whether a bare ``text`` could be taken for a number, a boolean, null or nothing at all."""
    return not text.strip() or text in {"true", "false", "null"} or text[0] in "-0123456789"


def _spells(got: object, wanted: str) -> bool:
    if wanted == "string":
        return isinstance(got, (int, float))
    if wanted == "integer" and isinstance(got, float):
        return False
    if not isinstance(got, str) or len(got) > 40:
        return False
    text = got.strip()
    if wanted == "boolean":
        return text.lower() in {"true", "false"}
    if wanted not in {"integer", "number"} or not text.isascii() or "_" in text:
        return False
    try:
        number = float(text)
    except ValueError:
        return False
    return number - number == 0 and (wanted == "number" or number.is_integer())
