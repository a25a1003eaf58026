"""docs/cli.md and README.md against the code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from callgrade.cli import COMMANDS, group
from cases import errors

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.checkout


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def loaded(name: str) -> click.Command:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_and_option_is_described(name: str) -> None:
    text = page("docs/cli.md")
    (section,) = [part for part in text.split("\n## ") if f"`callgrade {name}" in part.partition("\n")[0]]
    for option in loaded(name).params:
        if isinstance(option, click.Option):
            assert f"`{option.opts[-1]}" in section, option.opts
            for choice in option.type.choices if isinstance(option.type, click.Choice) else ():
                assert str(choice) in section


def test_no_option_is_described_that_is_not_there() -> None:
    known = {opt for name in COMMANDS for p in loaded(name).params for opt in p.opts} | {"--help", "--version"}
    assert set(re.findall(r"`(--[a-z-]+)", page("docs/cli.md"))) <= known


def test_every_exit_code_of_an_error_is_described() -> None:
    kinds: list[type[errors.CallgradeError]] = [errors.CallgradeError, *errors.CallgradeError.__subclasses__()]
    codes = {kind.exit_code for kind in kinds}
    described = {int(code) for code in re.findall(r"^\| (\d) \|", page("docs/cli.md"), flags=re.MULTILINE)}
    assert codes <= described == set(range(9))


def test_every_variable_that_is_read_is_described() -> None:
    read: set[str] = set()
    for path in (ROOT / "callgrade").rglob("*.py"):
        read |= set(re.findall(r"environ\.get\(\"([A-Z_]+)\"", path.read_text(encoding="utf-8")))
    assert {name for name in read if f"`{name}`" not in page("docs/cli.md")} == set()
    assert read >= {"NO_COLOR", "COLUMNS"}


def shell_lines(text: str) -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


LOG = (
    '{"task_id": "refund-7", "messages": [{"role": "user", "content": "Refund 7"},'
    ' {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function",'
    ' "function": {"name": "refund", "arguments": "{}"}}]}]}\n'
)


def test_the_readmes_commands_run(callgrade: Any, tmp_path: Path) -> None:
    text = page("README.md")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "logs.jsonl").write_text(LOG, encoding="utf-8")
    (tmp_path / "gold.jsonl").write_text(re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)[0], encoding="utf-8")
    commands = [shlex.split(line) for line in shell_lines(text) if "callgrade " in line]
    assert len(commands) == 6
    for words in commands:
        said = callgrade(*words[1:])
        assert said.code == 0, said
        assert said.out


def test_the_readmes_make_targets_and_links_exist() -> None:
    text, makefile = page("README.md"), page("Makefile")
    for target in re.findall(r"^make (\w+)", text, flags=re.MULTILINE):
        assert f"\n{target}:" in makefile
    assert [link for link in re.findall(r"\]\(([^)]+)\)", text) if not (ROOT / link).exists()] == []


def test_the_demo_is_the_command_that_the_readme_shows() -> None:
    demo = re.search(r"^DEMO \?= (.*?)\n[A-Z]", page("Makefile"), flags=re.MULTILINE | re.DOTALL)
    assert demo is not None
    words = demo[1].replace("$(CALLGRADE)", ".venv/bin/callgrade").replace("\\\n", " ").split()
    assert " ".join(words) in page("README.md")
