"""Mutated recordings of every format, next to what became of them.

    python -m benchmarks.fuzz 10000 2

Arguments: number of mutants, seed. Ends with 1 when anything broke; the mutants are those of ``tests/fuzz``.
"""

from __future__ import annotations

import runpy
import sys
import time
from pathlib import Path

_FOLDER = Path(__file__).parent.parent / "tests" / "fuzz"


def main(n: int, seed: int) -> int:
    """Print a Markdown table and every fault; return the exit code."""
    mutations, checking = (runpy.run_path(str(_FOLDER / f"{name}.py")) for name in ("mutations", "checking"))
    began = time.perf_counter()
    outcomes, faults = checking["run"](mutations["mutants"](n, seed), mutations["n_may_pass"])
    print(f"{n:,} mutants, seed {seed}, {time.perf_counter() - began:.0f} s, {len(faults)} faults\n")
    print("| format and outcome | records |\n|---|---|")
    for outcome, count in sorted(outcomes.items()):
        print(f"| {outcome} | {count:,} |")
    for fault in faults:
        print(f"\n{fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    n_mutants, chosen = [int(text) for text in sys.argv[1:]] or (10_000, 2)
    sys.exit(main(n_mutants, chosen))
