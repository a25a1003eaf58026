"""All gates on one case, in the order of the contract: parse, decide, select, construct, integrate. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec

from cases.case import Case, Tool
from cases.errors import ExpectationError
from cases.expectation import CallDecision, ExpectedPath, ExpectedStep
from cases.failure import Step
from cases.finding import Finding
from cases.jsonvalue import JsonObject, encode
from cases.pythoncalls import Unparsable
from cases.verdict import Counts, Decision, ToolCounts
from deterministic.alignment import Alignment, align, align_in_place
from deterministic.catalog import Catalog, CatalogCache
from deterministic.construction import check_call_values, check_parse, check_schemas, check_values
from deterministic.counting import (
    count,
    count_matched_tools,
    count_tools,
    has_user_side,
    leave_unasked,
    rank,
    states_arguments,
)
from deterministic.decision import (
    check_decision,
    check_turn_decisions,
    count_user_turns,
    make_optional,
    states_user_turns,
    user_turns,
    wanted_decision,
)
from deterministic.equality import MATCHER_MARK, Comparison
from deterministic.integration import check_claims
from deterministic.matchers import Predicate, check_matchers, with_predicates
from deterministic.pairing import Pairing
from deterministic.parsing import parse_calls
from deterministic.policy import STRICT, Policy
from deterministic.presets.table import CHECKERS, Checker
from deterministic.recovery import check_recovery
from deterministic.rules import check_rules
from deterministic.screen import find_in_place
from deterministic.selection import AgentCall, check_names, check_selection
from deterministic.sequence import check_sequence
from deterministic.sheet import Sheet
from deterministic.turns import align_by_turn

GATES_VERSION = "gates/1"
"""Changes whenever a gate can answer differently on the same case."""


_REQUIRED_AND_MADE = (Decision("required", "valid"),)


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
    path: str = ""


class Gates:
    """Grades cases under one policy; keeps compiled catalogs between calls and nothing else."""

    def __init__(
        self,
        policy: Policy,
        tools: tuple[Tool, ...] = (),
        *,
        is_partial: bool = False,
        predicates: Mapping[str, Predicate] = MappingProxyType({}),
    ) -> None:
        """Prepare the gates.

        Args:
            tools: Catalog of the cases that carry no definitions of their own.
            is_partial: True when ``tools`` may lack tools that the agent could call.
            predicates: The user's own tests of a value, for the matcher ``$predicate``.
        """
        self.policy = policy
        self._comparison = Comparison(policy, with_predicates(predicates))
        self._checker = CHECKERS.get(policy.checker)
        self._catalogs = CatalogCache(policy, tools, is_partial=is_partial)

    def grade(self, case: Case) -> Grades:
        """Grade one evaluated case.

        Raises:
            ExpectationError: The case's gold is wrong in itself.
        """
        grades = self._grade(case)
        return grades if self._checker is None else self._overrule(case, grades, self._checker)

    def _grade(self, case: Case) -> Grades:
        sheet = Sheet(self.policy.id)
        case, problems = parse_calls(case)
        catalog = self._catalogs.for_case(case)
        if not problems and (in_place := self._grade_in_place(case, catalog)) is not None:
            return in_place
        calls = _agent_calls(case, problems, catalog)
        paths = case.paths
        wanted = wanted_decision(case.expected_call, paths)
        stated: set[Step] = {"decide"} if wanted in {"required", "forbidden"} else set()
        check_parse(case, calls, problems, sheet)
        check_names(calls, catalog, self.policy, sheet)
        invalid = check_schemas(calls, catalog, self.policy, sheet)
        says_tools = bool(paths) or wanted == "forbidden"
        n_unasked = 0 if says_tools else len(calls)
        counts, alignment, path_name = Counts(n_sent=len(calls), n_unasked=n_unasked), None, ""
        steps: Sequence[ExpectedStep] = ()
        if paths and wanted != "forbidden":
            steps, alignment = self._grade_paths(paths, case, calls, catalog, wanted, sheet)
            stated.add("select")
            if states_arguments(steps):
                stated.add("construct")
            counts = count(alignment, steps, len(calls))
            path_name = alignment.path.name if len(paths) > 1 else ""
        else:
            check_decision(wanted, calls, sheet)
        if catalog.has_rules:
            check_sequence(calls, catalog, sheet)
            check_rules(case, calls, catalog, self._comparison, sheet)
        check_recovery(case, calls, catalog, sheet)
        check_claims(case, case.actual_invocations or (), sheet)
        tools = count_tools(calls, invalid, alignment, steps)
        return Grades(
            case=case,
            findings=sheet.findings,
            passed=sheet.passed,
            passed_steps=sheet.passed_steps,
            stated_steps=stated,
            counts=counts,
            tools=tools if says_tools else leave_unasked(tools),
            decisions=tuple(sheet.decisions),
            path=path_name,
        )

    def _overrule(self, case: Case, grades: Grades, checker: Checker) -> Grades:
        """Let a preset's checker decide; what the gates found informs, under the rules that they went by."""
        sheet = Sheet(self.policy.id)
        stated = checker(case, tuple(self._catalogs.for_case(case).tools.values()), sheet)
        informative = [
            msgspec.structs.replace(f, gating=False, rule=STRICT.id if f.rule == self.policy.id else f.rule)
            for f in grades.findings
        ]
        return msgspec.structs.replace(
            grades,
            findings=sheet.findings + informative,
            passed={**sheet.passed, **grades.passed},
            passed_steps=sheet.passed_steps | grades.passed_steps,
            stated_steps=stated,
        )

    def _grade_in_place(self, case: Case, catalog: Catalog) -> Grades | None:
        """Return the grades of a case whose calls stand in place; ``None`` for any other."""
        steps, calls = case.expected_invocations, case.actual_invocations
        if not steps or not calls or case.expected_paths or case.expected_call not in {None, "required"}:
            return None
        found = find_in_place(steps, calls, catalog)
        if found is None:
            return None
        n = len(calls)
        sheet = Sheet(self.policy.id)
        sheet.passed = {"parse": n, "known_tool": n, "call_decision": 1, "tool_name": n, "tool_count": 1}
        sheet.passed_steps = {"decide", "select", "construct"}
        sheet.add_passes("construct", "schema", n - len(found.open))
        if n > 1:
            sheet.add_passes("select", "order", n)
        n_fields = n_right = found.n_plain_fields
        wrong: set[int] = set()
        invalid: set[int] = set()
        if found.open:
            differing = [AgentCall(i, calls[i], calls[i].tool, is_parsed=True) for i in found.open]
            invalid = check_schemas(differing, catalog, self.policy, sheet)
            for call in differing:
                diff = check_call_values(steps[call.index], call, self._comparison, catalog.tools[call.name], sheet)
                n_fields += diff.n_fields
                n_right += diff.n_right
                if diff.n_wrong:
                    wrong.add(call.index)
        sheet.add_passes("construct", "arguments", n_right)
        check_claims(case, calls, sheet)
        return Grades(
            case=case,
            findings=sheet.findings,
            passed=sheet.passed,
            passed_steps=sheet.passed_steps,
            stated_steps={"decide", "select", "construct"},
            counts=Counts(
                n_expected=n, n_sent=n, n_accepted=n, n_fields=n_fields, n_fields_right=n_right, n_in_order=n
            ),
            tools=count_matched_tools(calls, invalid, wrong),
            decisions=_REQUIRED_AND_MADE,
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
        if wanted == "optional" and not calls:
            paths = [make_optional(path) for path in paths]
        turns = user_turns(case, calls) if states_user_turns(paths) else None
        steps, alignment = self._best_path(paths, calls, catalog, turns)
        if turns is None:
            check_decision(wanted, calls, sheet)
        else:
            check_turn_decisions(steps, calls, turns, count_user_turns(case, steps), sheet)
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
            if has_user_side(steps):
                steps = tuple(step for step in steps if step.requestor == "agent")
            candidates.append((steps, self._align(path, steps, calls, catalog, turns)))
        if len(candidates) == 1:
            return candidates[0]
        return max(candidates, key=lambda candidate: rank(candidate[1], candidate[0], len(calls)))

    def _align(
        self,
        path: ExpectedPath,
        steps: Sequence[ExpectedStep],
        calls: Sequence[AgentCall],
        catalog: Catalog,
        turns: Sequence[int] | None,
    ) -> Alignment:
        pairing = Pairing(steps, calls, catalog, self._comparison)
        names = [call.name for call in calls]
        if turns is not None:
            return align_by_turn(path, steps, names, turns, pairing)
        return align_in_place(path, steps, names, pairing) or align(path, steps, names, pairing)


def check_expectation(case: Case) -> None:
    """Check the gold of a case once, before anything is graded with it.

    Raises:
        ExpectationError: A matcher is unknown or broken, a path has no tool.
    """
    if case.expected_invocations:
        _check_steps(case.expected_invocations, "/expected_invocations")
    for number, path in enumerate(case.expected_paths):
        _check_steps(path.steps, f"/expected_paths/{number}/steps")


def _check_steps(steps: Sequence[ExpectedStep], base: str) -> None:
    for number, step in enumerate(steps):
        if not step.tool or (type(step.tool) is tuple and "" in step.tool):
            raise ExpectationError(
                f"{base}/{number}/tool: {step.tool!r} names no tool; name the one that is wanted, or several"
            )
    if MATCHER_MARK in encode([step.args for step in steps]):  # else every value is plain
        for number, step in enumerate(steps):
            _check_args(step.args or {}, f"{base}/{number}/args")


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
