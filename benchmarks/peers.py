"""callgrade in the peers' own bench: speed on their traces, and their 20 edge cases.

    python -m benchmarks peers

Speed is CPU time on one core, JSON bytes in to verdict bytes out: reading, parsing, schema of every call, alignment,
field by field comparison, one failure mode, counts, writing. The catalog is shared by the file; findings are written
for what fails, counts for what passes. bfcl-eval and the plain-Python floor are measured in the same run, pass by pass
in turns; their time starts from Python objects, so that it holds no JSON.
"""

from __future__ import annotations

import gc
import platform
import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from benchmarks.places import BENCH_PEERS, PEER_PYTHON, PEER_SCRIPTS, RESULTS, MemoryFile, commit, missing
from benchmarks.traces import Bench, Edge, Trace, as_case, as_lines
from callgrade.grading import CaseGrader
from cases.case import Case
from cases.folding import fold
from cases.formats import native
from cases.jsonvalue import encode
from cases.verdict import Verdict
from deterministic.gates import Gates, check_expectation
from deterministic.policy import STRICT

N_TRACES = 2_000
ROUNDS = 15
N_CALLS = 200


class Peer(msgspec.Struct, frozen=True):
    """One pass of the peers."""

    build_s: float
    check_s: float
    multiset_s: float
    valid: list[bool]


class Speed(msgspec.Struct, frozen=True):
    """Best pass of each, in microseconds of CPU a trace."""

    ours_us: float
    read_us: float
    grade_us: float
    grade_right_us: float
    """Of the traces that pass."""
    grade_wrong_us: float
    fold_us: float
    write_us: float
    bfcl_us: float | None = None
    bfcl_build_us: float | None = None
    multiset_us: float | None = None
    n_passed: int = 0
    n_same_verdict: int | None = None
    """Traces on which ``strict/1`` and bfcl-eval agree."""
    long_ms: dict[str, float] = {}


def main() -> int:
    """Run, print, write ``results/peers.md``, and append to ``results/history.jsonl``."""
    if reason := missing(BENCH_PEERS):
        print(f"peers: skipped: {reason}")
        return 0
    bench = Bench(BENCH_PEERS)
    speed = _measure(bench)
    lines = [*_head(), *_speed_lines(speed), *_long_lines(speed), *_edge_lines(bench)]
    text = "\n".join(lines) + "\n"
    (RESULTS / "peers.md").write_text(text)
    _remember(speed)
    print(text)
    return 0


def _head() -> list[str]:
    return [
        "# callgrade in the peers' bench",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}, Python {platform.python_version()}, {_machine()}.",
        "`python -m benchmarks peers` writes this page.",
        "",
    ]


# --- speed --------------------------------------------------------------------


def _measure(bench: Bench) -> Speed:
    traces = bench.traces(N_TRACES)
    content = as_lines(traces)
    grader = CaseGrader(STRICT, bench.tools, reader="native/1")
    verdicts = _grade_all(grader, content)
    assert all(verdict.status in {"pass", "fail"} for verdict in verdicts)
    ours: list[float] = []
    peers: list[Peer] = []
    with _peer() as ask:
        for _ in range(ROUNDS):
            ours.append(_cpu_s(lambda: _bytes_to_bytes(grader, content)))
            if ask is not None:
                peers.append(ask())
    stages = _stage_us(bench, traces)
    return Speed(
        ours_us=min(ours) / len(traces) * 1e6,
        **stages,
        bfcl_us=_best_us([p.check_s for p in peers]),
        bfcl_build_us=_best_us([p.build_s for p in peers]),
        multiset_us=_best_us([p.multiset_s for p in peers]),
        n_passed=sum(v.status == "pass" for v in verdicts),
        n_same_verdict=sum((v.status == "pass") == ok for v, ok in zip(verdicts, peers[0].valid, strict=True))
        if peers
        else None,
        long_ms=_long_cases(bench, traces),
    )


def _grade_all(grader: CaseGrader, content: bytes) -> list[Verdict]:
    return [grader.grade_record(record).verdict for record in native.read(MemoryFile("t.jsonl", content))]


def _bytes_to_bytes(grader: CaseGrader, content: bytes) -> int:
    return sum(
        len(encode(grader.grade_record(record).verdict)) for record in native.read(MemoryFile("t.jsonl", content))
    )


def _cpu_s(work: Callable[[], object]) -> float:
    gc.collect()
    gc.freeze()  # what the benchmark itself holds is not the grader's to sweep; the peer's process does the same
    start = time.process_time()
    work()
    spent = time.process_time() - start
    gc.unfreeze()
    return spent


def _best_us(seconds: Sequence[float]) -> float | None:
    return min(seconds) / N_TRACES * 1e6 if seconds else None


