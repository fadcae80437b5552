"""The contract of a store: what every backend must do, row by row."""

import struct
import threading
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.changes import AuditEntry, Review
from tacit.core.errors import AlreadyKnown, InvalidInput, StoreBusy, StoreClosed
from tacit.core.kinds import Action, Actor, MemoryType, Relation, Scope, Sort, State
from tacit.core.memory import Association
from tacit.core.times import to_micros
from tacit.core.vectors import EmbeddingModel
from tacit.language.terms import pack_term_codes
from tacit.runtime.workers import is_time_over, run_with_limit
from tacit.store.index import IndexedMemory
from tacit.store.query import Query
from tests.properties import examples
from tests.support import BACKENDS, START, changed_in, make_memory, next_id, open_backend

MODEL = EmbeddingModel("tiny", 3, "a")


def _keep(store, *memories, workspace="default"):
    with store.write(workspace) as unit:
        for memory in memories:
            unit.memories.insert(replace(memory, workspace=workspace))


def _found(store, workspace="default", **filters):
    with store.read(workspace) as unit:
        return [memory.id for memory in unit.memories.find(Query(now=START, **filters))]


def test_a_memory_comes_back_with_every_field_it_had(store):
    memory = make_memory(
        "Ship by Friday",
        type="todo",
        key="release.date",
        importance=0.25,
        confidence=0.5,
        scope="project",
        scope_id="shop",
        agent="coder",
        origin={"session": "s", "ordinal": 7, "speaker": "Ann", "time": START, "url": "http://x"},
        trust="untrusted",
        tags=["a", "b"],
        metadata={"nested": {"n": [1, 2.5, None, True, "ü"]}},
        pinned=True,
        valid_from=START,
        valid_to=START + timedelta(days=1),
        expires_at=START + timedelta(microseconds=1),
        by="agent",
    )
    _keep(store, memory)
    with store.read("default") as unit:
        assert unit.memories.get([memory.id]) == {memory.id: memory}


def test_an_update_replaces_every_field(store):
    old = make_memory("before", tags=["x"], metadata={"a": 1})
    new = replace(
        make_memory("after", id=old.id, type="goal", scope="org"), forgotten=True, access_count=3
    )
    _keep(store, old)
    with store.write("default") as unit:
        unit.memories.update(new)
    with store.read("default") as unit:
        assert unit.memories.get([old.id]) == {old.id: new}


def test_an_id_is_taken_once(store):
    memory = make_memory("one")
    _keep(store, memory)
    with pytest.raises(AlreadyKnown):
        _keep(store, make_memory("two", id=memory.id))
    assert _found(store) == [memory.id]


def test_the_same_statement_is_held_once_unless_it_was_superseded(store):
    first = make_memory("same words")
    _keep(store, first)
    with pytest.raises(AlreadyKnown):
        _keep(store, make_memory("same words"))
    with store.write("default") as unit:
        unit.memories.update(replace(first, superseded_by=next_id()))
    second = make_memory("same words")
    _keep(store, second)
    with store.read("default") as unit:
        assert unit.memories.same(second.content_hash).id == second.id


def test_an_update_cannot_take_the_words_of_another(store):
    one, two = make_memory("one"), make_memory("two")
    _keep(store, one, two)
    with pytest.raises(AlreadyKnown), store.write("default") as unit:
        unit.memories.update(replace(two, content="one"))
    with store.read("default") as unit:
        assert unit.memories.get([two.id])[two.id].content == "two"


def test_a_failed_transaction_leaves_nothing(store):
    kept = make_memory("kept")
    _keep(store, kept)
    with pytest.raises(ZeroDivisionError), store.write("default") as unit:
        memory = make_memory("lost")
        unit.memories.insert(memory)
        unit.texts.put(memory.id, ["lost"])
        unit.vectors.put(memory.id, MODEL, [1, 0, 0])
        unit.audit.append([_entry(memory.id)])
        unit.memories.delete(kept.id)
        raise ZeroDivisionError
    with store.read("default") as unit:
        assert [memory.id for memory in unit.memories.find(Query(now=START))] == [kept.id]
        assert list(changed_in(unit, 0, MODEL)) == []
        assert unit.vectors.models() == []
        assert unit.audit.scan(None, 10) == []


