"""The contract of a unit that has just written: whatever it asks, it sees what it wrote."""

from dataclasses import replace

import pytest

from tacit.core.changes import AuditEntry
from tacit.core.errors import AlreadyKnown
from tacit.core.kinds import Action, Actor, Sort, State
from tacit.core.marks import Mark
from tacit.core.memory import Association
from tacit.core.vectors import EmbeddingModel
from tacit.language.terms import pack_term_codes
from tacit.store.query import Query
from tests.support import START, changed_in, make_memory, next_id

MODEL = EmbeddingModel("tiny", 3, "a")
EVERYTHING = Query(now=START, sort=Sort.CREATED)


@pytest.fixture
def unit(store):
    with store.write("default") as unit:
        yield unit


def _entry(memory):
    return AuditEntry(
        id=next_id(), memory=memory.id, action=Action.INSERT, by=Actor.USER, at=START, new={"a": 1}
    )


NOBODY = "01890a5d-ac96-774b-bcce-b302099a8057"


def _write(unit, content="it rains", **fields):
    """A memory with everything that is written together with it."""
    memory = make_memory(content, **fields)
    unit.memories.insert(memory)
    unit.texts.put(memory.id, ["rain"])
    unit.claims.put(memory.id, ["weather"])
    unit.vectors.put(memory.id, MODEL, [1, 0, 0.5])
    unit.audit.record(_entry(memory))
    return memory


READS = {
    "get": lambda unit, memory: unit.memories.get([memory.id]) == {memory.id: memory},
    "same": lambda unit, memory: unit.memories.same(memory.content_hash) == memory,
    "same_as": lambda unit, memory: list(unit.memories.same_as([memory.content_hash])),
    "ending": lambda unit, memory: unit.memories.ending(memory.id[-9:], 9) == [memory.id],
    "find": lambda unit, memory: unit.memories.find(EVERYTHING) == [memory],
    "known": lambda unit, memory: unit.memories.known([memory.id, NOBODY]) == {memory.id},
    "withdrawn": lambda unit, memory: unit.memories.withdrawn([memory.id]) == set(),
    "terms": lambda unit, memory: (
        unit.texts.of([memory.id]) == {memory.id: pack_term_codes(["rain"])}
    ),
    "vector": lambda unit, memory: list(unit.vectors.get([memory.id], MODEL)) == [memory.id],
    "vectors": lambda unit, memory: unit.vectors.scan(MODEL, None, 9) == [(memory.id, (1, 0, 0.5))],
    "models": lambda unit, memory: unit.vectors.models() == [MODEL],
    "lacking": lambda unit, memory: unit.vectors.lacking(EmbeddingModel("other", 3, "")) == 1,
    "missing": lambda unit, memory: (
        unit.vectors.missing(EmbeddingModel("other", 3, ""), 9) == [memory.id]
    ),
    "audit": lambda unit, memory: len(unit.audit.of(memory.id)) == 1,
    "all audit": lambda unit, memory: len(unit.audit.scan(None, 9)) == 1,
    "blanked": lambda unit, memory: unit.audit.blank(memory.id) == 1,
    "changed": lambda unit, memory: [each.id for each in changed_in(unit, 0, MODEL)] == [memory.id],
    "vector changed": lambda unit, memory: changed_in(unit, 0, MODEL)[0].vector,
    "counts": lambda unit, memory: unit.counts(START).by_state == {State.LIVE: 1},
    "audit count": lambda unit, memory: unit.counts(START).audit_entries == 1,
    "text count": lambda unit, memory: unit.counts(START).indexed == 1,
    "vector count": lambda unit, memory: unit.counts(START).vectors == {"tiny (3, a)": 1},
}


@pytest.mark.parametrize("read", READS.values(), ids=READS.keys())
def test_a_read_sees_what_was_just_written(unit, read):
    assert read(unit, _write(unit))


def test_rivals_are_found_among_what_was_just_written(unit):
    one, other = _write(unit, "it rains"), _write(unit, "it snows")
    assert unit.claims.rivals([one.id], 9) == [(one.id, other.id)]


def test_what_was_just_written_can_be_referred_to(unit):
    one, other = _write(unit, "it rains"), _write(unit, "it snows")
    edge = Association(source=one.id, target=other.id)
    unit.associations.put(edge)
    unit.marks.add(Mark(id=next_id(), memory=one.id, terms=b"", at=START))
    assert unit.associations.of(other.id) == [edge]
    assert len(unit.marks.of([one.id])) == 1


