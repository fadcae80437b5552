"""Upkeep: what fades, what becomes one, what is related, and what is left alone."""

import hashlib
import io
import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import FakeEmbedder, Tacit
from tacit.core.changes import ChangeKind
from tacit.core.errors import InvalidInput, TacitError
from tacit.core.kinds import Action, MemoryType, Relation, State, Trust
from tacit.core.vectors import EmbeddingModel
from tacit.settings.config import Config
from tacit.settings.server import PostgresSettings
from tacit.settings.writing import UpkeepSettings
from tacit.store.postgres.store import PostgresStore
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.writing.upkeep import maintenance
from tacit.writing.upkeep.report import UpkeepReport
from tacit.writing.upkeep.rules import effective_importance, is_mergeable
from tests.postgres_server import empty_database
from tests.support import START, CountedIds, HandClock, House, make_memory

GATE = "the garden gate squeaks"
OLD_GATE = "the old gate of the garden squeaks loudly"
KEYS = "Ann keeps the keys in the drawer"
SPARE = "Ann keeps the spare keys in the drawer"
BY_MAIL = "The report is sent by mail every week"
SOUNDS = ("whines", "groans", "creaks", "rattles", "clatters", "bangs", "howls", "hums", "rings")
WEEKLY = "Every week the report goes out by mail"


class Placed:
    """An embedder that puts some texts at angles of a circle, and all others far from it."""

    def __init__(self, degrees):
        self.model = EmbeddingModel("placed", 34, "1")
        self.degrees = degrees
        self._others = FakeEmbedder()

    def embed(self, texts):
        return [self._vector(text) for text in texts]

    def embed_query(self, text):
        return self._vector(text)

    def _vector(self, text):
        if text not in self.degrees:
            return (0.0, 0.0, *self._others.embed_query(text))
        angle = math.radians(self.degrees[text])
        return (math.cos(angle), math.sin(angle), *(0.0,) * 32)


def _placed(house, degrees, **settings):
    """The same house with texts at angles: 18 degrees are .951, 30 are .866, 45 are .707."""
    return Tacit(
        house.store,
        "default",
        embedder=Placed(degrees),
        clock=house.clock,
        new_id=CountedIds(),
        config=Config(upkeep=UpkeepSettings(**settings)),
    )


def _louder(count):
    """Texts that say more and more, each with all that the one before said."""
    return [" and ".join([GATE, *SOUNDS[:number]]) for number in range(count)]


def _content_hash(tacit):
    """A hash of everything that an export holds, and of what is told to those who watch."""
    whole = io.BytesIO()
    tacit.archive.export_to(whole, embeddings=True)
    lines = sorted(whole.getvalue().splitlines()[1:])
    return hashlib.sha256(b"\n".join(lines)).hexdigest(), tacit.workspace.events().last


def _through(tacit, **asked):
    """Passes to the end, as one report."""
    reports = [tacit.upkeep(**asked)]
    while not reports[-1].done:
        reports.append(tacit.upkeep(**asked))
    return UpkeepReport.together(reports)


def _ids(deeds):
    return [deed.memory for deed in deeds]


def _pairs(deeds):
    return {frozenset((deed.memory, deed.other)) for deed in deeds}


def _did(report):
    return {name: len(getattr(report, name)) for name in ("pruned", "merged", "linked")}


NOTHING = {"pruned": 0, "merged": 0, "linked": 0}


@pytest.mark.parametrize(
    ("days", "used_days_ago", "left"),
    [
        (0, None, 1.0),
        (4, None, 0.8),
        (10, None, 0.5),
        (25, None, 0.5),
        (31, None, 0.45),
        (31, 0, 0.55),
        (31, 7, 0.55),
        (31, 8, 0.5),
        (31, 30, 0.5),
        (40, 31, 0.45),
        (4, 2, 0.88),
    ],
)
def test_importance_fades_with_time_and_use_slows_it(days, used_days_ago, left):
    now = START + timedelta(days=days)
    used = None if used_days_ago is None else now - timedelta(days=used_days_ago)
    memory = make_memory(by="agent", importance=0.6)
    object.__setattr__(memory, "last_accessed_at", used)
    assert effective_importance(memory, now) == pytest.approx(0.6 * left)


