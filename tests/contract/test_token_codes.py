"""The contract of a store for token codes, and for what makes them stale."""

import io
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)

from tacit import Tacit
from tacit.core.errors import TacitError
from tacit.core.kinds import State
from tacit.core.vectors import EmbeddingModel
from tacit.store.journal import context_of
from tacit.store.query import Query
from tests.properties import examples
from tests.support import (
    BACKENDS,
    START,
    UNLEARNING,
    CountedIds,
    HandClock,
    make_memory,
    open_backend,
)

MODEL = EmbeddingModel("tiny", 256, "a")
OTHER = EmbeddingModel("other", 256, "a")
EVERYTHING = Query(now=START, state=None, limit=1_000)


def _encode(unit, memory):
    """Codes that tell what they were made of: the texts of the context, and its own."""
    context = context_of(unit, memory)
    held = unit.memories.get(context)
    texts = [each.search_text for each in (*map(held.get, context), memory)]
    return json.dumps([context, texts]).encode(), context


def _encode_missing(store, workspace="default"):
    with store.write(workspace) as unit:
        for memory in unit.memories.get(unit.token_codes.missing(MODEL, 1_000)).values():
            codes, context = _encode(unit, memory)
            unit.token_codes.put(memory.id, MODEL, codes, context)


def _missing(store, workspace="default"):
    """What lost its codes, in the order in which it was said."""
    with store.read(workspace) as unit:
        found = unit.memories.get(unit.token_codes.missing(MODEL, 1_000)).values()
        assert unit.token_codes.lacking(MODEL) == len(found)
        return [each.content for each in sorted(found, key=_place)]


def _place(memory):
    return memory.origin.ordinal, memory.id


def _context(store, id):
    with store.read("default") as unit:
        context = context_of(unit, unit.memories.get([id])[id])
        held = unit.memories.get(context)
        return [held[each].content for each in context]


def _assert_no_codes_are_stale(store, workspace="default"):
    with store.read(workspace) as unit:
        for memory in unit.memories.find(EVERYTHING):
            for codes in unit.token_codes.get([memory.id], MODEL).values():
                assert codes == _encode(unit, memory)[0]


def _keep(store, *memories, workspace="default"):
    with store.write(workspace) as unit:
        for memory in memories:
            unit.memories.insert(replace(memory, workspace=workspace))
    return [memory.id for memory in memories]


# The table


def test_codes_are_kept_per_model_and_memory(store):
    one, other = _keep(store, make_memory("a"), make_memory("b"))
    with store.write("default") as unit:
        unit.token_codes.put(one, MODEL, b"\0first", ())
        unit.token_codes.put(one, MODEL, b"\0second\xff", ())
        unit.token_codes.put(one, OTHER, b"third", (other,))
        assert unit.token_codes.get([one, other], MODEL) == {one: b"\0second\xff"}
    with store.read("default") as unit:
        assert unit.token_codes.get([one, other], MODEL) == {one: b"\0second\xff"}
        assert unit.token_codes.get([one], OTHER) == {one: b"third"}
        assert unit.token_codes.get([], MODEL) == {}
        assert unit.token_codes.get([one], EmbeddingModel("none", 1, "")) == {}
        counts = unit.counts(START)
    assert counts.token_codes == {"other (256, a)": 1, "tiny (256, a)": 1}
    assert counts.vectors == {}


def test_live_memories_without_codes_are_missing_and_the_newest_comes_first(store):
    forgotten = make_memory("forgotten", forgotten=True)
    old, superseded, _, new = _keep(
        store, make_memory("old"), make_memory("superseded"), forgotten, make_memory("new")
    )
    with store.write("default") as unit:
        held = unit.memories.get([superseded])[superseded]
        unit.memories.update(replace(held, superseded_by=new))
        assert unit.token_codes.missing(MODEL, 9) == [new, old]
        assert unit.token_codes.missing(MODEL, 1) == [new]
        unit.token_codes.put(new, MODEL, b"x", ())
        unit.token_codes.put(superseded, MODEL, b"x", ())
        assert unit.token_codes.missing(MODEL, 9) == [old]
        assert (unit.token_codes.lacking(MODEL), unit.token_codes.lacking(OTHER)) == (1, 2)


