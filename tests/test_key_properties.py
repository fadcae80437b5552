"""What holds for the values of keys after any sequence of calls, and as time goes by."""

import io
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
)

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import TacitError
from tacit.core.kinds import Actor, State
from tacit.core.memory import Memory
from tacit.statements.decision import Outcome, decide_value
from tests.properties import examples
from tests.support import START, UNLEARNING, CountedIds, HandClock, open_backend

HERE, ELSEWHERE = "here", "elsewhere"
EDIT, UPKEEP = "edit", "upkeep"
KEYS = ("user.name", "user.diet")
CONTENTS = ("User's name is Ann", "User's name is Bob", "The user is vegan", "The user is vegan!")
SAID = ("My name is Ann.", "My name is Bob.", "My name is Bob Ray.")
STATED = (
    *("content", "key", "scope", "scope_id", "agent", "confidence", "trust", "explicit"),
    *("valid_from", "valid_to", "expires_at"),
)
"""Who changes one of these says the value again."""

USUAL = {"key": KEYS[0]}
FIELDS = st.sampled_from(
    [
        USUAL,
        USUAL,
        {},
        {"key": KEYS[1]},
        {**USUAL, "confidence": 0.5},
        {**USUAL, "confidence": 1.0, "trust": "unverified"},
        {**USUAL, "agent": "coder"},
        {**USUAL, "tags": ["seen"], "importance": 0.1},
    ]
)
FARTHEST = 3
DAYS = st.sampled_from([-2, -1, 1, 2, FARTHEST])
PERIODS = st.just({}) | st.fixed_dictionaries(
    {},
    optional={"valid_from": DAYS, "valid_to": DAYS, "expires_at": st.sampled_from([1, FARTHEST])},
)
ACTORS = st.sampled_from([Actor.USER, Actor.USER, Actor.AGENT, Actor.SYSTEM])
PLACES = st.sampled_from([*[HERE] * 5, ELSEWHERE])
PICK = st.integers(0, 50)


@dataclass
class Values:
    """The memories of a workspace after a step, and in which order they were last stated."""

    at: datetime = START
    known: dict[str, Memory] = field(default_factory=dict)
    ranks: dict[str, tuple] = field(default_factory=dict)

    @property
    def live(self):
        return [each for each in self.known.values() if each.state(self.at) is State.LIVE]


