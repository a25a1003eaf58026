"""What each failure mode and sub-mode means, when it is given, an example, and what to do about it. Data.

``docs/failure-modes.md`` says the same for readers; a test holds the two and :mod:`cases.failure` against each other.
"""

from __future__ import annotations

import msgspec

from cases.failure import FailureMode, SubMode


class ModeText(msgspec.Struct, frozen=True, kw_only=True):
    """One failure mode or sub-mode, explained."""

    means: str
    given: str
    """When it is given."""
    example: str
    advice: str
    """What to do about it."""


MODE_TEXTS: dict[FailureMode, ModeText] = {
    "unparsable_call": ModeText(
        means="The agent tried to call a tool and the call could not be read.",
        given="The arguments are no JSON object (or Python call) that reads one way only: cut off, two equal "
        "keys, NaN, an envelope inside the arguments. Never credited as no call.",
        example='refund_order with the arguments {"order_id": "KC-1042", "amount": ',
        advice="Switch on constrained decoding or strict tool calling; raise the limit of output tokens; show "
        "one correct call in the prompt. Under constrained decoding the fault is the system's: look at "
        "the serving stack.",
    ),
    "over_call": ModeText(
        means="The agent called a tool where none was wanted.",
        given="The gold forbids a call in this case or user turn, and at least one was attempted.",
        example='The user says "Good morning" and the agent calls get_orders.',
        advice="Say in the prompt when to answer without a tool; put when not to use it into the tool's "
        "description; add greetings, questions back and refusals to the examples.",
    ),
    "missed_call": ModeText(
        means="The agent answered without the call that was wanted.",
        given="The gold requires a call in this case or user turn, and none was attempted.",
        example='The user asks where parcel PX-440871 is and the agent says "It should arrive soon".',
        advice="Say that facts of the account come from tools only; describe what the tool is for in the user's "
        "words; check that tool choice is not switched off and that the tool is in the catalog of that "
        "turn.",
    ),
    "unknown_tool": ModeText(
        means="The call names a tool that the agent did not have.",
        given="No tool of the catalog has the name, not even in a relaxed form that the policy accepts, or it "
        "was not offered yet. Not given where the catalog may be incomplete.",
        example="The catalog has get_order, the agent calls get_order_details.",
        advice="Name tools by one scheme; remove names from the prompt that are in no catalog; switch on strict "
        "tool calling.",
    ),
    "wrong_tool": ModeText(
        means="The agent called another tool in the place of the one that was wanted.",
        given="A wanted step and a call of another name are left over between the same neighbours of the path. "
        "A read never stands for a write.",
        example="refund_order was called where refund_item was wanted.",
        advice="Shorten the descriptions and say in each what sets the tool apart from its neighbours; remove "
        "overlap: merge tools that do the same, or offer fewer at a time.",
    ),
    "missing_step": ModeText(
        means="A step of the path was not taken.",
        given="No call is left for a required step, or the catalog ties a call to another one that never ran.",
        example="The refund was made, and notify_customer was not called afterwards.",
        advice="State the whole procedure in the prompt or in the tool's description (first, then, at last); let"
        " the loop run until the check list is done; enforce prerequisites in the tool itself.",
    ),
    "extra_call": ModeText(
        means="A call that no step asks for.",
        given="A call is left over. It fails the case when the tool writes (under strict also when its effect "
        "is unknown) or the gold is exact; a read, and a call that failed, only inform.",
        example="issue_store_credit was called after the refund had been made.",
        advice="Say when the task is done; return results that say that an action is complete; make writes "
        "idempotent; declare the effect of every tool in the catalog.",
    ),
    "wrong_order": ModeText(
        means="The right calls, not in the order of the path.",
        given="A call lies outside the longest run that keeps the path's order. Calls of one unordered group "
        "have none.",
        example="refund_order was called before read_refund_rules.",
        advice="Number the steps in the prompt; look at the structure of the loop: run dependent calls one after"
        " the other, not in parallel; let a tool refuse when its prerequisite has not run.",
    ),
    "schema_error": ModeText(
        means="The arguments break the tool's schema.",
        given="The validator reports an error; each is told with its place, keyword, what was expected and what came.",
        example="window_start is missing, or currency is none of EUR and GBP.",
        advice="Tighten the types, add enums and formats, mark what is required; describe each field in one line"
        " with an example; feed the repair message back and let the model try once more.",
    ),
    "value_error": ModeText(
        means="A well-formed argument carries the wrong value.",
        given="A field differs from the gold, is missing or was not wanted, or breaks a business rule of the catalog.",
        example="amount is 2180 where 21.80 was wanted: cents taken for euros.",
        advice="Tighten the types, add enums, name the unit in the field (amount_eur); add one corrected "
        "example; give dates and identifiers in the context instead of letting the model work them out.",
    ),
    "ungrounded_argument": ModeText(
        means="An argument's value comes from nowhere.",
        given="Neither the conversation nor any earlier result holds the value or a way to it.",
        example="cancel_pickup is called with PU-9999, which nobody has mentioned.",
        advice="Say that identifiers are looked up or asked for and never made up; make the look-up tool easy to"
        " find; let the tool reject unknown identifiers.",
    ),
    "ignored_tool_error": ModeText(
        means="A tool failed and the agent went on as if it had not.",
        given="The agent claims success after an error that nothing mended, or repeats the same failing call "
        "again and again while nothing has changed.",
        example='refund_order answers 503 and the agent says "Your refund is on its way".',
        advice="Return errors in words that say what was not done and what to try; tell the agent to report "
        "failures; limit retries in the loop and change the arguments between them.",
    ),
    "ungrounded_claim": ModeText(
        means="The answer says something that no result supports.",
        given="A number, date, name or statement of the final answer is in no result and no text before it.",
        example='The result says 36.70 and the agent says "You will get 63.70 back".',
        advice="Ask for the answer to quote results; keep results short and labelled; lower the temperature; "
        "check numbers before the answer is sent.",
    ),
}