def test_of_what_changed_after_a_revision_only_that_is_missing(store):
    _keep(store, make_memory("before"))
    with store.read("default") as unit:
        before = unit.revision()
    after, behind, erased = _keep(
        store, make_memory("after"), make_memory("behind"), make_memory("erased")
    )
    with store.write("default") as unit:
        assert unit.token_codes.missing(MODEL, 9, since=before) == [erased, behind, after]
        assert unit.token_codes.missing(MODEL, 1, since=before) == [erased]
        for id in (after, behind, erased):
            unit.token_codes.put(id, MODEL, b"x", (erased,) if id == behind else ())
        assert unit.token_codes.missing(MODEL, 9, since=before) == []
        assert unit.token_codes.missing(OTHER, 9, since=before) == [erased, behind, after]
    with store.read("default") as unit:
        now = unit.revision()
        assert unit.token_codes.missing(OTHER, 9, since=now) == []
    with store.write("default") as unit:
        unit.memories.delete(erased)
    with store.read("default") as unit:
        assert unit.token_codes.missing(MODEL, 9, since=now) == [behind]


def test_codes_of_a_memory_or_behind_a_memory_that_is_gone_are_not_kept(store):
    kept, gone = _keep(store, make_memory("kept"), make_memory("gone"))
    with store.write("default") as unit:
        unit.memories.delete(gone)
        unit.token_codes.put(gone, MODEL, b"x", ())
        unit.token_codes.put(kept, MODEL, b"x", (gone,))
        unit.token_codes.put(kept, MODEL, b"x", (gone, kept))
        assert unit.token_codes.get([kept, gone], MODEL) == {}
    with store.read("default") as unit:
        assert unit.counts(START).token_codes == {}


@pytest.mark.parametrize("place", [0, 1])
def test_a_deleted_memory_takes_its_codes_and_those_behind_it_along(store, place):
    ids = _keep(store, *(make_memory(str(number)) for number in range(4)))
    with store.write("default") as unit:
        unit.token_codes.put(ids[0], MODEL, b"own", ())
        unit.token_codes.put(ids[1], MODEL, b"own", ())
        unit.token_codes.put(ids[2], MODEL, b"behind", (ids[0], ids[1]))
        unit.token_codes.put(ids[3], MODEL, b"apart", (ids[2],))
        unit.memories.delete(ids[place])
    with store.read("default") as unit:
        left = {ids[1 - place]: b"own", ids[3]: b"apart"}
        assert unit.token_codes.get(ids, MODEL) == left


def test_codes_do_not_cross_workspaces_and_go_with_a_failed_transaction(store):
    (mine,) = _keep(store, make_memory("mine"))
    with store.write("default") as unit:
        unit.token_codes.put(mine, MODEL, b"x", ())
    with store.write("theirs") as unit:
        unit.token_codes.put(mine, MODEL, b"y", ())
        unit.token_codes.discard(mine)
        assert unit.token_codes.get([mine], MODEL) == {}
        assert unit.token_codes.missing(MODEL, 9) == []
        assert unit.counts(START).token_codes == {}
    with pytest.raises(RuntimeError), store.write("default") as unit:
        unit.token_codes.put(mine, MODEL, b"z", ())
        raise RuntimeError
    with store.read("default") as unit:
        assert unit.token_codes.get([mine], MODEL) == {mine: b"x"}


# The context


@pytest.fixture
def tacit(store):
    return Tacit(store, "default", config=UNLEARNING, clock=HandClock(), new_id=CountedIds())


def _say(tacit, content, ordinal, session="s", **fields):
    fields = {"scope": "user", "scope_id": "ann"} | fields
    origin = {"session": session, "ordinal": ordinal, "speaker": "Ann"}
    return tacit.remember(content, origin=origin, **fields).id


def test_the_context_is_the_two_memories_before_in_the_session_oldest_first(store, tacit):
    last = _say(tacit, "nine", 9)
    for ordinal, content in ((2, "two"), (5, "five"), (3, "three"), (11, "eleven")):
        _say(tacit, content, ordinal)
    _say(tacit, "elsewhere", 8, session="t")
    tacit.remember("of no session", scope="user", scope_id="ann")
    tacit.remember("of no place", origin={"session": "s"}, scope="user", scope_id="ann")
    assert _context(store, last) == ["three", "five"]


