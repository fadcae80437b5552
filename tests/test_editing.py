"""Changing, forgetting, restoring, erasing and linking."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tacit import Status, Tacit, Trust
from tacit.core.errors import AlreadyKnown, InvalidInput, NotFound
from tacit.core.kinds import Action, Subject
from tests.support import START, changed_in, say

NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"


def test_an_edit_changes_what_is_named_and_nothing_else(tacit, clock):
    first = tacit.remember("Tabs", type="preference", tags=["a"], key="indent").memory
    later = clock.advance(days=1)
    written = tacit.edit(first.id, importance=0.1, tags=["b"], key=None)
    assert written.status is Status.UPDATED
    assert written.memory == replace(first, importance=0.1, tags=("b",), key=None, updated_at=later)
    assert tacit.get(first.id) == written.memory


def test_an_edit_that_changes_nothing_says_so(tacit, clock):
    first = tacit.remember("Tabs", tags=["a"]).memory
    clock.advance(days=1)
    assert tacit.edit(first.id, tags=["a"], content="Tabs").status is Status.UNCHANGED
    assert tacit.edit(first.id).status is Status.UNCHANGED
    assert tacit.get(first.id) == first
    assert len(tacit.memories.history(first.id)) == 1


def test_an_edit_cannot_make_two_memories_say_the_same(tacit):
    one, two = tacit.remember("one"), tacit.remember("two")
    with pytest.raises(AlreadyKnown, match=one.id):
        tacit.edit(two.id, content="one")
    tacit.forget(one.id)
    with pytest.raises(AlreadyKnown, match="forgotten"):
        tacit.edit(two.id, content="one")
    assert tacit.get(two.id).content == "two"


def test_an_edit_of_the_key_supersedes_like_a_new_statement(tacit):
    old = tacit.remember("4 spaces", key="indent")
    other = tacit.remember("2 spaces")
    assert tacit.edit(other.id, key="indent").superseded == (old.id,)


def test_a_memory_is_found_by_the_words_and_the_meaning_of_its_new_key_alone(tacit):
    def near(words):
        hits = {hit.memory.id: hit.sources for hit in tacit.search(words).hits}
        return {name: place.score for name, place in hits.get(value, {}).items()}

    tacit.memories.remember_all([f"Plant number {n} wants water" for n in range(5)])
    value = tacit.remember("eu-central-1", key="deploy.region").id
    before = near("deploy region")
    assert set(before) == {"text", "vectors"}
    tacit.edit(value, key="billing.zone")
    after = near("deploy region")
    assert "text" not in after
    assert after.get("vectors", 0.0) < before["vectors"]
    assert near("billing zone")["vectors"] == pytest.approx(before["vectors"], abs=0.1)
    assert tacit.edit(value, key=None).memory.key is None
    assert "text" not in near("billing zone")


@pytest.mark.parametrize("by", ["agent", "tool", "import", "system"])
def test_only_persons_change_what_a_person_wrote(tacit, by):
    first = tacit.remember("Tabs").memory
    assert tacit.edit(first.id, by=by, content="Spaces").status is Status.QUEUED
    assert tacit.forget(first.id, by=by).status is Status.QUEUED
    assert tacit.get(first.id) == first
    waiting = [(review.action, review.change, review.by) for review in tacit.reviews.list()]
    update = {"content": "Spaces", "trust": "unverified"}
    assert waiting == [(Action.UPDATE, update, by), (Action.FORGET, {}, by)]
    assert len(tacit.memories.history(first.id)) == 1


def test_the_same_wish_waits_once(tacit):
    first = tacit.remember("Tabs")
    reviews = {tacit.forget(first.id, by="agent").review.id for _ in range(3)}
    assert [review.id for review in tacit.reviews.list()] == list(reviews)


def test_an_agent_changes_what_an_agent_wrote(tacit):
    first = tacit.remember("Tabs", by="agent")
    assert tacit.edit(first.id, by="agent", content="Spaces").status is Status.UPDATED
    assert tacit.forget(first.id, by="agent").status is Status.FORGOTTEN


def test_words_that_a_person_rewrote_are_explicit_and_trusted(tacit):
    first = tacit.remember("Tabs", by="tool", origin={"url": "https://example.org"})
    memory = tacit.edit(first.id, content="Tabs everywhere").memory
    assert (memory.explicit, memory.trust) == (True, Trust.TRUSTED)


def test_trust_never_rises_by_an_agents_edit(tacit):
    web = tacit.remember("Tabs", by="tool", origin={"url": "https://example.org"})
    with pytest.raises(InvalidInput, match="trust"):
        tacit.edit(web.id, by="agent", trust="trusted")
    edited = tacit.edit(web.id, by="agent", content="Spaces").memory
    assert edited.trust is Trust.UNTRUSTED


def test_a_period_that_ends_before_it_begins_is_refused(tacit):
    first = tacit.remember("x", valid_from="2026-05-01")
    with pytest.raises(InvalidInput, match="valid_to"):
        tacit.edit(first.id, valid_to="2026-04-01")


def test_what_was_forgotten_is_gone_from_every_read(tacit):
    first, other = tacit.remember("secret", key="k", tags=["t"], pinned=True), tacit.remember("o")
    tacit.memories.link(other.id, first.id)
    assert tacit.forget(first.id).status is Status.FORGOTTEN
    assert tacit.forget(first.id).status is Status.UNCHANGED
    for filters in ({}, {"key": "k"}, {"tag": "t"}, {"pinned": True}, {"state": "past"}):
        assert first.id not in [memory.id for memory in tacit.list(**filters)]
    assert tacit.memories.links(other.id) == []
    for call in (tacit.get, tacit.memories.links, lambda id: tacit.edit(id, tags=["x"])):
        with pytest.raises(NotFound, match="forgotten"):
            call(first.id)
    with pytest.raises(NotFound, match="forgotten"):
        tacit.memories.link(first.id, other.id)


def test_restoring_brings_back_everything(tacit, clock):
    first, other = tacit.remember("secret", tags=["t"]).memory, tacit.remember("o")
    tacit.memories.link(other.id, first.id)
    clock.advance(days=1)
    tacit.forget(first.id)
    assert tacit.list(state="forgotten")[0].id == first.id
    assert tacit.restore(first.id).status is Status.RESTORED
    assert tacit.restore(first.id).status is Status.UNCHANGED
    assert tacit.get(first.id) == first
    assert len(tacit.memories.links(other.id)) == 1


@pytest.mark.parametrize("call", ["get", "edit", "forget", "restore", "erase", "history", "links"])
def test_an_unknown_memory_is_not_found(tacit, call):
    with pytest.raises(NotFound, match=NOBODY):
        getattr(tacit.memories, call)(NOBODY)


def test_every_call_by_id_stops_at_the_workspace(house):
    mine = house.tacit.remember("mine")
    partner = house.tacit.remember("partner")
    house.tacit.memories.link(mine.id, partner.id)
    other = house.another("other")
    own = other.remember("own")
    for call in ("get", "edit", "forget", "restore", "erase", "history", "links", "find_id"):
        with pytest.raises(NotFound):
            getattr(other.memories, call)(mine.id)
    for ends in ((own.id, mine.id), (mine.id, own.id)):
        with pytest.raises(NotFound):
            other.memories.link(*ends)
    with pytest.raises(NotFound):
        other.memories.unlink(mine.id, partner.id)
    assert house.tacit.get(mine.id) == mine.memory
    assert [memory.id for memory in other.list(state=None)] == [own.id]


def test_a_link_is_made_once_and_reweighted(tacit):
    a, b = tacit.remember("a").id, tacit.remember("b").id
    tacit.memories.link(a, b, "caused_by")
    tacit.memories.link(a, b, "caused_by", weight=0.5)
    tacit.memories.link(a, b, "caused_by", weight=0.9)
    (edge,) = tacit.memories.links(b)
    assert (edge.source, edge.target, edge.relation, edge.weight) == (a, b, "caused_by", 0.9)
    tacit.memories.unlink(a, b, "caused_by")
    assert tacit.memories.links(a) == []
    with pytest.raises(NotFound, match="caused_by"):
        tacit.memories.unlink(a, b, "caused_by")
    actions = [
        each.action for each in tacit.memories.history(a) if each.subject is Subject.ASSOCIATION
    ]
    assert actions == [Action.INSERT, Action.UPDATE, Action.DELETE]


def test_a_memory_is_not_linked_to_itself(tacit):
    a = tacit.remember("a").id
    with pytest.raises(InvalidInput, match="another"):
        tacit.memories.link(a, a)


def test_every_change_leaves_exactly_one_row_with_old_and_new_values(tacit, clock):
    first = tacit.remember("vim", key="editor").memory
    clock.advance(days=1)
    tacit.edit(first.id, content="neovim", importance=0.2)
    tacit.forget(first.id, by="operator")
    tacit.restore(first.id)
    second = tacit.remember("emacs", key="editor")
    rows = tacit.memories.history(first.id)
    actions = [Action.INSERT, Action.UPDATE, Action.FORGET, Action.RESTORE, Action.SUPERSEDE]
    assert [row.action for row in rows] == actions
    assert [row.by for row in rows] == ["user", "user", "operator", "user", "user"]
    assert [row.at for row in rows] == [START] + [clock.now] * 4
    assert rows[0].old is None
    assert rows[0].new.items() < first.to_dict().items()
    assert rows[0].new["content"] == "vim"
    assert rows[0].new["confidence"] == 1.0
    assert rows[1].old == {"content": "vim", "importance": 0.6}
    assert rows[1].new == {"content": "neovim", "importance": 0.2}
    assert (rows[2].old, rows[2].new) == ({"forgotten": False}, {"forgotten": True})
    assert rows[4].new["superseded_by"] == second.id
    assert [row.action for row in tacit.memories.history(second.id)] == [Action.INSERT]


def test_reading_leaves_no_trace(tacit):
    first = tacit.remember("x").memory
    tacit.get(first.id)
    tacit.list()
    tacit.memories.history(first.id)
    assert tacit.get(first.id) == first
    assert len(tacit.memories.history(first.id)) == 1


def test_erasing_removes_every_trace_and_counts_it(house):
    tacit = house.tacit
    first, other = tacit.remember("the launch code is 0000"), tacit.remember("other")
    tacit.edit(first.id, content="the launch code is 1234")
    tacit.memories.link(other.id, first.id)
    tacit.forget(first.id, by="agent")
    receipt = tacit.erase(first.id)
    assert receipt.removed == {
        "memories": 1,
        "episodes": 0,
        "items": 0,
        "associations": 1,
        "comparisons": 0,
        "audit_values": 2,
        "reviews": 1,
        "blocks": 0,
        "ledger": 0,
        "heard": 0,
        "waiting_prompts": 0,
        "variables": 0,
        "chat_entries": 0,
        "turns": 0,
        "receipts": 0,
        "sessions": 0,
    }
    with pytest.raises(NotFound):
        tacit.get(first.id)
    rows = tacit.memories.history(first.id)
    assert [row.action for row in rows] == [Action.INSERT, Action.UPDATE, Action.ERASE]
    assert all(row.old is None and row.new is None for row in rows)
    assert tacit.memories.links(other.id) == tacit.reviews.list() == []
    with house.store.read("default") as unit:
        assert [each.id for each in changed_in(unit, 0, None)] == [other.id]
        assert unit.removed(0) == [first.id]


def test_only_a_person_erases(tacit):
    first = tacit.remember("x", by="agent")
    with pytest.raises(InvalidInput, match="person"):
        tacit.erase(first.id, by="agent")
    assert tacit.get(first.id) == first.memory


def test_an_id_can_be_named_by_its_ending(house):
    ids = [f"01890a5d-ac96-7000-8000-00{n}0deadbeef" for n in range(2)]
    tacit = Tacit(
        house.store, "twins", new_id=iter([ids[0], NOBODY, ids[1], NOBODY[::-1]]).__next__
    )
    for content in ("one", "two"):
        tacit.remember(content)
    assert tacit.memories.find_id("00DEADBEEF") == ids[0]
    with pytest.raises(InvalidInput, match="several"):
        tacit.memories.find_id("beef")
    with pytest.raises(InvalidInput, match="too short"):
        tacit.memories.find_id("eef")
    with pytest.raises(NotFound, match="tacit list --all shows them"):
        tacit.memories.find_id("cafe")


def test_listing_pages_by_the_id_of_the_last(tacit, clock):
    for n in range(7):
        tacit.remember(f"number {n}")
        clock.advance(seconds=1)
    first = tacit.list(limit=4)
    second = tacit.list(limit=4, after=first[-1].id)
    assert [memory.content for memory in (*first, *second)] == [f"number {n}" for n in range(7)][
        ::-1
    ]


def test_stats_count_the_workspace(tacit):
    a, b = tacit.remember("a", type="goal"), tacit.remember("b", scope="project")
    tacit.memories.link(a.id, b.id)
    tacit.forget(b.id)
    stats = tacit.workspace.stats()
    assert stats.workspace == "default"
    assert stats.counts.by_state == {"live": 1, "forgotten": 1}
    assert stats.counts.by_type == {"goal": 1}
    assert stats.counts.associations == 1
    assert stats.counts.audit_entries == 4
    assert stats.counts.indexed == 2
    assert stats.counts.vectors == {"fake (32, 1)": 2}


@pytest.mark.episodes
def test_stats_count_what_was_said_and_for_a_user_only_what_that_user_said(tacit):
    say(tacit, "we're in Hamburg now, Jonas got a job at the hospital", user="ann")
    say(tacit, "the boiler makes a noise like a kettle", session="s2", user="ben")
    assert tacit.workspace.stats().episodes == 2
    assert tacit.workspace.stats(user="ann").episodes == 1
    assert tacit.workspace.stats().counts.by_state == {}


def test_access_is_counted_only_by_those_who_inject(house):
    first = house.tacit.remember("x").memory
    with house.store.write("default") as unit:
        unit.memories.count_access([first.id], START + timedelta(days=1))
    now = house.tacit.get(first.id)
    assert (now.access_count, now.updated_at) == (1, first.updated_at)


def test_a_page_after_an_erased_memory_is_an_error_not_an_end(tacit):
    first, second = tacit.remember("a"), tacit.remember("b")
    tacit.erase(second.id)
    with pytest.raises(NotFound, match="start from the top"):
        tacit.list(after=second.id)
    assert tacit.list(after=first.id) == []
