"""What the gates find in ACEBench and When2Call, and what they cannot know.

python -m benchmarks datasets
"""

from __future__ import annotations

from datetime import UTC, datetime

from benchmarks import acebench, when2call
from benchmarks.places import DATA, RESULTS, commit, missing


def main() -> int:
    """Run, print, and write ``results/datasets.md``."""
    if reason := missing(DATA / "acebench", DATA / "when2call"):
        print(f"datasets: skipped: {reason}")
        return 0
    lines = [
        "# What the gates find in public data sets",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}, policy `strict/1`.",
        "`python -m benchmarks datasets` writes this page.",
        "",
        *acebench.report(),
        *when2call.report(when2call.read_when2call()),
    ]
    text = "\n".join(lines) + "\n"
    (RESULTS / "datasets.md").write_text(text)
    print(text)
    return 0