def test_memories_said_at_once_are_not_behind_each_other_and_the_later_ones_count(store, tacit):
    ids = [_say(tacit, content, 1) for content in ("one", "two", "three")]
    assert [_context(store, id) for id in ids] == [[], [], []]
    assert _context(store, _say(tacit, "four", 2)) == ["two", "three"]


def test_a_memory_without_a_place_has_no_context(store, tacit):
    _say(tacit, "one", 1)
    assert _context(store, tacit.remember("two").id) == []
    assert _context(store, tacit.remember("three", origin={"session": "s"}).id) == []
    assert _context(store, tacit.remember("four", origin={"ordinal": 4}).id) == []


BOB, NOBODY, SESSION = ("user", "bob"), ("user", ""), ("session", "s")
ANN, PROJECT, ORG = ("user", "ann"), ("project", "shop"), ("org", "")


@pytest.mark.parametrize(
    ("one", "other", "is_context"),
    [
        (ANN, ANN, True),
        (PROJECT, ANN, True),
        (ORG, ANN, True),
        (PROJECT, ORG, True),
        (SESSION, SESSION, True),
        (NOBODY, NOBODY, True),
        (BOB, ANN, False),
        (NOBODY, ANN, False),
        (ANN, PROJECT, False),
        (ANN, SESSION, False),
        (SESSION, ANN, False),
        (SESSION, PROJECT, False),
    ],
)
def test_only_words_that_all_who_see_a_memory_may_see_are_its_context(
    store, tacit, one, other, is_context
):
    _say(tacit, "before", 1, scope=one[0], scope_id=one[1])
    id = _say(tacit, "after", 2, scope=other[0], scope_id=other[1])
    assert _context(store, id) == ["before"] * is_context


@pytest.mark.parametrize(
    ("one", "other", "is_context"),
    [
        (None, None, True),
        (None, "coder", True),
        ("coder", "coder", True),
        ("coder", None, False),
        ("coder", "writer", False),
    ],
)
def test_words_of_another_agent_are_no_context(store, tacit, one, other, is_context):
    _say(tacit, "before", 1, agent=one)
    assert _context(store, _say(tacit, "after", 2, agent=other)) == ["before"] * is_context


def test_superseded_memories_are_context_and_forgotten_ones_are_not(store, tacit):
    _say(tacit, "the old value", 1, key="value")
    _say(tacit, "the new value", 2, key="value")
    tacit.forget(_say(tacit, "forgotten", 3))
    assert len(tacit.list(state=State.PAST)) == 1
    assert _context(store, _say(tacit, "last", 4)) == ["the old value", "the new value"]


# What makes codes stale


@pytest.fixture
def said(store, tacit):
    """Five memories of a session, all encoded, by what they say."""
    ids = {content: _say(tacit, content, 10 * place) for place, content in enumerate("abcde")}
    _encode_missing(store)
    assert _missing(store) == []
    return ids


@pytest.mark.parametrize(
    "change",
    [
        lambda tacit, id: tacit.edit(id, content="other", by="user"),
        lambda tacit, id: tacit.edit(
            id, origin={"session": "s", "ordinal": 10, "speaker": "Eve"}, by="user"
        ),
        lambda tacit, id: tacit.edit(id, origin={"session": "t", "ordinal": 10}, by="user"),
        lambda tacit, id: tacit.edit(id, scope_id="bob", by="user"),
        lambda tacit, id: tacit.edit(id, agent="coder", by="user"),
        lambda tacit, id: tacit.memories.assign("bob", ids=[id], from_user="", by="user"),
    ],
    ids=["content", "speaker", "session", "owner", "agent", "assigned"],
)
def test_a_change_drops_the_codes_of_a_memory_and_of_the_two_behind_it(store, tacit, said, change):
    change(tacit, said["b"])
    missing = _missing(store)
    assert len(missing) == 3
    assert set(missing) >= {"c", "d"}
    _assert_no_codes_are_stale(store)


