"""Whose word counts: what no person stands behind is marked, and a person's words win over it."""

import io
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder, InvalidInput, Status, Tacit
from tacit.core.kinds import Action, Actor, State, Trust
from tacit.core.receipt import Fate
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tests.properties import examples
from tests.support import HandClock

MYSQL, POSTGRES = "Billing runs on MySQL", "Billing runs on PostgreSQL"
ASKED = {
    "session": "asked",
    "text": "What does billing run on?",
    "contextual_min_score": 0.05,
}
OTHERS = ("agent", "tool", "import")


def _fates(tacit, **asked):
    receipt = tacit.preview(**(ASKED | asked)).receipt
    return {tacit.get(each.memory).content: each.fate for each in receipt.candidates}


def _say(tacit, text, **who):
    with tacit.turn(session="talk", text=text, **who) as turn:
        turn.commit("I see.")
    tacit.learn()


@pytest.mark.parametrize("by", OTHERS)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_persons_words_win_whatever_the_confidence(tacit, by, is_first):
    said = [(MYSQL, {"confidence": 0.7}), (POSTGRES, {"by": by, "confidence": 1.0})]
    for content, fields in said if is_first else reversed(said):
        tacit.remember(content, **fields)
    assert _fates(tacit) == {MYSQL: Fate.INJECTED, POSTGRES: Fate.SUPERSEDED}
    receipt = tacit.preview(**ASKED).receipt
    (lost,) = [each for each in receipt.candidates if each.fate is Fate.SUPERSEDED]
    assert lost.note == "trusted over unverified"
    assert {memory.content for memory in tacit.list()} == {MYSQL, POSTGRES}


@pytest.mark.parametrize("by", OTHERS)
def test_no_scope_lets_others_win_over_a_person(tacit, by):
    tacit.remember("4 spaces", key="editor.indent", type="preference", confidence=0.7)
    tacit.remember(
        "tabs", key="editor.indent", type="preference", by=by, scope="project", scope_id="p"
    )
    text = "Refactor the function: which indent, tabs or 4 spaces?"
    fates = _fates(tacit, project="p", text=text)
    assert fates["tabs"] is Fate.SUPERSEDED
    assert fates["4 spaces"] is Fate.INJECTED


@pytest.mark.parametrize("by", OTHERS)
def test_a_person_who_is_too_unsure_to_be_shown_is_not_contradicted_either(tacit, by):
    tacit.remember(MYSQL, confidence=0.5)
    tacit.remember(POSTGRES, by=by, confidence=1.0)
    assert _fates(tacit) == {MYSQL: Fate.LOW_CONFIDENCE, POSTGRES: Fate.SUPERSEDED}


@pytest.mark.parametrize("by", OTHERS)
@pytest.mark.parametrize("confidence", [0.3, 1.0])
def test_the_value_of_a_persons_key_is_not_displaced_but_the_wish_waits(tacit, by, confidence):
    mine = tacit.remember("MySQL", key="billing.db", confidence=0.7)
    theirs = tacit.remember("PostgreSQL", key="billing.db", by=by, confidence=confidence)
    assert theirs.superseded == ()
    assert tacit.get(mine.id).superseded_by is None
    (review,) = tacit.reviews.list()
    assert (review.memory, review.action) == (mine.id, Action.SUPERSEDE)
    tacit.reviews.accept(review.id)
    assert tacit.get(mine.id).superseded_by == theirs.id


@pytest.mark.parametrize("by", OTHERS)
def test_a_persons_value_of_a_key_replaces_others_however_unsure_it_is(tacit, by):
    theirs = tacit.remember("PostgreSQL", key="billing.db", by=by, confidence=1.0)
    mine = tacit.remember("MySQL", key="billing.db", confidence=0.7)
    assert mine.superseded == (theirs.id,)


def test_what_strangers_say_of_a_persons_key_is_not_even_a_wish(tacit):
    tacit.remember("MySQL", key="billing.db")
    tacit.remember("Oracle", key="billing.db", by="agent", origin={"url": "https://example.org"})
    assert tacit.reviews.list() == []


@pytest.fixture
def learned(tacit):
    """A memory that was learned from what a person said, not written by a call."""
    _say(tacit, "I prefer tabs over spaces in Go code.")
    (memory,) = tacit.list()
    assert (memory.explicit, memory.trust, memory.source) == (False, Trust.TRUSTED, Actor.USER)
    return memory


@pytest.mark.parametrize("by", OTHERS)
def test_what_a_person_said_is_not_changed_by_others(tacit, learned, by):
    assert tacit.edit(learned.id, by=by, content="I prefer spaces").status is Status.QUEUED
    assert tacit.forget(learned.id, by=by).status is Status.QUEUED
    assert tacit.get(learned.id) == learned
    assert len(tacit.reviews.list()) == 2
    tacit.forget(learned.id)
    assert tacit.restore(learned.id, by=by).status is Status.QUEUED


def test_an_agent_does_not_replace_what_a_person_said_by_settling_a_conflict(tacit):
    _say(tacit, "We use MySQL for billing.")
    (mine,) = tacit.list()
    theirs = tacit.remember("We use PostgreSQL for billing.", by="agent", scope=mine.scope)
    if tacit.conflicts.list():
        (wish,) = tacit.conflicts.resolve(keep=theirs.id, supersede=[mine.id], by="agent")
        assert wish.status is Status.QUEUED
    assert tacit.get(mine.id).superseded_by is None


