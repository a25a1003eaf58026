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
from reports.lines import Line, Span

MARKS: dict[Status, Span] = {
    "pass": ("✓ pass", "green"),
    "fail": ("✗ fail", "bold red"),
    "ungraded": ("? ungraded", "yellow"),
    "not_applicable": ("- n/a", "dim"),
}
_CALLS = "/actual_invocations/"
_INDENT = " " * 11
_GIVEN_LIMIT = 120
"""Characters of a policy or of injected context on a terminal: it is the same in every case."""


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
    yield from _problems(numbered, view)
    if case is None:
        return
    yield from _conversation(case, numbered, view)
    yield from _expected(verdict, case, view)


def _header(verdict: Verdict) -> Iterator[Line]:
    mark, style = MARKS[verdict.status]
    line: Line = [(visible(verdict.case_id), "bold"), ("  ", ""), (mark, style)]
    if verdict.status == "fail":
        line += [("  ", ""), (verdict.mode, "bold")]
    if verdict.secondary:
        line.append((f", then {', '.join(verdict.secondary)}", ""))
    yield line
    if verdict.reason is not None:
        yield [("  because ", "dim"), (visible(verdict.reason), "")]
    steps: Line = [("  ", "")]
    for step in STEPS:
        text, style = MARKS[getattr(verdict.steps, step)]
        steps += [("" if step == STEPS[0] else "   ", ""), (f"{step} ", "dim"), (text, style)]
    yield steps
    yield [("  ", ""), (_scores(verdict), "dim")]
    if verdict.versions is not None:
        by = ", ".join(filter(None, msgspec.structs.astuple(verdict.versions)))
        yield [("  ", ""), (f"decided by {visible(by)}", "dim")]
    if verdict.source:
        yield [("  ", ""), (f"read from {visible(verdict.source)}", "dim")]


def _scores(verdict: Verdict) -> str:
    c = verdict.counts
    parts = [
        f"{name} {k}/{n}"
        for name, k, n in (
            ("tool recall", c.n_accepted, c.n_expected),
            ("tool precision", c.n_accepted, c.n_sent - c.n_unasked),
            ("arguments", c.n_fields_right, c.n_fields),
            ("order", c.n_in_order, c.n_expected),
        )
        if n
    ]
    return ", ".join(parts) or "nothing to score"


def _problems(numbered: Sequence[tuple[str, Finding]], view: View) -> Iterator[Line]:
    """Yield what fails the case in full; of the rest, only what stands under no call of the conversation."""
    gating = [(n, f) for n, f in numbered if _fails(f)]
    rest = [(n, f) for n, f in numbered if not _fails(f)]
    if gating:
        yield []
        yield [("What went wrong", "bold")]
    for number, finding in gating:
        yield from _finding_lines(number, finding, view)
    if not rest:
        return
    yield []
    n_ungraded = sum(finding.status == "ungraded" for _, finding in rest)
    parts = [
        text
        for n, text in (
            (len(rest) - n_ungraded, f"{len(rest) - n_ungraded} that inform only"),
            (n_ungraded, f"{n_ungraded} not graded"),
        )
        if n
    ]
    yield [("Beside it: " if gating else "Remarks: ", "bold"), (f"{', '.join(parts)}", "")]
    for number, finding in rest:
        if call_index(finding.target) is None:
            yield _remark_line(number, finding, view)


def _fails(finding: Finding) -> bool:
    return finding.status == "fail" and finding.gating


def _label(finding: Finding) -> str:
    label: str = finding.mode or finding.status
    return f"{label}/{finding.sub_mode}" if finding.sub_mode else label


def _decided(finding: Finding) -> str:
    blame = f", booked on the {finding.blame}" if finding.blame else ""
    return f"{finding.step}, {finding.check} {finding.by}, {visible(finding.rule)}{blame}"


def _finding_lines(number: str, finding: Finding, view: View) -> Iterator[Line]:
    yield [(f"{number:>4}  ", "bold red"), (f"{_label(finding)}  ", "bold red"), (view.cut(finding.message), "")]
    values = [
        (name, value, style)
        for name, value, style in (("expected", finding.expected, "green"), ("got", finding.got, "red"))
        if value is not msgspec.UNSET
    ]
    # One value alone is a name that the message has said.
    if len(values) == 2 or any(not isinstance(value, str) or value not in finding.message for _, value, _ in values):
        for name, value, style in values:
            yield [(f"      {name:9}", "dim"), (view.value(value), style)]
    for proof in finding.evidence:
        yield [
            ("      source   ", "dim"),
            (view.cut(proof.quote), ""),
            (f"  {visible(proof.source)} ({visible(proof.transform)})", "dim"),
        ]
    yield [("      at       ", "dim"), (_place(finding.target), ""), (f"   {_decided(finding)}", "dim")]