def test_a_change_that_no_text_tells_keeps_all_codes(store, tacit, said):
    tacit.edit(said["b"], importance=0.9, pinned=True, tags=["x"], by="user")
    origin = {"session": "s", "ordinal": 10, "speaker": "Ann", "url": "https://example.org"}
    tacit.edit(said["b"], origin=origin, by="user")
    tacit.memories.link(said["a"], said["c"])
    assert _missing(store) == []


def test_a_memory_that_moves_drops_codes_where_it_was_and_where_it_is(store, tacit, said):
    origin = {"session": "s", "ordinal": 35, "speaker": "Ann"}
    tacit.edit(said["a"], origin=origin, by="user")
    assert _missing(store) == ["b", "c", "a", "e"]
    _assert_no_codes_are_stale(store)


def test_forgetting_and_restoring_drop_the_codes_of_what_follows(store, tacit, said):
    tacit.forget(said["b"])
    assert _missing(store) == ["c", "d"]
    _encode_missing(store)
    tacit.restore(said["b"])
    assert _missing(store) == ["b", "c", "d"]
    _assert_no_codes_are_stale(store)


def test_erasing_drops_the_codes_of_what_follows(store, tacit, said):
    tacit.erase(said["b"])
    assert _missing(store) == ["c", "d"]
    _assert_no_codes_are_stale(store)


def test_superseding_keeps_the_codes_of_what_follows(store, tacit):
    for ordinal, content in enumerate(("old", "b", "c")):
        _say(tacit, content, ordinal, key="value" if content == "old" else None)
    _encode_missing(store)
    _say(tacit, "new", 9, key="value")
    assert _missing(store) == ["new"]


def test_a_memory_in_between_drops_the_codes_of_the_two_that_follow_it(store, tacit, said):
    _say(tacit, "between", 5)
    assert _missing(store) == ["between", "b", "c"]
    _encode_missing(store)
    _say(tacit, "of a project", 5, scope="project", scope_id="shop")
    _say(tacit, "bob's", 5, scope_id="bob")
    assert _missing(store) == ["of a project", "bob's", "b", "c"]
    _assert_no_codes_are_stale(store)


def test_a_memory_at_the_end_drops_no_codes(store, tacit, said):
    _say(tacit, "last", 50)
    _say(tacit, "another session's", 0, session="t")
    assert _missing(store) == ["another session's", "last"]


def test_words_that_others_may_not_see_drop_only_their_owners_codes(store, tacit, said):
    bobs = {ordinal: _say(tacit, f"bob {ordinal}", ordinal, scope_id="bob") for ordinal in (15, 25)}
    _encode_missing(store)
    _say(tacit, "bob 12", 12, scope_id="bob")
    assert _missing(store) == ["bob 12", "bob 15", "bob 25"]
    _encode_missing(store)
    tacit.forget(bobs[15])
    assert _missing(store) == ["bob 25"]


def test_an_imported_memory_drops_the_codes_of_the_two_that_follow_it(store, tacit, said):
    other = Tacit.open(":memory:", embedder=None)
    _say(other, "imported", 5)
    archive = io.BytesIO()
    other.archive.export_to(archive)
    archive.seek(0)
    tacit.archive.import_from(archive)
    other.close()
    assert _missing(store) == ["imported", "b", "c"]
    _assert_no_codes_are_stale(store)


# Any sequence


ORIGIN = {"session": "s", "speaker": "Ann"}
ORIGINS = st.fixed_dictionaries(
    {"session": st.sampled_from(["s", "t"]), "ordinal": st.integers(0, 5)},
    optional={"speaker": st.sampled_from(["Ann", "Bob"])},
)
OWNERS = st.sampled_from([ANN, ANN, BOB, PROJECT, SESSION])
AGENTS = st.sampled_from([None, None, None, "coder"])
CONTENTS = st.sampled_from("abcdefghijkl")
KEYS = st.sampled_from([None, None, "key"])