def test_what_an_agent_wrote_and_a_person_says_too_is_the_persons(tacit, learned):
    text = learned.content
    tacit.erase(learned.id)
    agents = tacit.remember(text, by="agent", type=learned.type, key=learned.key)
    assert agents.memory.trust is Trust.UNVERIFIED
    _say(tacit, "I prefer tabs over spaces in Go code.", enabled=False)
    (memory,) = [each for each in tacit.list() if each.content == text]
    assert (memory.trust, memory.source) == (Trust.TRUSTED, Actor.USER)


@pytest.mark.parametrize("said", ["We ship on Fridays", "I am allergic to peanuts"])
def test_what_a_person_says_outlives_the_agents_memory_that_was_shown_with_it(said):
    clock = HandClock()
    with Tacit.open(":memory:", embedder="none", clock=clock) as tacit:
        tacit.remember(said, by="agent", expires_at=clock.now + timedelta(hours=1), importance=0.1)
        _say(tacit, f"{said}.", contextual_min_score=0.05)
        clock.advance(hours=2)
        live = [each for each in tacit.list() if each.state(clock.now) is State.LIVE]
        assert [(each.content, each.trust) for each in live] == [(said, Trust.TRUSTED)]


def test_what_is_learned_from_an_agent_never_replaces_what_a_person_said(tacit, learned):
    _say(tacit, "I prefer spaces over tabs in Go code.", by="agent")
    kept = tacit.get(learned.id)
    assert (kept.superseded_by, kept.content) == (None, learned.content)
    assert kept.state(tacit.get(learned.id).updated_at) is State.LIVE
    others = [each for each in tacit.list() if each.id != learned.id]
    assert all(each.trust is Trust.UNVERIFIED for each in others)


def test_upkeep_lets_no_words_of_others_into_what_a_person_said(tacit, learned):
    longer = f"{learned.content} everywhere"
    tacit.remember(longer, by="agent", type=learned.type, importance=1.0)
    tacit.upkeep()
    kept = tacit.get(learned.id)
    assert (kept.content, kept.trust, kept.superseded_by) == (
        learned.content,
        Trust.TRUSTED,
        None,
    )


@pytest.mark.parametrize(
    ("by", "mark"),
    [("agent", "by an agent"), ("tool", "by a tool"), ("import", "imported")],
)
def test_what_no_person_stands_behind_is_marked_in_the_block(tacit, by, mark):
    tacit.remember(POSTGRES, by=by)
    tacit.remember("See what billing does run on Friday", type="todo", by=by)
    block = tacit.preview(**ASKED).block
    lines = [line for line in block.split("\n") if line.startswith("[")][1:]
    marked = [line for line in lines if f" (unverified, {mark})" in line]
    assert len(marked) == 2
    assert "unverified" not in block.replace(f" (unverified, {mark})", "")


def test_the_words_of_a_person_have_no_mark(tacit):
    tacit.remember(POSTGRES)
    _say(tacit, "We use PostgreSQL for billing.")
    assert "unverified" not in tacit.preview(**ASKED).block


def test_of_two_that_say_the_same_the_persons_is_shown(tacit):
    first = tacit.remember(POSTGRES, by="agent", importance=1.0, scope="project", scope_id="p")
    mine = tacit.remember(POSTGRES, importance=0.1)
    receipt = tacit.preview(**ASKED, project="p").receipt
    fates = {each.memory: each.fate for each in receipt.candidates}
    assert fates == {mine.id: Fate.INJECTED, first.id: Fate.SAME_CONTENT}


@settings(max_examples=examples(8, 200))
@given(
    said=st.lists(
        st.tuples(
            st.sampled_from(["user", "agent", "tool", "import"]),
            st.sampled_from(["MySQL", "PostgreSQL", "Oracle"]),
            st.sampled_from([0.7, 0.9, 1.0]),
            st.booleans(),
        ),
        min_size=2,
        max_size=5,
    )
)
def test_whatever_others_write_a_persons_last_word_is_shown_and_stays(said):
    clock = HandClock()
    with Tacit(SqliteInMemoryStore.open(), "w", embedder=FakeEmbedder(), clock=clock) as tacit:
        last = None
        for by, database, confidence, keyed in said:
            clock.advance(hours=1)
            content = database if keyed else f"Billing runs on {database}"
            fields = {"key": "billing.db"} if keyed else {}
            written = tacit.remember(content, by=by, confidence=confidence, **fields)
            if by == "user" and not keyed:
                last = written.id
        persons = [each for each in tacit.list(state=None) if each.explicit]
        for memory in persons:
            successor = memory.superseded_by
            assert successor is None or tacit.get(successor).trust is Trust.TRUSTED
        receipt = tacit.preview(**ASKED).receipt
        shown = [tacit.get(each.memory) for each in receipt.injected]
        if last is not None:
            plain = [each for each in shown if each.key is None]
            assert all(each.trust is Trust.TRUSTED for each in plain)


@pytest.mark.parametrize("by", OTHERS)
def test_through_every_door_the_words_of_others_are_unverified(tacit, by):
    tacit.remember("Tea is at four", by=by)
    tacit.memories.remember_all([{"content": "Lunch is at noon"}], by=by)
    mine = tacit.remember("Supper is at seven", by=by)
    tacit.edit(mine.id, by=by, content="Supper is at eight")
    tacit.archive.import_from(io.BytesIO(b"Breakfast is at six\n"), by=by)
    listed = tacit.list()
    assert len(listed) == 4
    assert {(each.trust, each.explicit) for each in listed} == {(Trust.UNVERIFIED, False)}
    with pytest.raises(InvalidInput, match="trust"):
        tacit.remember("Tea is at five", by=by, trust="trusted")
    with pytest.raises(InvalidInput, match="trust"):
        tacit.edit(mine.id, by=by, trust="trusted")
