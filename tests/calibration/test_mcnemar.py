from __future__ import annotations

import importlib
from typing import Any

import pytest

from calibration.mcnemar import mcnemar

tables: Any = importlib.import_module("statsmodels.stats.contingency_tables")


@pytest.mark.parametrize(("only_first", "only_second"), [(0, 0), (1, 0), (3, 10), (10, 3), (7, 7), (0, 12), (15, 49)])
def test_p_equals_statsmodels(only_first: int, only_second: int) -> None:
    expected = tables.mcnemar([[5, only_first], [only_second, 5]], exact=True).pvalue
    assert mcnemar(only_first, only_second).p_value == pytest.approx(expected)


def test_p_equals_the_hand_derived_sum() -> None:
    # b = 0, c = 5: 2 * (1/2)^5
    assert mcnemar(0, 5).p_value == pytest.approx(2 / 32)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="counts must be >= 0"):
        mcnemar(-1, 2)
