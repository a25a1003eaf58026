"""All gates on one case, in the order of the contract: parse, decide, select, construct, integrate. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from cases.case import Case, Tool
from cases.expectation import CallDecision, ExpectedPath, ExpectedStep
from cases.failure import Step
from cases.finding import Finding
from cases.jsonvalue import JsonObject
from cases.pythoncalls import Unparsable
from cases.verdict import Bucket, Counts, Decision, ToolCounts
from deterministic.alignment import Alignment, Replacement, align, align_by_turn
from deterministic.arguments import ArgumentDiff, compare_arguments
from deterministic.buckets import find_buckets
from deterministic.catalog import Catalog, CatalogCache
from deterministic.construction import check_parse, check_schemas, check_values
from deterministic.decision import (
    check_decision,
    check_turn_decisions,
    states_user_turns,
    user_turns,
    wanted_decision,
)
from deterministic.equality import Comparison
from deterministic.integration import check_claims
from deterministic.matchers import MATCHERS, check_matchers
from deterministic.parsing import parse_calls
from deterministic.policy import Policy
from deterministic.recovery import check_recovery
from deterministic.rules import check_rules
from deterministic.selection import AgentCall, check_names, check_selection
from deterministic.sequence import check_sequence
from deterministic.sheet import Sheet

GATES_VERSION = "gates/1"
"""Changes whenever a gate can answer differently on the same case."""


class Grades(msgspec.Struct, frozen=True, kw_only=True):
    """What the gates found in one case."""

    case: Case
    """The case with every argument text parsed that can be: the document that the findings' pointers point into."""
    findings: list[Finding]
    passed: dict[str, int]
    passed_steps: set[Step]
    stated_steps: set[Step]
    """Steps about which the expectation says something."""
    counts: Counts
    tools: dict[str, ToolCounts]
    decisions: tuple[Decision, ...]
    buckets: tuple[Bucket, ...]
    path: str = ""


class Gates:
    """Grades cases under one policy; keeps compiled catalogs between calls and nothing else."""

    def __init__(self, policy: Policy, tools: tuple[Tool, ...] = (), *, is_partial: bool = False) -> None:
        """Prepare the gates.

        Args:
            tools: Catalog of the cases that carry no definitions of their own.
            is_partial: True when ``tools`` may lack tools that the agent could call.
        """
        self.policy = policy
        self._comparison = Comparison(policy, MATCHERS)
        self._catalogs = CatalogCache(policy, tools, is_partial=is_partial)

    def grade(self, case: Case) -> Grades:
        """Grade one evaluated case.

        Raises:
            ExpectationError: The case's gold is wrong in itself.
        """
        sheet = Sheet(self.policy.id)
        case, problems = parse_calls(case)
        catalog = self._catalogs.for_case(case)
        calls = _agent_calls(case, problems, catalog)
        wanted = wanted_decision(case)
        stated: set[Step] = {"decide"} if wanted in {"required", "forbidden"} else set()
        check_parse(case, calls, problems, sheet)
        check_names(calls, catalog, self.policy, sheet)
        paths = case.paths if wanted != "forbidden" else ()
        if paths:
            steps, alignment = self._grade_paths(paths, case, calls, catalog, wanted, sheet)
            stated.add("select")
            if any(step.args is not None and step.compare != () for step in steps):
                stated.add("construct")
            counts, tools = _count(alignment, steps, len(calls)), _count_tools(calls, alignment, steps)
            path_name = alignment.path.name if len(paths) > 1 else ""
        else:
            check_decision(wanted, calls, sheet)
            counts, tools, path_name = Counts(n_sent=len(calls)), _count_tools(calls), ""
        check_schemas(calls, catalog, self.policy, sheet)
        if catalog.has_rules:
            check_sequence(calls, catalog, sheet)
            check_rules(case, calls, catalog, self._comparison, sheet)
        check_recovery(case, calls, catalog, sheet)
        check_claims(case, calls, sheet)
        return Grades(
            case=case,
            findings=sheet.findings,
            passed=sheet.passed,
            passed_steps=sheet.passed_steps,
            stated_steps=stated,
            counts=counts,
            tools=tools,
            decisions=tuple(sheet.decisions),
            buckets=find_buckets([c.invocation.args for c in calls if type(c.invocation.args) is dict]),
            path=path_name,
        )

    def _grade_paths(
        self,
        paths: Sequence[ExpectedPath],
        case: Case,
        calls: Sequence[AgentCall],
        catalog: Catalog,
        wanted: CallDecision | None,
        sheet: Sheet,
    ) -> tuple[Sequence[ExpectedStep], Alignment]:
        turns = user_turns(case, calls) if any(states_user_turns(path.steps) for path in paths) else None
        steps, alignment = self._best_path(paths, calls, catalog, turns)
        if turns is None:
            check_decision(wanted, calls, sheet)
        else:
            n_turns = sum(message.role == "user" for message in case.timeline)
            check_turn_decisions(steps, calls, turns, n_turns, sheet)
        if calls or wanted != "required":  # where every call is missing, the decision says it all
            check_selection(case, alignment, steps, calls, catalog, self.policy, sheet)
        check_values(alignment, steps, calls, self._comparison, sheet)
        return steps, alignment

    def _best_path(
        self,
        paths: Sequence[ExpectedPath],
        calls: Sequence[AgentCall],
        catalog: Catalog,
        turns: Sequence[int] | None,
    ) -> tuple[Sequence[ExpectedStep], Alignment]:
        candidates: list[tuple[Sequence[ExpectedStep], Alignment]] = []
        for path in paths:
            steps = path.steps
            if any(step.requestor != "agent" for step in steps):
                steps = tuple(step for step in steps if step.requestor == "agent")
            candidates.append((steps, self._align(path, steps, calls, catalog, turns)))
        if len(candidates) == 1:
            return candidates[0]
        return max(candidates, key=lambda candidate: _rank(candidate[1], candidate[0], len(calls)))

    def _align(
        self,
        path: ExpectedPath,
        steps: Sequence[ExpectedStep],
        calls: Sequence[AgentCall],
        catalog: Catalog,
        turns: Sequence[int] | None,
    ) -> Alignment:
        known: dict[tuple[int, int], ArgumentDiff] = {}
        names = [call.name for call in calls]
        comparison, tools = self._comparison, catalog.tools

        def diff(i: int, j: int) -> ArgumentDiff:
            found = known.get((i, j))
            if found is None:
                call = calls[j]
                got = call.invocation.args if call.is_parsed else None
                found = compare_arguments(
                    steps[i],
                    got if isinstance(got, dict) else None,
                    comparison,
                    tools.get(call.name),
                )
                known[i, j] = found
            return found

        def is_plausible(i: int, j: int) -> bool:
            effects = {catalog.effect(name) for name in steps[i].tools}
            return bool(names[j]) and ("unknown" in effects or catalog.effect(names[j]) in effects | {"unknown"})

        def is_near(i: int, j: int) -> bool:
            return any(catalog.is_near_miss(name, names[j]) for name in steps[i].tools)

        replacement = Replacement(is_plausible, is_near)
        if turns is not None:
            return align_by_turn(path, steps, names, turns, diff, replacement)
        return align(path, steps, names, diff, replacement)