def _stage_us(bench: Bench, traces: Sequence[Trace]) -> dict[str, float]:
    content = as_lines(traces)
    records = list(native.read(MemoryFile("t.jsonl", content)))
    cases = [record.case for record in records if record.case is not None]
    gates = Gates(STRICT, bench.tools)
    versions = CaseGrader(STRICT, bench.tools, reader="native/1").versions
    graded = [gates.grade(case) for case in cases]
    verdicts = _grade_all(CaseGrader(STRICT, bench.tools, reader="native/1"), content)

    def grade(some: Sequence[Case]) -> None:
        for case in some:
            check_expectation(case)
            gates.grade(case)

    def fold_all() -> None:
        for g in graded:
            fold(
                g.case,
                g.findings,
                passed=g.passed,
                passed_steps=g.passed_steps,
                stated_steps=g.stated_steps,
                counts=g.counts,
                tools=g.tools,
                decisions=g.decisions,
                versions=versions,
                path=g.path,
                source="t.jsonl:1",
            )

    right = [case for case, verdict in zip(cases, verdicts, strict=True) if verdict.status == "pass"]
    wrong = [case for case, verdict in zip(cases, verdicts, strict=True) if verdict.status == "fail"]
    stages: dict[str, tuple[Callable[[], object], int]] = {
        "read_us": (lambda: list(native.read(MemoryFile("t.jsonl", content))), len(cases)),
        "grade_us": (lambda: grade(cases), len(cases)),
        "grade_right_us": (lambda: grade(right), len(right)),
        "grade_wrong_us": (lambda: grade(wrong), len(wrong)),
        "fold_us": (fold_all, len(cases)),
        "write_us": (lambda: [encode(verdict) for verdict in verdicts], len(cases)),
    }
    return {name: min(_cpu_s(work) for _ in range(ROUNDS)) / n * 1e6 for name, (work, n) in stages.items()}


def _long_cases(bench: Bench, traces: Sequence[Trace]) -> dict[str, float]:
    """Return milliseconds for one case of 200 calls, from bytes to bytes, by kind."""
    right = [call for trace in traces for call in trace.expected][:N_CALLS]
    defective = [call for trace in traces for call in trace.actual][:N_CALLS]
    kinds: dict[str, Case] = {
        "every call right": as_case("long", right, right),
        "in reverse order": as_case("long", right, right[::-1]),
        "with the bench's defects": as_case("long", right, defective),
        "every call wrong": as_case("long", right, [msgspec.structs.replace(c, args={}) for c in right]),
    }
    grader = CaseGrader(STRICT, bench.tools)
    return {
        kind: min(_cpu_s(lambda case=case: _bytes_to_bytes(grader, encode(case))) for _ in range(ROUNDS)) * 1e3  # type: ignore[misc]  # the default binds the loop's value
        for kind, case in kinds.items()
    }


