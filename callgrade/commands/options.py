"""Options that several commands share."""

from __future__ import annotations

import click

inputs_argument = click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
format_option = click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="How to read the inputs (see: callgrade formats). Default: recognised by the first record, and said so.",
)
gold_option = click.option(
    "--gold",
    multiple=True,
    metavar="PATH",
    help="Eval set with the expectations, joined to the inputs by task id; may be repeated.",
)
tools_option = click.option(
    "--tools",
    multiple=True,
    metavar="FILE",
    help="Tool definitions (OpenAI, Anthropic, MCP or native) for cases that carry none; may be repeated.",
)
policy_option = click.option(
    "--policy",
    default="strict/1",
    show_default=True,
    metavar="NAME",
    help="Comparison rules (see: callgrade policies).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colour the output; NO_COLOR and FORCE_COLOR are respected.",
)
