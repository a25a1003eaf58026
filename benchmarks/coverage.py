"""Do the 95 % intervals of the corrected pass rate hold what they promise?

Draws judges, batches and labels from known truth, lets the product's own rule choose the estimator or
refuse, and counts how often the interval holds the true rate:
``python -m benchmarks.coverage > benchmarks/results/coverage.md``
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from calibration.chooser import MIN_LABELS
from calibration.intervals import Bools, Floats, normal_quantile, wilson_limits
from calibration.poststratified import N_DRAWS as PRODUCT_DRAWS
from calibration.poststratified import draw_limits
from calibration.rogangladen import rogan_gladen_limits, surplus_low
from reports.intervals import percent

N_REPLICATIONS = 4_000
N_DRAWS = 500
BATCH = 2_000
SIZES = (30, 60, 200)
RATES = (0.50, 0.70, 0.80, 0.90, 0.95, 0.98)
Z = normal_quantile(0.95)
RATE = "pass rate"


@dataclass(frozen=True)
class Judge:
    """A judge that errs independently; fail is the positive class."""

    name: str
    tpr: float
    tnr: float


JUDGES = (
    Judge("excellent", 0.95, 0.98),
    Judge("good", 0.90, 0.95),
    Judge("usual", 0.80, 0.92),
    Judge("lenient", 0.60, 0.95),
    Judge("near chance", 0.55, 0.60),
)


@dataclass(frozen=True)
class Sample:
    """Replicated data of one cell; each count has shape (replications,)."""

    said_pass: Floats
    labelled: Floats
    """Shape (replications, 4): passes right, passes, fails wrong, fails."""

    @property
    def by_class(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Fails found, fails, passes kept, passes."""
        passes_right, n_passes, fails_wrong, n_fails = self.labelled.T
        found = n_fails - fails_wrong
        return found, found + n_passes - passes_right, passes_right, passes_right + fails_wrong


@dataclass(frozen=True)
class Cell:
    """What came out of one cell of the grid."""

    figure: str
    judge: str
    n: int
    rate: float
    coverage: float | None
    """Share of the answered replications whose interval holds the truth."""
    width: float | None
    refused: float
    wrong: float
    """Share of all replications that were answered, and wrongly."""


Limits = tuple[Floats, Floats]
Method = Callable[[Sample, np.random.Generator], tuple[dict[str, Limits], Bools]]
"""Limits of each figure, and which replications are answered at all."""


