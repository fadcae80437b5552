"""What is said about a review: why it waits, what happens until then, what a decision does."""

import pytest

from tacit import Tacit
from tacit.core.review_reasons import explain_review
from tacit.runtime.clock import system_clock


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as opened:
        yield opened


def _explain(tacit):
    (review,) = tacit.reviews.list()
    return explain_review(tacit.reviews.get(review.id), system_clock())


def test_a_change_waits_because_a_person_wrote_the_memory(tacit):
    mine = tacit.remember("Backups run nightly")
    tacit.edit(mine.id, content="Backups run hourly", by="agent")
    told = _explain(tacit)
    assert told.why == (
        "An agent wants to change a memory that a person wrote, and only a person may do that."
    )
    assert told.until == "Until you decide, the memory stays as it is, and turns go on using it."
    assert told.accept.startswith("Makes the change in your name")
    assert told.reject.startswith("Leaves the memory as it is")


def test_a_wish_to_forget_says_that_it_can_be_undone(tacit):
    tacit.forget(tacit.remember("Backups run nightly").id, by="tool")
    told = _explain(tacit)
    assert told.why.startswith("A tool wants to forget a memory that a person wrote")
    assert told.accept == "Hides it from every turn and list; restoring it brings it back."


def test_what_a_person_forgot_stays_hidden(tacit):
    tacit.forget(tacit.remember("The office is in Bonn").id)
    tacit.remember("The office is in Bonn", by="agent")
    told = _explain(tacit)
    assert "stated again, or wants back, a memory that was forgotten" in told.why
    assert told.until == "Until you decide, it stays hidden, and no turn uses it."


def test_less_trusted_words_are_left_out_until_somebody_decides(tacit):
    tacit.remember("8080", key="api.port")
    tacit.remember("9090", key="api.port", by="agent")
    told = _explain(tacit)
    assert told.why.startswith("An agent wants to replace a memory that a person wrote")
    assert told.until == "Until you decide, turns use the first one and leave the other out."
    assert "past" in told.accept
    assert "Conflicts" in told.reject


def test_later_words_of_the_same_person_are_shown_beside_what_was_written(tacit):
    tacit.remember("Billing runs on MySQL")
    with tacit.turn(session="s", text="Billing runs on PostgreSQL now.") as turn:
        turn.commit("Noted.")
    tacit.learn()
    told = _explain(tacit)
    assert told.why.startswith("What was said later contradicts a memory that a person wrote")
    assert told.until == ("Until you decide, both stay, and turns treat them as a contradiction.")


def test_a_claim_that_both_are_right_leaves_the_conflict_until_then(tacit):
    mine = tacit.remember("Billing runs on MySQL", confidence=0.9)
    theirs = tacit.remember("Billing runs on Oracle", confidence=0.9, by="operator")
    tacit.conflicts.resolve(keep_both=[mine.id, theirs.id], by="agent")
    told = _explain(tacit)
    assert "do not contradict each other" in told.why
    assert told.until.startswith("Until you decide, they are a conflict")


def test_a_proposal_names_the_setting_that_makes_it_wait(monkeypatch):
    monkeypatch.setenv("TACIT_WRITING_WRITE_POLICY", "review")
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.remember("The queue is NATS", by="agent")
        told = _explain(tacit)
    assert told.why.startswith("An agent wants to remember this, and with write_policy = review")
    assert told.until == "Until you decide, it is not remembered, and no turn uses it."
    assert told.reject == "Drops it; nothing is remembered."


def test_what_was_learned_waits_where_a_person_decides_what_is_remembered(monkeypatch):
    monkeypatch.setenv("TACIT_WRITING_WRITE_POLICY", "review")
    with Tacit.open(":memory:", embedder="none") as tacit:
        with tacit.turn(session="s", text="I always use tabs for indentation in Go.") as turn:
            turn.commit("Noted.")
        tacit.learn()
        assert _explain(tacit).why.startswith("This was learned from a conversation")


def test_a_change_of_what_is_gone_says_that_nothing_is_left_to_decide(tacit):
    mine = tacit.remember("Backups run nightly")
    tacit.edit(mine.id, content="Backups run hourly", by="agent")
    tacit.forget(mine.id)
    told = _explain(tacit)
    assert told.until == (
        "There is nothing left to decide: the memory was forgotten or erased. Reject it."
    )
    assert told.accept == "Is refused, or changes nothing that a turn uses."


def test_a_memory_that_a_person_brought_back_meanwhile_is_not_called_past(tacit):
    mine = tacit.remember("The office is in Bonn")
    tacit.forget(mine.id)
    tacit.remember("The office is in Bonn", by="agent")
    tacit.restore(mine.id)
    assert _explain(tacit).until == (
        "There is nothing left to decide: the memory was brought back already. Reject it."
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda tacit, id: tacit.edit(id, content="8081", by="agent"),
        lambda tacit, id: tacit.forget(id, by="agent"),
        lambda tacit, id: tacit.remember("9999", key="api.port", by="agent"),
    ],
    ids=["edit", "forget", "replace"],
)
def test_no_turn_uses_what_a_person_replaced_meanwhile(tacit, change):
    mine = tacit.remember("8080", key="api.port")
    change(tacit, mine.id)
    (review,) = tacit.reviews.list()
    tacit.remember("9090", key="api.port")
    told = explain_review(tacit.reviews.get(review.id), system_clock())
    assert told.until == (
        "There is nothing left to decide: the memory was replaced by another. Reject it."
    )


def test_no_turn_uses_a_memory_that_has_ended(tacit):
    mine = tacit.remember("Backups run nightly", valid_to="2020-01-01")
    tacit.edit(mine.id, content="Backups run hourly", by="agent")
    assert _explain(tacit).until == (
        "Until you decide, the memory stays as it is, and no turn uses it."
    )