def check_expectation(case: Case) -> None:
    """Check the gold of a case once, before anything is graded with it.

    Raises:
        ExpectationError: A matcher is unknown or broken, a path has no tool.
    """
    sources: list[tuple[str, ExpectedStep]] = [
        (f"/expected_invocations/{i}", step) for i, step in enumerate(case.expected_invocations or ())
    ]
    for p, path in enumerate(case.expected_paths):
        sources += [(f"/expected_paths/{p}/steps/{i}", step) for i, step in enumerate(path.steps)]
    for pointer, step in sources:
        if step.args:
            _check_args(step.args, f"{pointer}/args")


def _check_args(args: JsonObject, pointer: str) -> None:
    for name, value in args.items():
        if isinstance(value, (dict, list)):
            check_matchers(value, f"{pointer}/{name}")


def _agent_calls(case: Case, problems: Mapping[int, Unparsable], catalog: Catalog) -> list[AgentCall]:
    calls: list[AgentCall] = []
    names = catalog.names
    for index, call in enumerate(case.actual_invocations or ()):
        if call.requestor != "agent":
            continue
        name = call.tool
        if name and name not in names and names and (relaxed := catalog.relaxed(name)) is not None:
            name = relaxed.name
        calls.append(AgentCall(index, call, name, index not in problems))
    return calls


def _count(alignment: Alignment, steps: Sequence[ExpectedStep], n_sent: int) -> Counts:
    diffs = [d for d in alignment.diffs if d is not None]
    n_accepted = len(diffs)
    n_left_out = sum(s.optional and j < 0 for s, j in zip(steps, alignment.call_of, strict=True))
    return Counts(
        n_expected=len(steps) - n_left_out,
        n_sent=n_sent,
        n_accepted=n_accepted,
        n_fields=sum(d.n_fields for d in diffs),
        n_fields_right=sum(d.n_right for d in diffs),
        n_in_order=alignment.n_in_order,
    )


def _count_tools(
    calls: Sequence[AgentCall],
    alignment: Alignment | None = None,
    steps: Sequence[ExpectedStep] = (),
) -> dict[str, ToolCounts]:
    counts: dict[str, list[int]] = {}
    latencies: dict[str, list[float]] = {}
    for call in calls:
        counts.setdefault(call.name, [0, 0, 0])[1] += 1
        if call.invocation.latency_s is not None:
            latencies.setdefault(call.name, []).append(call.invocation.latency_s)
    for i, step in enumerate(steps):
        j = alignment.call_of[i] if alignment is not None else -1
        if j >= 0:
            entry = counts[calls[j].name]
            entry[0] += 1
            entry[2] += 1
        elif not step.optional:
            counts.setdefault(step.tools[0], [0, 0, 0])[0] += 1
    return {
        name: ToolCounts(entry[0], entry[1], entry[2], tuple(latencies.get(name, ())))
        for name, entry in counts.items()
        if name
    }


def _rank(alignment: Alignment, steps: Sequence[ExpectedStep], n_sent: int) -> tuple[int, float, float]:
    """Rank an alignment among those of other accepted paths: fewest gating faults, then the best scores."""
    counts = _count(alignment, steps, n_sent)
    faults = sum(steps[i].gating for i in alignment.missing) + len(alignment.wrong_tools) + len(alignment.extra)
    faults += sum(steps[i].gating for i in alignment.late)
    faults += sum(d is not None and d.n_wrong > 0 and s.gating for d, s in zip(alignment.diffs, steps, strict=True))
    return -faults, counts.tool_score or 0.0, counts.argument_score or 0.0
