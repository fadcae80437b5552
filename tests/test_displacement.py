"""No agent, and nobody bound to a user, pushes a person's words out of the turns of others."""

import pytest

from tacit.core.errors import InvalidInput, NotFound
from tacit.core.kinds import Relation
from tacit.core.receipt import Fate
from tests.serving import served

PERSONS = "Invoices are paid from the Globex account"
RIVAL = "Invoices are paid from the Initech account"
ASKED = "Which account are invoices paid from?"
SHOP = {"scope": "project", "scope_id": "shop"}
LENIENT = {"contextual_min_score": 0.05}
LOUD = {"importance": 1.0, "confidence": 1.0}


def _note(number, **fields):
    content = f"Which account invoices are paid from: invoices are paid from account {number}"
    return {"content": content, **SHOP, **fields}


def _turn(tacit, text=ASKED, **settings):
    return tacit.preview(session="asked", text=text, project="shop", **(LENIENT | settings))


def _flood(tacit, count, **fields):
    tacit.memories.remember_all([_note(number, **fields) for number in range(count)], by="agent")


@pytest.mark.parametrize("author", ["user", "agent"])
@pytest.mark.parametrize("relation", list(Relation))
def test_only_persons_remove_or_change_a_persons_link(tacit, relation, author):
    one, other = (tacit.remember(text, by=author).id for text in ("We use tabs.", "It uses spaces"))
    tacit.memories.link(one, other, relation, weight=0.7)
    with pytest.raises(InvalidInput):
        tacit.memories.unlink(one, other, relation, by="agent")
    with pytest.raises(InvalidInput):
        tacit.memories.link(one, other, relation, weight=0.1, by="agent")
    assert [edge.weight for edge in tacit.memories.links(one)] == [0.7]
    tacit.memories.unlink(one, other, relation)
    assert not tacit.memories.links(one)


def test_an_agent_removes_and_changes_its_own_links(tacit):
    one, other = (tacit.remember(text).id for text in ("We use tabs.", "It uses spaces"))
    tacit.memories.link(one, other, "related_to", weight=0.7)
    tacit.memories.unlink(one, other, "related_to")
    tacit.memories.link(one, other, "related_to", weight=0.2, by="agent")
    tacit.memories.link(one, other, "related_to", weight=0.3, by="agent")
    tacit.memories.unlink(one, other, "related_to", by="agent")
    assert not tacit.memories.links(one)


def test_an_agent_does_not_undo_that_a_person_found_both_right(tacit):
    one, other = (tacit.remember(f"Billing runs on {name}").id for name in ("MySQL", "MariaDB"))
    tacit.memories.link(one, other, "compatible_with")
    for ends in ((one, other), (other, one)):
        with pytest.raises((InvalidInput, NotFound)):
            tacit.memories.unlink(*ends, "compatible_with", by="agent")
    assert len(tacit.memories.links(one)) == 1


@pytest.mark.parametrize("count", [30, 90])
@pytest.mark.parametrize("loud", [{}, LOUD])
@pytest.mark.parametrize("persons", [{}, {"pinned": True, "importance": 1.0}])
def test_many_memories_of_an_agent_leave_a_persons_words_their_slot(tacit, persons, loud, count):
    tacit.remember(PERSONS, **SHOP, **persons)
    _flood(tacit, count, **loud)
    turn = _turn(tacit, ambient_enabled=True)
    assert PERSONS in turn.block
    fates = {each.fate for each in turn.receipt.candidates}
    assert Fate.OVER_SLOTS in fates
    assert len(turn.receipt.injected) <= 25


def test_an_agent_takes_no_room_in_tokens_while_a_persons_words_wait(tacit):
    tacit.remember(PERSONS, **SHOP)
    _flood(tacit, 12, **LOUD)
    turn = _turn(tacit, ambient_enabled=True, max_tokens=250)
    assert PERSONS in turn.block
    refused = {each.fate for each in turn.receipt.candidates} - {Fate.INJECTED}
    assert refused == {Fate.OVER_TOKENS}


def test_the_pins_of_an_agent_wait_for_a_person(tacit):
    tacit.remember(PERSONS, **SHOP)
    tacit.remember(RIVAL, by="agent", pinned=True, **SHOP, **LOUD)
    assert RIVAL not in _turn(tacit, ambient_enabled=True).block
    (review,) = tacit.reviews.list()
    tacit.reviews.accept(review.id)
    assert RIVAL in _turn(tacit, ambient_enabled=True).block


