"""Latencies as an addable histogram: percentiles within one per cent, whatever the number of calls. Pure.

Source: logarithmic buckets as in HdrHistogram and DDSketch (Masson et al. 2019); bucket i holds (g^(i-1), g^i].
"""

from __future__ import annotations

import math

import msgspec

GROWTH = 1.02
"""Ratio of neighbouring buckets; the middle of a bucket is within 1 % of any value in it."""

_LOG = math.log(GROWTH)
_SHORTEST_S = 1e-6


class LatencyTally(msgspec.Struct, kw_only=True):
    """Counts of calls by latency bucket."""

    buckets: dict[int, int] = {}

    def add(self, seconds: float) -> None:
        """Count one call; anything below a microsecond counts as one, what is no positive number is not counted."""
        if not math.isfinite(seconds) or seconds < 0:
            return
        bucket = math.ceil(math.log(max(seconds, _SHORTEST_S)) / _LOG)
        self.buckets[bucket] = self.buckets.get(bucket, 0) + 1

    def merge(self, other: LatencyTally) -> None:
        """Add another tally."""
        for bucket, n in other.buckets.items():
            self.buckets[bucket] = self.buckets.get(bucket, 0) + n

    @property
    def n(self) -> int:
        """Calls counted."""
        return sum(self.buckets.values())

    def percentile(self, share: float) -> float | None:
        """Return the latency in seconds below which ``share`` (0..1) of the calls lie; ``None`` without calls."""
        wanted = math.ceil(round(share * self.n, 6))  # 0.55 * 100 is a little more than 55
        seen = 0
        for bucket in sorted(self.buckets):
            seen += self.buckets[bucket]
            if seen >= wanted:
                return math.pow(GROWTH, bucket - 0.5)
        return None
