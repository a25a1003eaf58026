"""Tried for real: the wheel in a fresh environment, alone and under a distribution `judges`."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import Version

pytestmark = [pytest.mark.checkout, pytest.mark.network]


@dataclass(frozen=True)
class Environment:
    """A fresh virtual environment."""

    folder: Path

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.folder / "bin" / program, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )

    def pip_install(self, *arguments: str) -> None:
        result = self.run("pip", "install", "--quiet", *arguments)
        assert result.returncode == 0, result.stderr


def fresh(folder: Path) -> Environment:
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return Environment(folder)


def test_a_plain_install_resolves_to_nothing_old(
    wheel: Path, tmp_path: Path, newest_pins: dict[NormalizedName, str]
) -> None:
    environment = fresh(tmp_path / "venv")
    environment.pip_install(str(wheel))
    listing = json.loads(environment.run("pip", "list", "--format", "json").stdout)
    installed = {canonicalize_name(entry["name"]): entry["version"] for entry in listing}
    for line in _requires(environment):
        requirement = Requirement(line)
        assert installed[canonicalize_name(requirement.name)] in requirement.specifier
    # A resolver that meets a conflict walks back to old releases; today's choice is never older
    # than the lock's, unless a release was withdrawn.
    older = {
        name: (version, installed[name])
        for name, version in newest_pins.items()
        if name in installed and Version(installed[name]) < Version(version)
    }
    assert older == {}
    assert environment.run("callgrade", "--version").stdout == "callgrade, version 0.1.0\n"


def _requires(environment: Environment) -> list[str]:
    (info,) = environment.folder.glob("lib/python*/site-packages/callgrade-*.dist-info")
    distribution: Distribution = PathDistribution(info)
    return distribution.requires or []


def test_judges_over_our_wheel_is_refused_by_name(wheel: Path, tmp_path: Path) -> None:
    environment = fresh(tmp_path / "venv")
    environment.pip_install("--no-deps", str(wheel))
    environment.pip_install("--no-deps", "judges")

    console = environment.run("callgrade", "--version")
    assert console.returncode == 4
    assert console.stderr.count("\n") == 1
    assert "belongs to the distribution judges " in console.stderr
    assert "pip uninstall judges && pip install --force-reinstall callgrade" in console.stderr

    imported = environment.run("python", "-c", "import callgrade; callgrade.CallgradeError")
    assert imported.returncode == 1
    last = imported.stderr.splitlines()[-1]
    assert last.startswith("cases.errors.InstallationError: package 'judges' at ")
    assert "belongs to the distribution judges " in last
