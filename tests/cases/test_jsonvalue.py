"""JSON pointers, nesting, and text that is safe to print."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.jsonvalue import (
    PREVIEW_LIMIT,
    JsonObject,
    JsonValue,
    encode,
    escape_token,
    is_nested_deeper,
    join_pointer,
    json_text,
    preview,
    resolve_pointer,
    visible,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)

# RFC 6901, section 5, whole.
RFC: JsonValue = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_the_examples_of_the_rfc(pointer: str, value: JsonValue) -> None:
    assert resolve_pointer(RFC, pointer) == value


@pytest.mark.parametrize(
    "pointer",
    [
        pytest.param("/nope", id="no such key"),
        pytest.param("/foo/2", id="beyond the end"),
        pytest.param("/foo/-", id="the place after the end"),
        pytest.param("/foo/-1", id="no counting from the end"),
        pytest.param("/foo/00", id="leading zero"),
        pytest.param("/foo/01", id="leading zero before a digit"),
        pytest.param("/foo/\u0661", id="a digit of another script"),
        pytest.param("/foo/\u00b2", id="a superscript"),
        pytest.param("/foo/" + "9" * 5_000, id="an index of 5,000 digits"),
        pytest.param("/foo/0/b", id="into a text"),
        pytest.param("foo", id="without the leading slash"),
        pytest.param("#/foo", id="the fragment form"),
    ],
)
def test_a_pointer_to_nothing_is_a_lookup_error(pointer: str) -> None:
    with pytest.raises(LookupError):
        resolve_pointer(RFC, pointer)


def test_a_tilde_is_escaped_before_a_slash_is_read() -> None:
    # "~1" as a key is "~01" in a pointer; unescaping ~0 first would read "/".
    assert escape_token("~1") == "~01"
    assert resolve_pointer({"~1": "right", "/": "wrong"}, "/~01") == "right"


@given(st.lists(st.text() | st.integers(0, 3), max_size=5), JSON)
def test_a_joined_pointer_leads_back_to_the_value(tokens: list[str | int], leaf: JsonValue) -> None:
    document: JsonValue = leaf
    for token in reversed(tokens):
        if isinstance(token, int):
            document = [*[None] * token, document]
        else:
            inner: JsonObject = {token: document}
            document = inner
    assert resolve_pointer(document, join_pointer("", *tokens)) == leaf


@pytest.mark.parametrize(
    ("text", "depth"),
    [
        pytest.param("3", 0, id="a number has none"),
        pytest.param("[]", 1, id="an empty array has one"),
        pytest.param('{"a": [1, {}]}', 3, id="object, array, object"),
        pytest.param("[[], [[]], 1]", 3, id="the deepest branch counts"),
    ],
)
def test_levels_of_nesting(text: str, depth: int) -> None:
    value = json.loads(text)
    assert not is_nested_deeper(value, depth)
    assert depth == 0 or is_nested_deeper(value, depth - 1)


def test_nesting_is_measured_without_recursion() -> None:
    value: JsonValue = []
    for _ in range(100_000):
        value = [value]
    assert is_nested_deeper(value, 99_999)
    while (
        isinstance(value, list) and value
    ):  # taken apart by hand: the interpreter's own deallocation is not our subject
        value = value[0]


@given(JSON)
def test_json_text_is_json(value: JsonValue) -> None:
    assert json.loads(json_text(value)) == value
    assert "\n" not in json_text(value)
    assert encode(value).decode() == json_text(value)


def test_a_lone_surrogate_can_be_told_of() -> None:
    assert json_text({"a": "\ud800"}) == '{"a":"\\ud800"}'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[2Jhi", "\\u001b[2Jhi", id="escape sequences"),
        pytest.param("a\nb\tc", "a\\u000ab\\u0009c", id="line breaks and tabs"),
        pytest.param("\x7f\x9b", "\\u007f\\u009b", id="delete and the C1 controls"),
        pytest.param("a\u202eb\u2066c\u061cd", "a\\u202eb\\u2066c\\u061cd", id="directions"),
        pytest.param("a\u2028b\u2029", "a\\u2028b\\u2029", id="Unicode line breaks"),
        pytest.param("\ud800", "\\ud800", id="lone surrogates"),
        pytest.param("Zoë 東京 😀 \u200b", "Zoë 東京 😀 \u200b", id="letters of every script stay"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
    visible(text).encode()


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("x" * PREVIEW_LIMIT, id="a text at the limit"),
        pytest.param(["x" * (PREVIEW_LIMIT - 4)], id="an array whose JSON is at the limit: 4 for brackets and quotes"),
        pytest.param(10**300, id="a number"),
        pytest.param(None, id="null"),
    ],
)
def test_what_fits_is_previewed_whole(value: JsonValue) -> None:
    assert preview(value) == value


@pytest.mark.parametrize(
    ("value", "cut"),
    [
        pytest.param("x" * 2_001, "x" * 2_000 + "…[cut: 2001 characters]", id="a text"),
        pytest.param(["x" * 1_997], '["' + "x" * 1_997 + '"…[cut: 2001 characters]', id="an array, as JSON"),
    ],
)
def test_what_does_not_fit_is_cut_visibly(value: JsonValue, cut: str) -> None:
    assert preview(value) == cut