def test_identity_and_what_a_person_wrote_do_not_fade():
    later = START + timedelta(days=400)
    said = make_memory(by="user", importance=0.3)
    known = make_memory(by="agent", type="identity", importance=0.4)
    assert effective_importance(said, later) == 0.3
    assert effective_importance(known, later) == 0.4


@given(days=st.floats(0, 10_000), importance=st.floats(0, 1), kind=st.sampled_from(MemoryType))
def test_what_is_left_is_never_less_than_nine_twentieths(days, importance, kind):
    memory = make_memory(by="agent", importance=importance, type=kind)
    left = effective_importance(memory, START + timedelta(days=days))
    assert 0.45 * importance - 1e-9 <= left <= importance


def test_what_has_faded_is_forgotten_and_says_why(house):
    faint = house.tacit.remember("the sky was grey", by="agent", importance=0.2).id
    clear = house.tacit.remember("the build is green", by="agent", importance=0.3).id
    house.clock.advance(days=40)
    report = house.tacit.upkeep()
    assert _ids(report.pruned) == [faint]
    (deed,) = report.pruned
    assert deed.content == "the sky was grey"
    assert deed.reason == "importance faded to 0.090, 40 days old"
    assert [memory.id for memory in house.tacit.list()] == [clear]
    last = house.tacit.memories.history(faint)[-1]
    assert (last.action, last.by) == (Action.FORGET, "system")


@pytest.mark.parametrize(
    ("author", "fields"),
    [
        ("user", {"importance": 0.0}),
        ("agent", {"importance": 0.0, "pinned": True}),
        ("agent", {"importance": 0.0, "key": "weather.sky"}),
        ("agent", {"importance": 0.23}),
        ("agent", {"importance": 0.2, "type": "identity"}),
    ],
)
def test_never_forgotten(house, author, fields):
    house.tacit.remember("the sky was grey", by=author, **fields)
    house.clock.advance(days=4_000)
    assert house.tacit.upkeep().pruned == ()


def test_nothing_young_or_used_lately_is_forgotten(house):
    tacit = house.tacit
    tacit.remember("the sky was grey", by="agent", importance=0.0)
    house.clock.advance(days=30)
    assert tacit.upkeep().pruned == ()
    used = tacit.remember("the river was high", by="agent", importance=0.19).id
    house.clock.advance(days=31)
    with house.store.write("default") as unit:
        unit.memories.count_access([used], house.clock() - timedelta(days=1))
    assert used not in _ids(tacit.upkeep().pruned)


def test_of_those_that_hold_a_key_one_stays(house):
    held = {"key": "weather.sky", "by": "agent", "importance": 0.1}
    house.tacit.remember("grey", confidence=0.9, **held)
    house.tacit.remember("blue", confidence=0.5, **held)
    house.tacit.remember("red", confidence=0.5, **held, scope="org")
    house.tacit.remember("green", confidence=0.4, **held, agent="painter")
    house.clock.advance(days=40)
    would = house.tacit.upkeep(dry_run=True)
    assert [deed.content for deed in would.pruned] == ["grey"]
    assert house.tacit.upkeep().pruned == would.pruned
    assert {memory.content for memory in house.tacit.list()} == {"blue", "red", "green"}


def test_what_a_person_brings_back_stays(house):
    faint = house.tacit.remember("the sky was grey", by="agent", importance=0.1).id
    house.clock.advance(days=40)
    assert _ids(house.tacit.upkeep().pruned) == [faint]
    assert house.tacit.restore(faint).memory.content == "the sky was grey"
    house.clock.advance(days=400)
    assert house.tacit.upkeep().pruned == ()
    assert house.tacit.get(faint).state(house.clock()) is State.LIVE


