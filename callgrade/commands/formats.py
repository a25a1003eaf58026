"""``callgrade formats``: what can be read."""

from __future__ import annotations

import click

from cases.formats.table import FORMATS


@click.command(epilog="Example: callgrade formats")
def command() -> None:
    """List the formats that can be read, for --format."""
    width = max(map(len, FORMATS))
    for name, entry in FORMATS.items():
        click.echo(f"{name:{width}}  {entry.summary}")
