"""What a tool message says: a result (JSON where the text is JSON) or an error.

Pure. A text counts as an error when it begins as exceptions are printed (``Error: ...``,
``ValueError: ...``), an object when it says so itself (``error``, ``is_error``, ``status: "error"``).
The error keeps the tool's words; an object that says more than the error is kept whole, as its text.
"""

from __future__ import annotations

import re

import msgspec

from cases.formats.messagetext import text_of
from cases.formats.rawjson import parse_json_text
from cases.jsonvalue import JsonObject, JsonValue, json_text

_ERROR_TEXT = re.compile(
    r"\s*(?:[A-Za-z_.]{0,80}(?:Error|Exception)|ERROR|error)"
    r"(?::|\s(?:executing|calling|invoking|running)\b)"
    r"|\s*Traceback \(most recent call last\)"
)
_FLAGS = ("is_error", "isError")


class ToolAnswer(msgspec.Struct, frozen=True):
    """What came back for one call; an error excludes a result."""

    result: JsonValue | msgspec.UnsetType = msgspec.UNSET
    error: str | None = None


def read_answer(message: JsonObject, place: str) -> ToolAnswer:
    """Return what a ``tool`` or ``function`` message answers.

    Raises:
        InputError: The content is a list and no list of content parts.
    """
    if "content" not in message:
        return ToolAnswer()
    content = message["content"]
    if isinstance(content, list) and not _are_parts(content):
        value: JsonValue = content
    elif isinstance(content, (str, list)):
        text = text_of(content, f"{place}/content")
        parsed = parse_json_text(text)
        value = text if isinstance(parsed, msgspec.UnsetType) else parsed
    else:
        value = content
    if _says_error(message) or _is_error(value):
        return ToolAnswer(error=_error_text(value))
    return ToolAnswer(result=value)


def answer_text(answer: ToolAnswer) -> str:
    """Return what came back, as text."""
    if answer.error is not None:
        return answer.error
    if isinstance(answer.result, msgspec.UnsetType):
        return ""
    return answer.result if isinstance(answer.result, str) else json_text(answer.result)


def _are_parts(content: list[JsonValue]) -> bool:
    return all(isinstance(part, str) or (isinstance(part, dict) and "type" in part) for part in content)


def _says_error(source: JsonObject) -> bool:
    return source.get("status") == "error" or any(source.get(flag) is True for flag in _FLAGS)


def _is_error(value: JsonValue) -> bool:
    if isinstance(value, str):
        return _ERROR_TEXT.match(value) is not None
    if not isinstance(value, dict):
        return False
    error = value.get("error")
    # A number under "error" is a measurement, and null, false and "" say that there was none.
    is_stated = error is True or (isinstance(error, (str, dict, list)) and bool(error))
    return is_stated or _says_error(value)


def _error_text(value: JsonValue) -> str:
    if isinstance(value, dict) and len(value) == 1 and isinstance(only := value.get("error"), str):
        return only
    return value if isinstance(value, str) else json_text(value)
