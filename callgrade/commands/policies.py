"""``callgrade policies``: the sets of comparison rules."""

from __future__ import annotations

import click

from deterministic.policy import POLICIES


@click.command(epilog="Example: callgrade policies")
def command() -> None:
    """List the comparison policies, for --policy."""
    width = max(map(len, POLICIES))
    for name, policy in POLICIES.items():
        click.echo(f"{name:{width}}  {policy.summary}")
