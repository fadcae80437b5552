"""The contract of a store: each filter means the same in every backend, in lists and in totals."""

import random
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.kinds import Actor, MemoryType, Scope, Sort, State, Trust
from tacit.core.receipt import Unseen
from tacit.store.query import Query
from tests.properties import examples
from tests.support import START, make_memory

WORDS = (
    "Straße",
    "ÜBER",
    "Привет",
    "ΑΒΓ",
    "100%",
    "a_b",
    "[x]",
    "*?",
    "日本",
    '"q\\u',
    "it's",
    "-",
)
DAY = timedelta(days=1)


@pytest.fixture
def kept(store):
    """A store and what it holds: some of every kind, and another workspace."""
    chance = random.Random(11)
    memories = [_some(chance, number) for number in range(60)]
    for workspace, held in (("default", memories), ("other", memories[:5])):
        with store.write(workspace) as unit:
            for memory in held:
                unit.memories.insert(memory)
    return store, memories


def _some(chance, number):
    def maybe(value):
        return value if chance.random() < 0.5 else None

    moments = [START + number * DAY for number in range(-3, 4)]
    return make_memory(
        f"{number} {' '.join(chance.sample(WORDS, 3))}",
        type=chance.choice(list(MemoryType)),
        key=maybe(f"Key.{chance.choice(WORDS)}".replace(" ", "")),
        importance=chance.choice([0.0, 0.25, 0.5, 1.0]),
        confidence=chance.choice([0.0, 0.5, 1.0]),
        scope=chance.choice(list(Scope)),
        scope_id=chance.choice(["", "a"]),
        agent=maybe(chance.choice(["coder", "writer"])),
        by=chance.choice(list(Actor)),
        trust=chance.choice(list(Trust)),
        origin={"session": chance.choice(["s", "7", "t'\"%"])} if chance.random() < 0.5 else {},
        tags=chance.sample(WORDS, chance.randrange(3)),
        pinned=chance.random() < 0.3,
        expires_at=maybe(chance.choice(moments)),
        forgotten=chance.random() < 0.2,
        access_count=chance.randrange(3),
        created_at=chance.choice(moments),
        updated_at=chance.choice(moments),
    )


def _texts(memory):
    return (memory.content, memory.key or "", *memory.tags)


HOLDS = {
    "state": lambda memory, value: memory.state(START) is value,
    "types": lambda memory, value: memory.type in value,
    "scope": lambda memory, value: memory.scope is value,
    "scope_id": lambda memory, value: memory.scope_id == value,
    "agent": lambda memory, value: memory.agent in (None, value),
    "user": lambda memory, value: memory.scope is not Scope.USER or memory.scope_id in ("", value),
    "project": lambda memory, value: memory.scope is not Scope.PROJECT or memory.scope_id == value,
    "key": lambda memory, value: memory.key == value,
    "tag": lambda memory, value: value in memory.tags,
    "pinned": lambda memory, value: memory.pinned is value,
    "contains": lambda memory, value: any(value.lower() in text.lower() for text in _texts(memory)),
    "source": lambda memory, value: memory.source is value,
    "trust": lambda memory, value: memory.trust is value,
    "explicit": lambda memory, value: memory.explicit is value,
    "session": lambda memory, value: memory.origin.session == value,
    "expires": lambda memory, value: (memory.expires_at is not None) is value,
    "min_importance": lambda memory, value: memory.importance >= value,
    "max_importance": lambda memory, value: memory.importance <= value,
    "min_confidence": lambda memory, value: memory.confidence >= value,
    "created_from": lambda memory, value: memory.created_at >= value,
    "created_to": lambda memory, value: memory.created_at < value,
    "updated_from": lambda memory, value: memory.updated_at >= value,
}
"""What each filter says of a memory."""

_MOMENTS = st.integers(-4, 4).map(lambda days: START + days * DAY)
_FRACTIONS = st.sampled_from([0.0, 0.25, 0.4, 1.0])
_PARTS = st.sampled_from(WORDS).flatmap(
    lambda word: st.sampled_from([word, word[:1], word[-2:], word.swapcase(), f"{word} "])
)
VALUES = {
    "state": st.sampled_from(State),
    "types": st.lists(st.sampled_from(MemoryType), max_size=3).map(tuple),
    "scope": st.sampled_from(Scope),
    "scope_id": st.sampled_from(["", "a", "b"]),
    "agent": st.sampled_from(["coder", "nobody"]),
    "user": st.sampled_from(["a", "b"]),
    "project": st.sampled_from(["a", "b"]),
    "key": st.sampled_from([f"Key.{word}" for word in WORDS]),
    "tag": st.sampled_from(WORDS),
    "pinned": st.booleans(),
    "contains": _PARTS | st.sampled_from(["nowhere", "key.", "%", "_", "x", '"', "\\"]),
    "source": st.sampled_from(Actor),
    "trust": st.sampled_from(Trust),
    "explicit": st.booleans(),
    "session": st.sampled_from(["s", "7", "t'\"%", "S"]),
    "expires": st.booleans(),
    "min_importance": _FRACTIONS,
    "max_importance": _FRACTIONS,
    "min_confidence": _FRACTIONS,
    "created_from": _MOMENTS,
    "created_to": _MOMENTS,
    "updated_from": _MOMENTS,
}


