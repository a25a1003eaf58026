"""Cases a second and peak memory of ``callgrade grade`` on generated cases of about four calls each.

    python -m benchmarks.throughput 1000 100000

Prints one Markdown row a size. Peak memory is the process's own (``ru_maxrss``); one fifth of the cases has one defect.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PROPERTIES = {"order": {"type": "string"}, "amount": {"type": "number"}, "note": {"type": "string", "maxLength": 200}}
TOOLS = [
    {"name": f"{verb}_{noun}", "effect": "read" if verb == "find" else "write",
     "input_schema": {"type": "object", "properties": PROPERTIES, "required": ["order"], "additionalProperties": False}}
    for verb in ("find", "change", "cancel") for noun in ("order", "booking", "parcel", "invoice")
]  # fmt: skip


def generated(number: int) -> dict[str, Any]:
    """Return one case; every fifth has a wrong value, a missing call, an unknown tool or a schema error."""
    chance = random.Random(number)  # noqa: S311  # repeatable, not secret
    steps: list[dict[str, Any]] = []
    for turn in range(1, chance.choice((3, 4, 4, 5)) + 1):
        args = {
            "order": f"KC-{chance.randrange(10_000)}",
            "amount": chance.randrange(1, 40_000) / 100,
            "note": "as agreed",
        }
        steps.append({"tool": chance.choice(TOOLS)["name"], "args": args, "turn": turn})
    calls = [
        {**step, "args": dict(step["args"]), "result": {"ok": True, "id": chance.randrange(10**6)}} for step in steps
    ]
    if number % 5 == 0:
        defect = number // 5 % 4
        if defect == 0:
            calls[0]["args"]["amount"] += 1
        elif defect == 1:
            del calls[-1]
        elif defect == 2:
            calls[1]["tool"] = "find_nothing"
        else:
            del calls[1]["args"]["order"]
    return {"task_id": f"t{number}", "model": f"m{number % 2}", "input": "Please see to it. " * 5,
            "expected_invocations": steps, "actual_invocations": calls, "final_answer": "It is done."}  # fmt: skip


def main(sizes: Sequence[int]) -> None:
    """Print the table."""
    print("| cases | calls | input MB | s | cases/s | peak MB | verdict bytes/case |\n|---|---|---|---|---|---|---|")
    for size in sizes:
        print(_row(size), flush=True)


def _row(n: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        cases, tools, out = (Path(folder) / name for name in ("cases.jsonl", "tools.json", "run"))
        tools.write_text(json.dumps(TOOLS))
        n_calls = 0
        with cases.open("w") as file:
            for number in range(n):
                case = generated(number)
                n_calls += len(case["actual_invocations"])
                file.write(json.dumps(case) + "\n")
        words = ["grade", str(cases), "--format", "native", "--tools", str(tools), "--out", str(out), "--json"]
        began = time.perf_counter()
        peak_kb = _run([sys.executable, "-m", "callgrade", *words])
        seconds = time.perf_counter() - began
        summary = json.loads((out / "summary.json").read_bytes())["overall"]
        assert summary["statuses"] == {"pass": n - -(-n // 5), "fail": -(-n // 5)}, summary["statuses"]
        verdict_bytes = (out / "verdicts.jsonl").stat().st_size / n
        size_mb = cases.stat().st_size / 1e6
    return (
        f"| {n:,} | {n_calls:,} | {size_mb:.1f} | {seconds:.2f} | {n / seconds:,.0f} | {peak_kb / 1024:.0f} "
        f"| {verdict_bytes:.0f} |"
    )


def _run(words: list[str]) -> int:
    """Run a command and return its peak memory in KB."""
    child = os.posix_spawn(
        words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    )
    _, status, usage = os.wait4(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return usage.ru_maxrss


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1_000, 100_000])