def test_a_reader_sees_one_moment_however_long_it_reads(store):
    _keep(store, make_memory("first"))
    with store.read("default") as unit:
        before = len(unit.memories.find(Query(now=START)))
        writer = threading.Thread(target=_keep, args=(store, make_memory("second")))
        writer.start()
        writer.join()
        assert len(unit.memories.find(Query(now=START))) == before == 1
    assert len(_found(store)) == 2


def test_workspaces_see_nothing_of_each_other(store):
    mine, theirs = make_memory("secret"), make_memory("secret")
    _keep(store, mine, workspace="mine")
    _keep(store, theirs, workspace="theirs")
    with store.write("mine") as unit:
        unit.texts.put(mine.id, ["secret"])
        unit.vectors.put(mine.id, MODEL, [1, 0, 0])
        unit.audit.append([_entry(mine.id)])
        unit.reviews.add(_review(mine.id))
    with store.write("theirs") as unit:
        assert unit.memories.get([mine.id]) == {}
        assert unit.memories.same(mine.content_hash).id == theirs.id
        assert unit.memories.ending(mine.id[-6:], 5) == []
        assert unit.texts.of([mine.id]) == {}
        assert [each.id for each in changed_in(unit, 0, MODEL)] == []
        assert unit.vectors.get([mine.id], MODEL) == {}
        assert unit.audit.of(mine.id) == unit.audit.scan(None, 9) == unit.reviews.pending(None, 9)
        unit.memories.update(replace(mine, content="stolen"))
        unit.memories.count_access([mine.id], START)
        unit.texts.put(mine.id, ["stolen"])
        unit.vectors.discard(mine.id)
        unit.vectors.put(mine.id, MODEL, [0, 1, 0])
        unit.audit.blank(mine.id)
        unit.reviews.remove(mine.id)
        unit.memories.delete(mine.id)
    with store.read("mine") as unit:
        assert unit.memories.get([mine.id])[mine.id].content == "secret"
        assert unit.memories.get([mine.id])[mine.id].access_count == 0
        assert unit.texts.of([mine.id]) == {mine.id: pack_term_codes(["secret"])}
        assert [each.id for each in changed_in(unit, 0, MODEL)] == [mine.id]
        assert unit.removed(0) == []
        assert unit.vectors.get([mine.id], MODEL) == {mine.id: (1, 0, 0)}
        assert unit.audit.of(mine.id)[0].new == {"content": "x"}
        assert len(unit.reviews.pending(None, 9)) == 1


def test_a_workspace_nobody_wrote_to_is_empty(store):
    _keep(store, make_memory("x"))
    assert _found(store, "nobody") == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {"plain", "pinned", "agent", "project", "keyed"}),
        ({"state": None}, {"plain", "pinned", "agent", "project", "keyed", "gone", "past", "soon"}),
        ({"state": State.FORGOTTEN}, {"gone"}),
        ({"state": State.PAST}, {"past"}),
        ({"state": State.FUTURE}, {"soon"}),
        ({"types": (MemoryType.GOAL, MemoryType.TODO)}, {"pinned", "project"}),
        ({"types": ()}, set()),
        ({"scope": Scope.PROJECT}, {"project"}),
        ({"scope": Scope.PROJECT, "scope_id": "other"}, set()),
        ({"scope_id": ""}, {"plain", "pinned", "agent", "keyed"}),
        ({"agent": "coder"}, {"plain", "pinned", "agent", "project", "keyed"}),
        ({"agent": "writer"}, {"plain", "pinned", "project", "keyed"}),
        ({"key": "a.b"}, {"keyed"}),
        ({"tag": "t"}, {"keyed"}),
        ({"pinned": True}, {"pinned"}),
        ({"pinned": False}, {"plain", "agent", "project", "keyed"}),
    ],
)
def test_filters_hold_together(store, filters, expected):
    day = timedelta(days=1)
    _keep(
        store,
        make_memory("plain"),
        make_memory("pinned", type="goal", pinned=True),
        make_memory("agent", agent="coder"),
        make_memory("project", type="todo", scope="project", scope_id="shop"),
        make_memory("keyed", key="a.b", tags=["s", "t"]),
        make_memory("gone", forgotten=True, superseded_by=next_id()),
        make_memory("past", valid_to=START),
        make_memory("soon", valid_from=START + day),
    )
    with store.read("default") as unit:
        found = unit.memories.find(Query(now=START, **filters))
    assert {memory.content for memory in found} == expected