def _is_shown(memory, asked):
    """Whether it is of no session, or of one that an agent or a user names as the owner."""
    if memory.scope is not Scope.SESSION or asked.keys().isdisjoint({"agent", "user"}):
        return True
    return asked.get("scope") is Scope.SESSION and asked.get("scope_id") == memory.scope_id


def _check(kept, asked, sort):
    """The pages of a list put together are what the filters leave, and as many as are counted."""
    store, memories = kept
    expected = {
        memory.id
        for memory in memories
        if all(HOLDS[name](memory, value) for name, value in asked.items())
        and _is_shown(memory, asked)
    }
    query = {"now": START, "state": None, "sort": sort, **asked}
    with store.read("default") as unit:
        found, last = [], None
        while page := unit.memories.find(Query(**query, limit=25, after=last)):
            found += [memory.id for memory in page]
            last = found[-1]
        total = unit.memories.total(Query(**query, limit=1))
    assert set(found) == expected
    assert len(found) == len(expected) == total


def test_every_filter_holds_alone_and_with_others_in_every_order(kept):
    @settings(max_examples=8)
    @given(data=st.data(), sort=st.sampled_from(Sort))
    def alone(name, data, sort):
        _check(kept, {name: data.draw(VALUES[name])}, sort)

    @settings(max_examples=examples(10, 40))
    @given(
        asked=st.sets(st.sampled_from(sorted(VALUES)), max_size=4).flatmap(
            lambda names: st.fixed_dictionaries({name: VALUES[name] for name in names})
        ),
        sort=st.sampled_from(Sort),
    )
    def together(asked, sort):
        _check(kept, asked, sort)

    for name in VALUES:
        alone(name)
    together()


FINDS = {
    "straße": {"content"},
    "STRAßE": {"content"},
    "STRASSE": set(),
    "über dem": {"content"},
    "ÜBER": {"content"},
    "пРИВ": {"key"},
    "FRÜH": {"tag"},
    "Editor.Indent": {"key"},
    "indent": {"key"},
    "early,late": set(),
    '"': {"quoted"},
    'X "Y': {"quoted"},
    "Z\\N": {"quoted"},
    'y","z': set(),
    "100%": {"signs"},
    "1%0": set(),
    "a_b": {"signs"},
    "axb": {"other signs"},
    "[c": {"signs"},
    "c]": {"signs"},
    "[^c]": set(),
    ".*": set(),
    "d*": {"signs"},
    "?": {"signs"},
    "two\nlines": {"lines"},
    "two lines": set(),
    "日本": {"content"},
    "🙂": {"signs"},
    "İ": {"signs"},
    "e\u0301": {"lines"},
    "é": set(),
    "x" * 500: set(),
}
"""Words, and the memories that have them."""


def test_words_are_found_as_they_are_written_in_either_case(store):
    memories = {
        "content": make_memory("Die Straße über dem Fluss 日本語"),
        "key": make_memory("plain", key="editor.indent.Привет"),
        "tag": make_memory("plainer", tags=["early", "late", "früh"]),
        "quoted": make_memory("plainest", tags=['x "y', "z\\n"]),
        "signs": make_memory("100% a_b [c] d* e? f.g 🙂 İ"),
        "other signs": make_memory("100 percent, AXB"),
        "lines": make_memory("Two\nLines, cafe\u0301"),
    }
    with store.write("default") as unit:
        for memory in memories.values():
            unit.memories.insert(memory)
        for words, expected in FINDS.items():
            query = Query(now=START, contains=words)
            found = {memory.id for memory in unit.memories.find(query)}
            assert found == {memories[name].id for name in expected}, words
            assert unit.memories.total(query) == len(expected), words


def test_memories_of_users_that_a_user_does_not_see_are_counted_up_to_a_limit(store):
    def some(owner, count, **fields):
        return [
            make_memory(f"{owner} {n} {fields}", scope_id=owner, **fields) for n in range(count)
        ]

    ended = {"valid_to": START}
    held = [*some("", 3), *some("ann", 2), *some("bob", 4), *some("", 1, agent="coder")]
    held += [*some("", 1, **ended), *some("", 1, forgotten=True), *some("p", 2, scope="project")]
    with store.write("default") as unit:
        for memory in held:
            unit.memories.insert(memory)
    with store.write("other") as unit:
        unit.memories.insert(held[0])
    with store.read("default") as unit:
        count = unit.memories.unseen
        assert count("ann", "", START, 10) == Unseen(unowned=3, others=4)
        assert count("ann", "coder", START, 10) == Unseen(unowned=4, others=4)
        assert count("", "", START, 10) == Unseen(unowned=0, others=6)
        assert count("ann", "", START, 2) == Unseen(unowned=2, others=2)
