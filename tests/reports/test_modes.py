"""Failure modes: the data, the page and the code name the same ones and say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cases.failure import CLASSES, MODE_CLASS, MODE_STEP, PRECEDENCE, STEPS, SUB_MODES
from reports.modes import MODE_TEXTS, SUB_MODE_TEXTS, ModeText
from reports.modesview import explained_modes, find_mode, lines_of

PAGE = Path(__file__).parents[2] / "docs" / "failure-modes.md"


def test_every_mode_and_sub_mode_is_explained_in_order() -> None:
    assert tuple(MODE_TEXTS) == PRECEDENCE
    assert tuple(SUB_MODE_TEXTS) == SUB_MODES
    assert set(MODE_STEP) == set(MODE_CLASS) == set(PRECEDENCE)
    assert set(MODE_STEP.values()) == set(STEPS)
    assert set(MODE_CLASS.values()) == set(CLASSES)


@pytest.mark.checkout
@pytest.mark.parametrize(("name", "text"), [*MODE_TEXTS.items(), *SUB_MODE_TEXTS.items()])
def test_the_page_says_the_same(name: str, text: ModeText) -> None:
    sections = re.split(r"^#+ ", PAGE.read_text(), flags=re.MULTILINE)
    (section,) = [part for part in sections if part.split("\n", 1)[0] == name]
    words = " ".join(section.split())
    wanted = (
        f"{name} {text.means}",
        f"*Given when:* {text.given}",
        f"*Example:* {text.example.strip()}",
        f"*What to do:* {text.advice}",
    )
    assert [part for part in wanted if " ".join(part.split()) not in words] == []


@pytest.mark.checkout
def test_the_page_lists_step_class_and_rank() -> None:
    rows = re.findall(r"^\| (\d+) \| \[`(\w+)`\]\(#\w+\) \| (\w+) \| (\w+) \|$", PAGE.read_text(), flags=re.MULTILINE)
    assert rows == [(str(m.rank), m.mode, m.step, m.failure_class) for m in explained_modes()]


@pytest.mark.checkout
def test_the_page_has_no_section_of_a_mode_that_does_not_exist() -> None:
    headings = re.findall(r"^#{2,3} (\w+)$", PAGE.read_text(), flags=re.MULTILINE)
    assert headings == [*PRECEDENCE, *SUB_MODES]


@pytest.mark.parametrize("name", ["wrong_tool", "wrong-tool", "Wrong Tool"])
def test_a_mode_is_found_however_it_is_spelled(name: str) -> None:
    found = find_mode(name)
    assert found is not None
    assert lines_of(found)[:2] == (
        "wrong_tool: The agent called another tool in the place of the one that was wanted.",
        "Place    step select, class intent, 5 of 13",
    )


def test_an_unknown_mode_is_not_found() -> None:
    assert find_mode("nope") is None