@pytest.mark.parametrize(
    ("owners", "expected"),
    [
        (None, {"nobody", "ann", "bob", "shop", "odd"}),
        ((), set()),
        (((Scope.USER, ""),), {"nobody"}),
        (((Scope.USER, "ann"),), {"ann"}),
        (((Scope.PROJECT, "ann"), (Scope.ORG, "")), set()),
        (
            ((Scope.USER, "ann"), (Scope.PROJECT, "shop"), (Scope.USER, "")),
            {"nobody", "ann", "shop"},
        ),
        (((Scope.USER, "a:b'\"%"),), {"odd"}),
        (((Scope.USER, "ANN"), (Scope.USER, "an"), (Scope.USER, "a%")), set()),
    ],
)
def test_only_what_belongs_to_the_owners_is_seen(store, owners, expected):
    _keep(
        store,
        make_memory("nobody"),
        make_memory("ann", scope_id="ann"),
        make_memory("bob", scope_id="bob"),
        make_memory("shop", scope="project", scope_id="shop"),
        make_memory("odd", scope_id="a:b'\"%"),
    )
    with store.read("default") as unit:
        found = unit.memories.find(Query(now=START, owners=owners))
    assert {memory.content for memory in found} == expected


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"keyed": True}, {"keyed", "pinned and keyed", "another's"}),
        ({"keyed": False}, {"keyed", "pinned and keyed", "another's", "plain", "pinned"}),
        ({"keyed": True, "pinned": True}, {"pinned and keyed"}),
        ({"keyed": True, "pinned": False}, {"keyed", "another's"}),
        ({"keyed": True, "owners": ()}, set()),
        ({"keyed": True, "owners": ((Scope.USER, ""),)}, {"keyed", "pinned and keyed"}),
        ({"keyed": True, "scope": Scope.PROJECT}, {"another's"}),
        ({"keyed": True, "scope": Scope.PROJECT, "owners": ((Scope.PROJECT, "x"),)}, set()),
        ({"key": "a.b", "owners": ((Scope.PROJECT, "shop"),)}, {"another's"}),
        ({"pinned": True, "owners": ((Scope.PROJECT, "shop"),)}, set()),
    ],
)
def test_keys_pins_and_owners_hold_together(store, filters, expected):
    _keep(
        store,
        make_memory("plain"),
        make_memory("pinned", pinned=True),
        make_memory("keyed", key="a.b"),
        make_memory("pinned and keyed", key="c.d", pinned=True),
        make_memory("another's", key="a.b", scope="project", scope_id="shop"),
        make_memory("gone", key="a.b", forgotten=True),
    )
    with store.read("default") as unit:
        found = unit.memories.find(Query(now=START, **filters))
    assert {memory.content for memory in found} == expected


def test_trusted_memories_of_three_types_may_be_standing_rules(store):
    _keep(
        store,
        make_memory("constraint", type="constraint", importance=0.5),
        make_memory("preference", type="preference", importance=0.9),
        make_memory("identity", type="identity", importance=0.7),
        make_memory("fact"),
        make_memory("an agent's", type="constraint", by="agent"),
        make_memory("gone", type="constraint", forgotten=True),
        make_memory("another's", type="constraint", scope_id="ann"),
    )
    own = {"scope": Scope.USER, "scope_id": ""}
    query = Query(now=START, standing=True, sort=Sort.IMPORTANCE, **own)
    with store.read("default") as unit:
        found = unit.memories.find(query)
        first = unit.memories.find(replace(query, limit=1))
    assert [memory.content for memory in found] == ["preference", "identity", "constraint"]
    assert first == found[:1]


