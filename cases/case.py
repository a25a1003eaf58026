"""A case: one recorded attempt at a task, as every reader delivers it and every grader reads it.

The struct *is* the native format: field names are the keys of a hand-written fixture, and every JSON pointer in a
finding points into this document. Its values come from JSON and hold no cycles, so the collector need not track them
(``gc=False``). Time runs by ``turn``: messages and invocations share one counter, equal turns of
invocations are one parallel group, a message stands before the calls of its turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from cases.expectation import CallDecision, ExpectedPath, ExpectedStep
from cases.jsonvalue import JsonObject, JsonValue

Effect = Literal["read", "write", "unknown"]
Requestor = Literal["agent", "user"]
Role = Literal["system", "user", "assistant", "context"]
Pathway = Literal["constrained", "free_form", "unknown"]


class Rule(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A business rule without gold: what must hold between an argument and a bound."""

    arg: str
    """Name of the top-level argument that is checked."""
    must: Literal["<", "<=", ">", ">=", "==", "!=", "after_now", "before_now", "non_empty"]
    value: JsonValue = None
    """The bound; unused by ``after_now``, ``before_now`` and ``non_empty``."""
    result_of: str | None = None
    """Take the bound from the latest earlier result of this tool instead ..."""
    pointer: str = ""
    """... at this JSON pointer."""


class Tool(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One entry of a tool catalog."""

    name: str
    description: str = ""
    input_schema: JsonValue = None
    """JSON Schema of the arguments; ``None`` where the recording does not carry it."""
    effect: Effect = "unknown"
    family: str | None = None
    """Near-miss group: members are mistaken for each other (``cancel_trip`` / ``cancel_hotel``)."""
    requires: tuple[str, ...] = ()
    """Tools that must have succeeded earlier in the case (``refund`` needs ``read_refund_rules``)."""
    followed_by: tuple[str, ...] = ()
    """Tools that must be called after this one succeeded."""
    rules: tuple[Rule, ...] = ()
    available_from: int = 0
    """First turn at which the agent could see the tool."""


class Message(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A text of the conversation; calls are kept apart, in ``actual_invocations``."""

    role: Role
    """``context`` is what the harness injects (date, profile, retrieved text): neither user nor policy."""
    content: str
    turn: int = 0


class Invocation(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One tool call as it was emitted, with what came back."""

    tool: str
    """Name as emitted; empty where the text names no tool."""
    args: JsonObject | str = {}
    """Parsed arguments, or the raw text as the model emitted it (parsed by the parse gate, kept when that fails)."""
    turn: int = 0
    result: JsonValue | msgspec.UnsetType = msgspec.UNSET
    """JSON or text that the tool returned; unset is "not recorded", ``null`` is a recorded null."""
    error: str | None = None
    """What the tool answered instead of a result."""
    parse_error: str | None = None
    """Why the call did not parse, where the recording already knew."""
    id: str | None = None
    requestor: Requestor = "agent"
    latency_s: float | None = None
    schema_valid: bool | None = None
    """Validity of ``args`` when the fixture was recorded or converted; see ``Case.recorded_with``."""


class Case(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One attempt at one task."""

    task_id: str
    """Names the task; attempts and models that share it are compared with each other."""
    model: str | None = None
    attempt: int | None = None
    """Trial number of this model at this task, from 0 or 1 as the source counts."""
    tags: tuple[str, ...] = ()

    input: str | None = None
    """The user's request, where the conversation is that one text; else see ``messages``."""
    messages: tuple[Message, ...] = ()
    allowed_tools: tuple[str, ...] | None = None
    """Names in the catalog; ``None`` where nobody recorded them."""
    tools: tuple[Tool, ...] = ()
    """Definitions; may be fewer than ``allowed_tools``."""
    is_catalog_partial: bool = False
    """True when tools may be missing from the recording: an unlisted name is then not an unknown tool."""

    expected_call: CallDecision | None = None
    """Call required / forbidden / optional; derived from the steps where absent."""
    expected_invocations: tuple[ExpectedStep, ...] | None = None
    """The one accepted path; ``[]`` says that no call is wanted; absent says that nobody stated it."""
    expected_paths: tuple[ExpectedPath, ...] = ()
    """Several accepted paths; the best-scoring one counts."""
    no_call_kind: str | None = None
    """Why no call is wanted: greeting, clarification, in_model, refusal, off_topic."""
    exact: bool = False
    """True: extra calls gate whatever their effect."""

    actual_invocations: tuple[Invocation, ...] | None = None
    """Calls in order of emission; ``[]`` is "none was made", absent is "not evaluated"."""
    final_answer: str | None = None
    pathway: Pathway = "unknown"
    """Constrained decoding books a syntax error on the system, free-form generation on the model."""
    infrastructure_error: str | None = None
    """Why the attempt did not run to its end through no fault of the agent; the case is then ungraded."""

    reference_time: str | None = None
    """ISO 8601: what "today" was."""
    time_zone: str | None = None
    conversation_id: str | None = None
    trace_id: str | None = None
    span_id: str | None = None
    n_input_tokens: int | None = None
    n_output_tokens: int | None = None
    cost_usd: float | None = None
    latency_s: float | None = None
    recorded_with: dict[str, str] = {}
    """Versions under which ``schema_valid`` was computed, e.g. ``{"schema": "schema/1"}``."""
    metadata: dict[str, JsonValue] = {}
    """Anything else; never read by a grader."""

    @property
    def case_id(self) -> str:
        """Stable id of the attempt: the task, then model and trial where known (``t1@gpt#0``)."""
        if self.model is None and self.attempt is None:
            return self.task_id
        model = "" if self.model is None else f"@{self.model}"
        attempt = "" if self.attempt is None else f"#{self.attempt}"
        return f"{self.task_id}{model}{attempt}"

    @property
    def has_expectation(self) -> bool:
        """True when anything was stated about the calls that are wanted."""
        return self.expected_invocations is not None or bool(self.expected_paths) or self.expected_call is not None

    @property
    def paths(self) -> tuple[ExpectedPath, ...]:
        """The accepted paths, whichever way they are written; empty when no step was stated."""
        if self.expected_paths:
            return self.expected_paths
        if self.expected_invocations is None:
            return ()
        return (ExpectedPath(steps=self.expected_invocations),)

    @property
    def timeline(self) -> Sequence[Message]:
        """All texts in order, the ``input`` shorthand included."""
        if self.input is None:
            return self.messages
        return (Message(role="user", content=self.input), *self.messages)
