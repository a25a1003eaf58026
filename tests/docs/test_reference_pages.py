"""docs/runs.md, docs/checks.md and docs/native-format.md against the code."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import msgspec
import pytest

from callgrade import runfolder
from callgrade.api import grade_case
from callgrade.runfolder import InputEntry, Manifest, Progress, StoredCase
from cases.case import Case
from cases.finding import Evidence, Finding
from cases.formats.documents import read_documents
from cases.formats.native import read_case
from cases.verdict import Counts, Verdict, Versions
from deterministic.matchers import MATCHERS
from reports.summary import ModelSummary, Summary
from reports.tally import Tally, ToolTally

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.checkout

STRUCTS: list[type[msgspec.Struct]] = [
    Manifest, InputEntry, Verdict, Counts, Versions, Finding, Evidence, StoredCase, Progress, Summary, ModelSummary,
    Tally, ToolTally,
]  # fmt: skip


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def first_cells(text: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)`", text, flags=re.MULTILINE)


@pytest.mark.parametrize("kind", STRUCTS, ids=lambda kind: kind.__name__)
def test_every_key_is_described_in_order(kind: type[msgspec.Struct]) -> None:
    (section,) = [part for part in page("runs.md").split("\n## ") if part.startswith(f"{kind.__name__}: ")]
    assert first_cells(section) == [field.encode_name for field in msgspec.structs.fields(kind)]


def test_every_file_of_a_run_is_described() -> None:
    names = {runfolder.MANIFEST, runfolder.VERDICTS, runfolder.CASES, runfolder.SUMMARY, runfolder.PROGRESS}
    assert set(first_cells(page("runs.md").partition("\n## ")[0])) == names | {".lock"}
    assert f"a block of {runfolder.BLOCK} records" in page("runs.md")


def checks_in_the_code() -> dict[str, set[str]]:
    """Return each check with the failure modes that occur beside it."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "deterministic").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or len(node.args) < 2:
                continue
            first, second = node.args[:2]
            if node.func.attr in {"fail", "leave_open", "add_passes"} and isinstance(second, ast.Constant):
                modes = found.setdefault(str(second.value), set())
                if node.func.attr == "fail":
                    modes |= {str(n.value) for n in ast.walk(first) if isinstance(n, ast.Constant)}
    return found


def test_every_check_is_described_with_its_modes() -> None:
    rows = re.findall(r"^\| `(\w+)` \| \w+ \| ([^|]+) \|", page("checks.md"), flags=re.MULTILINE)
    assert {check: set(re.findall(r"`(\w+)`", modes)) for check, modes in rows} == checks_in_the_code()


class Memory:
    """A page's example as a file."""

    def __init__(self, name: str, content: str) -> None:
        self.name = name
        self._content = content.encode()

    def lines(self) -> list[bytes]:
        return self._content.splitlines(keepends=True)

    def read(self) -> bytes:
        return self._content


def examples() -> list[Case]:
    found: list[Case] = []
    for kind, text in re.findall(
        r"^```(json|yaml)\n(.*?)^```", page("native-format.md"), flags=re.MULTILINE | re.DOTALL
    ):
        for document in read_documents(Memory(f"page.{kind}", text)):  # type: ignore[arg-type]  # lines() of a list will do  # pyright: ignore[reportArgumentType]
            record = read_case(document)
            assert record.case is not None, record.problem
            found.append(record.case)
    return found


MODES = {
    "broken-lamp-007": "missing_step",
    "greeting": "none",
    "two-turns": "none",
    "both-orders": "none",
    "two-ways": "none",
    "matchers": "none",
    "with-tools": "none",
}


def test_every_example_loads_and_means_what_the_page_says() -> None:
    verdicts = {case.task_id: grade_case(case) for case in examples()}
    assert {name: verdict.mode for name, verdict in verdicts.items()} == MODES
    assert verdicts["two-ways"].path == "exchange"


def test_the_first_example_is_the_defining_fixture() -> None:
    text = re.findall(r"^```json\n(.*?)^```", page("native-format.md"), flags=re.MULTILINE | re.DOTALL)[0]
    assert text == (ROOT / "tests" / "data" / "broken_lamp.json").read_text(encoding="utf-8")


def test_every_matcher_is_described() -> None:
    cells = first_cells(page("native-format.md"))
    assert {next(iter(json.loads(cell))) for cell in cells} == set(MATCHERS)
