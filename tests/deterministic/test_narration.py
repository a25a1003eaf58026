"""Claims of success after a failed call: sentences that are one, and sentences that only look like one."""

from __future__ import annotations

import pytest

from callgrade import Case, Invocation, Tool, grade_case
from deterministic.narration import admits_failure, claimed_action

CLAIMS = [
    ("refund_order", "Your refund has been processed."),
    ("refund_order", "I've refunded the order."),
    ("refund_order", "Your refund is on its way, you'll have it in a few days!"),
    ("refund_order", "Refunded! \u20ac27.50 will be on your card soon."),
    ("refund_order", "Sorry for the trouble, the lamp is refunded."),
    ("refund_order", "I apologize for the issue with the lamp. The refund went through."),
    ("refund_order", "No problem, the refund is complete."),
    ("orders_refund", "The money was refunded to your card."),
    ("cancel_reservation", "Your reservation has been cancelled."),
    ("cancel_reservation", "I have canceled it for you."),
    ("cancel_reservation", "The cancellation is confirmed."),
    ("cancel_pickup", "Both cancelled!"),
    ("book_reservation", "Your flight is booked."),
    ("book_reservation", "Your reservation has been confirmed!"),
    ("send_certificate", "I\u2019ve sent you a certificate of $100."),
    ("update_user_address", "Your address is now updated."),
    ("schedule_pickup", "The pickup is scheduled for Monday."),
    ("schedule_pickup", "Your pickup is all set."),
    ("notify_customer", "The customer has been notified."),
    ("modify_pending_order", "I modified the order as you asked."),
    ("create_exchange", "Your exchange has been created."),
    ("issue_store_credit", "A store credit of 20 euros was issued."),
    ("pay_invoice", "The invoice is paid."),
    ("make_payment", "The payment was made without any problem."),
    ("set_alarm", "The alarm is set for seven."),
    ("add_item", "I added the teapot to your basket."),
    ("submit_claim", "Your claim was submitted successfully."),
    ("reset_password", "I have reset your password."),
    ("github_create_issue", "The issue was created: number 7."),
    ("transferFunds", "The funds were transferred."),
    ("delete_note", "Done: the note is deleted."),
    ("write_file", "The file was written."),
]

NO_CLAIMS = [
    ("refund_order", "Would you like to have it refunded?"),
    ("refund_order", "Once it is refunded, the money takes five days."),
    ("refund_order", "If the parcel is lost, it is refunded in full."),
    ("refund_order", "The lamp you ordered was sent on Monday."),
    ("refund_order", "Your order was confirmed on 3 March."),
    ("refund_order", "I will have this refunded by a colleague."),
    ("refund_order", "Let me get it refunded."),
    ("refund_order", "The order could not be refunded."),
    ("refund_order", "It was not refunded."),
    ("refund_order", "Nothing has been refunded yet."),
    ("refund_order", "This order was already refunded last week."),
    ("refund_order", "Your refund will be processed within five days."),
    ("refund_order", "The refund window is thirty days."),
    ("update_user_address", "I have addressed your concern."),
    ("create_account", "Your account has three orders."),
    ("make_payment", "Your payment of $50 is due on Friday."),
    ("pay_bill", "Your payment methods are a gift card and a credit card."),
    ("open_ticket", "The ticket stays with us."),
    ("cancel_reservation", "Your reservation is confirmed for 3 May."),
    ("cancel_reservation", "I'm trying to get it cancelled."),
    ("book_reservation", "The flight departs at nine."),
    ("send_certificate", "Please tell me where it should be sent."),
    ("schedule_pickup", "A pickup can be scheduled on weekdays."),
    ("notify_customer", "The notification settings are on your profile page."),
    ("set_alarm", "Seven is an early hour."),
    ("get_order", "Your order was sent and the payment processed."),
    ("transfer_to_human_agents", "A person can help you with this."),
    ("create_exchange", "The exchange needs to be approved by the warehouse."),
    ("suspend_line", "Your line is active."),
    ("toggle_data", "Is the data toggled on now?"),
]

FOREIGN = [
    "Ihre Erstattung ist auf dem Weg.",
    "Votre remboursement a \u00e9t\u00e9 effectu\u00e9.",
    "Su reembolso se ha procesado.",
    "\u8fd4\u91d1\u304c\u5b8c\u4e86\u3057\u307e\u3057\u305f\u3002",
    "Zwrot pieni\u0119dzy zosta\u0142 zrealizowany.",
]

ADMISSIONS = [
    "I could not refund KC-1188: the payment provider does not answer.",
    "Unfortunately the flight is full.",
    "That didn't go through.",
    "The refund was refused: the amount is above what can be refunded.",
    "The system wants another date format.",
    "There aren't enough seats.",
    "Nothing was paid.",
    "I tried, but the refund was not made.",
    "Your card was declined.",
    "Too late, sorry: the window closed on 25 February.",
    "I am transferring you to a human agent.",
    "Neither of the two was cancelled.",
]

COURTESIES = [
    "No problem, happy to help!",
    "Sorry for the trouble!",
    "I apologize for any issues with your order.",
    "Sorry about all the trouble.",
    "It went without any problems.",
    "Have a great day!",
]


@pytest.mark.parametrize(("tool", "sentence"), CLAIMS)
def test_a_claim(tool: str, sentence: str) -> None:
    assert claimed_action(sentence.replace("\u2019", "'"), tool) is not None
    assert not admits_failure(sentence, tool)


@pytest.mark.parametrize(("tool", "sentence"), NO_CLAIMS)
def test_no_claim(tool: str, sentence: str) -> None:
    assert claimed_action(sentence, tool) is None


@pytest.mark.parametrize("sentence", FOREIGN)
def test_a_language_it_cannot_read_is_neither(sentence: str) -> None:
    assert claimed_action(sentence, "refund_order") is None
    assert not admits_failure(sentence)


@pytest.mark.parametrize("sentence", ADMISSIONS)
def test_an_admission(sentence: str) -> None:
    assert admits_failure(sentence)


@pytest.mark.parametrize("sentence", COURTESIES)
def test_courtesy_is_no_admission(sentence: str) -> None:
    assert not admits_failure(sentence)


RIVALS = [
    ("I have updated your phone number.", False),
    ("It is updated.", False),
    ("Your address is updated.", True),
    ("Both are updated, the address too.", True),
]


@pytest.mark.parametrize(("sentence", "is_claim"), RIVALS)
def test_beside_a_tool_with_the_same_verb_that_worked_the_claim_must_name_its_own(
    sentence: str, is_claim: bool
) -> None:
    found = claimed_action(sentence, "update_address", ["update_phone", "get_order"])
    assert (found is not None) == is_claim


def test_a_tool_with_another_verb_that_worked_changes_nothing() -> None:
    assert claimed_action("It is updated.", "update_address", ["cancel_order", "update_address"]) is not None


def test_a_very_long_text_is_read_in_no_time() -> None:
    text = "sorry for the " * 5_000 + "refund"
    failed = Invocation(tool="refund_order", error="no")
    verdict = grade_case(
        Case(task_id="t", tools=(Tool(name="refund_order"),), actual_invocations=(failed,), final_answer=text)
    )
    assert verdict.steps.integrate == "ungraded"
