"""The text of a chat message: a string, or the text parts of an array of content parts. Pure.

Parts that are no text leave a mark (``[image_url]``), so that nobody takes the rest for the whole.
"""

from __future__ import annotations

from cases.formats.rawjson import wrong_kind
from cases.jsonvalue import JsonValue, join_pointer

_TEXT_KEYS = ("text", "refusal")


def text_of(content: JsonValue, place: str) -> str:
    """Return the text of ``content``; parts stand on lines of their own, ``null`` is no text.

    Raises:
        InputError: It is neither a text, nor null, nor an array of content parts.
    """
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if not isinstance(content, list):
        raise wrong_kind(content, place, "a text or an array of content parts")
    return "\n".join(_part(part, join_pointer(place, index)) for index, part in enumerate(content))


def _part(part: JsonValue, place: str) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise wrong_kind(part, place, "a content part")
    for key in _TEXT_KEYS:
        if isinstance(text := part.get(key), str):
            return text
    kind = part.get("type")
    if not isinstance(kind, str):
        raise wrong_kind(kind, join_pointer(place, "type"), "the type of a content part")
    return f"[{kind}]"