def test_what_an_agent_says_again_begins_to_fade_anew(house):
    said = {"by": "agent", "importance": 0.1}
    faint = house.tacit.remember("the sky was grey", **said).id
    house.clock.advance(days=40)
    house.tacit.upkeep()
    assert house.tacit.remember("the sky was grey", **said).id == faint
    house.clock.advance(days=29)
    assert house.tacit.upkeep().pruned == ()
    house.clock.advance(days=2)
    assert _ids(house.tacit.upkeep().pruned) == [faint]


def test_memories_that_say_the_same_become_one(house):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    low = tacit.remember(KEYS, by="agent", importance=0.5, tags=["home", "keys"]).id
    high = tacit.remember(SPARE, by="agent", importance=0.6, tags=["keys", "spare"]).id
    report = tacit.upkeep()
    (deed,) = report.merged
    both = f"{SPARE}. {KEYS}"
    assert (deed.memory, deed.other, deed.content) == (high, low, both)
    kept = tacit.get(high)
    assert (kept.content, kept.tags, kept.importance) == (both, ("keys", "spare", "home"), 0.6)
    lost = tacit.get(low)
    assert (lost.superseded_by, lost.content) == (high, KEYS)
    assert [entry.action for entry in tacit.memories.history(high)] == ["insert", "update"]
    assert [entry.action for entry in tacit.memories.history(low)] == ["insert", "supersede"]
    assert {entry.by for id in (high, low) for entry in tacit.memories.history(id)[1:]} == {
        "system"
    }
    assert sum(tacit.workspace.stats().counts.vectors.values()) == 2
    assert [hit.memory.id for hit in tacit.search("spare keys").hits] == [high]


def test_an_undone_merge_gives_both_their_own_words_back_for_good(house):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    low = tacit.remember(KEYS, by="agent", importance=0.5, tags=["home"]).id
    high = tacit.remember(SPARE, by="agent", importance=0.6, tags=["spare"]).id
    before = {id: tacit.get(id) for id in (low, high)}
    tacit.upkeep()
    (change,) = tacit.changes.list()
    assert (change.kind, change.memory.content) == (ChangeKind.MERGED, KEYS)
    assert change.other.content == f"{SPARE}. {KEYS}"
    assert change.reason == "says nearly the same, similarity 0.98"
    tacit.changes.undo(change.id)
    for id in (low, high):
        now = tacit.get(id)
        assert (now.content, now.tags) == (before[id].content, before[id].tags)
    tacit.archive.embed_missing()
    assert _did(tacit.upkeep()) == NOTHING
    assert tacit.changes.list()[0].undone


def test_an_undone_merge_leaves_what_was_written_since(house):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    tacit.remember(KEYS, by="agent", importance=0.5)
    high = tacit.remember(SPARE, by="agent", importance=0.6).id
    tacit.upkeep()
    tacit.edit(high, content="Ann lost the keys")
    tacit.changes.undo(tacit.changes.list()[0].id)
    assert {memory.content for memory in tacit.list()} == {KEYS, "Ann lost the keys"}


def test_of_equally_important_ones_the_newer_goes_on(house):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    older = tacit.remember(SPARE, by="agent").id
    house.clock.advance(hours=1)
    newer = tacit.remember(KEYS, by="agent").id
    (deed,) = tacit.upkeep().merged
    assert (deed.memory, deed.other) == (newer, older)


