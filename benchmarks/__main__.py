"""Runs benchmarks: ``python -m benchmarks [NAME ...]``; without a name, the quick ones."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import msgspec

from benchmarks import bfcl_parity, datasets, fuzz, peers, startup, throughput


class Benchmark(msgspec.Struct, frozen=True):
    """One entry of the table."""

    run: Callable[[], object]
    what: str
    is_quick: bool = True


BENCHMARKS: dict[str, Benchmark] = {
    "startup": Benchmark(startup.main, "time of the commands beside an empty Python"),
    "throughput": Benchmark(lambda: throughput.main([1_000]), "cases a second and memory of callgrade grade"),
    "peers": Benchmark(peers.main, "speed and the 20 edge cases beside the peers (about a minute)"),
    "datasets": Benchmark(datasets.main, "what the gates find in ACEBench and When2Call"),
    "bfcl_parity": Benchmark(
        bfcl_parity.main, "bfcl/1 against bfcl-eval's checker on 126,000 results (minutes)", is_quick=False
    ),
    "fuzz": Benchmark(lambda: fuzz.main(10_000, 2), "10,000 damaged recordings (a minute)", is_quick=False),
}


def main(names: Sequence[str]) -> int:
    """Run the named benchmarks, or the quick ones; return the worst exit code."""
    if unknown := [name for name in names if name not in BENCHMARKS]:
        print(f"no benchmark {unknown[0]!r}; choose of {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    chosen = names or [name for name, benchmark in BENCHMARKS.items() if benchmark.is_quick]
    worst = 0
    for name, benchmark in BENCHMARKS.items():
        print(f"{'*' if name in chosen else ' '} {name:12} {benchmark.what}")
    for name in chosen:
        print(f"\n== {name}", flush=True)
        code = BENCHMARKS[name].run()
        worst = max(worst, code if isinstance(code, int) else 0)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