def test_keyed_memories_come_in_order_and_up_to_the_limit(store):
    memories = [
        make_memory(f"value {n}", key=f"key.{n}", updated_at=START + timedelta(seconds=n % 3))
        for n in range(7)
    ]
    _keep(store, make_memory("plain"), *memories)
    newest = sorted(memories, key=lambda each: (each.updated_at, each.id), reverse=True)
    assert _found(store, keyed=True, limit=5) == [memory.id for memory in newest[:5]]


def _claim(store, workspace="default", **claims):
    """Memories by name, each with its claims."""
    memories = {name: make_memory(name) for name in claims}
    _keep(store, *memories.values(), workspace=workspace)
    with store.write(workspace) as unit:
        for name, claimed in claims.items():
            unit.claims.put(memories[name].id, claimed)
    return memories


def test_rivals_are_those_that_share_a_claim(store):
    held = _claim(store, a=["x", "y"], b=["y", "z"], c=["z"], d=["w"], e=["x", "y"])
    a, b, c, d, e = (memory.id for memory in held.values())
    with store.read("default") as unit:
        assert unit.claims.rivals([a], 9) == [(a, b), (a, e)]
        assert unit.claims.rivals([c, a], 9) == [(a, b), (a, e), (c, b)]
        assert unit.claims.rivals([c, a, a], 2) == [(a, b), (a, e)]
        assert unit.claims.rivals([d, next_id()], 9) == unit.claims.rivals([], 9) == []
        assert unit.claims.rivals([a, b], 9) == [(a, b), (a, e), (b, a), (b, c), (b, e)]
        assert (e, a) in unit.claims.rivals([e], 9)


def test_claims_are_kept_until_they_are_cleared(store):
    held = _claim(store, a=["x"], b=["x"], c=["y"])
    a, b, c = (memory.id for memory in held.values())
    with store.write("default") as unit:
        unit.claims.clear(a)
        unit.claims.put(a, ["y", "y", "日本\x1f"])
        unit.claims.put(next_id(), ["y"])
        assert unit.claims.rivals([a, b], 9) == [(a, c)]
        unit.claims.put(a, ["x"])
        assert unit.claims.rivals([a], 9) == [(a, b), (a, c)]
        unit.claims.clear(a)
        assert unit.claims.rivals([a, b, c], 9) == []


def test_what_is_no_longer_said_is_no_ones_rival(store):
    held = _claim(store, asked=["x"], forgotten=["x"], superseded=["x"], erased=["x"], live=["x"])
    asked, live = held["asked"].id, held["live"].id
    with store.write("default") as unit:
        unit.memories.update(replace(held["forgotten"], forgotten=True))
        unit.memories.update(replace(held["superseded"], superseded_by=live))
        unit.memories.delete(held["erased"].id)
        assert unit.claims.rivals([asked], 9) == [(asked, live)]
        unit.memories.update(held["forgotten"])
        assert unit.claims.rivals([asked], 9) == [(asked, held["forgotten"].id), (asked, live)]


def test_claims_do_not_meet_across_workspaces(store):
    mine = _claim(store, "mine", a=["x"], b=["x"])["a"].id
    theirs = _claim(store, "theirs", c=["x"])["c"].id
    with store.write("theirs") as unit:
        assert unit.claims.rivals([theirs, mine], 9) == []
        unit.claims.clear(mine)
    with store.read("mine") as unit:
        assert len(unit.claims.rivals([mine], 9)) == 1


@pytest.mark.parametrize("sort", list(Sort))
def test_pages_in_every_order_put_together_are_the_whole_list(store, sort):
    memories = [
        make_memory(
            f"number {n}",
            importance=n % 3 / 2,
            access_count=n % 4,
            updated_at=START + timedelta(seconds=n % 5),
        )
        for n in range(23)
    ]
    _keep(store, *memories)
    whole = _found(store, sort=sort)
    places = {
        Sort.RECENT: lambda each: (each.updated_at, each.id),
        Sort.IMPORTANCE: lambda each: (each.importance, each.id),
        Sort.MOST_ACCESSED: lambda each: (each.access_count, each.id),
        Sort.CREATED: lambda each: each.id,
    }
    ordered = sorted(memories, key=places[sort], reverse=sort is not Sort.CREATED)
    assert whole == [memory.id for memory in ordered]
    pages, last = [], None
    while page := _found(store, sort=sort, limit=4, after=last):
        pages += page
        last = page[-1]
    assert pages == whole


