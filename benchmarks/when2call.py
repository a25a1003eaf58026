"""When2Call: four candidate answers to each question, each graded as a case: was the decision to call right?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from benchmarks.places import DATA
from callgrade.api import grade_case
from cases.case import Case, Invocation
from cases.expectation import CallDecision
from cases.formats.tooldefs import read_tools
from cases.verdict import Verdict

CANDIDATES = ("tool_call", "request_for_info", "cannot_answer", "direct")


class Question(msgspec.Struct, frozen=True):
    """One When2Call record."""

    uuid: str
    source_id: str
    question: str
    correct_answer: str
    answers: dict[str, str]
    tools: list[str]

    def case(self, candidate: str) -> Case:
        """Return the case in which the agent gave this candidate answer."""
        wanted: CallDecision = "required" if self.correct_answer == "tool_call" else "forbidden"
        text = self.answers[candidate]
        calls: tuple[Invocation, ...] = ()
        if candidate == "tool_call":
            call = json.loads(text)
            calls = (Invocation(tool=call["name"], args=call["arguments"]),)
        return Case(
            task_id=self.uuid,
            input=self.question,
            tools=read_tools([json.loads(tool) for tool in self.tools]),
            allowed_tools=tuple(json.loads(tool)["name"] for tool in self.tools),
            expected_call=wanted,
            actual_invocations=calls,
            final_answer=None if calls else text,
        )


def read_when2call() -> list[Question]:
    """Return the 300 records of the judged test set."""
    path = DATA / "when2call" / "when2call_test_llm_judge.jsonl"
    return [msgspec.json.decode(line, type=Question) for line in path.read_bytes().splitlines()]


def report(questions: Sequence[Question]) -> list[str]:
    """Return the page's section."""
    graded = [(q, candidate, grade_case(q.case(candidate))) for q in questions for candidate in CANDIDATES]
    kinds = sorted({q.correct_answer for q in questions}, reverse=True)
    lines = [
        "## When2Call (300 questions, four candidate answers each)",
        "",
        "Candidates that are calls are graded as calls, the others as texts; a call is required where the right answer",
        "is `tool_call`, else forbidden. Cells: verdicts pass / fail.",
        "",
        f"| candidate | {' | '.join(f'right: {kind}' for kind in kinds)} |",
        f"|---|{'--:|' * len(kinds)}",
    ]
    for candidate in CANDIDATES:
        cells = [_cell(graded, candidate, kind) for kind in kinds]
        lines.append(f"| {candidate} | {' | '.join(cells)} |")
    states = Counter((v.decisions[0].wanted, v.decisions[0].observed) for _, _, v in graded)
    n_decided = _count(graded, lambda q, c, v: ("fail" if _is_wrong_decision(q, c) else "pass") == v.steps.decide)
    lines += [
        "",
        f"Decision as the data set has it: **{n_decided:,} of {len(graded):,}** (wanted/observed: "
        + ", ".join(f"{wanted}/{seen} {n}" for (wanted, seen), n in sorted(states.items()))
        + ").",
        "",
        *_call_lines(graded, kinds),
        "",
        *_refused_right_calls(graded),
        "",
        "What stays open: a text is right or wrong for its reason (asks back, refuses, answers itself); gates see only",
        "that no call was made. Telling `request_for_info` from `cannot_answer` is a judge's question.",
    ]
    return lines


Rated = tuple[Question, str, Verdict]


def _is_wrong_decision(question: Question, candidate: str) -> bool:
    return (candidate == "tool_call") != (question.correct_answer == "tool_call")


def _count(graded: Sequence[Rated], holds: Callable[[Question, str, Verdict], bool]) -> int:
    return sum(holds(question, candidate, verdict) for question, candidate, verdict in graded)


def _cell(graded: Sequence[Rated], candidate: str, kind: str) -> str:
    here = [v.status for q, c, v in graded if c == candidate and q.correct_answer == kind]
    return f"{here.count('pass')} / {here.count('fail')}"


def _call_lines(graded: Sequence[Rated], kinds: Sequence[str]) -> list[str]:
    lines = [
        "Of the `tool_call` candidates:",
        "",
        f"| finding | {' | '.join(f'right: {kind}' for kind in kinds)} |",
        f"|---|{'--:|' * len(kinds)}",
    ]
    modes = ("over_call", "unknown_tool", "schema_error")
    for mode in modes:
        counts = [
            _count(
                graded,
                lambda q, c, v, mode=mode, kind=kind: (  # type: ignore[misc]  # the defaults bind the loop's values
                    c == "tool_call"
                    and q.correct_answer == kind
                    and any(f.mode == mode and f.gating for f in v.findings)
                ),
            )
            for kind in kinds
        ]
        lines.append(f"| `{mode}` | {' | '.join(map(str, counts))} |")
    return lines


def _refused_right_calls(graded: Sequence[Rated]) -> list[str]:
    """Tell the calls that the data set holds right and the schema of their own tool refuses."""
    n_bare = sum(c == "tool_call" and q.correct_answer != "tool_call" and not q.tools for q, c, _ in graded)
    lines = [
        f"{n_bare} of the hallucinated calls come with an empty list of tools.",
        "",
        "Right answers that fail, each by its own tool's schema:",
        "",
    ]
    for question, candidate, verdict in graded:
        if candidate == question.correct_answer == "tool_call" and verdict.status == "fail":
            told = "; ".join(finding.message for finding in verdict.findings if finding.gating)
            lines.append(f"- `{question.source_id}`: {told}")
    return lines
