"""The built wheel and the lock files as fixtures; `network` tests run only when asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

ROOT = Path(__file__).parent.parent


def pytest_runtest_setup(item: pytest.Item) -> None:
    # Asked for, they run and fail without an index: a skip would turn CI green unseen.
    asked_for = os.environ.get("CALLGRADE_NETWORK_TESTS") == "1"
    if item.get_closest_marker("network") and not asked_for:
        pytest.skip("needs the package index: set CALLGRADE_NETWORK_TESTS=1")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Public recordings that lie outside the project (CALLGRADE_SHARED, else ../shared)."""
    folder = Path(os.environ.get("CALLGRADE_SHARED", ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"no public recordings at {folder}: set CALLGRADE_SHARED")
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built once (for tests marked `checkout`)."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def newest_pins() -> dict[NormalizedName, str]:
    return _pins(ROOT / "requirements.lock")


@pytest.fixture(scope="session")
def lowest_pins() -> dict[NormalizedName, str]:
    return _pins(ROOT / "requirements-lowest.lock")


def _pins(path: Path) -> dict[NormalizedName, str]:
    """Package to version, as the file pins them for this Python (hashes aside)."""
    lines = [line for line in path.read_text().splitlines() if "==" in line and line[0].isalnum()]
    pins = [Requirement(line.removesuffix("\\").strip()) for line in lines]
    here = [pin for pin in pins if pin.marker is None or pin.marker.evaluate()]
    return {canonicalize_name(pin.name): str(pin.specifier).removeprefix("==") for pin in here}