def test_an_agents_memories_of_a_pinned_type_leave_room_for_a_persons(tacit):
    tacit.remember(PERSONS, type="goal", **SHOP)
    _flood(tacit, 30, type="goal", **LOUD)
    for sort in ("recent", "importance"):
        wanted = {"ambient_enabled": True, "pinned_types": ("goal",), "pinned_sort": sort}
        assert PERSONS in _turn(tacit, "Good morning to all of you", **wanted).block


def test_more_pinned_memories_than_a_turn_reads_leave_a_persons_pinned_one(tacit):
    tacit.remember(PERSONS, pinned=True, **SHOP)
    _flood(tacit, 210, pinned=True, **LOUD)
    text = "Please write a short summary of the agenda"
    assert PERSONS in _turn(tacit, text, ambient_enabled=True).block


def test_an_agents_facts_of_a_narrower_scope_leave_room_for_a_persons(tacit):
    tacit.remember("4 spaces", key="editor.indent", type="preference", scope="org")
    tacit.memories.remember_all(
        [
            {"content": f"tabs {n}", "key": f"editor.indent.{n}", "type": "preference", **SHOP}
            for n in range(30)
        ],
        by="agent",
    )
    turn = _turn(tacit, "Refactor the function: which editor indent?")
    assert "4 spaces" in turn.block


def test_where_there_is_room_an_agents_memories_are_shown_as_before(tacit):
    tacit.remember(PERSONS, **SHOP)
    _flood(tacit, 5)
    turn = _turn(tacit)
    assert len(turn.receipt.injected) == 6


@pytest.mark.parametrize("relation", ["updates", "contradicts", "part_of"])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_no_link_of_an_agents_hides_a_persons_words(tacit, relation, is_reversed):
    ends = [tacit.remember(RIVAL, by="agent", **SHOP).id, tacit.remember(PERSONS, **SHOP).id]
    tacit.memories.link(
        *(reversed(ends) if is_reversed else ends), relation=relation, weight=1.0, by="agent"
    )
    assert PERSONS in _turn(tacit).block


@pytest.mark.parametrize(
    "fields",
    [
        LOUD | {"pinned": True, "tags": ["invoices", "account"]},
        LOUD | {"type": "decision", "valid_from": "2020-01-01T00:00:00Z"},
        LOUD | {"scope": "session", "scope_id": "asked"},
        LOUD | {"key": "invoices.account", "scope": "session", "scope_id": "asked"},
        LOUD | {"key": "invoices.account", "pinned": True},
    ],
)
def test_no_field_of_an_agents_memory_hides_a_persons_words(tacit, fields):
    key = {"key": fields["key"]} if "key" in fields else {}
    tacit.remember(PERSONS, **SHOP, **key)
    tacit.remember(RIVAL, by="agent", **(SHOP | fields))
    for _ in range(20):
        tacit.search(RIVAL, agent="buyer")
    assert PERSONS in _turn(tacit, ambient_enabled=True).block


def test_what_an_agent_says_in_other_words_stands_for_nobody_elses(tacit):
    """An agent's memory that the model has in view keeps no person's out."""
    near = {"semantic_threshold": 0.5}
    tacit.remember("The invoices are paid from the Globex account", by="agent", **SHOP)
    asked = {"session": "talk", "project": "shop", **LENIENT, **near}
    with tacit.turn(text=ASKED, **asked) as turn:
        turn.commit("I see.")
    assert turn.receipt.injected
    tacit.remember(PERSONS, **SHOP)
    after = tacit.preview(text=ASKED, history=turn.history, **asked)
    assert PERSONS in after.block


def test_who_is_bound_to_a_user_cannot_end_or_hide_what_others_share():
    with served() as house:
        tacit, ann = house.tacit, house.key("write", user="ann")
        persons = tacit.remember(PERSONS, **SHOP).id
        for number in range(60):
            body = _note(number, pinned=True, **LOUD) | {"scope": "user", "scope_id": "ann"}
            assert house.client.post("/v1/memories", json=body, headers=ann).status_code == 201
        path = f"/v1/memories/{persons}/irrelevant"
        assert house.client.post(path, json={"text": ASKED}, headers=ann).status_code == 201
        assert PERSONS in _turn(tacit, user="bob", ambient_enabled=True).block
