"""``python -m benchmarks``: start-up and the small throughput run."""

from __future__ import annotations

from benchmarks import startup, throughput

if __name__ == "__main__":
    startup.main()
    throughput.main([1_000])
