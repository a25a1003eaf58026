"""Runs benchmarks: ``python -m benchmarks [NAME ...]``; without a name, the quick ones."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = {
    "peers": "speed and the 20 edge cases beside the peers (about two minutes)",
    "datasets": "what the gates find in ACEBench and When2Call (seconds)",
    "bfcl_parity": "bfcl/1 against bfcl-eval's checker on 125,000 results (minutes)",
}
QUICK = ("peers", "datasets")


def main(names: list[str]) -> int:
    """Run the named benchmarks."""
    print("\n".join(f"{name:12} {what}" for name, what in NAMES.items()), "\n")
    if unknown := [name for name in names if name not in NAMES]:
        print(f"no benchmark {unknown[0]!r}; choose of {', '.join(NAMES)}", file=sys.stderr)
        return 2
    return max([import_module(f"benchmarks.{name}").main() for name in names or QUICK], default=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