@pytest.mark.parametrize(
    ("winner", "loser", "content"),
    [
        (GATE, f"{GATE} loudly", f"{GATE} loudly"),
        (f"{GATE} loudly", GATE, f"{GATE} loudly"),
        (GATE, f"  {GATE.upper()}! ", GATE),
        (GATE, f"by night, {GATE}: sadly", f"by night, {GATE}: sadly"),
        (GATE, OLD_GATE, f"{GATE}. {OLD_GATE}"),
        (f"{GATE}!", OLD_GATE, f"{GATE}! {OLD_GATE}"),
    ],
)
def test_contents_are_joined_unless_one_says_it_all(house, winner, loser, content):
    tacit = _placed(house, {winner: 0, loser: 5})
    tacit.remember(loser, by="agent", importance=0.5)
    kept = tacit.remember(winner, by="agent", importance=0.9).id
    tacit.upkeep()
    assert [memory.id for memory in tacit.list()] == [kept]
    assert tacit.get(kept).content == content


def test_trusted_words_are_joined_with_none_that_are_less_trusted(house):
    tacit = _placed(house, {GATE: 0, OLD_GATE: 5, BY_MAIL: 90, f"{BY_MAIL} for sure": 95})
    ours = tacit.remember(GATE, by="agent", importance=0.9).id
    tacit.remember(OLD_GATE, by="agent", importance=0.5)
    long = tacit.remember(f"{BY_MAIL} for sure", by="agent", importance=0.9).id
    tacit.remember(BY_MAIL, by="agent", importance=0.5)
    with house.store.write("default") as unit:
        for memory in unit.memories.get([ours, long]).values():
            object.__setattr__(memory, "trust", Trust.TRUSTED)
            unit.memories.update(memory)
    assert _did(tacit.upkeep())["merged"] == 1
    assert (tacit.get(ours).trust, tacit.get(ours).content) == (Trust.TRUSTED, GATE)
    assert tacit.get(long).trust is Trust.TRUSTED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the server listens on port 8080", "the server listens on port 9090"),
        ("always use tabs", "never use tabs"),
        ("Ann likes tea", "Bob likes tea"),
        ("the key rotates every 30 days", "the key rotates every 90 days"),
        ("the review is due on Monday", "the review is due on Thursday"),
    ],
)
def test_look_alikes_are_not_merged_however_near(house, one, other):
    tacit = _placed(house, {one: 0, other: 1})
    tacit.memories.remember_all([one, other], by="agent")
    assert _did(tacit.upkeep()) == NOTHING
    assert len(tacit.list()) == 2


@pytest.mark.parametrize(
    ("mine", "yours"),
    [
        ({"type": "fact"}, {"type": "event"}),
        ({"scope": "user", "scope_id": "ann"}, {"scope": "user", "scope_id": "bob"}),
        ({"scope": "project", "scope_id": "a"}, {"scope": "org"}),
        ({"agent": "cook"}, {}),
        ({"origin": {"speaker": "Ann"}}, {"origin": {"speaker": "Bob"}}),
        ({"origin": {"speaker": "Ann"}}, {}),
        ({"expires_at": START + timedelta(days=9)}, {}),
        ({"key": "gate.sound"}, {"key": "gate.noise"}),
        ({"origin": {"url": "https://example.com"}}, {}),
    ],
)
def test_what_differs_in_more_than_words_is_not_merged(house, mine, yours):
    speakers = ("", "Ann: ", "Bob: ")
    tacit = _placed(house, {f"{who}{text}": 3 for who in speakers for text in (GATE, OLD_GATE)})
    tacit.remember(GATE, by="agent", **mine)
    tacit.remember(OLD_GATE, by="agent", **yours)
    assert tacit.upkeep().merged == ()


def test_what_a_person_wrote_stays_as_it_is_and_others_give_way_to_it(house):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    theirs = tacit.remember(SPARE, by="agent", importance=0.9, tags=["x"]).id
    ours = tacit.remember(KEYS, importance=0.1).memory
    (deed,) = tacit.upkeep().merged
    assert (deed.memory, deed.other, deed.content) == (ours.id, theirs, KEYS)
    assert tacit.get(ours.id) == ours
    assert tacit.get(theirs).superseded_by == ours.id


def test_of_two_that_persons_wrote_none_gives_way(house):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    tacit.memories.remember_all([KEYS, SPARE])
    before = _content_hash(tacit)
    assert _did(tacit.upkeep()) == NOTHING
    assert _content_hash(tacit) == before


