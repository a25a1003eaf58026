"""The 2 x 2 table of gold against verdict, as plain counts."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from calibration.records import Verdict


class Confusion(msgspec.Struct, frozen=True, kw_only=True):
    """Counts, gold first: ``fail_as_pass`` are the true fails that the grader let through."""

    fail_as_fail: int
    fail_as_pass: int
    pass_as_fail: int
    pass_as_pass: int
    n_left_out: int = 0
    """Labelled items on which the grader gave no verdict."""

    @property
    def n(self) -> int:
        """Items with gold and verdict."""
        return self.n_fail + self.n_pass

    @property
    def n_fail(self) -> int:
        """True fails."""
        return self.fail_as_fail + self.fail_as_pass

    @property
    def n_pass(self) -> int:
        """True passes."""
        return self.pass_as_fail + self.pass_as_pass

    @property
    def n_said_fail(self) -> int:
        """Items that the grader called fail."""
        return self.fail_as_fail + self.pass_as_fail

    @property
    def n_said_pass(self) -> int:
        """Items that the grader called pass."""
        return self.fail_as_pass + self.pass_as_pass


def tabulate(gold: Iterable[Verdict], said: Iterable[Verdict], *, n_left_out: int = 0) -> Confusion:
    """Count the pairs.

    Raises:
        ValueError: The two sequences differ in length.
    """
    counts = {("fail", "fail"): 0, ("fail", "pass"): 0, ("pass", "fail"): 0, ("pass", "pass"): 0}
    for cell in zip(gold, said, strict=True):
        counts[cell] += 1
    return Confusion(
        fail_as_fail=counts["fail", "fail"],
        fail_as_pass=counts["fail", "pass"],
        pass_as_fail=counts["pass", "fail"],
        pass_as_pass=counts["pass", "pass"],
        n_left_out=n_left_out,
    )