class KeyValues(RuleBasedStateMachine):
    """Two workspaces of one store, with archives that travel between them."""

    backend = "memory"

    @initialize()
    def open(self):
        self.folder = TemporaryDirectory()
        self.clock = HandClock()
        store = open_backend(self.backend, Path(self.folder.name))
        given = {"embedder": FakeEmbedder(dims=4), "clock": self.clock, "new_id": CountedIds()}
        self.houses = {
            place: Tacit(store, place, config=UNLEARNING, **given) for place in (HERE, ELSEWHERE)
        }
        self.learner = Tacit(store, HERE, **given)
        self.values = {place: Values() for place in self.houses}
        self.archives = []
        self.steps = 0

    def teardown(self):
        if hasattr(self, "houses"):
            for house in (*self.houses.values(), self.learner):
                house.close()
            self.folder.cleanup()

    @rule(content=st.sampled_from(CONTENTS), by=ACTORS, fields=FIELDS, period=PERIODS, place=PLACES)
    def remember(self, content, by, fields, period, place):
        wished = {**fields, **self.times(period)}
        self.do(place, lambda house: house.remember(content, by=by, **wished))

    @precondition(lambda self: self.values[HERE].known)
    @rule(
        pick=PICK,
        by=ACTORS,
        content=st.none() | st.sampled_from(CONTENTS),
        fields=FIELDS,
        period=PERIODS,
        place=PLACES,
        cleared=st.sampled_from([(), ("valid_from",), ("valid_to",), ("valid_to", "expires_at")]),
    )
    def edit(self, pick, by, content, fields, period, cleared, place):
        changes = {**fields, **self.times(period), **dict.fromkeys(cleared)}
        if content is not None:
            changes["content"] = content
        self.do(place, lambda house: house.edit(self.picked(place, pick), by=by, **changes), EDIT)

    @precondition(lambda self: self.values[HERE].known)
    @rule(pick=PICK, by=ACTORS, place=PLACES)
    def forget(self, pick, by, place):
        self.do(place, lambda house: house.forget(self.picked(place, pick), by=by))

    @precondition(lambda self: any(each.forgotten for each in self.values[HERE].known.values()))
    @rule(pick=PICK, by=ACTORS, place=PLACES)
    def restore(self, pick, by, place):
        self.do(place, lambda house: house.restore(self.picked(place, pick, forgotten=True), by=by))

    @precondition(lambda self: self.values[HERE].known)
    @rule(pick=PICK)
    def erase(self, pick):
        self.do(HERE, lambda house: house.erase(self.picked(HERE, pick)))

    @precondition(lambda self: self.values[HERE].known)
    @rule(keep=PICK, lose=PICK, by=ACTORS)
    def resolve(self, keep, lose, by):
        kept, lost = self.picked(HERE, keep), self.picked(HERE, lose)
        self.do(HERE, lambda house: house.conflicts.resolve(keep=kept, supersede=[lost], by=by))

    @precondition(lambda self: self.houses[HERE].reviews.list())
    @rule(pick=PICK)
    def decide(self, pick):
        def accept(house):
            waiting = house.reviews.list()
            return house.reviews.accept(waiting[pick % len(waiting)].id)

        self.do(HERE, accept, EDIT)

    @rule(text=st.sampled_from(SAID))
    def say(self, text):
        with self.learner.turn(session="s", text=text) as turn:
            turn.commit("I see.")
        self.do(HERE, lambda _: self.learner.learn())

    @precondition(lambda self: self.values[HERE].known)
    @rule()
    def keep_up(self):
        self.do(HERE, lambda house: house.upkeep(), UPKEEP)

    @precondition(lambda self: self.values[HERE].known)
    @rule(place=PLACES)
    def export(self, place):
        file = io.BytesIO()
        self.houses[place].archive.export_to(file)
        self.archives.append((file.getvalue(), dict(self.values[place].ranks)))

    @precondition(lambda self: self.archives)
    @rule(pick=PICK, by=st.sampled_from([Actor.IMPORT, Actor.USER]))
    def take_in(self, pick, by):
        archive, ranks = self.archives[pick % len(self.archives)]
        self.do(
            HERE, lambda house: house.archive.import_from(io.BytesIO(archive), by=by), ranks=ranks
        )
        once = self.exported(HERE)
        self.houses[HERE].archive.import_from(io.BytesIO(archive), by=by)
        assert self.exported(HERE) == once

    @rule(days=st.sampled_from([1, 1, 2, 40]))
    def wait(self, days):
        for each in [1] * min(days, FARTHEST) + [days - FARTHEST] * (days > FARTHEST):
            self.clock.advance(days=each)
            for place in self.houses:
                self.do(place, lambda _: None)

    def times(self, period):
        return {name: self.clock.now + timedelta(days=days) for name, days in period.items()}

    def picked(self, place, pick, forgotten=False):
        known = sorted(self.values[place].known.values(), key=lambda each: each.id)
        fitting = [each.id for each in known if each.forgotten or not forgotten]
        return fitting[pick % len(fitting)] if fitting else "01890a5d-ac96-7000-8000-ffffffffffff"

    def exported(self, place):
        file = io.BytesIO()
        self.houses[place].archive.export_to(file)
        return file.getvalue()

    def do(self, place, call, kind="", *, ranks=None):
        """Make a call that may be refused, and look at what became of the values."""
        before, meant, self.steps = self.values[place], None, self.steps + 1
        with suppress(TacitError):
            meant = getattr(call(self.houses[place]), "id", None)
        after = self.values[place] = self.seen(place, before, ranks or {}, kind)
        _check_that_nobody_could_replace_another(after)
        _check_that_chains_end(after)
        self.check_that_no_value_is_lost(place, before, after, meant, kind)

    def seen(self, place, before, ranks, kind):
        """The values as they are now; who is stated, restored or begins comes last in order."""
        after = Values(at=self.clock.now)
        for state in State:
            listed = self.houses[place].list(state=state, limit=500)
            after.known |= {each.id: each for each in listed}
        for id, new in after.known.items():
            old, last = before.known.get(id), before.ranks.get(id, ())
            if old is None:
                after.ranks[id] = ranks.get(id, (self.steps, ()))
                continue
            is_stated = old.forgotten and not new.forgotten
            is_stated = is_stated or (kind != UPKEEP and self.is_restated(place, old, new))
            began = new.valid_from is not None and before.at < new.valid_from <= after.at
            after.ranks[id] = (self.steps, last) if is_stated or began else last
        return after

    def is_restated(self, place, old, new):
        """Whether somebody changed a value, rather than that another with its key ends it."""
        changed = [name for name in STATED if getattr(old, name) != getattr(new, name)]
        if new.superseded_by != old.superseded_by or not changed:
            return False
        return changed != ["valid_to"] or "successor" not in self.last_end(place, new)

    def last_end(self, place, memory):
        """What the history says of the end of a memory."""
        rows = [row.new or {} for row in self.houses[place].memories.history(memory.id)]
        return next((row for row in reversed(rows) if "valid_to" in row), {})

    def check_that_no_value_is_lost(self, place, before, after, meant, kind):
        """A value ends by being forgotten or changed, by its own end, or for one that is live."""
        held = {_slot(each) for each in after.live}
        for old in before.live:
            new = after.known.get(old.id)
            if old.key is None or _slot(old) in held or new is None or new.forgotten:
                continue
            if new.superseded_by is not None:
                successor = after.known.get(new.superseded_by)
                assert successor in after.live, (old, new)
            elif old.id != meant or (kind != EDIT and new.state(after.at) is State.FUTURE):
                assert _ends(new, "expires_at", after.at) or (
                    _ends(old, "valid_to", after.at)
                    and "successor" not in self.last_end(place, new)
                ), (old, new)


def _ends(memory, name, now):
    end = getattr(memory, name)
    return end is not None and end <= now


def _slot(memory):
    return memory.key, memory.scope, memory.scope_id, memory.agent


def _check_that_nobody_could_replace_another(values):
    for one, other in combinations(values.live, 2):
        if one.key is None or _slot(one) != _slot(other):
            continue
        old, new = sorted((one, other), key=lambda each: values.ranks[each.id])
        by = Actor.USER if new.explicit else Actor.AGENT
        assert decide_value(old, new, by) is not Outcome.REPLACED, (old, new)


def _check_that_chains_end(values):
    for memory in values.known.values():
        passed = set()
        while memory is not None and memory.superseded_by is not None:
            assert memory.id not in passed
            passed.add(memory.id)
            memory = values.known.get(memory.superseded_by)


def _on(backend, few, many):
    """The machine on one backend, as a test case."""
    made = type(f"KeyValuesOn{backend.capitalize()}", (KeyValues,), {"backend": backend}).TestCase
    made.settings = settings(
        max_examples=examples(few, many),
        stateful_step_count=30,
        deadline=None,
        derandomize=True,
    )
    return made


test_a_key_has_one_current_value_in_sqlite = _on("memory", 5, 20)
test_a_key_has_one_current_value_in_postgres = pytest.mark.slow(_on("postgres", 2, 5))
