"""Time of ``callgrade --help`` and of grading one case, as multiples of ``python -c pass``.

    python -m benchmarks.startup

Best of ``ROUNDS`` in turn, so that a busy machine slows all alike; wall clock of whole processes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
CASE = '{"task_id": "t", "expected_invocations": [{"tool": "f"}], "actual_invocations": [{"tool": "f"}]}'


def main() -> None:
    """Print a Markdown table."""
    with tempfile.TemporaryDirectory() as folder:
        case, out = Path(folder) / "case.json", Path(folder) / "run"
        case.write_text(CASE)
        grade = ["grade", str(case), "--format", "native", "--out", str(out), "--overwrite"]
        commands = {
            "python -c pass": ["-c", "pass"],
            "python -c 'import click'": ["-c", "import click"],
            "callgrade --help": ["-m", "callgrade", "--help"],
            "callgrade grade, one case": ["-m", "callgrade", *grade],
            "callgrade show, one case": ["-m", "callgrade", "show", str(out), "t"],
        }
        best: dict[str, float] = dict.fromkeys(commands, float("inf"))
        for _ in range(ROUNDS):
            for name, words in commands.items():
                best[name] = min(best[name], _seconds(words))
    print("| command | ms | times `python -c pass` |\n|---|---|---|")
    for name, seconds in best.items():
        print(f"| `{name}` | {seconds * 1e3:.0f} | {seconds / best['python -c pass']:.1f} |")


def _seconds(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
