"""What a cheap command or a first import must not load."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import callgrade
from callgrade.entry import main

CLIENTS = {"diskcache", "instructor", "openai", "pydantic"}
NUMBERS = {"numpy", "pandas", "scipy"}
TEXT = {"rich", "yaml"}

HELP = """
import sys
from callgrade.entry import main
sys.argv = ["callgrade", "--help"]
try:
    main()
except SystemExit as stop:
    assert stop.code == 0, stop.code
"""

PUBLIC_NAMES = """
import callgrade
for name in callgrade.__all__:
    getattr(callgrade, name)
"""


def modules_after(code: str) -> set[str]:
    """Run the code in a fresh interpreter and list what it has loaded."""
    report = "\nimport json, sys\nsys.stderr.write(json.dumps(sorted(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, check=True)
    return set(json.loads(result.stderr))


@pytest.mark.parametrize("code", [pytest.param(HELP, id="--help"), pytest.param(PUBLIC_NAMES, id="the public names")])
def test_nothing_heavy_is_loaded(code: str) -> None:
    assert modules_after(code) & (CLIENTS | NUMBERS | TEXT) == set()


def test_help_loads_at_most_twice_what_click_does() -> None:
    assert len(modules_after(HELP)) <= 2 * len(modules_after("import click"))


def test_importing_callgrade_imports_no_other_package_of_ours() -> None:
    packages = {"cases", "deterministic", "rubrics", "judges", "calibration", "reports"}
    assert modules_after("import callgrade") & packages == set()


def test_the_public_names_are_the_table() -> None:
    assert callgrade.__all__ == sorted(callgrade._EXPORTS)


@pytest.mark.parametrize("name", callgrade.__all__)
def test_a_public_name_loads_and_is_kept(name: str) -> None:
    value = getattr(callgrade, name)
    assert value.__name__ == name
    assert vars(callgrade)[name] is value
    assert name in dir(callgrade)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'callgrade' has no attribute 'grades'"):
        getattr(callgrade, "grades")  # noqa: B009 - as an attribute the checkers refuse it


def test_the_console_script_answers_with_its_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["callgrade", "--version"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 0
    assert capsys.readouterr().out.startswith("callgrade, version ")
