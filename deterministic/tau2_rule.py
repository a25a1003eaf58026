"""τ²-bench's own rule for a gold action: was some call, agent's or user's, the same? Pure.

Kept apart from the gates: it decides no verdict of ours, it reproduces the recorded one.
"""

from __future__ import annotations

from collections.abc import Sequence

from cases.case import Invocation
from cases.expectation import ExpectedStep


def action_matches(steps: Sequence[ExpectedStep], calls: Sequence[Invocation]) -> tuple[bool, ...]:
    """Return, for each gold action, whether some call has its name and equal arguments.

    Args:
        steps: Gold actions, whoever is to make them; ``compare`` is τ²'s ``compare_args``: only
            these arguments count, none means the name alone, ``None`` those that the call used.
        calls: All calls of the conversation; several actions may be matched by one call.

    Source: ``Action.compare_with_tool_call`` and ``ActionEvaluator`` of sierra-research/tau2-bench.
    Equality is Python's (1 equals 1.0 and ``true``), because theirs is.
    """
    return tuple(any(_matches(step, call) for call in calls) for step in steps)


def _matches(step: ExpectedStep, call: Invocation) -> bool:
    if call.tool not in step.tools or not isinstance(call.args, dict):
        return False
    wanted, got = step.args or {}, call.args
    compared = got.keys() if step.compare is None else step.compare
    return {name: wanted[name] for name in compared if name in wanted} == {
        name: got[name] for name in compared if name in got
    }
