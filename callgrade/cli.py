"""The command line: parse, call one function, print. Commands load when they are called."""

from __future__ import annotations

import difflib
import errno
import importlib
import io
import os
import sys
import traceback
from typing import Any, NoReturn

import click

from cases.errors import CallgradeError
from cases.jsonvalue import visible

COMMANDS: dict[str, tuple[str, str]] = {
    "grade": ("callgrade.commands.grade:command", "Grade recordings and print which step broke."),
    "report": ("callgrade.commands.report:command", "Print a run in detail: every rate with its n."),
    "show": ("callgrade.commands.show:command", "Explain one case of a run."),
    "calibrate": ("callgrade.commands.calibrate:command", "Measure recorded judges against human labels."),
    "convert": ("callgrade.commands.convert:command", "Turn recordings into native fixtures."),
    "formats": ("callgrade.commands.formats:command", "List the formats that can be read."),
    "schema": ("callgrade.commands.schema:command", "Print a JSON Schema of a file format."),
    "explain": ("callgrade.commands.explain:command", "Say what a failure mode means and what to do about it."),
    "policies": ("callgrade.commands.policies:command", "List the comparison policies."),
}
"""Name to ``module:attribute`` and the line that ``callgrade --help`` shows."""

INTERNAL = 4
"""Exit code of a fault of our own."""

INTERRUPTED = 6
"""Exit code of a run that was stopped from outside; what is done is kept."""


class _ReaderGoneError(Exception):
    """Nobody reads standard output any more. No ``OSError``: click would answer it with exit code 1."""


class _OutputError(Exception):
    """Standard output cannot be written (a full disk)."""


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name the nearest one."""
        near = difflib.get_close_matches(args[0], COMMANDS, n=1)
        if args[0] not in COMMANDS and near and not args[0].startswith("-"):
            raise click.UsageError(f"no command {args[0]!r}; did you mean {near[0]!r}?", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command and write out what it printed."""
        try:
            value = super().invoke(ctx)
            if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison]  # None when it is closed
                sys.stdout.flush()
        except BrokenPipeError as error:
            raise _ReaderGoneError from error
        except OSError as error:
            if error.errno not in {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO} or error.filename:
                raise
            raise _OutputError(error.strerror) from error
        return value

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
        _make_printable()
        code = group.main(standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _leave("interrupted; what is done is kept", INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except CallgradeError as error:
        _leave(str(error), error.exit_code)
    except _ReaderGoneError:
        _drop_stdout()
        sys.exit(0)
    except _OutputError as error:
        _drop_stdout()
        _leave(f"standard output cannot be written: {error}", INTERRUPTED)
    except Exception:  # noqa: BLE001  # a fault of ours must not leave with Python's 1, which says "a gate failed"
        traceback.print_exc()
        _leave("internal error, see above; please report it", INTERNAL)
    sys.exit(code if isinstance(code, int) else 0)


def _make_printable() -> None:
    """Let text that the terminal's encoding lacks be spelled out instead of raising."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None when the shell closed it
            stream.reconfigure(errors="backslashreplace")


def _drop_stdout() -> None:
    """Point standard output at nothing, so that the interpreter does not fail on flushing it once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _leave(message: str, code: int) -> NoReturn:
    click.echo(f"callgrade: {visible(' '.join(message.splitlines()))}", err=True)
    sys.exit(code)