def test_what_was_just_written_can_be_changed_and_removed(unit):
    memory = _write(unit)
    unit.memories.update(replace(memory, content="it snows"))
    assert unit.memories.same(memory.content_hash) is None
    assert unit.memories.get([memory.id])[memory.id].content == "it snows"
    unit.memories.count_access([memory.id], START)
    assert unit.memories.get([memory.id])[memory.id].access_count == 1
    unit.vectors.discard(memory.id)
    unit.claims.clear(memory.id)
    assert unit.vectors.models() == []
    unit.memories.delete(memory.id)
    assert unit.memories.get([memory.id]) == {}
    assert unit.texts.of([memory.id]) == {}


def test_what_is_written_twice_counts_as_it_was_written_last(unit):
    memory = _write(unit)
    other = _write(unit, "it snows")
    unit.texts.put(memory.id, ["snow", "snow"])
    unit.vectors.put(memory.id, MODEL, [0, 1, 0])
    unit.claims.put(memory.id, ["season"])
    unit.claims.put(other.id, ["season"])
    unit.claims.clear(memory.id)
    unit.claims.put(memory.id, ["season"])
    assert unit.texts.of([memory.id]) == {memory.id: pack_term_codes(["snow", "snow"])}
    assert unit.vectors.get([memory.id], MODEL) == {memory.id: (0, 1, 0)}
    assert unit.claims.rivals([memory.id], 9) == [(memory.id, other.id)]


@pytest.mark.parametrize("twin", ["id", "content"])
def test_the_same_twice_is_refused_before_the_unit_has_ended(store, twin):
    memory = make_memory("it rains")
    with pytest.raises(AlreadyKnown), store.write("default") as unit:
        unit.memories.insert(memory)
        if twin == "id":
            unit.memories.insert(make_memory("it snows", id=memory.id))
        else:
            unit.memories.insert(make_memory("it rains"))
    with store.read("default") as unit:
        assert unit.memories.find(EVERYTHING) == []


def test_many_are_all_there_in_the_end_each_with_what_is_its_own(store):
    with store.write("default") as unit:
        written = [make_memory(f"note {number}", tags=[str(number)] * 2) for number in range(300)]
        for number, memory in enumerate(written):
            unit.memories.insert(memory)
            unit.texts.put(memory.id, [f"term{number}"] * (number % 3))
            unit.vectors.put(memory.id, MODEL, [number, 0, 0])
    with store.read("default") as unit:
        ids = [memory.id for memory in written]
        assert unit.memories.get(ids) == {memory.id: memory for memory in written}
        assert unit.texts.of(ids) == {
            id: pack_term_codes([f"term{number}"] * (number % 3)) for number, id in enumerate(ids)
        }
        assert unit.vectors.get(ids, MODEL) == {id: (number, 0, 0) for number, id in enumerate(ids)}


def test_a_vector_for_an_older_memory_is_told_to_those_who_search(store):
    with store.write("default") as unit:
        memories = [_write(unit, "it rains"), _write(unit, "it snows")]
        before = unit.revision()
    with store.write("default") as unit:
        for memory in memories:
            unit.vectors.put(memory.id, MODEL, [0, 1, 0])
        _write(unit, "it thaws")
    with store.read("default") as unit:
        assert len(changed_in(unit, before, MODEL)) == 3


def test_identities_can_be_asked_for_together(store):
    kept, other = make_memory("it rains"), make_memory("it snows")
    past = make_memory("it hailed", superseded_by=next_id())
    absent = make_memory("it thaws").content_hash
    with store.write("default") as unit:
        unit.memories.insert(kept)
        unit.memories.insert(past)
    with store.write("default") as unit:
        asked = [each.content_hash for each in (kept, other, past)] + [absent]
        assert unit.memories.same_as(asked) == {kept.content_hash: kept}
        assert unit.memories.same_as([]) == {}
        unit.memories.insert(other)
        assert unit.memories.same_as(asked) == {
            kept.content_hash: kept,
            other.content_hash: other,
        }
        unit.memories.update(replace(other, superseded_by=kept.id))
        unit.memories.delete(kept.id)
        assert unit.memories.same_as(asked) == {}
        assert unit.memories.same(other.content_hash) is None
    with store.read("elsewhere") as unit:
        assert unit.memories.same_as(asked) == {}
