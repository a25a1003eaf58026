"""``callgrade explain``: what a failure mode means and what to do about it."""

from __future__ import annotations

import click
import msgspec

from callgrade.commands.options import json_option
from cases.errors import UsageError
from reports.modesview import explained_modes, explained_sub_modes, find_mode, lines_of


@click.command(epilog="Example: callgrade explain wrong_tool")
@click.argument("mode", required=False)
@json_option
def command(mode: str | None, as_json: bool) -> None:
    """Explain a failure MODE or sub-mode: what it means, when it is given, an example, what to do about it.

    Without MODE, lists all by precedence: of several the first is a case's primary mode.
    """
    if mode is not None:
        found = find_mode(mode)
        if found is None:
            raise UsageError(f"no failure mode {mode!r}; `callgrade explain` lists them")
        click.echo(_json(found) if as_json else "\n".join(lines_of(found)))
        return
    modes, subs = explained_modes(), explained_sub_modes()
    if as_json:
        click.echo(_json({"schema": "callgrade-modes/1", "modes": modes, "sub_modes": subs}))
        return
    for one in modes:
        click.echo(f"{one.rank:>2}  {one.mode:20}  {one.step:9}  {one.failure_class:9}  {one.text.means}")
    click.echo("\nSub-modes")
    for sub in subs:
        click.echo(f"    {sub.sub_mode:20}  {sub.text.means}")


def _json(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1)
