"""The peers' 20 edge cases, right under strict/1, by way of bytes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from benchmarks.traces import Bench

pytestmark = pytest.mark.checkout

EDGES = [
    "no_call_expected_none_made",
    "no_call_expected_one_made",
    "call_expected_none_made",
    "same_call_twice_expected_and_made",
    "same_call_twice_expected_made_once",
    "one_expected_made_twice",
    "one_expected_plus_unrelated_extra",
    "multiset_differs_same_length",
    "int_vs_numeric_string",
    "true_vs_one",
    "int_vs_equal_float",
    "hallucinated_extra_argument",
    "required_argument_dropped",
    "all_arguments_dropped",
    "list_argument_equal",
    "nested_dict_key_order",
    "parallel_calls_swapped",
    "greedy_trap",
    "negative_number_string_vs_positive",
    "decimal_point_lost_in_string",
]


@pytest.fixture(scope="module")
def bench(shared_data: Path) -> Bench:
    from benchmarks.traces import Bench

    return Bench(shared_data.parent / "bench_peers")


def test_all_edge_cases_are_here(bench: Bench) -> None:
    assert [edge.id for edge in bench.edges] == EDGES


@pytest.mark.parametrize("name", EDGES)
def test_an_edge_case_is_right(name: str, bench: Bench) -> None:
    from benchmarks.peers import grade_edge, is_right, wanted

    edge = next(edge for edge in bench.edges if edge.id == name)
    verdict = grade_edge(edge, bench)
    assert is_right(wanted(edge, is_ordered=False), verdict), (verdict.status, verdict.counts.score)


def test_the_swapped_calls_are_partly_right_where_order_counts(bench: Bench) -> None:
    from benchmarks.peers import grade_edge, is_right, wanted

    edge = next(edge for edge in bench.edges if edge.id == "parallel_calls_swapped")
    verdict = grade_edge(edge, bench, is_ordered=True)
    assert wanted(edge, is_ordered=True) == "partial"
    assert is_right("partial", verdict)
    assert verdict.mode == "wrong_order"


def test_the_verdict_is_bfcl_evals_on_the_benchs_traces(bench: Bench) -> None:
    """Its checker holds 1,336 of 2,000 right (``summary.md``)."""
    from benchmarks.traces import as_case
    from callgrade.api import grade

    traces = bench.traces(2_000)
    verdicts = grade((as_case(t.id, t.expected, t.actual) for t in traces), tools=bench.tools)
    assert sum(verdict.status == "pass" for verdict in verdicts) == 1_336
