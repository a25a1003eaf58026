"""The four steps, the failure modes with their precedence, and the classic classes they roll up into.

Pure data: every mode that any grader may give stands here, once, with its step and class.
"""

from __future__ import annotations

from typing import Literal, get_args

Step = Literal["decide", "select", "construct", "integrate"]
STEPS: tuple[Step, ...] = get_args(Step)

FailureMode = Literal[
    "unparsable_call",
    "over_call",
    "missed_call",
    "unknown_tool",
    "wrong_tool",
    "missing_step",
    "extra_call",
    "wrong_order",
    "schema_error",
    "value_error",
    "ungrounded_argument",
    "ignored_tool_error",
    "ungrounded_claim",
]
PRECEDENCE: tuple[FailureMode, ...] = get_args(FailureMode)
"""First that applies is primary: the order in which an agent's call can break."""

RANK: dict[FailureMode, int] = {mode: rank for rank, mode in enumerate(PRECEDENCE)}

MODE_STEP: dict[FailureMode, Step] = {
    "unparsable_call": "construct",
    "over_call": "decide",
    "missed_call": "decide",
    "unknown_tool": "select",
    "wrong_tool": "select",
    "missing_step": "select",
    "extra_call": "select",
    "wrong_order": "select",
    "schema_error": "construct",
    "value_error": "construct",
    "ungrounded_argument": "construct",
    "ignored_tool_error": "integrate",
    "ungrounded_claim": "integrate",
}

FailureClass = Literal["syntax", "intent", "schema", "value", "narration"]
CLASSES: tuple[FailureClass, ...] = get_args(FailureClass)

MODE_CLASS: dict[FailureMode, FailureClass] = {
    "unparsable_call": "syntax",
    "over_call": "intent",
    "missed_call": "intent",
    "unknown_tool": "intent",
    "wrong_tool": "intent",
    "missing_step": "intent",
    "extra_call": "intent",
    "wrong_order": "intent",
    "schema_error": "schema",
    "value_error": "value",
    "ungrounded_argument": "value",
    "ignored_tool_error": "narration",
    "ungrounded_claim": "narration",
}
"""Class of each mode; a schema error of a coercible type, range, pattern or format is ``value`` (see its sub-mode)."""

SubMode = Literal[
    "near_miss",
    "relaxed_name",
    "coercible_type",
    "value_rule",
    "structure",
    "catalog",
    "missing_argument",
    "unexpected_argument",
    "business_rule",
    "repeated_call",
    "repeated_failure",
    "loop",
    "skipped_prerequisite",
    "claimed_success",
]
SUB_MODES: tuple[SubMode, ...] = get_args(SubMode)
