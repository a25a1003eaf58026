"""docs/formats.md shows what the readers take: every example there is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cases.formats.openai_chat import read
from cases.formats.record import InputFile

PAGE = Path(__file__).parents[3] / "docs" / "formats.md"
CHAT_SECTION = re.compile(r"## OpenAI chat logs.*?(?=\n## |\Z)", re.DOTALL)
EXAMPLE = re.compile(r"```json\n(.*?)```", re.DOTALL)


@pytest.mark.checkout
def test_every_chat_example_is_one_case(memory_file: Callable[[str, bytes], InputFile]) -> None:
    section = CHAT_SECTION.search(PAGE.read_text())
    assert section is not None
    examples: list[str] = EXAMPLE.findall(section[0])
    assert len(examples) == 5
    for example in examples:
        (record,) = read(memory_file("example.json", example.encode()))
        assert record.case is not None, record.problem
        assert record.case.final_answer
