"""All gates on one case, in the order of the contract: parse, decide, select, construct, integrate. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from cases.case import Case, Tool
from cases.expectation import ExpectedPath, ExpectedStep
from cases.failure import Step
from cases.jsonvalue import JsonObject
from cases.pythoncalls import Unparsable
from cases.verdict import Counts
from deterministic.alignment import Alignment, Replacement, align
from deterministic.arguments import ArgumentDiff, compare_arguments
from deterministic.catalog import Catalog, CatalogCache
from deterministic.construction import check_parse, check_schemas, check_values
from deterministic.decision import check_decision, wanted_decision
from deterministic.equality import Comparison
from deterministic.integration import check_integration
from deterministic.matchers import MATCHERS, check_matchers
from deterministic.parsing import parse_calls
from deterministic.policy import Policy
from deterministic.selection import AgentCall, check_names, check_selection
from deterministic.sheet import Sheet

GATES_VERSION = "gates/1"
"""Changes whenever a gate can answer differently on the same case."""


class Grades(msgspec.Struct, frozen=True, kw_only=True):
    """What the gates found in one case."""

    case: Case
    """The case with every argument text parsed that can be: the document that the findings' pointers point into."""
    sheet: Sheet
    counts: Counts
    stated_steps: frozenset[Step]
    """Steps about which the expectation says something."""
    path: str = ""


class Gates:
    """Grades cases under one policy; keeps compiled catalogs between calls and nothing else."""

    def __init__(
        self, policy: Policy, tools: tuple[Tool, ...] = (), *, is_partial: bool = False
    ) -> None:
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
        check_parse(case, calls, problems, sheet)
        check_decision(wanted, len(calls), calls[0].index if calls else 0, sheet)
        check_names(calls, catalog, self.policy, sheet)
        stated: set[Step] = set()
        if wanted in {"required", "forbidden"}:
            stated.add("decide")
        counts = Counts(n_sent=len(calls))
        path_name = ""
        paths = case.paths
        if paths and wanted != "forbidden":
            steps, alignment = self._best_path(paths, case, calls, catalog)
            stated.add("select")
            if any(step.args is not None and step.compare != () for step in steps):
                stated.add("construct")
            if (
                calls or wanted != "required"
            ):  # where every call is missing, the decision says it all
                check_selection(case, alignment, steps, calls, catalog, self.policy, sheet)
            check_values(alignment, steps, calls, self._comparison, sheet)
            counts = _count(alignment, steps, len(calls))
            path_name = alignment.path.name if len(paths) > 1 else ""
        check_schemas(calls, catalog, self.policy, sheet)
        check_integration(case, calls, catalog, sheet)
        return Grades(
            case=case, sheet=sheet, counts=counts, stated_steps=frozenset(stated), path=path_name
        )

    def _best_path(
        self,
        paths: Sequence[ExpectedPath],
        case: Case,
        calls: Sequence[AgentCall],
        catalog: Catalog,
    ) -> tuple[tuple[ExpectedStep, ...], Alignment]:
        best: tuple[tuple[int, float, float], tuple[ExpectedStep, ...], Alignment] | None = None
        for path in paths:
            steps = path.steps
            if any(step.requestor != "agent" for step in steps):
                steps = tuple(step for step in steps if step.requestor == "agent")
            alignment = self._align(path, steps, calls, catalog)
            if len(paths) == 1:
                return steps, alignment
            rank = _rank(alignment, steps, len(calls))
            if best is None or rank > best[0]:
                best = rank, steps, alignment
        assert best is not None  # paths is not empty
        return best[1], best[2]

    def _align(
        self,
        path: ExpectedPath,
        steps: tuple[ExpectedStep, ...],
        calls: Sequence[AgentCall],
        catalog: Catalog,
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
            return bool(names[j]) and (
                "unknown" in effects or catalog.effect(names[j]) in effects | {"unknown"}
            )

        def is_near(i: int, j: int) -> bool:
            return any(catalog.is_near_miss(name, names[j]) for name in steps[i].tools)

        return align(path, steps, names, diff, Replacement(is_plausible, is_near))


def check_expectation(case: Case) -> None:
    """Check the gold of a case once, before anything is graded with it.

    Raises:
        ExpectationError: A matcher is unknown or broken, a path has no tool.
    """
    sources: list[tuple[str, ExpectedStep]] = [
        (f"/expected_invocations/{i}", step)
        for i, step in enumerate(case.expected_invocations or ())
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


def _agent_calls(
    case: Case, problems: Mapping[int, Unparsable], catalog: Catalog
) -> list[AgentCall]:
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


def _rank(
    alignment: Alignment, steps: Sequence[ExpectedStep], n_sent: int
) -> tuple[int, float, float]:
    """Rank an alignment among those of other accepted paths: fewest gating faults, then the best scores."""
    counts = _count(alignment, steps, n_sent)
    faults = (
        sum(steps[i].gating for i in alignment.missing)
        + len(alignment.wrong_tools)
        + len(alignment.extra)
    )
    faults += sum(steps[i].gating for i in alignment.late)
    faults += sum(
        d is not None and d.n_wrong > 0 and s.gating
        for d, s in zip(alignment.diffs, steps, strict=True)
    )
    return -faults, counts.tool_score or 0.0, counts.argument_score or 0.0