def test_a_key_and_a_pin_are_not_lost(house):
    tacit = _placed(house, {f"gate sound: {GATE}": 0, OLD_GATE: 5, KEYS: 90, SPARE: 95})
    keyed = tacit.remember(GATE, by="agent", importance=0.1, key="gate.sound").id
    tacit.remember(OLD_GATE, by="agent", importance=0.9)
    pinned = tacit.remember(KEYS, by="agent", importance=0.1).id
    tacit.edit(pinned, pinned=True)
    tacit.remember(SPARE, by="agent", importance=0.9)
    assert set(_ids(tacit.upkeep().merged)) == {keyed, pinned}
    assert (tacit.get(keyed).key, tacit.get(keyed).importance) == ("gate.sound", 0.9)
    assert tacit.get(pinned).pinned


def test_a_pinned_memory_does_not_give_way_to_one_that_is_not(house):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    tacit.edit(tacit.remember(SPARE, by="agent").id, pinned=True)
    tacit.remember(KEYS)
    assert tacit.upkeep().merged == ()


def test_others_who_say_the_same_do_not_crowd_out_what_is_ones_own(house):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    for number in range(40):
        tacit.remember(KEYS, scope="user", scope_id=f"user {number}")
    ours = {"scope": "user", "scope_id": "ann", "by": "agent"}
    ids = {tacit.remember(text, **ours).id for text in (KEYS, SPARE)}
    assert _pairs(tacit.upkeep().merged) == {frozenset(ids)}


def test_what_would_be_too_long_is_not_joined(house):
    long = [f"{GATE} {word * 9_000}" for word in ("uh ", "ah ")]
    tacit = _placed(house, {long[0]: 0, long[1]: 1})
    tacit.memories.remember_all(long, by="agent")
    one, other = tacit.list()
    assert len(one.content.encode()) + len(other.content.encode()) > 50_000
    assert not is_mergeable(one, other)
    assert tacit.upkeep().merged == ()


def test_what_a_third_memory_says_already_is_not_said_again(house):
    both = f"{KEYS}. {SPARE}"
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    gone = tacit.remember(both, by="agent").id
    tacit.forget(gone)
    tacit.remember(SPARE, by="agent", importance=0.3)
    tacit.remember(KEYS, by="agent", importance=0.6)
    assert tacit.upkeep().merged == ()


def test_several_that_say_the_same_become_one_in_one_run(house):
    texts = _louder(6)
    tacit = _placed(house, {text: number for number, text in enumerate(texts)})
    tacit.memories.remember_all(texts, by="agent")
    assert len(tacit.upkeep().merged) == 5
    assert [memory.content for memory in tacit.list()] == [texts[-1]]


def test_what_was_joined_is_compared_with_all_again(house):
    both, early = f"{SPARE}. {KEYS}", "Ann keeps the old keys in the drawer"
    tacit = _placed(house, {early: 60, KEYS: 0, SPARE: 10, both: 60})
    lowest = tacit.remember(early, by="agent", importance=0.3).id
    low = tacit.remember(KEYS, by="agent", importance=0.5).id
    high = tacit.remember(SPARE, by="agent", importance=0.6).id
    report = tacit.upkeep()
    assert [(deed.memory, deed.other) for deed in report.merged] == [(high, low), (high, lowest)]
    assert tacit.get(high).content == f"{both}. {early}"


def test_near_memories_are_related_by_how_near_they_are(house):
    tacit = _placed(house, {GATE: 0, KEYS: 25, BY_MAIL: 70})
    gate, keys, _ = (tacit.remember(text).id for text in (GATE, KEYS, BY_MAIL))
    report = tacit.upkeep()
    assert _pairs(report.linked) == {frozenset((gate, keys))}
    (edge,) = tacit.memories.links(gate)
    assert edge.relation is Relation.RELATED_TO
    assert edge.weight == pytest.approx(math.cos(math.radians(25)), abs=2e-3)
    (entry,) = [
        each for each in tacit.memories.history(edge.source) if each.subject == "association"
    ]
    assert entry.by == "system"


