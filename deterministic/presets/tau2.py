"""Preset ``tau2/1``: τ²-bench's action checks decide, and the case passes when every one of them matches. Pure.

The agent's and the user's calls count alike. No action at all passes, as it does there; a gold that nobody stated is
ungraded. Only the action checks: the reward may also ask for the database, for words and for a judge's assertions.
"""

from __future__ import annotations

from collections.abc import Sequence

from cases.case import Case, Invocation, Tool
from cases.expectation import ExpectedStep
from cases.failure import Step
from cases.finding import Evidence
from cases.jsonvalue import JsonObject
from deterministic.parsing import parse_calls
from deterministic.sheet import Sheet
from deterministic.tau2_rule import action_matches

CHECK = "tau2"
RULE = "action_match"


def check(case: Case, tools: Sequence[Tool], sheet: Sheet) -> set[Step]:  # noqa: ARG001  # one signature for all
    """Grade each gold action; see :data:`deterministic.presets.table.Checker`."""
    paths = case.paths
    if not paths:
        sheet.leave_open("construct", CHECK, "", "no gold actions are stated (evaluation_criteria.actions is null)")
        return {"construct"}
    calls = parse_calls(case)[0].actual_invocations or ()
    tried = [(path.steps, action_matches(path.steps, calls)) for path in paths]
    steps, matches = min(tried, key=lambda one: one[1].count(False))
    place = "/expected_invocations" if not case.expected_paths else f"/expected_paths/{_index(case, steps)}/steps"
    for index, (step, is_match) in enumerate(zip(steps, matches, strict=True)):
        if not is_match:
            _report(step, f"{place}/{index}", f"action {index + 1} of {len(steps)}", calls, sheet)
    sheet.add_passes("construct", CHECK, sum(matches) or not steps)
    return {"construct"}


def _index(case: Case, steps: Sequence[ExpectedStep]) -> int:
    return next(index for index, path in enumerate(case.expected_paths) if path.steps is steps)


def _report(step: ExpectedStep, source: str, name: str, calls: Sequence[Invocation], sheet: Sheet) -> None:
    wanted = " or ".join(step.tools)
    nearest = _nearest(step, calls)
    target, message = "/actual_invocations", f"{name}, a call of {wanted!r} by agent or user, was not made"
    if nearest is not None:
        target = f"/actual_invocations/{nearest}/args"
        message = f"{name}: no call of {wanted!r} has the arguments that it compares"
    expected: JsonObject = {"tool": wanted, "args": step.args}
    sheet.fail(
        "missing_step" if nearest is None else "value_error",
        CHECK,
        target,
        message,
        tool=step.tools[0],
        rule=f"{sheet.rule}:{RULE}",
        expected=expected if step.compare is None else {**expected, "compare": list(step.compare)},
        got=None if nearest is None else calls[nearest].args,
        evidence=(Evidence(source=source, quote=wanted),),
    )


def _nearest(step: ExpectedStep, calls: Sequence[Invocation]) -> int | None:
    """Return the call of the wanted tool that shares most arguments with the gold."""
    wanted = step.args or {}
    best: tuple[int, int] | None = None
    for index, call in enumerate(calls):
        if call.tool in step.tools:
            args = call.args if isinstance(call.args, dict) else {}
            n_shared = sum(name in wanted and wanted[name] == value for name, value in args.items())
            if best is None or n_shared > best[0]:
                best = n_shared, index
    return None if best is None else best[1]
