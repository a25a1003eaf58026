"""``callgrade convert``: any recording to native fixtures."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator
from pathlib import Path
from typing import IO

import click
import msgspec

from callgrade.commands.options import format_option, gold_option, inputs_argument, tools_option
from callgrade.conversion import Converter
from callgrade.opening import find_files
from callgrade.reading import choose_formats, located, read_gold, read_records, read_tools
from callgrade.terminal import tell
from cases.errors import InputError, UsageError
from deterministic.policy import STRICT


@click.command(epilog="Example: callgrade convert runs.json --format tau_bench --to native -o fixtures.jsonl")
@inputs_argument
@format_option
@gold_option
@tools_option
@click.option(
    "--to",
    type=click.Choice(["native"]),
    default="native",
    show_default=True,
    help="Format to write.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File to write; default: standard output.",
)
def command(
    inputs: tuple[str, ...],
    format_name: str | None,
    gold: tuple[str, ...],
    tools: tuple[str, ...],
    to: str,  # noqa: ARG001  # one target today; the option keeps command lines stable when others come
    output: Path | None,
) -> None:
    """Turn recordings into native fixtures, one JSON line a case.

    The schema validity of each call's arguments is computed now and kept in the fixture, with the version of the rules,
    so that a later change of the validator shows up as drift and not as a change of the agent.
    """
    definitions = read_tools(find_files(tools))
    gold_sources = choose_formats(find_files(gold), None)
    expectations = read_gold(gold_sources) if gold_sources else None
    converter = Converter(STRICT, definitions)
    n_cases = 0
    with _open_output(output) as out:
        for source in choose_formats(find_files(inputs), format_name):
            for record in read_records(source, expectations):
                if record.case is None:
                    raise InputError(located(record))
                out.write(msgspec.json.encode(converter.convert(record.case)) + b"\n")
                n_cases += 1
    if output is not None:
        tell(f"{output}: {n_cases} case{'' if n_cases == 1 else 's'}")


@contextlib.contextmanager
def _open_output(path: Path | None) -> Generator[IO[bytes]]:
    """Open standard output, or a file that appears whole or not at all."""
    if path is None:
        yield sys.stdout.buffer
        return
    fresh = path.with_name(f".{path.name}.new")
    try:
        with fresh.open("wb") as out:
            yield out
        fresh.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}; choose another --output") from error
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
