"""The console script: first checks that the packages are ours, then runs the command line."""

from __future__ import annotations

import sys

from callgrade.ownership import EXIT_CODE, explain, find_foreign


def main() -> None:
    """Run ``callgrade``; with foreign packages on the path, say so on one line and exit 4."""
    foreign = find_foreign()
    if foreign:
        sys.stderr.write(f"callgrade: {explain(foreign)}\n")
        sys.exit(EXIT_CODE)
    try:
        from callgrade.cli import main as run  # noqa: PLC0415 - imports the packages just verified

        run()
    except KeyboardInterrupt:
        sys.exit(6)  # stopped before there was anything to say