def test_what_is_tied_already_is_left_as_it_is(house):
    tacit = _placed(house, {GATE: 0, KEYS: 25})
    gate, keys = (tacit.remember(text).id for text in (GATE, KEYS))
    tacit.memories.link(gate, keys, "caused_by", weight=0.3)
    assert tacit.upkeep().linked == ()


def test_memories_of_two_users_are_not_related(house):
    tacit = _placed(house, {GATE: 0, KEYS: 25, BY_MAIL: 5})
    tacit.remember(GATE, scope="user", scope_id="ann")
    tacit.remember(KEYS, scope="user", scope_id="bob")
    assert tacit.upkeep().linked == ()
    shared = tacit.remember(BY_MAIL, scope="org").id
    assert all(shared in (deed.memory, deed.other) for deed in tacit.upkeep().linked)


def test_no_memory_has_more_than_five_relations(house):
    texts = [f"{word} stands on the shelf" for word in "abcdefghijkl"]
    tacit = _placed(house, {text: 19 * (number % 2) for number, text in enumerate(texts)})
    ids = [tacit.remember(text).id for text in texts]
    assert _through(tacit).linked
    assert max(len(tacit.memories.links(id)) for id in ids) == 5


def test_what_is_paused_is_left_alone(house):
    tacit = _placed(house, {GATE: 0, OLD_GATE: 5, KEYS: 25})
    garden = {"scope": "project", "scope_id": "garden", "by": "agent"}
    tacit.remember(GATE, importance=0.0, **garden)
    tacit.remember(OLD_GATE, importance=0.9, **garden)
    tacit.remember(KEYS, by="agent")
    tacit.sessions.pause(project="garden")
    house.clock.advance(days=40)
    assert _did(tacit.upkeep()) == NOTHING
    tacit.sessions.resume(project="garden")
    assert _did(tacit.upkeep())["pruned"] == 1


def test_memories_without_vectors_are_counted_and_still_fade(house):
    plain = Tacit(house.store, "default", clock=house.clock)
    plain.remember("the sky was grey", by="agent", importance=0.1)
    plain.remember("the sky was gray", by="agent")
    house.clock.advance(days=40)
    report = plain.upkeep()
    assert (_did(report), report.unembedded) == ({**NOTHING, "pruned": 1}, 1)
    assert house.tacit.upkeep().unembedded == 1
    house.tacit.archive.embed_missing()
    assert house.tacit.upkeep().unembedded == 0


def test_a_merge_is_kept_when_the_embedder_fails(house, monkeypatch):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    tacit.memories.remember_all([KEYS, SPARE], by="agent")

    def fail(_):
        raise TacitError("the model is away")

    monkeypatch.setattr(tacit._context.shared.embedders.configured, "embed", fail)
    assert len(tacit.upkeep().merged) == 1
    monkeypatch.undo()
    assert tacit.archive.embed_missing().vectors == 1


def _notes(tacit, count):
    texts = [f"note {n} on {n * 7919 % 1009} and {n * 31 % 77} things" for n in range(count)]
    tacit.memories.remember_all(texts, by="agent")


@pytest.mark.slow
def test_a_pass_is_bounded_and_the_next_goes_on():
    tacit = Tacit(SqliteInMemoryStore.open(), "default", embedder=FakeEmbedder(), clock=HandClock())
    _notes(tacit, 2_500)
    reports = [tacit.upkeep() for _ in range(3)]
    assert [report.looked_at for report in reports] == [1_000, 1_000, 500]
    assert [report.done for report in reports] == [False, False, True]


