"""Remembering: defaults, recognition, keys, and whose word counts."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tacit import Actor, MemoryType, Scope, State, Status, Trust
from tacit.core.errors import InvalidInput
from tacit.core.kinds import DEFAULT_IMPORTANCE, Action
from tacit.embedding.registry import EmbedderSet
from tacit.language.terms import pack_term_codes
from tacit.testing import FakeEmbedder
from tests.support import START


def test_a_bare_statement_takes_the_defaults(tacit):
    memory = tacit.remember("Deploys run from main").memory
    assert memory.type is MemoryType.FACT
    assert (memory.scope, memory.scope_id, memory.agent) == (Scope.USER, "", None)
    assert (memory.importance, memory.confidence) == (0.6, 1.0)
    assert (memory.source, memory.trust, memory.explicit) == (Actor.USER, Trust.TRUSTED, True)
    assert memory.created_at == memory.updated_at == START
    assert tacit.get(memory.id) == memory


@pytest.mark.parametrize("type", list(MemoryType))
def test_importance_follows_the_type(tacit, type):
    assert tacit.remember("x", type=type).memory.importance == DEFAULT_IMPORTANCE[type]


@pytest.mark.parametrize(
    ("by", "confidence", "trust", "explicit"),
    [
        ("user", 1.0, "trusted", True),
        ("operator", 1.0, "trusted", True),
        ("import", 1.0, "unverified", False),
        ("agent", 0.8, "unverified", False),
        ("tool", 0.8, "unverified", False),
    ],
)
def test_what_is_believed_follows_the_author(tacit, by, confidence, trust, explicit):
    memory = tacit.remember("x", by=by).memory
    assert (memory.confidence, memory.trust, memory.explicit) == (confidence, trust, explicit)


def test_what_a_tool_took_from_the_web_is_untrusted(tacit):
    memory = tacit.remember("Buy now", by="tool", origin={"url": "https://example.org"}).memory
    assert memory.trust is Trust.UNTRUSTED


@pytest.mark.parametrize("by", ["agent", "tool", "import"])
def test_nobody_can_claim_more_trust_than_they_have(tacit, by):
    with pytest.raises(InvalidInput, match="unverified at most"):
        tacit.remember("Believe me", by=by, trust="trusted")
    assert tacit.list() == []


def test_said_again_it_is_the_same_memory_and_says_so(tacit, clock):
    first = tacit.remember("Tabs, not spaces")
    clock.advance(days=1)
    again = tacit.remember("Tabs, not spaces")
    assert (first.status, again.status) == (Status.CREATED, Status.KNOWN)
    assert again.memory == first.memory
    assert len(tacit.memories.history(first.id)) == 1


@pytest.mark.parametrize(
    "difference",
    [
        {"type": "preference"},
        {"scope": "project"},
        {"scope_id": "ann"},
        {"agent": "coder"},
        {"key": "editor.indent"},
    ],
)
def test_another_type_key_owner_or_agent_is_another_memory(tacit, difference):
    tacit.remember("Tabs, not spaces")
    assert tacit.remember("Tabs, not spaces", **difference).status is Status.CREATED
    assert len(tacit.list()) == 2


def test_a_repeat_that_says_more_adds_it(tacit, clock):
    first = tacit.remember("Tabs, not spaces")
    later = clock.advance(days=1)
    again = tacit.remember("Tabs, not spaces", pinned=True, tags=["style"])
    assert again.status is Status.UPDATED
    expected = replace(first.memory, pinned=True, tags=("style",), updated_at=later)
    assert tacit.get(first.id) == expected


def test_a_person_who_repeats_an_agent_makes_it_explicit(tacit):
    tacit.remember("Tabs, not spaces", by="agent")
    memory = tacit.remember("Tabs, not spaces").memory
    assert (memory.explicit, memory.trust, memory.confidence) == (True, Trust.TRUSTED, 1.0)
    assert memory.source is Actor.AGENT


def test_an_agent_who_repeats_a_person_changes_nothing(tacit):
    first = tacit.remember("Tabs, not spaces")
    assert tacit.remember("Tabs, not spaces", by="agent").status is Status.KNOWN
    wish = tacit.remember("Tabs, not spaces", by="agent", pinned=True)
    assert wish.status is Status.QUEUED
    assert wish.review.change == {"pinned": True}
    assert tacit.get(first.id) == first.memory


def test_a_new_value_of_a_key_supersedes_the_old_one(tacit, clock):
    old = tacit.remember("4 spaces", key="editor.indent")
    later = clock.advance(days=1)
    new = tacit.remember("2 spaces", key="editor.indent")
    assert new.superseded == (old.id,)
    assert [memory.id for memory in tacit.list(key="editor.indent")] == [new.id]
    past = tacit.list(key="editor.indent", state="past")[0]
    assert past == replace(old.memory, superseded_by=new.id, valid_to=later)


@pytest.mark.parametrize(
    "elsewhere", [{"scope": "project"}, {"scope_id": "ann"}, {"agent": "coder"}, {"key": "other"}]
)
def test_a_key_has_one_value_per_scope_owner_and_agent(tacit, elsewhere):
    tacit.remember("4 spaces", key="editor.indent")
    assert tacit.remember("2 spaces", **{"key": "editor.indent", **elsewhere}).superseded == ()
    assert len(tacit.list()) == 2


def test_what_was_superseded_can_become_current_again(tacit):
    first = tacit.remember("vim", key="editor")
    second = tacit.remember("emacs", key="editor")
    third = tacit.remember("vim", key="editor")
    assert third.status is Status.CREATED
    assert third.id != first.id
    assert third.superseded == (second.id,)
    assert [memory.id for memory in tacit.list()] == [third.id]


def test_an_agent_supersedes_an_agent(tacit):
    old = tacit.remember("port 80", key="port", by="agent")
    assert tacit.remember("port 81", key="port", by="agent").superseded == (old.id,)


def test_less_confidence_does_not_supersede(tacit):
    tacit.remember("port 80", key="port", by="agent", confidence=0.9)
    assert tacit.remember("port 81", key="port", by="agent", confidence=0.8).superseded == ()
    assert len(tacit.list()) == 2


def test_less_trust_does_not_supersede(tacit):
    tacit.remember("port 80", key="port", by="import")
    web = {"url": "https://example.org"}
    written = tacit.remember("port 81", key="port", by="tool", confidence=1.0, origin=web)
    assert written.superseded == ()


def test_an_agent_cannot_supersede_a_person_even_if_trusted_equally(house):
    tacit = house.tacit
    mine = tacit.remember("port 80", key="port", confidence=0.5)
    tacit.edit(mine.id, trust="unverified")
    theirs = tacit.remember("port 81", key="port", by="agent")
    assert theirs.superseded == ()
    assert theirs.review.action is Action.SUPERSEDE
    assert theirs.review.memory == mine.id
    assert {memory.id for memory in tacit.list()} == {mine.id, theirs.id}


def test_a_person_brings_back_what_was_forgotten_by_saying_it_again(tacit):
    first = tacit.remember("Tabs, not spaces")
    tacit.forget(first.id)
    again = tacit.remember("Tabs, not spaces")
    assert (again.status, again.id) == (Status.RESTORED, first.id)
    assert tacit.get(first.id).state(START) is State.LIVE


def test_nobody_else_brings_back_what_a_person_forgot(tacit):
    first = tacit.remember("The moon is cheese", by="agent")
    tacit.forget(first.id)
    for by in ("agent", "import"):
        assert tacit.remember("The moon is cheese", by=by).status is Status.QUEUED
    assert tacit.restore(first.id, by="agent").status is Status.QUEUED
    assert tacit.list() == []
    assert [review.action for review in tacit.reviews.list()] == [Action.RESTORE, Action.RESTORE]


def test_an_agent_may_say_again_what_upkeep_had_forgotten(tacit):
    first = tacit.remember("The cache is warm", by="agent")
    tacit.forget(first.id, by="system")
    assert tacit.remember("The cache is warm", by="agent").status is Status.RESTORED


def test_what_had_expired_is_renewed_by_saying_it_again(tacit, clock):
    first = tacit.remember("On holiday", expires_at=START + timedelta(days=7))
    clock.advance(days=8)
    assert tacit.list() == []
    again = tacit.remember("On holiday", expires_at=START + timedelta(days=20))
    assert (again.status, again.id) == (Status.RESTORED, first.id)
    assert [memory.id for memory in tacit.list()] == [first.id]


def test_an_expired_memory_is_past_from_that_moment_on(tacit, clock):
    tacit.remember("Until Friday", expires_at=START + timedelta(hours=1))
    clock.advance(minutes=59)
    assert len(tacit.list()) == 1
    clock.advance(minutes=1)
    assert tacit.list() == []
    assert len(tacit.list(state="past")) == 1


def test_a_batch_is_written_whole_or_not_at_all(tacit):
    with pytest.raises(InvalidInput, match="content"):
        tacit.memories.remember_all(["fine", {"content": "also fine", "type": "goal"}, ""])
    assert tacit.list() == []
    written = tacit.memories.remember_all(
        ["fine", {"content": "also fine", "type": "goal"}, "fine"]
    )
    statuses = [result.status for result in written]
    assert statuses == [Status.CREATED, Status.CREATED, Status.KNOWN]
    assert len(tacit.list()) == 2


def test_a_batch_that_fails_in_the_middle_of_writing_leaves_nothing(tacit):
    with pytest.raises(InvalidInput, match="trust"):
        tacit.memories.remember_all(["one", {"content": "two", "trust": "trusted"}], by="agent")
    assert tacit.list(state=None) == []


def test_text_terms_and_vector_arrive_together(house):
    written = house.tacit.remember("Zebras graze at dawn")
    house.tacit.edit(written.id, content="Lions hunt at dusk")
    model = house.tacit._context.memory_embedder._embedders.configured.model
    with house.store.read("default") as unit:
        expected = pack_term_codes(["lion", "hunt", "at", "dusk"])
        assert unit.texts.of([written.id]) == {written.id: expected}
        vector = unit.vectors.get([written.id], model)[written.id]
    embedder = house.tacit._context.memory_embedder._embedders.configured
    expected = embedder.embed(["Lions hunt at dusk"])[0]
    assert vector == pytest.approx(expected, abs=1e-3)


def test_a_change_of_words_without_an_embedder_leaves_no_stale_vector(house):
    written = house.tacit.remember("Zebras graze at dawn")
    house.tacit._context.memory_embedder._embedders = EmbedderSet()
    house.tacit.edit(written.id, content="Lions hunt at dusk")
    with house.store.read("default") as unit:
        assert unit.vectors.models() == []


def test_the_same_words_of_two_owners_both_get_their_vector(house):
    house.tacit.remember("same words", scope="project")
    house.tacit.memories.remember_all(
        [{"content": "same words"}, {"content": "same words", "scope": "project"}]
    )
    with house.store.read("default") as unit:
        assert unit.vectors.missing(FakeEmbedder().model, 9) == []
