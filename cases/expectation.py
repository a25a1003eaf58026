"""The gold: what was wanted. Paths of steps, alternatives, optional and informative steps, matchers.

Pure data. An argument's expected value is a plain JSON value, or a *matcher*: an object whose first key begins with
``$`` (see ``deterministic.matchers``). ``{"$literal": x}`` states a value that would otherwise look like one.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from cases.jsonvalue import JsonObject

CallDecision = Literal["required", "forbidden", "optional"]


class ExpectedStep(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One step of an accepted path."""

    tool: str | tuple[str, ...]
    """The tool that is wanted, or several of which any will do."""
    args: JsonObject | None = None
    """Expected arguments; ``{}`` wants none, absent leaves the arguments uncompared."""
    turn: int | None = None
    """Place in the path: equal is one unordered group, larger comes later; absent follows the step before."""
    user_turn: int | None = None
    """Index from 0 of the user message that this step answers, where the gold says so."""
    optional: bool = False
    """True: leaving the step out is fine too."""
    gating: bool = True
    """False: informative; a deviation is reported and does not fail the case."""
    compare: tuple[str, ...] | None = None
    """Only these arguments are compared; ``[]`` compares the name alone, absent compares all."""
    ordered: tuple[str, ...] = ()
    """Array arguments whose order counts; other arrays compare as multisets."""
    requestor: Literal["agent", "user"] = "agent"
    """Steps of the user side are kept for parity with their source and are outside the agent's scores."""

    @property
    def tools(self) -> tuple[str, ...]:
        """The accepted names."""
        return (self.tool,) if isinstance(self.tool, str) else self.tool


class ExpectedPath(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One accepted way to do the task."""

    steps: tuple[ExpectedStep, ...]
    name: str = ""
