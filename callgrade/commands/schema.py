"""``callgrade schema``: published JSON Schemas, for editors and other programs."""

from __future__ import annotations

import click
import msgspec

from callgrade.schemas import SCHEMAS


@click.command(epilog="Example: callgrade schema case > case.schema.json")
@click.argument("name", type=click.Choice(list(SCHEMAS)))
def command(name: str) -> None:
    """Print the JSON Schema of a file that callgrade reads or writes."""
    click.echo(msgspec.json.format(msgspec.json.encode(SCHEMAS[name]()), indent=2))