@contextmanager
def _peer() -> Generator[Callable[[], Peer] | None]:
    """Start bfcl-eval's process and yield a function that asks it for one pass; ``None`` where it is not installed."""
    if reason := missing(PEER_PYTHON):
        print(f"peers: bfcl-eval is not measured: {reason}")
        yield None
        return
    command = [str(PEER_PYTHON), str(PEER_SCRIPTS / "bfcl_speed.py"), str(BENCH_PEERS), str(N_TRACES)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None
        assert stdout.readline() == b"ready\n", "the peer's process did not start"

        def ask() -> Peer:
            stdin.write(b"go\n")
            stdin.flush()
            return msgspec.json.decode(stdout.readline(), type=Peer)

        yield ask
        stdin.close()


def _speed_lines(speed: Speed) -> list[str]:
    rows = [("callgrade `strict/1`, bytes to bytes", speed.ours_us)]
    if speed.bfcl_us is not None and speed.bfcl_build_us is not None:
        rows.append(("bfcl-eval ast_checker parallel, with build", speed.bfcl_us + speed.bfcl_build_us))
        rows.append(("bfcl-eval ast_checker parallel, check alone", speed.bfcl_us))
    if speed.multiset_us is not None:
        rows.append(("plain Python, multiset F1 (verdict only)", speed.multiset_us))
    same = "" if speed.n_same_verdict is None else f" bfcl-eval gives the same verdict on {speed.n_same_verdict:,}."
    return [
        f"## Speed ({N_TRACES:,} traces, mean 4 calls; CPU time of one core, best of {ROUNDS} alternating passes)",
        "",
        "| | traces/s | µs/trace | callgrade is |",
        "|---|--:|--:|--:|",
        *(f"| {name} | {1e6 / us:,.0f} | {us:.1f} | {us / speed.ours_us:.2f} x |" for name, us in rows),
        "",
        f"{speed.n_passed:,} traces pass.{same}",
        "",
        "| stage | µs/trace |",
        "|---|--:|",
        f"| read | {speed.read_us:.1f} |",
        f"| grade | {speed.grade_us:.1f} |",
        f"| grade: a trace that passes | {speed.grade_right_us:.1f} |",
        f"| grade: a trace that fails | {speed.grade_wrong_us:.1f} |",
        f"| fold | {speed.fold_us:.1f} |",
        f"| write | {speed.write_us:.1f} |",
        "",
        "The rows of all peers, as they were measured on another day and machine, stand in `bench_peers/summary.md`:",
        "",
        *_peer_table("| peer "),
        "",
    ]


def _long_lines(speed: Speed) -> list[str]:
    return [
        f"## One case of {N_CALLS} calls",
        "",
        "| | ms |",
        "|---|--:|",
        *(f"| {kind} | {ms:.2f} |" for kind, ms in speed.long_ms.items()),
        "",
    ]


def _peer_table(first_cell: str) -> list[str]:
    summary = BENCH_PEERS / "summary.md"
    lines = summary.read_text(encoding="utf-8").splitlines() if summary.exists() else []
    start = next((i for i, line in enumerate(lines) if line.startswith(first_cell)), len(lines))
    end = next((i for i in range(start, len(lines)) if not lines[i].startswith("|")), len(lines))
    return lines[start:end]


# --- edge cases ---------------------------------------------------------------


def grade_edge(edge: Edge, bench: Bench, *, is_ordered: bool = False) -> Verdict:
    """Return the verdict on an edge case, by way of its bytes."""
    case = as_case(edge.id, edge.expected, edge.actual, is_ordered=is_ordered)
    (verdict,) = _grade_all(CaseGrader(STRICT, bench.tools), encode(case))
    return verdict


def is_right(want: str, verdict: Verdict) -> bool:
    """Return whether a verdict is what a reader of a report would expect."""
    if want == "partial":
        score = verdict.counts.score
        return verdict.status == "fail" and score is not None and 0 < score < 1
    return verdict.status == want


def wanted(edge: Edge, *, is_ordered: bool) -> str:
    """Return pass, fail or partial; one edge case wants another thing of ordered calls."""
    if edge.want.startswith("pass (unordered)"):
        return "partial" if is_ordered else "pass"
    return edge.want


def _edge_lines(bench: Bench) -> list[str]:
    lines = ["## Edge cases", ""]
    table = _peer_table("| edge case ")
    cells: dict[str, str] = {}
    n_right = 0
    for edge in bench.edges:
        verdict = grade_edge(edge, bench)
        is_fine = is_right(wanted(edge, is_ordered=False), verdict)
        n_right += is_fine
        score = verdict.counts.score
        shown = "none" if score is None else f"{score:.4g}"
        cells[edge.id] = f"{verdict.status} {shown}{'' if is_fine else ' ✗'}"
    lines += [f"callgrade `strict/1`: **{n_right} of {len(bench.edges)}** right (verdict, then the graded score).", ""]
    cells["edge case"], cells["---"] = "callgrade<br>strict/1", "--:"
    cells["**misleading or refused**"] = f"**{len(bench.edges) - n_right}**"
    for line in table:
        name, want, *rest = [cell.strip() for cell in line.strip("|").split("|")]
        lines.append(f"| {' | '.join([name, want, cells.get(name, '?'), *rest])} |")
    return lines


# --- history ------------------------------------------------------------------


def _machine() -> str:
    info = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in _lines(info) if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else platform.machine()


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _remember(speed: Speed) -> None:
    bfcl = None if speed.bfcl_us is None or speed.bfcl_build_us is None else speed.bfcl_us + speed.bfcl_build_us
    line = {
        "date": f"{datetime.now(UTC):%Y-%m-%dT%H:%MZ}",
        "commit": commit(),
        "python": platform.python_version(),
        "machine": _machine(),
        "traces_per_s": round(1e6 / speed.ours_us),
        "us": {
            "ours": round(speed.ours_us, 2),
            "read": round(speed.read_us, 2),
            "grade": round(speed.grade_us, 2),
            "grade_right": round(speed.grade_right_us, 2),
            "grade_wrong": round(speed.grade_wrong_us, 2),
            "fold": round(speed.fold_us, 2),
            "write": round(speed.write_us, 2),
            "bfcl": _rounded(speed.bfcl_us),
            "bfcl_build": _rounded(speed.bfcl_build_us),
            "multiset": _rounded(speed.multiset_us),
        },
        "ratios": {
            "bfcl_with_build": _rounded(None if bfcl is None else bfcl / speed.ours_us),
            "multiset": _rounded(None if speed.multiset_us is None else speed.multiset_us / speed.ours_us),
        },
        "long_ms": {kind: round(ms, 2) for kind, ms in speed.long_ms.items()},
    }
    with (RESULTS / "history.jsonl").open("ab") as history:
        history.write(encode(line) + b"\n")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
