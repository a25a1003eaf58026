"""``docs/agreement.md`` names what there is."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click
import pytest

from calibration.formats.catalog import FORMATS
from calibration.records import Answer, Label, Outcome
from callgrade.commands.calibrate import command

pytestmark = pytest.mark.checkout

PAGE = Path(__file__).parents[2] / "docs" / "agreement.md"

OPTIONS = [name for option in command.params if isinstance(option, click.Option) for name in option.opts]
UNEXPLAINED = {"--color", "--judge"}
"""Named by ``--help`` alone."""


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - UNEXPLAINED))
def test_every_option_is_explained(name: str) -> None:
    page = PAGE.read_text()
    assert f"`{name}" in page or f" {name} " in page


@pytest.mark.parametrize("name", [*Answer.__struct_fields__, *Label.__struct_fields__, *get_args(Outcome), *FORMATS])
def test_every_field_verdict_and_format_is_named(name: str) -> None:
    assert f"`{name}`" in PAGE.read_text() or name == "native"


@pytest.mark.parametrize("code", [0, 1, 2, 3, 5])
def test_every_exit_code_is_listed(code: int) -> None:
    assert f"\n| {code} | " in PAGE.read_text()
