"""The command line: parse, call one function, print."""

from __future__ import annotations

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="callgrade", prog_name="callgrade")
def main() -> None:
    """Grade how an AI agent uses tools, step by step."""
