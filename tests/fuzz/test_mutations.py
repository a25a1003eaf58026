"""Damaged recordings: every one is named and ungraded, or an input error; none breaks anything or passes wrongly."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"callgrade_fuzz_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mutations: Any = load("mutations")
checking: Any = load("checking")


@pytest.mark.parametrize(("n", "seed"), [(500, 1), pytest.param(10_000, 2, marks=pytest.mark.slow)])
def test_no_mutant_breaks_anything(n: int, seed: int) -> None:
    outcomes, faults = checking.run(mutations.mutants(n, seed), mutations.n_may_pass)
    assert faults == []
    assert outcomes["native: fail"] >= n / 50
    assert outcomes["native: input error"] + outcomes["native: ungraded"] >= n / 50


@pytest.mark.parametrize("seed", mutations.SEEDS, ids=lambda seed: seed.format)
def test_the_seeds_themselves_are_whole(seed: Any) -> None:
    content = json.dumps(seed.document).encode()
    outcomes, faults = checking.run([mutations.Mutant(seed, "none", "m.json", content)], mutations.n_may_pass)
    assert faults == []
    assert [outcome for outcome in outcomes if outcome.endswith(("input error", "fail"))] == []


def test_the_oracle_refuses_what_differs_and_takes_what_does_not() -> None:
    seed = mutations.SEEDS[0]

    def judged(content: bytes) -> int | None:
        answer: int | None = mutations.n_may_pass(mutations.Mutant(seed, "", "m.json", content))
        return answer

    whole = json.dumps(seed.document)
    assert judged(whole.encode()) == 1
    assert judged(whole.replace("Done.", "Over.").encode()) == 1
    assert judged(whole.replace('"amount": 2.5', '"amount": 3', 1).encode()) == 0
    assert judged(whole[:-1].encode()) == 0


@pytest.mark.slow
def test_a_line_of_50_mb_is_graded() -> None:
    case = {**mutations.NATIVE, "input": "x" * 50_000_000}
    mutant = mutations.Mutant(mutations.SEEDS[0], "a 50 MB line", "m.jsonl", json.dumps(case).encode())
    outcomes, faults = checking.run([mutant], mutations.n_may_pass)
    assert (dict(outcomes), faults) == ({"native: pass": 1}, [])
