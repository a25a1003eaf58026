from __future__ import annotations

from cases.case import Case, Message
from cases.joining import Gold


def test_metadata_of_gold_and_attempt_are_merged_and_the_attempts_wins() -> None:
    gold = Gold([Case(task_id="t", metadata={"a": 1, "b": 1}), Case(task_id="t", exact=True)])
    joined = gold.join(Case(task_id="t", metadata={"b": 2}))
    assert joined == Case(task_id="t", exact=True, metadata={"a": 1, "b": 2})


def test_an_attempt_without_metadata_takes_that_of_its_gold() -> None:
    joined = Gold([Case(task_id="t", metadata={"a": 1})]).join(Case(task_id="t", actual_invocations=()))
    assert joined == Case(task_id="t", actual_invocations=(), metadata={"a": 1})


def test_messages_of_the_attempt_keep_out_the_golds_input() -> None:
    said = (Message(role="user", content="hi"),)
    joined = Gold([Case(task_id="t", input="hi")]).join(Case(task_id="t", messages=said))
    assert joined == Case(task_id="t", messages=said)


def test_an_unknown_task_has_no_gold_and_an_unused_one_is_counted() -> None:
    gold = Gold([Case(task_id="t"), Case(task_id="u")])
    assert gold.join(Case(task_id="x")) is None
    assert gold.join(Case(task_id="t")) is not None
    assert (len(gold), gold.n_unused) == (2, 1)