def test_every_store_knows_where_to_go_on(house):
    _notes(house.tacit, 130)
    asked = (60, 60, 60, 10)
    reports = [house.another("default").upkeep(limit=limit) for limit in asked]
    assert [report.looked_at for report in reports] == [60, 60, 10, 10]
    assert [report.done for report in reports] == [False, False, True, False]


def test_a_pass_that_ends_with_the_last_memory_knows_it(house):
    _notes(house.tacit, 100)
    assert [house.tacit.upkeep(limit=50).done for _ in range(3)] == [False, True, False]


def test_a_pass_that_breaks_off_is_gone_on_with(house, monkeypatch):
    tacit = house.tacit
    faint = {"by": "agent", "importance": 0.1}
    ids = [tacit.remember(f"passing thought {n}", **faint).id for n in range(160)]
    house.clock.advance(days=40)
    usual, calls = maintenance.apply_steps, []

    def breaking(author, **given):
        calls.append(given)
        done = usual(author, **given)
        if len(calls) == 3:
            raise TacitError("the power is gone")
        return done

    monkeypatch.setattr(maintenance, "apply_steps", breaking)
    with pytest.raises(TacitError, match="the power is gone"):
        tacit.upkeep()
    assert {memory.id for memory in tacit.list(limit=1_000)} == set(ids[100:])
    report = tacit.upkeep()
    assert (_ids(report.pruned), report.looked_at, report.done) == (ids[100:], 60, True)
    assert tacit.list() == []


def test_what_changes_meanwhile_is_looked_at_again_before_it_is_touched(house, monkeypatch):
    tacit = _placed(house, {KEYS: 0, SPARE: 10})
    faint = tacit.remember("the sky was grey", by="agent", importance=0.1).id
    keys, spare = (tacit.remember(text, by="agent").id for text in (KEYS, SPARE))
    house.clock.advance(days=40)
    usual = maintenance.apply_steps

    def after_others(author, **given):
        for id, change in ((faint, {"pinned": True}), (spare, {"content": "the drawer is empty"})):
            author.journal.update(author.existing(id), **change)
        return usual(author, **given)

    monkeypatch.setattr(maintenance, "apply_steps", after_others)
    assert _did(tacit.upkeep()) == NOTHING
    assert {memory.id for memory in tacit.list()} == {faint, keys, spare}


def _garden(house):
    """A workspace with something of everything to do."""
    near = {GATE: 0, OLD_GATE: 5, KEYS: 30, SPARE: 33, BY_MAIL: 55, WEEKLY: 58}
    tacit = _placed(house, near)
    tacit.remember("the sky was grey", by="agent", importance=0.1)
    tacit.remember("grey", key="weather.sky", by="agent", importance=0.1)
    for text in near:
        tacit.remember(text, by="agent")
    tacit.remember(f"{GATE} still")
    house.clock.advance(days=40)
    return tacit


def test_a_dry_run_changes_nothing_and_tells_what_a_run_then_does(house):
    tacit = _garden(house)
    before = _content_hash(tacit)
    would = tacit.upkeep(dry_run=True)
    assert _content_hash(tacit) == before
    assert would.dry_run
    assert all(_did(would).values())
    done = tacit.upkeep()
    assert not done.dry_run
    for name in ("looked_at", "pruned", "merged", "linked", "done"):
        assert getattr(would, name) == getattr(done, name)
    assert _content_hash(tacit) != before


def test_a_second_full_run_changes_nothing_more(house):
    tacit = _garden(house)
    _notes(tacit, 120)
    assert all(_did(_through(tacit, limit=7)).values())
    after = _content_hash(tacit)
    assert _did(_through(tacit, limit=50)) == NOTHING
    assert _content_hash(tacit) == after


