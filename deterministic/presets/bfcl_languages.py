"""Types that BFCL's tools state, per language of the category, and values read as that language. Pure.

Python's arguments are JSON values as they come. Java's and JavaScript's are texts that spell a literal of the language.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from cases.jsonvalue import JsonValue
from deterministic.presets.bfcl_java import JAVA_TYPES, read_java
from deterministic.presets.bfcl_javascript import JAVASCRIPT_TYPES, read_javascript

Language = Literal["python", "java", "javascript"]

PYTHON_TYPES: dict[str, type] = {
    "string": str,
    "any": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
}
_WITH_ITEMS = frozenset({"array", "tuple", "Array", "ArrayList"})
_TYPES: dict[Language, dict[str, type]] = {"python": PYTHON_TYPES, "java": JAVA_TYPES, "javascript": JAVASCRIPT_TYPES}


class UnknownTypeError(ValueError):
    """A tool states a type that BFCL's checker does not know; it ends with an error there."""


class Stated(msgspec.Struct, frozen=True):
    """A value beside the type that its tool states."""

    value: JsonValue
    wanted: type
    item: type | None = None
    """Type of an array's items."""


def find_language(category: str) -> Language:
    """Return the language that a category's calls are written in."""
    if "javascript" in category:
        return "javascript"
    return "java" if "java" in category else "python"


def read_typed(value: JsonValue, schema: JsonValue, language: Language) -> Stated | str:
    """Return ``value``, read in its language, with the type that ``schema`` states; a rule's name where it is no text.

    Raises:
        UnknownTypeError: The schema states a type that the language's table lacks, or none.
    """
    stated, items = _type_names(schema)
    wanted = _known(stated, language)
    item = _known(items, language) if stated in _WITH_ITEMS else None
    if language == "python":
        if wanted is float and type(value) is int:
            return Stated(float(value), wanted, item)
        return Stated(value, wanted, item)
    if not isinstance(value, str):
        return "type_error:java" if language == "java" else "type_error:js"
    read = read_java if language == "java" else read_javascript
    return Stated(read(value, stated, items), wanted, item)


def _type_names(schema: JsonValue) -> tuple[str, str]:
    if not isinstance(schema, dict):
        return "", ""
    inner = schema.get("items")
    items = inner.get("type") if isinstance(inner, dict) else ""
    stated = schema.get("type")
    return (stated if isinstance(stated, str) else ""), (items if isinstance(items, str) else "")


def _known(name: str, language: Language) -> type:
    found = _TYPES[language].get(name)
    if found is None:
        raise UnknownTypeError(f"{name!r} is no type that BFCL's checker knows in {language}")
    return found
