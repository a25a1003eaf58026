"""Development and test: a conversation belongs to one of them for ever, by a hash of its id.

What is tuned on a set of labels looks better on it than it is (by .05 to .10 balanced accuracy at 30 to 100 labels),
so whatever is chosen is chosen on dev and reported on test, and every look at test is counted.
"""

from __future__ import annotations

import hashlib
from typing import Literal

Part = Literal["dev", "test"]


def part_of(cluster: str) -> Part:
    """Return the part that a conversation (cluster id) belongs to; about half of them each."""
    return "dev" if hashlib.sha256(b"split/1:" + cluster.encode()).digest()[0] < 128 else "test"