@pytest.mark.slow
@settings(max_examples=examples(10))
@given(data=st.data())
def test_the_state_of_a_memory_is_the_same_in_every_backend(data, tmp_path_factory):
    moments = st.none() | st.sampled_from([START + timedelta(days=day) for day in (-1, 0, 1)])
    memory = make_memory(
        "x",
        forgotten=data.draw(st.booleans()),
        superseded_by=data.draw(st.sampled_from([None, next_id()])),
    )
    memory = replace(
        memory,
        valid_from=data.draw(moments),
        valid_to=data.draw(moments),
        expires_at=data.draw(moments),
    )
    for backend in BACKENDS:
        store = open_backend(backend, tmp_path_factory.mktemp("store"))
        _keep(store, memory)
        states = [state for state in State if _found(store, state=state) == [memory.id]]
        store.close()
        assert states == [memory.state(START)]


def test_counting_an_access_changes_nothing_else(store):
    memory, other = make_memory("x"), make_memory("y")
    _keep(store, memory, other)
    later = START + timedelta(days=3)
    with store.write("default") as unit:
        unit.memories.count_access([memory.id], START)
        unit.memories.count_access([memory.id], later)
    with store.read("default") as unit:
        found = unit.memories.get([memory.id, other.id])
        assert found[memory.id] == replace(memory, access_count=2, last_accessed_at=later)
        assert found[other.id] == other
        assert unit.audit.scan(None, 10) == []


def test_terms_are_kept_until_they_are_replaced(store):
    memory, other = make_memory("x"), make_memory("y")
    _keep(store, memory, other)
    with store.write("default") as unit:
        unit.texts.put(memory.id, ["jwt", "token", "日本"])
        unit.texts.put(other.id, [])
        unit.texts.put(memory.id, ["jwt", "本語", "jwt"])
        unit.texts.put(next_id(), ["nobody"])
    with store.read("default") as unit:
        expected = {memory.id: pack_term_codes(["jwt", "本語", "jwt"]), other.id: b""}
        assert unit.texts.of([memory.id, other.id, next_id()]) == expected


def test_every_change_that_search_must_know_has_a_later_revision(store):
    memory, other = make_memory("x"), make_memory("y")

    def changed(after):
        with store.read("default") as unit:
            ids = [each.id for each in changed_in(unit, after, MODEL)]
            return unit.revision(), ids, unit.removed(after)

    assert changed(0) == (0, [], [])
    with store.write("default") as unit:
        for each in (memory, other):
            unit.memories.insert(each)
            unit.texts.put(each.id, ["x"])
    first, ids, _ = changed(0)
    assert ids == [memory.id, other.id]
    assert changed(first)[1] == []
    with store.write("default") as unit:
        unit.vectors.put(other.id, MODEL, [1, 0, 0])
    second, ids, _ = changed(first)
    assert ids == [other.id]
    with store.write("default") as unit:
        unit.memories.update(replace(memory, forgotten=True))
    third, ids, _ = changed(second)
    assert ids == [memory.id]
    with store.write("default") as unit:
        unit.memories.delete(other.id)
    fourth, ids, gone = changed(third)
    assert (ids, gone) == ([], [other.id])
    assert first < second < third < fourth
    assert changed(0)[1:] == ([memory.id], [other.id])


