"""The lock files are in step with pyproject.toml."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

pytestmark = pytest.mark.checkout

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements.lock"
LOWEST = ROOT / "requirements-lowest.lock"


def declared() -> tuple[list[Requirement], list[Requirement]]:
    """What pyproject.toml asks for: at run time, and in its groups."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [line for group in project["dependency-groups"].values() for line in group]
    return (
        [Requirement(line) for line in project["project"]["dependencies"]],
        [Requirement(line) for line in groups if isinstance(line, str)],
    )


def out_of_step(requirements: list[Requirement], pins: dict[NormalizedName, str]) -> list[str]:
    """Each requirement that the pins lack or contradict."""
    return [
        str(requirement)
        for requirement in requirements
        if not requirement.specifier.contains(pins.get(canonicalize_name(requirement.name), "0"), prereleases=True)
    ]


def lower_bound(requirement: Requirement) -> str:
    (bound,) = [part.version for part in requirement.specifier if part.operator == ">="]
    return bound


def test_the_lock_names_everything_within_its_bounds(
    newest_pins: dict[NormalizedName, str],
) -> None:
    runtime, groups = declared()
    assert out_of_step(runtime + groups, newest_pins) == []


def test_every_dependency_has_a_lower_bound_and_the_lowest_lock_pins_it(
    lowest_pins: dict[NormalizedName, str],
) -> None:
    runtime, _ = declared()
    for requirement in runtime:
        pin = lowest_pins[canonicalize_name(requirement.name)]
        assert Requirement(f"x=={lower_bound(requirement)}").specifier.contains(pin), requirement


@pytest.mark.parametrize("path", [LOCK, LOWEST], ids=["newest", "lowest"])
def test_a_lock_names_no_index(path: Path) -> None:
    text = path.read_text()
    assert "://" not in text
    assert "--index-url" not in text


@pytest.mark.parametrize("path", [LOCK, LOWEST], ids=["newest", "lowest"])
def test_every_pin_carries_a_hash(path: Path) -> None:
    lines = [line for line in path.read_text().splitlines() if not line.lstrip().startswith("#")]
    for line, following in itertools.pairwise(lines):
        if "==" in line:
            assert following.lstrip().startswith("--hash=sha256:"), line
