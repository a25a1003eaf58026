"""What the wheel holds."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from callgrade.ownership import PACKAGES

pytestmark = pytest.mark.checkout

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.parametrize("package", [*PACKAGES, "callgrade"])
def test_every_tracked_file_of_a_package_ships(names: set[str], package: str) -> None:
    tracked = set(_tracked(package))
    assert {f"{package}/__init__.py", f"{package}/py.typed"} <= tracked
    assert tracked <= names


def test_nothing_else_ships(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert tops == {*PACKAGES, "callgrade", "callgrade-0.1.0.dist-info"}


def _tracked(package: str) -> Iterator[str]:
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", package],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return (name for name in listing.stdout.splitlines() if (ROOT / name).exists())
