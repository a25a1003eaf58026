"""One case as a person wants to read it: what is wrong first, then the conversation with each call and its findings.

Pure: the view is lines of styled spans; the console prints them. Everything that comes from the trace is made visible,
so that it cannot steer a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from cases.case import Case, Invocation, Message
from cases.expectation import ExpectedPath, ExpectedStep
from cases.failure import STEPS
from cases.finding import Finding, Status
from cases.jsonvalue import JsonValue, json_text, visible
from cases.verdict import Verdict

Span = tuple[str, str]
"""Text and style."""
Line = list[Span]

MARKS: dict[Status, Span] = {
    "pass": ("✓ pass", "green"),
    "fail": ("✗ fail", "bold red"),
    "ungraded": ("? ungraded", "yellow"),
    "not_applicable": ("- n/a", "dim"),
}
_CALLS = "/actual_invocations/"


class View(msgspec.Struct, frozen=True):
    """How much of the texts is shown."""

    text_limit: int | None
    """Characters of a text, result or argument; ``None`` shows all."""

    def cut(self, text: str) -> str:
        """Return ``text`` on one line, visible and cut to the limit with a mark."""
        clean = visible(" ⏎ ".join(part.strip() for part in text.splitlines() if part.strip()))
        if self.text_limit is None or len(clean) <= self.text_limit:
            return clean
        return f"{clean[: self.text_limit]}… [{len(clean)} characters]"

    def value(self, value: JsonValue) -> str:
        """Return a JSON value on one line, as :meth:`cut` does."""
        return self.cut(json_text(value))


def case_lines(verdict: Verdict, case: Case | None, view: View) -> Iterator[Line]:
    """Yield the lines that explain one case."""
    numbered = [(f"f{number}", finding) for number, finding in enumerate(verdict.findings, start=1)]
    yield from _header(verdict)
    yield []
    yield from _problems(numbered, view)
    if case is None:
        return
    yield from _conversation(case, numbered, view)
    yield from _expected(verdict, case, view)


def _header(verdict: Verdict) -> Iterator[Line]:
    status = "pass" if verdict.status == "pass" else verdict.status
    mark, style = MARKS[status]
    line: Line = [(visible(verdict.case_id), "bold"), ("  ", ""), (mark, style)]
    if verdict.status == "fail":
        line += [("  ", ""), (verdict.mode, "bold")]
    if verdict.secondary:
        line.append((f"  then {', '.join(verdict.secondary)}", ""))
    yield line
    if verdict.reason is not None:
        yield [("  because ", "dim"), (visible(verdict.reason), "")]
    steps: Line = [("  ", "")]
    for step in STEPS:
        text, style = MARKS[getattr(verdict.steps, step)]
        steps += [(f"{step} ", "dim"), (text, style), ("   ", "")]
    yield steps
    yield [("  ", ""), (_scores(verdict), "dim")]
    versions = verdict.versions
    if versions is not None:
        where = f"  from {verdict.source}" if verdict.source else ""
        decided = f"decided by {versions.policy}, {versions.gates}, {versions.schema}"
        yield [
            ("  ", ""),
            (
                f"{decided}{', ' + versions.reader if versions.reader else ''}{visible(where)}",
                "dim",
            ),
        ]


def _scores(verdict: Verdict) -> str:
    c = verdict.counts
    parts = [
        f"{name} {k}/{n}"
        for name, k, n in (
            ("tool recall", c.n_accepted, c.n_expected),
            ("tool precision", c.n_accepted, c.n_sent),
            ("arguments", c.n_fields_right, c.n_fields),
            ("order", c.n_in_order, c.n_expected),
        )
        if n
    ]
    return ", ".join(parts) or "nothing to score"


def _problems(numbered: Sequence[tuple[str, Finding]], view: View) -> Iterator[Line]:
    for number, finding in numbered:
        if finding.status == "fail" and finding.gating:
            yield from _finding_lines(number, finding, view)
    rest = [(n, f) for n, f in numbered if not (f.status == "fail" and f.gating)]
    for number, finding in rest:
        yield from _finding_lines(number, finding, view)
    if numbered:
        yield []


def _finding_lines(number: str, finding: Finding, view: View) -> Iterator[Line]:
    style = "bold red" if finding.status == "fail" and finding.gating else "yellow"
    label: str = finding.mode or finding.status
    if finding.sub_mode:
        label += f"/{finding.sub_mode}"
    note = "" if finding.gating else "  (informs, does not fail the case)"
    yield [
        (f"{number:>4} ", style),
        (label, style),
        ("  ", ""),
        (view.cut(finding.message), ""),
        (note, "dim"),
    ]
    if finding.expected is not msgspec.UNSET or finding.got is not msgspec.UNSET:
        if finding.expected is not msgspec.UNSET:
            yield [("       expected ", "dim"), (view.value(finding.expected), "green")]
        if finding.got is not msgspec.UNSET:
            yield [("       got      ", "dim"), (view.value(finding.got), "red")]
    for proof in finding.evidence:
        yield [
            ("       source   ", "dim"),
            (view.cut(proof.quote), ""),
            (f"  {proof.source} ({proof.transform})", "dim"),
        ]
    blame = f", booked on the {finding.blame}" if finding.blame else ""
    target = visible(finding.target) or "the whole case"
    yield [
        (
            f"       at {target}   {finding.step}, {finding.check} {finding.by}, {visible(finding.rule)}{blame}",
            "dim",
        )
    ]


def _conversation(case: Case, numbered: Sequence[tuple[str, Finding]], view: View) -> Iterator[Line]:
    by_call: dict[int, list[tuple[str, Finding]]] = {}
    for number, finding in numbered:
        index = call_index(finding.target)
        if index is not None:
            by_call.setdefault(index, []).append((number, finding))
    for item in timeline(case):
        if isinstance(item, Message):
            yield from _message_lines(item, view)
        else:
            index, call = item
            yield from _call_lines(index, call, by_call.get(index, []), view)
    last = case.messages[-1].content if case.messages else None
    if case.final_answer is not None and case.final_answer != last:
        yield from _message_lines(Message(role="assistant", content=case.final_answer), view)


def timeline(case: Case) -> list[Message | tuple[int, Invocation]]:
    """Return messages and calls (with their index) in the order in which they happened."""
    calls = list(enumerate(case.actual_invocations or ()))
    items: list[tuple[int, int, Message | tuple[int, Invocation]]] = [(m.turn, 0, m) for m in case.timeline]
    items += [(call.turn, 1, (index, call)) for index, call in calls]
    return [item for _, _, item in sorted(items, key=lambda entry: entry[:2])]


def call_index(pointer: str) -> int | None:
    """Return the index of the call that a finding's target points into."""
    if not pointer.startswith(_CALLS):
        return None
    head = pointer.removeprefix(_CALLS).partition("/")[0]
    return int(head) if head.isdecimal() else None


