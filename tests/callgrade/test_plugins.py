"""Predicates of other distributions: found by name, imported when asked, refused in plain words when they cannot be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = "def is_even(value):\n    return isinstance(value, int) and value % 2 == 0\n"
ENTRY_POINTS = "[callgrade.predicates]\nis_even = ours_predicates:is_even\nis_gone = ours_predicates:is_gone\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    info = tmp_path / "site" / "ours_predicates-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ours-predicates\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "site" / "ours_predicates.py").write_text(MODULE)
    return tmp_path / "site"


def grade(site: Path, predicate: str, value: object) -> subprocess.CompletedProcess[str]:
    case = {
        "task_id": "t",
        "expected_invocations": [{"tool": "f", "args": {"n": {"$predicate": predicate}}}],
        "actual_invocations": [{"tool": "f", "args": {"n": value}}],
    }
    file = site.parent / "case.json"
    file.write_text(json.dumps(case))
    command = [sys.executable, "-m", "callgrade", "grade", str(file), "--out", str(site.parent / "run"), "--overwrite"]
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})


@pytest.mark.parametrize(("value", "counted"), [(4, "1 pass, 0 fail"), (5, "0 pass, 1 fail"), ("4", "0 pass, 1 fail")])
def test_an_installed_predicate_decides(site: Path, value: object, counted: str) -> None:
    done = grade(site, "is_even", value)
    assert done.returncode == 0, done.stderr
    assert counted in done.stdout


def test_an_unknown_predicate_is_told_beside_the_installed_ones(site: Path) -> None:
    done = grade(site, "is_odd", 3)
    assert done.returncode == 3
    assert "no predicate 'is_odd' is installed (is_even, is_gone)" in done.stderr


def test_a_predicate_that_cannot_be_imported_is_bad_gold(site: Path) -> None:
    done = grade(site, "is_gone", 3)
    assert done.returncode == 3
    assert "predicate 'is_gone' (ours_predicates:is_gone) cannot be imported" in done.stderr
    assert "Traceback" not in done.stderr
