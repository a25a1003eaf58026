"""Foreign packages are found before they run, and named."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import callgrade
from callgrade import ownership
from cases.errors import InstallationError

SOURCES = Path(callgrade.__file__).parent.parent
FOREIGN = 'raise SystemExit("foreign code ran")\n'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of our packages, as a wheel lays them, that comes first on the path."""
    folder = tmp_path / "site"
    for name in (*ownership.PACKAGES, "callgrade"):
        shutil.copytree(SOURCES / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def overwrite(site: Path, name: str) -> None:
    """Install a distribution ``judges-of-old 0.1.1`` that owns one of our paths."""
    (site / name / "__init__.py").write_text(FOREIGN)
    info = site / "judges_of_old-0.1.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: judges-of-old\nVersion: 0.1.1\n")
    (info / "RECORD").write_text(f"{name}/__init__.py,,\n{name}/extra.py,,\n")


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_nothing_is_foreign_here() -> None:
    assert ownership.find_foreign() == {}


def test_the_list_is_complete() -> None:
    ours = {path.parent.name for path in SOURCES.glob("*/__init__.py") if _is_marked(path)}
    assert ours == {*ownership.PACKAGES, "callgrade"}


def _is_marked(path: Path) -> bool:
    return path.read_bytes().startswith(b'"""callgrade: ')


def test_the_exit_code_is_the_errors() -> None:
    assert InstallationError.exit_code == ownership.EXIT_CODE


def test_the_check_costs_under_two_milliseconds(site: Path) -> None:
    code = (
        "import time; from callgrade.ownership import find_foreign; t = time.perf_counter();"
        "assert not find_foreign(); print(time.perf_counter() - t)"
    )
    assert min(float(run(site, "-c", code).stdout) for _ in range(5)) < 0.002


@pytest.mark.parametrize("name", ownership.PACKAGES)
def test_the_console_names_the_distribution_that_overwrote_us(site: Path, name: str) -> None:
    overwrite(site, name)
    result = run(site, "-m", "callgrade", "--version")
    assert (result.returncode, result.stdout) == (4, "")
    assert result.stderr == (
        f"callgrade: package {name!r} at {site / name / '__init__.py'} is not callgrade's but"
        " belongs to the distribution judges-of-old 0.1.1; install callgrade in an environment"
        " of its own (`pipx install callgrade` or `uv tool install callgrade`), or repair this one:"
        " `pip uninstall judges-of-old && pip install --force-reinstall callgrade`\n"
    )


@pytest.mark.parametrize(
    ("name", "error"),
    [
        pytest.param("judges", "cases.errors.InstallationError", id="any of them"),
        pytest.param("cases", "ImportError", id="cases, home of the error class"),
    ],
)
def test_the_import_refuses_before_foreign_code_runs(site: Path, name: str, error: str) -> None:
    overwrite(site, name)
    result = run(site, "-c", "import callgrade; callgrade.CallgradeError")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(f"{error}: package {name!r}")


def test_a_package_left_without_init_is_missing(site: Path) -> None:
    (site / "judges" / "__init__.py").unlink()
    result = run(site, "-S", "-m", "callgrade", "--version")  # -S: no second copy on the path
    assert result.returncode == 4
    assert "package 'judges' is missing or has lost its __init__.py; install" in result.stderr
    assert "repair this one: `pip install --force-reinstall callgrade`" in result.stderr


def test_a_package_of_the_working_folder_belongs_to_no_distribution(site: Path) -> None:
    local = site.parent / "reports"
    local.mkdir()
    (local / "__init__.py").write_text(FOREIGN)
    result = run(site, "-m", "callgrade", "--version")  # -m puts the working folder first
    assert result.returncode == 4
    assert f"'reports' at {local / '__init__.py'} is not callgrade's and no other" in result.stderr
    assert "look at PYTHONPATH and the working folder; install" in result.stderr
