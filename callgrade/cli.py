"""The command line: parse, call one function, print. Commands load when they are called."""

from __future__ import annotations

import importlib
import sys
from typing import NoReturn

import click

from cases.errors import CallgradeError

COMMANDS: dict[str, tuple[str, str]] = {
    "grade": ("callgrade.commands.grade:command", "Grade recordings and print which step broke."),
    "report": ("callgrade.commands.report:command", "Print a run in detail: every rate with its n."),
    "show": ("callgrade.commands.show:command", "Explain one case of a run."),
    "convert": ("callgrade.commands.convert:command", "Turn recordings into native fixtures."),
    "formats": ("callgrade.commands.formats:command", "List the formats that can be read."),
    "schema": ("callgrade.commands.schema:command", "Print a JSON Schema of a file format."),
    "explain": ("callgrade.commands.explain:command", "Say what a failure mode means and what to do about it."),
    "policies": ("callgrade.commands.policies:command", "List the comparison policies."),
}
"""Name to ``module:attribute`` and the line that ``callgrade --help`` shows."""

INTERRUPTED = 6
"""Exit code of a run that was stopped from outside; what is done is kept."""


class LazyGroup(click.Group):
    """A group whose commands are imported only when one of them runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's own signature
        """Return the commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click's own signature
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's own signature
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "CALLGRADE"},
    epilog="Exit codes: 0 done, 1 a gate failed, 2 usage, 3 bad input, 4 internal error, 5 inconclusive, "
    "6 incomplete, 7 validator or judge drift, 8 locked by another run.",
)
@click.version_option(package_name="callgrade", prog_name="callgrade")
def group() -> None:
    """Grade how an AI agent uses tools, step by step: decide, select, construct, integrate."""


def main() -> None:
    """Run the command line and leave with a documented exit code."""
    code: object = 0
    try:
        code = group.main(standalone_mode=False)
    except click.exceptions.Abort:
        _leave("interrupted; what is done is kept", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except CallgradeError as error:
        _leave(str(error), error.exit_code)
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone; nobody is left to tell
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)


def _leave(message: str, code: int) -> NoReturn:
    line = " ".join(message.split("\n"))
    click.echo(f"callgrade: {line}", err=True)
    sys.exit(code)