def test_search_is_told_all_it_needs_of_a_memory(store):
    memory = make_memory(
        "x",
        type="goal",
        scope="project",
        scope_id="shop",
        agent="coder",
        confidence=0.5,
        importance=0.25,
        origin={"session": "s", "ordinal": 7, "speaker": "Ann"},
        valid_from=START,
        expires_at=START + timedelta(days=1),
        superseded_by=next_id(),
    )
    _keep(store, memory)
    with store.write("default") as unit:
        unit.texts.put(memory.id, ["x"])
        unit.vectors.put(memory.id, MODEL, [1, 0, 0.5])
    with store.read("default") as unit:
        (seen,) = changed_in(unit, 0, MODEL)
        (blind,) = changed_in(unit, 0, None)
    day = 86_400_000_000
    assert seen == IndexedMemory(
        id=memory.id,
        type="goal",
        scope="project",
        scope_id="shop",
        agent="coder",
        confidence=0.5,
        importance=0.25,
        trust="trusted",
        updated_at=to_micros(START),
        valid_from=to_micros(START),
        valid_to=None,
        expires_at=to_micros(START) + day,
        superseded=True,
        forgotten=False,
        session="s",
        ordinal=7,
        speaker="Ann",
        terms=pack_term_codes(["x"]),
        vector=struct.pack("<3e", 1, 0, 0.5),
    )
    assert blind == seen._replace(vector=None)


def test_vectors_are_kept_per_model_and_memory(store):
    memory, other = make_memory("x"), make_memory("y")
    newer = EmbeddingModel("tiny", 3, "b")
    _keep(store, memory, other)
    with store.write("default") as unit:
        unit.vectors.put(memory.id, MODEL, [0.5, -0.25, 1])
        unit.vectors.put(memory.id, MODEL, [0.5, 0.25, 1])
        unit.vectors.put(memory.id, newer, [0, 1, 0])
    with store.write("default") as unit:
        assert unit.vectors.get([memory.id, other.id], MODEL) == {memory.id: (0.5, 0.25, 1)}
        assert unit.vectors.get([memory.id], newer) == {memory.id: (0, 1, 0)}
        assert unit.vectors.models() == [MODEL, newer]
        assert unit.vectors.missing(MODEL, 9) == [other.id]
        assert (
            unit.vectors.lacking(MODEL),
            unit.vectors.lacking(EmbeddingModel("none", 3, "")),
        ) == (1, 2)
        assert unit.vectors.missing(EmbeddingModel("none", 3, ""), 9) == [memory.id, other.id]
        unit.vectors.discard(memory.id)
        assert unit.vectors.models() == []


@pytest.mark.parametrize("vector", [[1, 2], [1, 2, 3, 4], [1, 2, float("nan")], [1e9, 0, 0]])
def test_a_vector_that_cannot_be_kept_is_refused(store, vector):
    memory = make_memory("x")
    _keep(store, memory)
    with pytest.raises(InvalidInput, match="vector"), store.write("default") as unit:
        unit.vectors.put(memory.id, MODEL, vector)


def test_associations_are_unique_and_a_repeat_changes_the_weight(store):
    a, b = make_memory("a"), make_memory("b")
    _keep(store, a, b)
    edge = Association(source=a.id, target=b.id, relation=Relation.UPDATES, weight=0.25)
    back = Association(source=b.id, target=a.id)
    with store.write("default") as unit:
        unit.associations.put(edge)
        unit.associations.put(replace(edge, weight=0.75))
        unit.associations.put(back)
    with store.write("default") as unit:
        assert unit.associations.of(a.id) == [replace(edge, weight=0.75), back]
        assert unit.associations.of(b.id) == unit.associations.of(a.id)
        assert unit.associations.get(a.id, b.id, Relation.PART_OF) is None
        assert unit.associations.scan(None, 1) == [replace(edge, weight=0.75)]
        assert unit.associations.scan(edge, 9) == [back]
        unit.associations.remove(back)
        assert unit.associations.within([b.id, next_id()], 1, ()) == [replace(edge, weight=0.75)]
        assert unit.associations.clear(b.id) == 1
        assert unit.associations.of(a.id) == []


def test_a_forgotten_neighbour_is_not_shown_and_a_deleted_one_takes_its_edges_along(store):
    a, b, c = make_memory("a"), make_memory("b"), make_memory("c")
    _keep(store, a, b, c)
    hidden, doomed = Association(source=a.id, target=b.id), Association(source=c.id, target=a.id)
    with store.write("default") as unit:
        unit.associations.put(hidden)
        unit.associations.put(doomed)
        unit.memories.update(replace(b, forgotten=True))
        assert unit.associations.of(a.id) == [doomed]
        unit.memories.delete(c.id)
        assert unit.associations.of(a.id) == []
        unit.memories.update(b)
        assert unit.associations.of(a.id) == [hidden]