class StaleCodes(RuleBasedStateMachine):
    """The same calls on each backend; codes that are there were made of what is there."""

    ids = Bundle("ids")

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.stores = [open_backend(backend, Path(self.folder.name)) for backend in BACKENDS]
        self.houses = [self._open(store) for store in self.stores]
        self.encoded = [0 for _ in self.stores]
        self.imported = 0
        self.steps = 0

    def _open(self, store):
        return Tacit(store, "default", config=UNLEARNING, clock=HandClock(), new_id=CountedIds())

    def teardown(self):
        for house in self.houses:
            house.close()
        self.folder.cleanup()

    def all(self, call):
        ends = []
        for house in self.houses:
            try:
                ends.append(call(house))
            except TacitError as error:
                ends.append((type(error), str(error)))
        assert all(end == ends[0] for end in ends)
        return ends[0]

    @initialize(target=ids, owner=OWNERS)
    def begin(self, owner):
        return multiple(
            *(
                self.remember(f"{owner[0]} {ordinal}", ORIGIN | {"ordinal": ordinal}, owner)
                for ordinal in range(1, 5)
            )
        )

    @rule(target=ids, content=CONTENTS, origin=ORIGINS, owner=OWNERS, agent=AGENTS, key=KEYS)
    def say(self, content, origin, owner, agent, key):
        return self.remember(content, origin, owner, agent=agent, key=key)

    def remember(self, content, origin, owner, **others):
        fields = {"scope": owner[0], "scope_id": owner[1], **others}
        return self.all(lambda house: house.remember(content, origin=origin, **fields)).id

    @rule(id=ids, content=CONTENTS)
    def reword(self, id, content):
        self.all(lambda house: house.edit(id, content=content, by="user"))

    @rule(id=ids, origin=ORIGINS)
    def move(self, id, origin):
        self.all(lambda house: house.edit(id, origin=origin, by="user"))

    @rule(id=ids, owner=OWNERS)
    def give(self, id, owner):
        self.all(lambda house: house.edit(id, scope=owner[0], scope_id=owner[1], by="user"))

    @rule(id=ids)
    def forget(self, id):
        self.all(lambda house: house.forget(id, by="user"))

    @rule(id=ids)
    def restore(self, id):
        self.all(lambda house: house.restore(id, by="user"))

    @rule(id=consumes(ids))
    def erase(self, id):
        self.all(lambda house: house.erase(id).removed)

    @rule(said=st.lists(st.tuples(CONTENTS, ORIGINS, OWNERS), min_size=1, max_size=4))
    def import_archive(self, said):
        memories = [
            make_memory(
                f"imported {content}",
                id=f"01890a5d-ac96-7000-9000-{self.imported + number:012x}",
                origin=origin,
                scope=owner[0],
                scope_id=owner[1],
                by="user",
            )
            for number, (content, origin, owner) in enumerate(said)
        ]
        self.imported += len(said)
        header = {"kind": "header", "format": "tacit", "version": 1, "workspace": "w"}
        lines = [header, *({"kind": "memory", **each.to_dict()} for each in memories)]
        for line in lines[1:]:
            del line["workspace"]
        archive = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        self.all(lambda house: house.archive.import_from(io.BytesIO(archive)))

    @invariant()
    def no_codes_are_stale(self):
        for store in self.stores:
            _assert_no_codes_are_stale(store)

    @invariant()
    def the_same_codes_are_missing(self):
        missing = []
        for store, encoded in zip(self.stores, self.encoded, strict=True):
            with store.read("default") as unit:
                missing.append(unit.token_codes.missing(MODEL, 1_000))
                assert unit.token_codes.missing(MODEL, 1_000, since=encoded) == missing[-1]
        assert all(each == missing[0] for each in missing)

    @invariant()
    def most_changes_meet_memories_that_are_all_encoded(self):
        self.steps += 1
        if self.steps % 4:
            for place, store in enumerate(self.stores):
                _encode_missing(store)
                with store.read("default") as unit:
                    self.encoded[place] = unit.revision()


StaleCodes.TestCase.settings = settings(
    max_examples=examples(8, 25), stateful_step_count=30, deadline=None
)
test_no_sequence_of_changes_leaves_stale_codes = pytest.mark.slow(StaleCodes.TestCase)
