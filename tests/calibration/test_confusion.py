from __future__ import annotations

import pytest

from calibration.confusion import tabulate


def test_each_pair_is_counted_once() -> None:
    found = tabulate(["fail", "fail", "pass", "pass", "pass"], ["fail", "pass", "fail", "pass", "pass"], n_left_out=3)
    assert (found.fail_as_fail, found.fail_as_pass, found.pass_as_fail, found.pass_as_pass) == (1, 1, 1, 2)
    assert (found.n, found.n_fail, found.n_pass, found.n_said_fail, found.n_said_pass) == (5, 2, 3, 2, 3)
    assert found.n_left_out == 3


def test_sides_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        tabulate(["fail"], [])