def test_deleting_a_memory_removes_its_terms_and_vectors(store):
    memory = make_memory("x")
    _keep(store, memory)
    with store.write("default") as unit:
        unit.texts.put(memory.id, ["x"])
        unit.vectors.put(memory.id, MODEL, [1, 0, 0])
        unit.memories.delete(memory.id)
        assert unit.memories.get([memory.id]) == {}
        assert unit.texts.of([memory.id]) == {}
        assert unit.vectors.models() == []


def test_audit_rows_are_added_once_and_blanked_on_request(store):
    memory, other = next_id(), next_id()
    first, second, foreign = _entry(memory), _entry(memory), _entry(other)
    with store.write("default") as unit:
        assert unit.audit.append([second, first, foreign]) == 3
        assert unit.audit.append([replace(first, by=Actor.TOOL)]) == 0
        assert unit.audit.of(memory) == [first, second]
        assert unit.audit.scan(first.id, 1) == [second]
        assert unit.audit.blank(memory) == 2
        assert unit.audit.blank(memory) == 0
        assert unit.audit.of(memory) == [replace(first, new=None), replace(second, new=None)]
        assert unit.audit.of(other) == [foreign]


def test_what_no_person_replaced_or_forgot_is_paged_latest_first(store):
    memory = next_id()
    made = [
        replace(_entry(memory), action=action, by=by, at=START + timedelta(hours=hours))
        for action, by, hours in (
            (Action.SUPERSEDE, Actor.SYSTEM, 3),
            (Action.FORGET, Actor.AGENT, 1),
            (Action.SUPERSEDE, Actor.IMPORT, 1),
            (Action.SUPERSEDE, Actor.USER, 2),
            (Action.FORGET, Actor.OPERATOR, 2),
            (Action.UPDATE, Actor.SYSTEM, 2),
        )
    ]
    gone = replace(_entry(next_id()), action=Action.FORGET, by=Actor.SYSTEM)
    with store.write("default") as unit:
        unit.audit.append([*made, gone])
        unit.audit.blank(gone.memory)
    latest, first, second = made[:3]
    with store.read("default") as unit:
        assert unit.audit.automatic(None, 2) == [latest, second]
        assert unit.audit.automatic((second.at, second.id), 2) == [first]
        assert unit.audit.automatic((first.at, first.id), 2) == []
        assert unit.audit.get(first.id) == first
        assert unit.audit.get(next_id()) is None
    with store.read("other") as unit:
        assert unit.audit.automatic(None, 9) == []
        assert unit.audit.get(first.id) is None


def test_what_expired_and_no_person_wrote_is_paged_latest_first(store):
    ends = {"early": 1, "late": 2, "to come": 9}
    fading = {
        name: make_memory(name, by="agent", expires_at=START + timedelta(hours=hours))
        for name, hours in ends.items()
    }
    hour = START + timedelta(hours=1)
    others = [
        make_memory("written", expires_at=hour),
        make_memory("forgotten", by="agent", expires_at=hour, forgotten=True),
        make_memory("replaced", by="agent", expires_at=hour, superseded_by=next_id()),
        make_memory("lasting", by="agent"),
    ]
    with store.write("default") as unit:
        for memory in (*fading.values(), *others):
            unit.memories.insert(memory)
    early, late, _ = fading.values()
    now = START + timedelta(hours=5)
    with store.read("default") as unit:
        assert unit.memories.expired(now, None, 9) == [late, early]
        assert unit.memories.expired(now, None, 1) == [late]
        assert unit.memories.expired(now, (late.expires_at, late.id), 9) == [early]


