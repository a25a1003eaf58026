"""Does ``bfcl/1`` give the verdicts of bfcl-eval's own checker? On answers made from the gold, and on real results.

    python -m benchmarks bfcl_parity [--venv FOLDER]

The checker runs in its own virtual environment (``CALLGRADE_BFCL_VENV``), because its dependencies are huge; JSON Lines
go there and come back. Ours goes the product's way: bytes of a result record, reader, join with the gold, grader.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from benchmarks.bfcl_answers import Task, Variant, read_tasks, variants
from benchmarks.places import DATA, PEER_PYTHON, RESULTS, MemoryFile, ask_peer, commit, missing
from callgrade.grading import CaseGrader
from callgrade.opening import PathFile
from cases.formats import bfcl
from cases.joining import Gold
from deterministic.policy import BFCL

_UNLIKE_API = "unlike the model's API"
_BARE_MEMBER = "simple_java_64"
SAMPLES = ("multiple", "live_simple", "live_parallel", "live_relevance")


class Told(msgspec.Struct, frozen=True):
    """A verdict and the rule behind it."""

    valid: bool | None
    """``None``: no verdict (theirs ended with an exception, ours is ungraded)."""
    rule: str


class Difference(msgspec.Struct, frozen=True):
    """What differs between the two, as one kind."""

    group: str
    kind: str
    theirs: str
    ours: str
    right: str


class Tally:
    """Counts of one group of categories."""

    def __init__(self) -> None:
        """Start at zero."""
        self.n = self.n_equal = self.n_valid = self.n_rule = self.n_invalid_both = 0

    def add(self, theirs: Told, ours: Told) -> None:
        """Count one result."""
        self.n += 1
        self.n_equal += theirs.valid is ours.valid
        self.n_valid += theirs.valid is True
        if theirs.valid is False and ours.valid is False:
            self.n_invalid_both += 1
            self.n_rule += theirs.rule == ours.rule


def main() -> int:
    """Run, print, and write ``results/bfcl_parity.md``."""
    folder = DATA / "bfcl" / "v4"
    if reason := missing(folder, PEER_PYTHON):
        print(f"bfcl_parity: skipped: {reason}")
        return 0
    tasks = read_tasks(folder)
    made = [variant for task in tasks for variant in variants(task)]
    print(f"{len(made):,} results for {len(tasks):,} tasks; asking bfcl-eval ...")
    theirs = _their_verdicts(tasks, made)
    print("grading ...")
    ours = _our_verdicts(tasks, made)
    report = _report(tasks, made, theirs, ours) + _sample_lines()
    text = "\n".join(report) + "\n"
    (RESULTS / "bfcl_parity.md").write_text(text)
    print(text)
    return 0


def _their_verdicts(tasks: Sequence[Task], made: Sequence[Variant]) -> list[Told]:
    lines = [{"task": t.id, "category": t.category, "function": t.function, "answers": t.answers} for t in tasks] + [
        {"of": v.task, "result": v.result, "mode": v.mode} for v in made
    ]
    answered = ask_peer("bfcl_checker.py", lines=b"".join(json.dumps(line).encode() + b"\n" for line in lines))
    return [msgspec.json.decode(line, type=Told) for line in answered.splitlines()]


def _our_verdicts(tasks: Sequence[Task], made: Sequence[Variant]) -> list[Told]:
    questions = [{"id": t.id, "question": t.question, "function": t.function} for t in tasks]
    answers = [{"id": t.id, "ground_truth": t.answers} for t in tasks if t.answers]
    records = [record.case for rows in (questions, answers) for record in bfcl.read(_as_file(rows))]
    gold = Gold(case for case in records if case is not None)
    grader = CaseGrader(BFCL, reader="bfcl/1")
    told: list[Told] = []
    for record in bfcl.read(_as_file([{"id": v.task, "result": v.result} for v in made])):
        case = gold.join(record.case) if record.case is not None else None
        if case is None:
            told.append(Told(None, record.problem or "no gold"))
            continue
        verdict = grader.grade(case).verdict
        rule = next((f.rule.partition(":")[2] for f in verdict.findings if f.gating), "")
        told.append(Told({"pass": True, "fail": False}.get(verdict.status), rule or verdict.reason or ""))
    return told


def _as_file(rows: Iterable[object]) -> MemoryFile:
    return MemoryFile("made.jsonl", b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def _group(task: Task, variant: Variant) -> str:
    if variant.kind.endswith(_UNLIKE_API):
        return "names spelled unlike the model's API"
    if not task.is_python:
        return "JavaScript" if "javascript" in task.category else "Java"
    return "Python, prompt mode" if variant.mode == "prompt" else "Python, FC mode"


def _who_is_right(difference: Difference, task: str) -> str:
    if difference.kind.endswith(_UNLIKE_API):
        return (
            "theirs, where the model is known: its row in BFCL's table tells the spelling; a result file does not name "
            "the model, so `bfcl/1` takes either"
        )
    if task == _BARE_MEMBER:
        return (
            "ours: the answer has a bare text where a list of accepted values belongs, and the checker compares with "
            "its letters, so that BFCL's own gold fails"
        )
    return "not looked at"


def _report(tasks: Sequence[Task], made: Sequence[Variant], theirs: list[Told], ours: list[Told]) -> list[str]:
    by_id = {task.id: task for task in tasks}
    groups: dict[str, Tally] = {}
    kinds: dict[str, Tally] = {}
    differences: Counter[Difference] = Counter()
    examples: dict[Difference, str] = {}
    for variant, their, our in zip(made, theirs, ours, strict=True):
        group = _group(by_id[variant.task], variant)
        groups.setdefault(group, Tally()).add(their, our)
        kinds.setdefault(variant.kind, Tally()).add(their, our)
        if their.valid is not our.valid:
            difference = Difference(group, variant.kind, _words(their), _words(our), "")
            right = _who_is_right(difference, variant.task)
            difference = msgspec.structs.replace(difference, right=right)
            differences[difference] += 1
            examples.setdefault(difference, f"{variant.task}: {json.dumps(variant.result)[:160]}")
    stamp = f"{datetime.now(UTC):%Y-%m-%d}, commit {commit()}"
    lines = [
        "# BFCL parity: `bfcl/1` against bfcl-eval 2026.3.23",
        "",
        f"{stamp}: {len(made):,} results made from {len(tasks):,} tasks.",
        "`python -m benchmarks bfcl_parity` writes this page.",
        "",
        "| group | results | valid there | equal verdicts | share | same rule where both fail |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    lines += [_row(name, tally) for name, tally in sorted(groups.items())]
    lines += ["", "## Differences", ""]
    if differences:
        lines += ["| n | group | change | theirs | ours | who is right | example |", "|--:|---|---|---|---|---|---|"]
        lines += [
            f"| {n} | {d.group} | {d.kind} | {d.theirs} | {d.ours} | {d.right} | `{examples[d].replace('|', '¦')}` |"
            for d, n in differences.most_common()
        ]
    else:
        lines.append("None.")
    lines += ["", "## By change", "", *_kind_table(kinds), ""]
    return lines


def _kind_table(kinds: dict[str, Tally]) -> list[str]:
    lines = [
        "| change | results | valid there | equal verdicts | share | same rule where both fail |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    return lines + [_row(name, tally) for name, tally in sorted(kinds.items())]


def _words(told: Told) -> str:
    word = {True: "valid", False: "invalid", None: "none"}[told.valid]
    return f"{word} ({told.rule})" if told.rule else word


def _row(name: str, tally: Tally) -> str:
    rules = f"{tally.n_rule:,} of {tally.n_invalid_both:,}" if tally.n_invalid_both else "none"
    return (
        f"| {name} | {tally.n:,} | {tally.n_valid:,} | {tally.n_equal:,} | {share(tally.n_equal, tally.n)} | {rules} |"
    )


def share(n: int, of: int) -> str:
    """Return a percentage that is 100 only when it is exact."""
    if n == of:
        return "100 %"
    return f"{min(100 * n / of, 99.999):.3f} %"


def _sample_lines() -> list[str]:
    folder = DATA / "bfcl"
    files = [PathFile(path) for path in sorted((folder / "v4").rglob("*")) if path.suffix in {".json", ".gz"}]
    gold = Gold(record.case for file in files for record in bfcl.read(file) if record.case is not None)
    grader = CaseGrader(BFCL)
    lines = [
        "## Published results (gpt-oss-120b)",
        "",
        "| file | records | equal verdicts | same rule |",
        "|---|--:|--:|--:|",
    ]
    for name in SAMPLES:
        (scores,) = (folder / "sample_results_v4" / "score").rglob(f"BFCL_v4_{name}_score.json")
        (results,) = (folder / "sample_results_v4" / "result").rglob(f"BFCL_v4_{name}_result.json")
        failed = {row["id"]: row["error_type"] for row in map(json.loads, scores.read_text().splitlines()[1:])}
        n = n_equal = n_rule = 0
        for record in bfcl.read(PathFile(results)):
            case = gold.join(record.case) if record.case is not None else None
            assert case is not None
            verdict = grader.grade(case).verdict
            n += 1
            n_equal += verdict.status == ("fail" if case.task_id in failed else "pass")
            n_rule += case.task_id in failed and verdict.findings[0].rule == f"bfcl/1:{failed[case.task_id]}"
        lines.append(f"| {name} | {n} | {n_equal} | {n_rule} of {len(failed)} |")
    return lines