@given(
    angles=st.lists(st.integers(0, 90), min_size=2, max_size=10),
    importances=st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=10, max_size=10),
    authors=st.lists(st.sampled_from(["user", "agent"]), min_size=10, max_size=10),
    limit=st.integers(1, 10),
)
def test_whatever_there_is_a_dry_run_is_true_and_a_run_comes_to_rest(
    angles, importances, authors, limit
):
    texts = _louder(len(angles))
    house = House(None, HandClock(), SqliteInMemoryStore.open())
    tacit = _placed(house, dict(zip(texts, angles, strict=True)))
    written = [
        tacit.remember(text, by=author, importance=importance).memory
        for text, author, importance in zip(texts, authors, importances, strict=False)
    ]
    house.clock.advance(days=40)
    before = _content_hash(tacit)
    would = tacit.upkeep(dry_run=True)
    assert _content_hash(tacit) == before
    done = _through(tacit, limit=limit)
    if limit >= len(texts):
        assert (would.pruned, would.merged) == (done.pruned, done.merged)
        assert _pairs(would.linked) == _pairs(done.linked)
    persons = [memory for memory in written if memory.explicit]
    assert [tacit.get(memory.id) for memory in persons] == persons
    after = _content_hash(tacit)
    assert _did(_through(tacit)) == NOTHING
    assert _content_hash(tacit) == after


@pytest.mark.parametrize(
    ("settings", "pruned"),
    [
        ({}, 1),
        ({"prune_below": 0.0}, 0),
        ({"prune_below": 0.5}, 2),
        ({"prune_after_days": 40}, 0),
        ({"prune_after_days": 39}, 1),
    ],
)
def test_settings_say_what_has_faded(house, settings, pruned):
    tacit = _placed(house, {}, **settings)
    for importance in (0.2, 0.9):
        tacit.remember(f"a weight of {importance}", by="agent", importance=importance)
    house.clock.advance(days=40)
    assert len(tacit.upkeep().pruned) == pruned


@pytest.mark.parametrize(
    ("settings", "merged", "linked"),
    [
        ({}, 1, 1),
        ({"merge_at": 0.99}, 0, 2),
        ({"merge_at": 0.98}, 1, 1),
        ({"link_at": 0.7}, 1, 2),
        ({"link_at": 0.88}, 1, 0),
    ],
)
def test_settings_say_what_is_near_enough(house, settings, merged, linked):
    """Two are .985 alike, two .866 and two .743."""
    angles = {KEYS: 0, SPARE: 10, BY_MAIL: 100, GATE: 130, WEEKLY: 240, OLD_GATE: 282}
    tacit = _placed(house, angles, **settings)
    tacit.memories.remember_all(list(angles), by="agent")
    report = tacit.upkeep()
    assert (len(report.merged), len(report.linked)) == (merged, linked)


def test_a_pass_looks_at_as_many_as_the_settings_say(house):
    tacit = _placed(house, {}, batch=7)
    _notes(tacit, 20)
    assert tacit.upkeep().looked_at == 7
    assert tacit.upkeep(limit=20).looked_at == 13


@pytest.mark.parametrize("limit", [0, -1, 100_001, True, 1.5, "7"])
def test_a_limit_that_makes_no_sense_is_refused(tacit, limit):
    with pytest.raises(InvalidInput, match="limit: expected a whole number from 1 to 100000"):
        tacit.upkeep(limit=limit)


def test_a_workspace_that_is_searched_where_it_lies_is_kept_up_alike():
    store = PostgresStore.open(empty_database(), PostgresSettings(resident_memories=10))
    house = House(None, HandClock(), store)
    tacit = _placed(house, {KEYS: 0, SPARE: 10, f"{SPARE}. {KEYS}": 10, GATE: 36})
    _notes(tacit, 40)
    low, high, gate = (tacit.remember(text, by="agent").id for text in (KEYS, SPARE, GATE))
    store.settle("default")
    report = _through(tacit, limit=30)
    assert [(deed.memory, deed.other) for deed in report.merged] == [(high, low)]
    assert frozenset((high, gate)) in _pairs(report.linked)
    assert _did(_through(tacit)) == NOTHING
    assert tacit._context.searcher._cache.find("default", FakeEmbedder().model) is None
    store.close()
