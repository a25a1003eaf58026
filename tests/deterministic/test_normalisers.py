"""Text normalisers: what they fold, and what must stay apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deterministic.normalisers import NORMALISERS, identity, text_1
from deterministic.policy import POLICIES

FOLDED = [
    pytest.param(" Café  LATTE\n", "café latte", id="case and white space"),
    pytest.param("e\u0301", "é", id="composition"),
    pytest.param("STRASSE", "straße", id="full case folding"),
    pytest.param("\uff21\uff22\uff23\uff11\uff12\uff13", "abc123", id="width"),
    pytest.param("ﬁle", "file", id="ligatures"),
    pytest.param("a\u00a0b", "a b", id="the no-break space"),
    pytest.param("ΣΑΣ", "σας", id="the final sigma"),
]
APART = [
    pytest.param("-5", "5", id="a sign"),
    pytest.param("\u22125", "5", id="a true minus"),
    pytest.param("1.5", "15", id="a decimal point"),
    pytest.param("1,5", "15", id="a decimal comma"),
    pytest.param("a-b", "ab", id="a hyphen"),
    pytest.param("a_b", "a b", id="an underscore"),
    pytest.param("a b", "ab", id="a space"),
    pytest.param("/a/b", "a/b", id="a slash"),
    pytest.param("10²", "102", id="a raised digit"),
    pytest.param("H₂", "H2", id="a lowered digit"),
    pytest.param("1½", "11\u20442", id="a fraction"),
    pytest.param("½", "1/2", id="a fraction and a quotient"),
    pytest.param("①", "1", id="a circled digit"),
    pytest.param("é", "e", id="an accent"),
    pytest.param("$5", "5", id="a currency"),
    pytest.param("50%", "50", id="a per cent sign"),
    pytest.param("yes", "yes!", id="a mark"),
    pytest.param("", "a", id="nothing"),
]


@pytest.mark.parametrize(("left", "right"), FOLDED)
def test_text_1_folds(left: str, right: str) -> None:
    assert text_1(left) == text_1(right)


@pytest.mark.parametrize(("left", "right"), APART)
def test_text_1_keeps_apart(left: str, right: str) -> None:
    assert text_1(left) != text_1(right)


@given(st.text())
def test_text_1_is_done_after_once(text: str) -> None:
    assert text_1(text_1(text)) == text_1(text)


@given(st.text(st.characters(categories=["Nd", "Nl", "Sm", "Sc", "Pd"])))
def test_text_1_loses_no_digit_and_no_sign(text: str) -> None:
    assert len(text_1(text)) >= len(text)


@given(st.text())
def test_identity_changes_nothing(text: str) -> None:
    assert identity(text) == text


def test_every_policy_names_a_normaliser_that_exists() -> None:
    assert {policy.text_normaliser for policy in POLICIES.values()} <= set(NORMALISERS)
