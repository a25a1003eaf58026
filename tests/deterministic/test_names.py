"""Tool names: what transports and tokenizers do to them, and what is another tool."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deterministic.names import relaxed_match


@pytest.mark.parametrize(
    ("emitted", "known", "name", "relaxation"),
    [
        pytest.param("math.add", ["math_add"], "math_add", "separator", id="a dot became an underscore"),
        pytest.param("math_add", ["math.add"], "math.add", "separator", id="an underscore became a dot"),
        pytest.param("a-b/c:d", ["a_b_c_d"], "a_b_c_d", "separator", id="hyphen, slash, colon"),
        pytest.param("mcp__mail__send", ["send"], "send", "prefix", id="an MCP prefix was added"),
        pytest.param("send", ["mcp__mail__send"], "mcp__mail__send", "prefix", id="an MCP prefix was left out"),
        pytest.param("mcp__my_mail__send_all", ["send_all"], "send_all", "prefix", id="a server of two words"),
        pytest.param("functions.send", ["send"], "send", "prefix", id="the functions namespace"),
        pytest.param("default_api.send", ["send"], "send", "prefix", id="the default_api namespace"),
        pytest.param("tools.send", ["send"], "send", "prefix", id="the tools namespace"),
        pytest.param("functions.mcp__mail__send", ["send"], "send", "prefix", id="two prefixes"),
        pytest.param("functions.a.b", ["a_b"], "a_b", "prefix", id="a prefix and a separator"),
        pytest.param("send<|channel|>json", ["send"], "send", "special_token", id="a leaked token and what follows"),
        pytest.param("functions.send<|end|>", ["send"], "send", "special_token", id="a prefix and a leaked token"),
        pytest.param(" send\n", ["send"], "send", "special_token", id="white space around"),
        pytest.param("SendMail", ["sendmail"], "sendmail", "case", id="case"),
        pytest.param("Functions.SEND", ["functions_send"], "functions_send", "case", id="case after separators"),
        pytest.param("A.b", ["a_b", "x"], "a_b", "case", id="case and separator"),
        pytest.param("functions.f", ["f", "functions_f"], "functions_f", "separator", id="the mildest reading wins"),
        pytest.param("f.x", ["f_x", "F_x"], "f_x", "separator", id="case decides nothing that separators decide"),
        pytest.param("send", ["send", "send"], "send", "separator", id="a name listed twice is one candidate"),
    ],
)
def test_one_tool_under_another_spelling(emitted: str, known: list[str], name: str, relaxation: str) -> None:
    match = relaxed_match(emitted, known)
    assert match is not None
    assert (match.name, match.relaxation) == (name, relaxation)


@pytest.mark.parametrize(
    ("emitted", "known"),
    [
        pytest.param("send", ["sent"], id="another name"),
        pytest.param("send", [], id="an empty catalog"),
        pytest.param("", ["send"], id="no name"),
        pytest.param("", ["<|x|>"], id="no name and a token"),
        pytest.param("functions.", [""], id="nothing but a prefix"),
        pytest.param("<|channel|>send", ["send"], id="a token before the name hides it"),
        pytest.param("getUser", ["get_user"], id="camel case is another spelling, not a transport's"),
        pytest.param("a.b", ["a_b", "a-b"], id="two candidates by separator"),
        pytest.param("send", ["mcp__a__send", "mcp__b__send"], id="two candidates by prefix"),
        pytest.param("SEND", ["send", "Send"], id="two candidates by case"),
        pytest.param("mcp__mail__search", ["mcp__files__search"], id="another server's tool of that name"),
        pytest.param("mcp__mail__search", ["functions.search"], id="two prefixes that say different things"),
        pytest.param("mail__search", ["search"], id="an unknown namespace"),
        pytest.param("search", ["search_all"], id="a longer name"),
        pytest.param("send<|", ["send"], id="half a token"),
    ],
)
def test_no_tool_or_no_clear_one(emitted: str, known: list[str]) -> None:
    assert relaxed_match(emitted, known) is None


@given(st.text(), st.lists(st.text(), max_size=4))
def test_a_match_is_one_of_the_known_names(emitted: str, known: list[str]) -> None:
    match = relaxed_match(emitted, known)
    assert match is None or match.name in known


@pytest.mark.parametrize("part", ["a_", "_", "<|", "mcp__a__", "functions.", "a|>"])
def test_a_long_hostile_name_is_no_match(part: str) -> None:
    assert relaxed_match("mcp__" + part * 20_000, ["send"]) is None