def draw(judge: Judge, rate: float, n: int, plan: str, generator: np.random.Generator) -> Sample:
    """Draw batches of ``BATCH`` items and ``n`` labels each."""
    size = N_REPLICATIONS
    n_pass = generator.binomial(BATCH, rate, size)
    kept = generator.binomial(n_pass, judge.tnr)
    missed = generator.binomial(BATCH - n_pass, 1.0 - judge.tpr)
    said_pass = kept + missed
    if plan == "enriched":
        half = n // 2
        found, right = generator.binomial(half, judge.tpr, size), generator.binomial(half, judge.tnr, size)
        columns = (right, right + half - found, half - right, half - right + found)
    else:
        if plan == "random":
            n_passes = generator.hypergeometric(said_pass, BATCH - said_pass, n)
        else:
            n_passes = n - np.minimum(n // 2, BATCH - said_pass)
        right = generator.hypergeometric(kept, missed, n_passes)
        wrong = generator.hypergeometric(n_pass - kept, BATCH - n_pass - missed, n - n_passes)
        columns = (right, n_passes, wrong, n - n_passes)
    return Sample(said_pass=said_pass.astype(float), labelled=np.column_stack(columns).astype(float))


def post_stratified(sample: Sample, generator: np.random.Generator) -> tuple[dict[str, Limits], Bools]:
    """Answer all: the number of labels is at least ``MIN_LABELS``."""
    batches = np.column_stack([sample.said_pass, np.full_like(sample.said_pass, BATCH)])
    rate, tpr, tnr = draw_limits(sample.labelled, batches, generator, n_draws=N_DRAWS)
    return {RATE: rate, "TPR": tpr, "TNR": tnr}, sample.labelled[:, 1] + sample.labelled[:, 3] >= MIN_LABELS


def rogan_gladen(sample: Sample, _: np.random.Generator) -> tuple[dict[str, Limits], Bools]:
    """Answer where the chooser does."""
    counts = sample.by_class
    limits = rogan_gladen_limits(*counts, sample.said_pass, BATCH)
    answered = (counts[1] >= MIN_LABELS) & (counts[3] >= MIN_LABELS) & (surplus_low(*counts, Z) > 0.0)
    answered &= limits[0] < limits[1]
    return {RATE: limits}, answered


def raw_judge(sample: Sample, _: np.random.Generator) -> tuple[dict[str, Limits], Bools]:
    """Take the judge's own pass rate, which is what a dashboard shows."""
    return {RATE: wilson_limits(sample.said_pass, BATCH, Z)}, np.ones(len(sample.said_pass), dtype=bool)


def labels_only(sample: Sample, _: np.random.Generator) -> tuple[dict[str, Limits], Bools]:
    """Take the labels as if they were a random sample."""
    found, n_fails, kept, n_passes = sample.by_class
    limits = {
        RATE: wilson_limits(n_passes, n_passes + n_fails, Z),
        "TPR": wilson_limits(found, n_fails, Z),
        "TNR": wilson_limits(kept, n_passes, Z),
    }
    return limits, np.ones(len(n_fails), dtype=bool)


CHOSEN: dict[str, Method] = {
    "random": post_stratified,
    "by verdict": post_stratified,
    "enriched": rogan_gladen,
}
"""What ``calibration.chooser`` picks for each plan (``enriched``: half of each class, from elsewhere)."""

FORBIDDEN: dict[str, tuple[str, Method]] = {
    "raw judge rate on a batch": ("random", raw_judge),
    "labels alone, drawn by verdict": ("by verdict", labels_only),
    "post-stratified on an enriched set": ("enriched", post_stratified),
}
"""Combinations that the chooser never makes."""


def run(plan: str, method: Method, seed: int) -> Iterator[Cell]:
    """Yield every cell of the grid for one label plan, one a figure."""
    generator = np.random.default_rng(seed)
    for judge in JUDGES:
        for n in SIZES:
            for rate in RATES:
                sample = draw(judge, rate, n, plan, generator)
                figures, answered = method(sample, generator)
                n_answered = int(answered.sum())
                for figure, (low, high) in figures.items():
                    truth = {RATE: rate, "TPR": judge.tpr, "TNR": judge.tnr}[figure]
                    holds = (low <= truth) & (truth <= high)
                    yield Cell(
                        figure=figure,
                        judge=judge.name,
                        n=n,
                        rate=rate,
                        coverage=float(holds[answered].mean()) if n_answered else None,
                        width=float((high - low)[answered].mean()) if n_answered else None,
                        refused=1.0 - n_answered / N_REPLICATIONS,
                        wrong=float((answered & ~holds).mean()),
                    )


def print_grid(plan: str, cells: list[Cell]) -> None:
    """Print coverage / width / refusals, one row a judge and n, one column a rate."""
    print(f"\n### {plan}: {CHOSEN[plan].__name__.replace('_', '-')}\n")
    print("| judge (TPR, TNR) | n | " + " | ".join(f"rate {rate:.2f}" for rate in RATES) + " |")
    print("|---|--:|" + "---|" * len(RATES))
    for judge in JUDGES:
        for n in SIZES:
            row = [cell for cell in cells if cell.judge == judge.name and cell.n == n]
            print(f"| {judge.name} ({judge.tpr}, {judge.tnr}) | {n} | " + " | ".join(map(_cell_text, row)) + " |")


def print_summary(title: str, cells: list[Cell]) -> None:
    """Print one line on many cells."""
    known = [cell for cell in cells if cell.coverage is not None and cell.width is not None]
    worst = min(known, key=lambda cell: cell.coverage or 0.0)
    mean = np.mean([cell.coverage for cell in known if cell.coverage is not None])
    width = np.mean([cell.width for cell in known if cell.width is not None])
    refused = np.mean([cell.refused for cell in cells])
    wrong = max(cell.wrong for cell in cells)
    lowest = f"{percent(worst.coverage or 0.0)} ({worst.judge}, n {worst.n}, rate {worst.rate:.2f})"
    n_low = sum((cell.coverage or 0.0) < 0.91 for cell in known)
    print(
        f"| {title} | {len(cells)} | {percent(float(mean))} | {lowest} | {n_low} | {width:.3f}"
        f" | {percent(float(refused))} | {percent(wrong)} |"
    )


def _cell_text(cell: Cell) -> str:
    if cell.coverage is None:
        return "all refused"
    refused = f", refused {percent(cell.refused)}" if cell.refused else ""
    return f"{percent(cell.coverage)} ({cell.width:.2f}{refused})"


def of(figure: str, cells: list[Cell]) -> list[Cell]:
    """Return the cells of one figure."""
    return [cell for cell in cells if cell.figure == figure]


def main() -> None:
    """Run the grid and print Markdown."""
    started = time.perf_counter()
    grids = {plan: list(run(plan, method, seed)) for seed, (plan, method) in enumerate(CHOSEN.items())}
    rates = {plan: of(RATE, cells) for plan, cells in grids.items()}
    everything = [cell for cells in rates.values() for cell in cells]
    print("# Coverage of the 95 % intervals of the corrected pass rate\n")
    print(
        f"{N_REPLICATIONS:,} replications a cell, batches of {BATCH:,} items, {N_DRAWS:,} draws"
        f" (the product takes {PRODUCT_DRAWS:,}); seeds 0 to 3. "
        "A refusal is no interval: coverage and width are over the answered replications, *wrong* is over all. "
        "Monte-Carlo error of one coverage: about 0.4 points; more where most are refused.\n"
    )
    header = "| | cells | mean coverage | lowest cell | cells below 91 % | mean width | refused | most wrong |"
    rule = "|---|--:|--:|---|--:|--:|--:|--:|"
    print(f"## What the chooser picks\n\n{header}\n{rule}")
    print_summary("pass rate, all plans", everything)
    for plan, cells in rates.items():
        print_summary(f"pass rate, {plan}: {CHOSEN[plan].__name__.replace('_', '-')}", cells)
    for figure in ("TPR", "TNR"):
        print_summary(f"{figure} over the batch, by verdict: post-stratified", of(figure, grids["by verdict"]))
    print(f"\n## What it never picks, on the same grid\n\n{header}\n{rule}")
    for title, (plan, method) in FORBIDDEN.items():
        cells = list(run(plan, method, seed=3))
        for figure in dict.fromkeys(cell.figure for cell in cells):
            print_summary(f"{figure}: {title}", of(figure, cells))
    print("\n## Pass rate by cell: coverage (mean width, share refused)")
    for plan, cells in rates.items():
        print_grid(plan, cells)
    print(f"\nTook {time.perf_counter() - started:.0f} s.")
    assert np.mean([cell.coverage for cell in everything if cell.coverage is not None]) >= 0.94
    assert min(cell.coverage for cell in everything if cell.coverage is not None) >= 0.91


if __name__ == "__main__":
    main()
