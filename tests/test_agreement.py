"""SQLite and PostgreSQL, driven side by side by any sequence of calls, never disagree."""

import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import TacitError
from tacit.core.kinds import Action, Actor, MemoryType, Relation, Scope, Sort, Subject
from tests.properties import examples
from tests.support import BACKENDS, CountedIds, HandClock, open_backend

CONTENTS = st.sampled_from(["tabs", "spaces", "both", "neither", "日本語", "it's “quoted”"])
ACTORS = st.sampled_from(list(Actor))
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from([MemoryType.FACT, MemoryType.GOAL]),
        "key": st.sampled_from(["a", "b"]),
        "importance": st.sampled_from([0, 0.5, 1]),
        "confidence": st.sampled_from([0.5, 1]),
        "scope": st.sampled_from([Scope.USER, Scope.PROJECT]),
        "scope_id": st.sampled_from(["", "ann"]),
        "agent": st.sampled_from(["coder", "writer"]),
        "tags": st.lists(st.sampled_from(["x", "y"])),
        "pinned": st.booleans(),
        "origin": st.sampled_from([{"url": "https://example.org"}, {"speaker": "Ann"}]),
        "expires_at": st.sampled_from(["2026-03-02", "2026-03-09", "2025-01-01"]),
        "valid_from": st.sampled_from(["2026-02-01", "2026-03-05"]),
        "valid_to": st.sampled_from(["2026-03-03", "2026-02-02"]),
    },
)


class Agreement(RuleBasedStateMachine):
    """The same calls on each backend, with the same clock and ids."""

    ids = Bundle("ids")

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.clock = HandClock()
        self.houses = []
        for backend in BACKENDS:
            store = open_backend(backend, Path(self.folder.name))
            new_id = CountedIds()
            embedder = FakeEmbedder(dims=4)
            house = Tacit(store, "w", embedder=embedder, clock=self.clock, new_id=new_id)
            self.houses.append(house)

    def teardown(self):
        for house in self.houses:
            house.close()
        self.folder.cleanup()

    def both(self, call):
        """Make a call on each backend; results and errors must be equal."""
        ends = []
        for house in self.houses:
            try:
                ends.append(call(house))
            except TacitError as error:
                ends.append((type(error), str(error)))
        assert all(end == ends[0] for end in ends)
        return ends[0]

    @rule(target=ids, content=CONTENTS, by=ACTORS, fields=FIELDS)
    def remember(self, content, by, fields):
        written = self.both(lambda house: house.remember(content, by=by, **fields))
        return getattr(written, "id", "01890a5d-ac96-7000-8000-ffffffffffff")

    @rule(id=ids, by=ACTORS, fields=FIELDS, content=st.none() | CONTENTS)
    def edit(self, id, by, fields, content):
        changes = fields if content is None else {**fields, "content": content}
        self.both(lambda house: house.edit(id, by=by, **changes))

    @rule(id=ids, by=ACTORS)
    def forget(self, id, by):
        self.both(lambda house: house.forget(id, by=by))

    @rule(id=ids, by=ACTORS)
    def restore(self, id, by):
        self.both(lambda house: house.restore(id, by=by))

    @rule(id=consumes(ids))
    def erase(self, id):
        def removed(house):
            return house.erase(id).removed

        self.both(removed)

    @rule(a=ids, b=ids, relation=st.sampled_from(list(Relation)), weight=st.sampled_from([0.1, 1]))
    def link(self, a, b, relation, weight):
        self.both(lambda house: house.memories.link(a, b, relation, weight=weight))

    @rule(a=ids, b=ids, relation=st.sampled_from(list(Relation)))
    def unlink(self, a, b, relation):
        self.both(lambda house: house.memories.unlink(a, b, relation))

    @rule(hours=st.sampled_from([1, 30, 200]))
    def wait(self, hours):
        self.clock.advance(hours=hours)

    @rule(id=ids)
    def look(self, id):
        self.both(lambda house: house.get(id))
        self.both(lambda house: house.memories.links(id))
        self.both(lambda house: house.memories.history(id))

    @invariant()
    def lists_and_counts_agree(self):
        for sort in Sort:
            self.both(lambda house, sort=sort: house.list(state=None, sort=sort))
        self.both(lambda house: house.list())
        self.both(lambda house: house.workspace.stats().counts)

    @invariant()
    def exports_agree_line_by_line(self):
        def exported(house):
            file = io.BytesIO()
            house.archive.export_to(file, embeddings=True)
            return file.getvalue()

        self.both(exported)

    @invariant()
    def every_memory_was_inserted_once(self):
        house = self.houses[0]
        for memory in house.list(state=None):
            rows = [
                row for row in house.memories.history(memory.id) if row.subject is Subject.MEMORY
            ]
            assert [row.action for row in rows].count(Action.INSERT) == 1


Agreement.TestCase.settings = settings(
    max_examples=examples(4, 15), stateful_step_count=25, deadline=None
)
test_backends_agree = pytest.mark.slow(Agreement.TestCase)