def _message_lines(message: Message, view: View) -> Iterator[Line]:
    styles = {"user": "cyan", "assistant": "magenta", "system": "dim", "context": "dim"}
    limit = View(120) if message.role == "system" and view.text_limit is not None else view
    name = {"assistant": "agent"}.get(message.role, message.role)
    yield [
        (f"{name:>9}  ", styles[message.role]),
        (limit.cut(message.content), "dim" if message.role == "system" else ""),
    ]


def _call_lines(index: int, call: Invocation, findings: Sequence[tuple[str, Finding]], view: View) -> Iterator[Line]:
    who = "  by the user side" if call.requestor == "user" else ""
    if isinstance(call.args, str):
        args = view.cut(call.args)
    else:
        args = ", ".join(f"{visible(name)}: {view.value(value)}" for name, value in call.args.items())
    fails = any(f.status == "fail" and f.gating for _, f in findings)
    mark, style = ("✗", "bold red") if fails else ("!", "yellow") if findings else ("✓", "green")
    if call.requestor == "user":
        mark, style = "·", "dim"
    tags = "  " + " ".join(number for number, _ in findings) if findings else ""
    yield [
        (f"{'call ' + str(index):>9}  ", "blue"),
        (f"{mark} ", style),
        (visible(call.tool) or "(no tool named)", "bold"),
        (f"({args})", ""),
        (who, "dim"),
        (tags, style),
    ]
    if call.error is not None:
        yield [("           ✗ error ", "red"), (view.cut(call.error), "")]
    elif call.result is not msgspec.UNSET:
        text = call.result if isinstance(call.result, str) else json_text(call.result)
        yield [("           → ", "dim"), (view.cut(text), "dim")]


def _expected(verdict: Verdict, case: Case, view: View) -> Iterator[Line]:
    paths = case.paths
    if not paths:
        if case.expected_call is not None:
            yield []
            yield [(f"wanted: call {case.expected_call}", "bold")]
        return
    path = next((p for p in paths if verdict.path and p.name == verdict.path), paths[0])
    yield []
    name = f" (path {visible(path.name)}, the best of {len(paths)})" if len(paths) > 1 else ""
    yield [(f"wanted{name}" if path.steps else "wanted: no call", "bold")]
    yield from _steps(path, view)


def _steps(path: ExpectedPath, view: View) -> Iterator[Line]:
    for number, step in enumerate(path.steps, start=1):
        yield [
            (f"{number:>9}  ", "dim"),
            (" or ".join(map(visible, step.tools)), ""),
            (_step_args(step, view), ""),
        ]


def _step_args(step: ExpectedStep, view: View) -> str:
    if step.args is None or step.compare == ():
        args = "(any arguments)"
    else:
        args = "(" + ", ".join(f"{visible(name)}: {view.value(value)}" for name, value in step.args.items()) + ")"
    notes = [
        note
        for note, applies in (
            ("optional", step.optional),
            ("informs only", not step.gating),
            ("user side", step.requestor == "user"),
        )
        if applies
    ]
    return args + (f"  [{', '.join(notes)}]" if notes else "")
