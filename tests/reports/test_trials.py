"""Repeated trials: hand-derived pass^k, unequal numbers, what is left out; and tau-bench's own definition."""

from __future__ import annotations

import gzip
from itertools import combinations
from math import comb
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.verdict import CaseStatus
from reports.trials import TrialInventory, Trials, all_k, largest_common_k, merge_trials, pass_hat_k


def inventory(*tasks: str) -> tuple[Trials, ...]:
    """One text a task, one letter a trial: p passed, f failed, u ungraded."""
    statuses: dict[str, CaseStatus] = {"p": "pass", "f": "fail", "u": "ungraded"}
    found = TrialInventory()
    for number, task in enumerate(tasks):
        for attempt, letter in enumerate(task):
            found.add(str(number), attempt, statuses[letter])
    return found.table()


PASS_K = [
    pytest.param(("pppp", "ppff", "ffff"), 1, 0.5, 3, 0, id="k = 1 is the mean rate: (1 + 1/2 + 0) / 3"),
    # C(4,2)/C(4,2) = 1, C(2,2)/C(4,2) = 1/6, 0
    pytest.param(("pppp", "ppff", "ffff"), 2, (1 + 1 / 6) / 3, 3, 0, id="k = 2"),
    pytest.param(("pppp", "pppf", "ppff"), 3, (1 + 1 / 4 + 0) / 3, 3, 0, id="k = 3: C(3,3)/C(4,3) = 1/4"),
    pytest.param(("pppp", "pppf"), 4, 0.5, 2, 0, id="k = n: all or nothing"),
    pytest.param(("pp", "p"), 2, 1.0, 1, 1, id="a task with fewer trials is left out and counted"),
    pytest.param(("ppu", "pu"), 2, 1.0, 1, 1, id="an ungraded trial is no trial"),
    pytest.param(("u",), 1, None, 0, 1, id="nothing graded is undefined"),
    pytest.param((), 1, None, 0, 0, id="no task is undefined"),
]


@pytest.mark.parametrize(("tasks", "k", "value", "n_tasks", "n_left_out"), PASS_K)
def test_pass_hat_k(tasks: tuple[str, ...], k: int, value: float | None, n_tasks: int, n_left_out: int) -> None:
    found = pass_hat_k(inventory(*tasks), k)
    assert found.value == (None if value is None else pytest.approx(value))
    assert (found.n_tasks, found.n_left_out) == (n_tasks, n_left_out)


@given(st.text("pf", min_size=1, max_size=7), st.integers(1, 7))
def test_pass_hat_k_is_the_share_of_k_subsets_that_pass_whole(task: str, k: int) -> None:
    subsets = list(combinations(task, k))
    wanted = sum(set(subset) == {"p"} for subset in subsets) / len(subsets) if subsets else None
    assert pass_hat_k(inventory(task), k).value == (None if wanted is None else pytest.approx(wanted))


ALL_K = [
    pytest.param(("ppp", "ppf", "p"), 2 / 3, 3, 0, id="whatever the number of trials"),
    pytest.param(("ppu", "uu"), 1.0, 1, 1, id="ungraded trials are none"),
    pytest.param(("uu",), None, 0, 1, id="undefined without a graded trial"),
]


@pytest.mark.parametrize(("tasks", "value", "n_tasks", "n_left_out"), ALL_K)
def test_all_k(tasks: tuple[str, ...], value: float | None, n_tasks: int, n_left_out: int) -> None:
    found = all_k(inventory(*tasks))
    assert (found.value, found.n_tasks, found.n_left_out) == (value, n_tasks, n_left_out)


def test_a_trial_number_that_comes_twice_is_counted_apart_and_is_no_second_trial() -> None:
    found = TrialInventory()
    for attempt, status in ((0, "pass"), (0, "fail"), (1, "pass")):
        found.add("t", attempt, status)  # type: ignore[arg-type]  # one of the literals
    assert (found.table(), found.n_repeated) == (inventory("pp"), 1)


def test_the_largest_k_that_every_task_has() -> None:
    assert largest_common_k(inventory("ppp", "pf", "uu")) == 2
    assert largest_common_k(inventory("u")) == 0


def test_inventories_of_different_tasks_add_up() -> None:
    parts = [inventory("pp", "pf"), inventory("pp")]
    assert merge_trials(parts) == inventory("pp", "pf", "pp")


class Recorded(msgspec.Struct):
    """A run of tau-bench, as much of it as its own score needs."""

    task_id: int
    reward: float
    trial: int


@pytest.mark.slow
def test_tau_bench_own_definition_on_its_recorded_rewards(shared_data: Path) -> None:
    """Its ``display_metrics``: passes by task, then the sum over tasks of C(c, k) / C(number of trials, k), / tasks."""
    path = shared_data / "tau_bench" / "historical_trajectories" / "gpt-4o-airline.json.gz"
    runs = msgspec.json.decode(gzip.decompress(path.read_bytes()), type=list[Recorded])
    found = TrialInventory()
    passes: dict[int, int] = {}
    for run in runs:
        is_success = 1 - 1e-6 <= run.reward <= 1 + 1e-6
        found.add(str(run.task_id), run.trial, "pass" if is_success else "fail")
        passes[run.task_id] = passes.get(run.task_id, 0) + is_success
    n_trials = len({run.trial for run in runs})
    assert (len(passes), n_trials) == (50, 4)
    for k in range(1, n_trials + 1):
        theirs = sum(comb(c, k) / comb(n_trials, k) for c in passes.values()) / len(passes)
        assert pass_hat_k(found.table(), k).value == pytest.approx(theirs, abs=1e-12)
    assert pass_hat_k(found.table(), 1).value == pytest.approx(0.42)