SUB_MODE_TEXTS: dict[SubMode, ModeText] = {
    "near_miss": ModeText(
        means="The wrong tool is of the wanted tool's family.",
        given="Beside wrong_tool, when the catalog declares or shows both as one family.",
        example="cancel_exchange was called where cancel_pickup was wanted.",
        advice="Put the difference into the first words of both descriptions, or make one tool with an enum of "
        "the two.",
    ),
    "relaxed_name": ModeText(
        means="The name fits a tool but for its spelling.",
        given="Beside unknown_tool, when separators, a prefix, a leaked token or case differ; it informs where "
        "the policy accepts that difference.",
        example="get.order for get_order.",
        advice="Look at the transport and the chat template: they rename tools more often than models do.",
    ),
    "coercible_type": ModeText(
        means="The value is right but for its type.",
        given="Beside schema_error and value_error, when a text spells the wanted number or boolean, or the "
        "other way round; it informs under lenient.",
        example='quantity is "2" where 2 was wanted.',
        advice="State the type in the description, add an example, or let the tool convert.",
    ),
    "value_rule": ModeText(
        means="The type is right and the value lies outside what the schema allows.",
        given="Beside schema_error, for ranges, lengths, patterns, formats and the like; counted in the class value.",
        example="quantity is 0 and the minimum is 1.",
        advice="Say the rule in the description of the field: models see it sooner than a keyword.",
    ),
    "structure": ModeText(
        means="The shape of the arguments is wrong.",
        given="Beside schema_error, for required and unknown names, enums, and types that cannot be coerced.",
        example="skus is a text where an array was wanted.",
        advice="Flatten nested objects; forbid unknown names; show one whole correct call.",
    ),
    "catalog": ModeText(
        means="The fault lies in the catalog and not in the agent.",
        given="Beside findings about a definition that is broken in itself.",
        example="The schema of a tool says type integr.",
        advice="Mend the definition and grade again.",
    ),
    "missing_argument": ModeText(
        means="A wanted argument was not sent.",
        given="Beside value_error, when the gold lists the argument and the call lacks it.",
        example="refund_item without its reason.",
        advice="Mark the field as required, or say in its description when to send it.",
    ),
    "unexpected_argument": ModeText(
        means="An argument was sent that the gold does not list.",
        given="Beside value_error; under lenient not when it equals the schema's default.",
        example="search with a language that nobody has asked for.",
        advice="Forbid unknown names; remove optional fields that nobody needs; say that they stay out unless "
        "asked for.",
    ),
    "business_rule": ModeText(
        means="A rule that the catalog declares for an argument does not hold.",
        given="Beside value_error, when the bound is known; otherwise the target stays open.",
        example="The amount is above the order's total.",
        advice="Say the rule in the tool's description and enforce it in the tool.",
    ),
    "repeated_call": ModeText(
        means="The extra call is the same as another one.",
        given="Beside extra_call, when name and arguments are equal.",
        example="refund_order twice for the same order.",
        advice="Make the tool idempotent; let its result say that the action is done.",
    ),
    "repeated_failure": ModeText(
        means="A failing call was made again unchanged.",
        given="Beside ignored_tool_error. One retry informs, the next one gates; a write that succeeded in "
        "between starts the count anew.",
        example="book_reservation fails three times for the same sum.",
        advice="Limit retries in the loop; say in the error which argument to change.",
    ),
    "loop": ModeText(
        means="The same call was made three times or more in a row, and it worked each time.",
        given="Beside extra_call; it informs.",
        example="transfer_to_human_agents, ninety-four times.",
        advice="End the loop on tools that end the conversation; return a result that says so.",
    ),
    "skipped_prerequisite": ModeText(
        means="A call that the catalog ties to this one did not run.",
        given="Beside missing_step, when a tool in requires did not succeed before, or one in followed_by did "
        "not afterwards.",
        example="refund_order without read_refund_rules.",
        advice="Let the tool refuse until its prerequisite has run; state the order in its description.",
    ),
    "claimed_success": ModeText(
        means="The agent says that an action happened which failed.",
        given="Beside ignored_tool_error, when a sentence claims the failed tool's own action and no text "
        "admits the failure. Words that do both, or neither, stay open.",
        example='"All set, the refund has been processed."',
        advice="Put into the prompt that failures are reported; return errors that say nothing was done.",
    ),
}