def test_reviews_wait_in_order_and_the_same_wish_is_recognised(store):
    memory = next_id()
    first, second = _review(memory), _review(memory, change={"b": 1, "a": [2]})
    again = _review(memory, change={"a": [2], "b": 1})
    with store.write("default") as unit:
        unit.reviews.add(second)
        unit.reviews.add(first)
        assert unit.reviews.same(again) == second
        assert unit.reviews.same(replace(again, by=Actor.TOOL)) is None
        assert unit.reviews.pending(None, 9) == [first, second]
        assert unit.reviews.pending(first.id, 9) == [second]
        assert unit.reviews.remove(memory) == 2
        assert unit.reviews.pending(None, 9) == []


def test_a_review_is_found_by_its_id_and_dropped_once(store):
    memory = next_id()
    first, second, foreign = (_review(each) for each in (memory, memory, next_id()))
    second = replace(second, change={"content": "x"})
    with store.write("default") as unit:
        for review in (second, foreign, first):
            unit.reviews.add(review)
        assert unit.reviews.get(first.id) == first
        assert unit.reviews.about(memory) == [first, second]
        assert unit.reviews.drop(first.id) is True
        assert unit.reviews.drop(first.id) is False
        assert unit.reviews.get(first.id) is None
        assert unit.reviews.about(memory) == [second]
    with store.write("other") as unit:
        assert unit.reviews.get(second.id) is None
        assert unit.reviews.about(memory) == []
        assert unit.reviews.drop(second.id) is False
    with store.read("default") as unit:
        assert unit.reviews.pending(None, 9) == [second, foreign]


def test_ids_can_be_found_by_their_ending(store):
    memory = make_memory("x", id="01890a5d-ac96-7000-8000-0000deadbeef")
    _keep(store, memory, make_memory("y", id="01890a5d-ac96-7000-8000-0001deadbeef"))
    with store.read("default") as unit:
        assert unit.memories.ending("0000deadbeef", 2) == [memory.id]
        assert len(unit.memories.ending("deadbeef", 2)) == 2
        assert unit.memories.ending("%", 2) == []


def test_counts_tell_what_is_there(store):
    live, gone = make_memory("live", type="goal"), make_memory("gone", forgotten=True)
    _keep(store, live, gone)
    with store.write("default") as unit:
        unit.texts.put(live.id, ["live"])
        unit.vectors.put(live.id, MODEL, [1, 0, 0])
        unit.associations.put(Association(source=live.id, target=gone.id))
        unit.audit.append([_entry(live.id)])
        unit.reviews.add(_review(live.id))
        counts = unit.counts(START)
    assert counts.by_state == {State.LIVE: 1, State.FORGOTTEN: 1}
    assert counts.by_type == {MemoryType.GOAL: 1}
    assert counts.by_scope == {Scope.USER: 1}
    assert counts.associations == counts.audit_entries == counts.reviews == counts.indexed == 1
    assert counts.vectors == {"tiny (3, a)": 1}


def test_closing_twice_is_closing_once_and_ends_it(store):
    store.close()
    store.close()
    for call in (store.read, store.write):
        with pytest.raises(StoreClosed, match="closed"), call("default"):
            pass


def _entry(memory):
    return AuditEntry(
        id=next_id(),
        memory=memory,
        action=Action.INSERT,
        by=Actor.USER,
        at=START,
        new={"content": "x"},
    )


def _review(memory, change=None):
    return Review(
        id=next_id(),
        memory=memory,
        action=Action.UPDATE,
        change=change or {},
        by=Actor.AGENT,
        created_at=START,
    )


def test_a_writer_waits_for_another_no_longer_than_somebody_waits_for_it(store):
    def write():
        with store.write("default"):
            pass

    with store.write("default"), pytest.raises(StoreBusy):
        run_with_limit(write, time.monotonic() + 0.05)


def test_what_is_written_when_nobody_waits_for_it_any_more_is_rolled_back(store):
    def write():
        with store.write("default") as unit:
            unit.memories.insert(make_memory())
            while not is_time_over():
                time.sleep(0.001)

    with store.write("default"):
        pass  # connecting takes its time on a busy machine
    with pytest.raises(StoreBusy, match="nothing was changed"):
        run_with_limit(write, time.monotonic() + 2)
    assert _found(store) == []