def _remark_line(number: str, finding: Finding, view: View, margin: str = "") -> Line:
    note = "" if finding.status == "ungraded" else " (informs only)"
    return [
        (f"{margin}{number:>4}  ", "yellow"),
        (f"{_label(finding)}{note}  ", "yellow"),
        (view.cut(finding.message), ""),
        (f"   {_place(finding.target)}   {_decided(finding)}" if view.text_limit is None else "", "dim"),
    ]


def _place(pointer: str) -> str:
    index = call_index(pointer)
    if index is not None:
        return f"call {index + 1}: {visible(pointer)}"
    return visible(pointer) or "the whole case"


def _conversation(case: Case, numbered: Sequence[tuple[str, Finding]], view: View) -> Iterator[Line]:
    by_call: dict[int, list[tuple[str, Finding]]] = {}
    for number, finding in numbered:
        index = call_index(finding.target)
        if index is not None:
            by_call.setdefault(index, []).append((number, finding))
    yield []
    yield [("Conversation", "bold")]
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
    is_given = message.role in {"system", "context"}
    limit = View(_GIVEN_LIMIT) if is_given and view.text_limit is not None else view
    name = {"assistant": "agent"}.get(message.role, message.role)
    yield [(f"{name:>9}  ", styles[message.role]), (limit.cut(message.content), "dim" if is_given else "")]


def _call_lines(index: int, call: Invocation, findings: Sequence[tuple[str, Finding]], view: View) -> Iterator[Line]:
    if isinstance(call.args, str):
        args = view.cut(call.args)
    else:
        args = ", ".join(f"{view.cut(name)}: {view.value(value)}" for name, value in call.args.items())
    fails = any(_fails(finding) for _, finding in findings)
    mark, style = ("✗", "bold red") if fails else ("!", "yellow") if findings else ("✓", "green")
    if call.requestor == "user":
        mark, style = "·", "dim"
    yield [
        (f"{f'call {index + 1}':>9}  ", "blue"),
        (f"{mark} ", style),
        (view.cut(call.tool) or "(no tool named)", "bold"),
        (f"({args})", ""),
        ("  by the user side" if call.requestor == "user" else "", "dim"),
    ]
    for number, finding in findings:
        if _fails(finding):
            line: Line = [(f"{_INDENT}{number:>4}  ", "bold red"), (f"{_label(finding)}  ", "bold red")]
            yield [*line, (view.cut(finding.message), "")]
        else:
            yield _remark_line(number, finding, view, _INDENT)
    if call.error is not None:
        yield [(f"{_INDENT}✗ error  ", "red"), (view.cut(call.error), "")]
    elif call.result is not msgspec.UNSET:
        text = call.result if isinstance(call.result, str) else json_text(call.result)
        yield [(f"{_INDENT}→ ", "dim"), (view.cut(text), "dim")]


def _expected(verdict: Verdict, case: Case, view: View) -> Iterator[Line]:
    paths = case.paths
    if not paths:
        if case.expected_call is not None:
            yield []
            yield [(f"Wanted: call {case.expected_call}", "bold")]
        return
    path = next((p for p in paths if verdict.path and p.name == verdict.path), paths[0])
    yield []
    name = f" (path {visible(path.name)}, the best of {len(paths)})" if len(paths) > 1 else ""
    yield [(f"Wanted{name}" if path.steps else "Wanted: no call", "bold")]
    yield from _steps(path, view)


def _steps(path: ExpectedPath, view: View) -> Iterator[Line]:
    for number, step in enumerate(path.steps, start=1):
        yield [
            (f"{f'step {number}':>9}  ", "dim"),
            (" or ".join(map(view.cut, step.tools)), "bold"),
            (_step_args(step, view), ""),
        ]


def _step_args(step: ExpectedStep, view: View) -> str:
    if step.args is None or step.compare == ():
        args = "(any arguments)"
    else:
        args = "(" + ", ".join(f"{view.cut(name)}: {view.value(value)}" for name, value in step.args.items()) + ")"
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
