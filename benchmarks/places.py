"""Where a benchmark finds what lies outside the project, and where it writes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
SHARED = Path(os.environ.get("CALLGRADE_SHARED", ROOT.parent / "shared"))
DATA = SHARED / "data"
BENCH_PEERS = SHARED / "bench_peers"
PEER_PYTHON = Path(os.environ.get("CALLGRADE_BFCL_VENV", "/tmp/vb")) / "bin" / "python"  # noqa: S108  # a virtual environment, only read
PEER_SCRIPTS = ROOT / "benchmarks" / "peer"


class MemoryFile:
    """An input in memory, as the readers take it."""

    def __init__(self, name: str, content: bytes) -> None:
        """Hold the bytes."""
        self.name = name
        self._content = content

    def lines(self) -> Iterator[bytes]:
        """Yield the lines."""
        return iter(self._content.splitlines(keepends=True))

    def read(self) -> bytes:
        """Return everything."""
        return self._content


def missing(*paths: Path) -> str | None:
    """Return why a benchmark that needs ``paths`` cannot run."""
    absent = [str(path) for path in paths if not path.exists()]
    return f"{', '.join(absent)} is not there" if absent else None


def ask_peer(script: str, *arguments: str, lines: bytes = b"") -> bytes:
    """Return what a script prints when it runs in bfcl-eval's own virtual environment."""
    command = [str(PEER_PYTHON), str(PEER_SCRIPTS / script), *arguments]
    return subprocess.run(command, input=lines, capture_output=True, check=True).stdout


def commit() -> str:
    """Return the commit that is checked out, with a mark when files differ from it."""
    described = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"],  # noqa: S607  # git is the one on the path
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip() or "unknown"
