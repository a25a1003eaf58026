"""YAML as JSON would be: nothing is guessed, nothing runs, nothing explodes."""

from __future__ import annotations

import time

import pytest

from cases.errors import InputError
from cases.formats.yamltext import NODE_LIMIT, yaml_documents
from cases.jsonvalue import JsonValue


def only(text: str) -> JsonValue:
    ((_, value),) = yaml_documents("c.yaml", text.encode())
    return value


SCALARS: list[tuple[str, str, JsonValue]] = [
    ("an integer", "12", 12),
    ("a negative float", "-1.5e3", -1500.0),
    ("null", "null", None),
    ("nothing is null", "", None),
    ("true", "true", True),
    ("a date stays text", "2024-05-15", "2024-05-15"),
    ("a time stays text", "12:30:45", "12:30:45"),
    ("no stays text", "no", "no"),
    ("on stays text", "on", "on"),
    ("octal stays text", "0o17", "0o17"),
    ("a leading zero stays text", "00123", "00123"),
    ("hexadecimal stays text", "0x1F", "0x1F"),
    ("an underscore stays text", "1_000", "1_000"),
    ("infinity stays text", ".inf", ".inf"),
    ("a version stays text", "1.2.3", "1.2.3"),
    ("quotes make text", "'12'", "12"),
    ("an explicit text", "!!str 12", "12"),
    ("a merge key is a key", "{<<: 1}", {"<<": 1}),
]


@pytest.mark.parametrize(("text", "wanted"), [pytest.param(t, w, id=i) for i, t, w in SCALARS])
def test_scalars(text: str, wanted: JsonValue) -> None:
    assert only(f"v: {text}\n") == {"v": wanted}


BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [{','.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
REFUSED: list[tuple[str, str, str]] = [
    ("a duplicate key", "a: 1\nb: 2\na: 3\n", r"c\.yaml:3: duplicate key 'a'"),
    ("a Python object", "!!python/object/apply:os.system ['true']", r"c\.yaml:1: tag .* has no JSON form"),
    ("a tagged text", "a: !!python/name:os.system ''", "c.yaml:1: .* has no JSON form"),
    ("a tag that ends in str", "a: !own:str x", "has no JSON form"),
    ("a tagged mapping", "a: !thing {b: 1}", "tag '!thing' has no JSON form"),
    ("a forced integer", "a: !!int 0o17", "has no JSON form"),
    ("a forced boolean", "a: !!bool maybe", "has no JSON form"),
    ("a date by tag", "a: !!timestamp 2024-05-15", "has no JSON form"),
    ("binary by tag", "a: !!binary aGk=", "has no JSON form"),
    ("a number beyond floats", "a: 1e999", "c.yaml:1: '1e999'"),
    ("a key that is no text", "? [a]\n: 1\n", "a key must be a text"),
    ("an alias bomb", BOMB, f"aliases repeat more than {NODE_LIMIT} values"),
    ("an alias in itself", "a: &a [*a]", "nested too deeply|aliases"),
    ("an unknown alias", "a: *b", "c.yaml:1: not YAML: found undefined alias"),
    ("a tab for indentation", "a:\n\t- b\n", "c.yaml:2: not YAML"),
    ("a control character", "a: \x07", "not YAML"),
    ("bad bytes", "a: \ud800", "not YAML"),
]


@pytest.mark.parametrize(("text", "message"), [pytest.param(t, m, id=i) for i, t, m in REFUSED])
def test_what_is_refused(text: str, message: str) -> None:
    began = time.monotonic()
    with pytest.raises(InputError, match=message):
        list(yaml_documents("c.yaml", text.encode(errors="surrogatepass")))
    assert time.monotonic() - began < 10


def test_an_alias_is_the_value_it_names() -> None:
    assert only("a: &x {b: 1}\nc: *x\n") == {"a": {"b": 1}, "c": {"b": 1}}


def test_a_long_list_without_aliases_is_no_bomb() -> None:
    assert len(str(only("[" + ",".join(["1"] * (NODE_LIMIT + 10)) + "]"))) > NODE_LIMIT


@pytest.mark.parametrize("text", ["[" * 5_000, "a: " + "{a: " * 5_000], ids=["lists", "mappings"])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        list(yaml_documents("c.yaml", text.encode()))


@pytest.mark.parametrize("content", [b"[" * 100_000, b"- " * 100_000, b"a: " + b"{b: " * 50_000])
def test_deep_nesting_is_refused_before_it_reaches_the_composer(content: bytes) -> None:
    with pytest.raises(InputError, match=r"^f\.yaml:\d+: (?:nested deeper than 128 levels|not YAML: )"):
        list(yaml_documents("f.yaml", content))
