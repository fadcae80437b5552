"""Moving from one store to another: everything, as it is, nothing twice, nothing overwritten."""

import functools
import json
import signal
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import FakeEmbedder, InvalidInput, NotFound, Tacit, migrate
from tacit.core.errors import MoveRefused, StoreUnavailable
from tacit.core.kinds import Sort
from tacit.core.open_turn import CapturedTurn, QueueStage
from tacit.core.projects import ProjectPlace
from tacit.core.sessions import SessionVariable
from tacit.settings.config import Config
from tacit.settings.writing import WritingSettings
from tacit.store.query import Query
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.store.sqlite.store import SqliteStore
from tacit.writing.archive.move import move_workspaces
from tests.forking import run_program
from tests.postgres_server import empty_database
from tests.support import START, CountedIds, HandClock, make_memory

REPLICAS = "Replicas live in Frankfurt"
BACKUPS = "Backups run at midnight"
OTHER = FakeEmbedder(dims=5, revision="2")
WORKSPACES = ["default", "日本"]
UNSEEN = {"progress": lambda *_: None}
DEAF = Config(writing=WritingSettings(learn=False))


def _say(tacit, text, history=(), session="s", reply="Understood.", **asked):
    turn = tacit.turn(session=session, history=list(history), text=text, **asked)
    turn.commit(reply)
    return turn


def _talk(tacit):
    """Turns in every state: committed, compacted, forked, open; returns a history to go on with."""
    history = _say(tacit, "Where do replicas live?").history
    for number in range(10):
        history = _say(tacit, f"We decided on lamp {number + 40}.", history).history
    last = _say(tacit, "When do backups run?", history)
    tacit.compact(session="s", history=last.history, level="aggressive")
    tacit.sessions.fork("s", "branch")
    tacit.turns.mark_irrelevant(last.receipt.id, last.receipt.injected[0].memory)
    tacit.turn(session="begun only", text="Where do replicas live?")
    _say(tacit, "Hello there", session="s2", user="ann")
    tacit.sessions.pause(session="s2")
    tacit.sessions.pause(project="日本")
    return last.history


def _furnish(store, workspace="default"):
    """A workspace with something of everything; returns a history of its session."""
    clock, new_id = HandClock(), CountedIds()
    tacit = Tacit(
        store,
        workspace,
        embedder=FakeEmbedder(),
        clock=clock,
        new_id=new_id,
        config=Config(),
    )
    tacit.memories.remember_all([REPLICAS, BACKUPS, "The deploy region is Frankfurt"])
    tacit.remember("The deploy region is Marseille", by="operator")
    old = tacit.remember("vim", key="editor", tags=["x"], metadata={"n": [1, {"ü": None}]})
    clock.advance(days=1)
    new = tacit.remember("emacs", key="editor", pinned=True, valid_to="2027-01-01")
    said = tacit.remember("Said", by="agent", origin={"session": "s", "ordinal": 3, "speaker": "b"})
    tacit.remember("Later", valid_from="2030-01-01", expires_at="2031-01-01", agent="coder")
    gone = tacit.remember("The vault opens with heliotrope")
    tacit.memories.link(said.id, new.id, "contradicts", weight=0.25)
    tacit.memories.link(old.id, new.id)
    tacit.edit(new.id, by="agent", content="ed")
    tacit.forget(said.id)
    history = _talk(Tacit(store, workspace, config=DEAF, clock=clock, new_id=new_id))
    tacit.erase(gone.id)
    with store.write(workspace) as unit:
        unit.vectors.put(old.id, OTHER.model, OTHER.embed_query("vim"))
        _hear(unit, new_id)
    tacit.archive.embed_missing()  # so that the background writes nothing more
    return history


def _hear(unit, new_id):
    """What was heard, in every state that it can be in, and work that has begun."""
    turns = [
        CapturedTurn(
            id=new_id(), session=name, at=START, said=("Lamps, in 日本", "and ß"), reply=name
        )
        for name in ("s", "s", "s2", "s3", "s4")
    ]
    for turn in turns:
        unit.heard.add(turn)
    unit.heard.settle([turn.id for turn in turns[:3]], keep=True)
    unit.heard.hasten("s2")
    unit.heard.hasten("s3")
    for name, value in (("phase", "review"), ("files", ["a.py", {"ü": None}])):
        unit.variables.put(SessionVariable(session="s", name=name, value=value, at=START))
    for path, project in (("/a", "shop"), ("/b", None)):
        place = ProjectPlace(host="h", path=path, claim="shop", project=project, at=START)
        unit.places.put(place)


def _everything(store, workspace="default"):
    """All that a workspace holds, what is derived included."""
    with store.read(workspace) as unit:
        query = Query(now=START, state=None, sort=Sort.CREATED, limit=10_000)
        memories = unit.memories.find(query)
        ids = [memory.id for memory in memories]
        sessions = unit.sessions.scan(None, 10_000)
        names = [*(session.id for session in sessions), "begun only"]
        return {
            "memories": memories,
            "associations": unit.associations.scan(None, 10_000),
            "vectors": {
                model: {id: tuple(row) for id, row in unit.vectors.get(ids, model).items()}
                for model in unit.vectors.models()
            },
            "audit": unit.audit.scan(None, 10_000),
            "places": unit.places.scan(None, 10_000),
            "reviews": unit.reviews.pending(None, 10_000),
            "sessions": sessions,
            "paused": unit.sessions.paused(),
            "blocks": [unit.blocks.of(name) for name in names],
            "ledger": [unit.ledger.of(name) for name in names],
            "receipts": unit.receipts.recent(None, 10_000),
            "open turns": [unit.receipts.open_turns(name) for name in names],
            "marks": unit.marks.of(ids),
            "heard": unit.heard.scan(None, 10_000),
            "variables": unit.variables.scan(None, 10_000),
            "terms": unit.texts.of(ids),
            "rivals": unit.claims.rivals(ids, 10_000),
        }


@pytest.fixture
def elsewhere():
    with closing(SqliteInMemoryStore.open()) as store:
        yield store


@functools.cache
def _furnished(*workspaces):
    """What every test here begins with, which takes longer than most of them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "from.db"
        with closing(SqliteStore.open(path)) as store:
            for workspace in workspaces:
                _furnish(store, workspace)
        return path.read_bytes()


@pytest.fixture
def full(tmp_path):
    """A store with two furnished workspaces."""
    with closing(SqliteStore.open(_write(tmp_path / "full.db", *WORKSPACES))) as store:
        yield store


@pytest.fixture
def file(tmp_path):
    """A file with one furnished workspace."""
    return _write(tmp_path / "from.db", "default")


def _write(path, *workspaces):
    path.write_bytes(_furnished(*workspaces))
    path.chmod(0o600)
    return path


def _counts(moved):
    return {kind.name: (kind.source, kind.target, kind.copied) for kind in moved.kinds}


# Everything comes over.


def test_something_of_everything_is_moved(full):
    held = _everything(full)
    assert [name for name, rows in held.items() if not rows] == []
    assert any(block.made_in for blocks in held["blocks"] for block in blocks)
    assert any(entry.pruned_at for entries in held["ledger"] for entry in entries)
    assert any(memory.access_count for memory in held["memories"])
    assert len(held["vectors"]) == 2
    assert len({(each.stage, each.due) for each in held["heard"]}) == 4


def test_everything_comes_over_from_every_store(store, elsewhere):
    for workspace in WORKSPACES:
        _furnish(store, workspace)
    moved = move_workspaces(store, elsewhere, page_size=3, **UNSEEN)
    assert [each.name for each in moved] == WORKSPACES
    assert all(each.is_complete for each in moved)
    for workspace in WORKSPACES:
        assert _everything(elsewhere, workspace) == _everything(store, workspace)


def test_everything_comes_over_into_every_store(full, store):
    before = {workspace: _everything(full, workspace) for workspace in WORKSPACES}
    moved = move_workspaces(full, store, **UNSEEN)
    assert all(each.is_complete for each in moved)
    for workspace in WORKSPACES:
        assert _everything(store, workspace) == before[workspace]
        assert _everything(full, workspace) == before[workspace]


def test_the_report_counts_every_kind_on_both_sides(full, elsewhere):
    first, _ = move_workspaces(full, elsewhere, **UNSEEN)
    counts = _counts(first)
    assert counts["memories"] == (8, 8, 8)
    assert counts["vectors of fake (5, 2)"] == (1, 1, 1)
    assert counts["open turns"] == counts["marks"] == (1, 1, 1)
    assert counts["heard turns"] == (5, 5, 5)
    moved = {kind: count for kind, count in counts.items() if "episodes" not in kind}
    assert all(source == target == copied > 0 for source, target, copied in moved.values())


@pytest.mark.parametrize("session", ["s", "branch", "s2"])
def test_a_turn_goes_on_at_the_new_place_as_it_would_at_the_old(store, session):
    source = SqliteInMemoryStore.open()
    history = _furnish(source)
    move_workspaces(source, store, **UNSEEN)
    for text in ("When do backups run?", "Where do replicas live?"):
        old, new = (
            Tacit(each, "default", clock=HandClock(), new_id=CountedIds(), config=Config()).preview(
                session=session, history=history, text=text
            )
            for each in (source, store)
        )
        assert new.messages == old.messages
        assert new.receipt.candidates == old.receipt.candidates
        assert new.receipt.skipped == old.receipt.skipped


def test_what_is_in_view_does_not_come_again_at_the_new_place_and_what_was_dropped_does(store):
    source = SqliteInMemoryStore.open()
    history = _furnish(source)
    move_workspaces(source, store, **UNSEEN)
    tacit = Tacit(store, "default", clock=HandClock(), config=Config())
    asked = {"session": "s", "history": history}
    assert BACKUPS not in (tacit.preview(text="When do backups run?", **asked).block or "")
    assert REPLICAS in tacit.preview(text="Where do replicas live?", **asked).block


def test_a_turn_that_had_begun_is_settled_at_the_new_place(full, elsewhere):
    move_workspaces(full, elsewhere, **UNSEEN)
    tacit = Tacit(elsewhere, "default", clock=HandClock(), config=Config())
    with elsewhere.read("default") as unit:
        (begun,) = unit.receipts.open_turns("begun only")
    history = [
        *({"role": "user", "content": block.placement.text} for block in begun.blocks),
        {"role": "user", "content": "Where do replicas live?"},
        {"role": "assistant", "content": "In Frankfurt."},
    ]
    again = _say(tacit, "And where do replicas live?", history, session="begun only")
    assert again.block is None
    assert len(tacit.turns.list(session="begun only")) == 2


def test_only_the_named_workspaces_go(full, elsewhere):
    (moved,) = move_workspaces(full, elsewhere, ["日本", "日本"], **UNSEEN)
    assert moved.name == "日本"
    assert elsewhere.workspaces() == ["日本"]


def test_moving_there_and_back_again_copies_nothing(full, elsewhere):
    move_workspaces(full, elsewhere, **UNSEEN)
    before = _everything(full)
    for moved in move_workspaces(elsewhere, full, **UNSEEN):
        assert moved.is_complete
        assert all(kind.copied == 0 for kind in moved.kinds)
    assert _everything(full) == before


# Interruptions.


class Stopped(Exception):
    pass


def _stopping_after(calls):
    left = iter(range(calls))

    def progress(stage, done, total):
        if stage.startswith("copying") and next(left, None) is None:
            raise Stopped

    return progress


def test_a_move_that_was_stopped_anywhere_is_just_run_again(full):
    expected = _everything(full)
    stops = 0
    while True:
        target = SqliteInMemoryStore.open()
        try:
            move_workspaces(full, target, ["default"], progress=_stopping_after(stops), page_size=4)
        except Stopped:
            stops += 1
        else:
            break
        (moved,) = move_workspaces(full, target, ["default"], page_size=4, **UNSEEN)
        assert moved.is_complete
        assert _everything(target) == expected
        copied = sum(kind.copied for kind in moved.kinds)
        assert copied < sum(kind.source for kind in moved.kinds)
    assert stops > 15


_KILLED = """
import os, signal, sys
import tacit
calls = iter(range(int(sys.argv[3])))
def progress(stage, done, total):
    if stage.startswith("copying") and next(calls, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)
tacit.migrate(sys.argv[1], sys.argv[2], progress=progress)
"""


@pytest.mark.parametrize("calls", [0, 1, 4, 8])
def test_a_move_that_was_killed_is_just_run_again(file, tmp_path, calls):
    target = tmp_path / "to.db"
    assert run_program(_KILLED, file, target, calls)[0] == -signal.SIGKILL
    assert migrate(file, target).is_complete
    with closing(SqliteStore.open(file)) as here, closing(SqliteStore.open(target)) as there:
        assert _everything(there) == _everything(here)


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=9)
CONTENTS = TEXTS.filter(str.strip)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(0, 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)


@given(
    drafts=st.dictionaries(CONTENTS, st.dictionaries(TEXTS, JSON, max_size=2), max_size=8),
    size=st.integers(1, 5),
    stop=st.integers(0, 8),
)
def test_whatever_is_remembered_arrives_as_it_was(drafts, size, stop):
    source, target = SqliteInMemoryStore.open(), SqliteInMemoryStore.open()
    tacit = Tacit(source, "default", clock=HandClock(), new_id=CountedIds(), config=Config())
    tacit.memories.remember_all(
        [{"content": content, "metadata": fields} for content, fields in drafts.items()]
    )
    try:
        move_workspaces(source, target, progress=_stopping_after(stop), page_size=size)
    except Stopped:
        move_workspaces(source, target, page_size=size, **UNSEEN)
    assert _everything(target) == _everything(source)


# What is refused.


def test_a_row_that_differs_at_the_target_stops_the_move_before_anything_is_written(
    full, elsewhere
):
    (first,) = move_workspaces(full, elsewhere, ["日本"], **UNSEEN)
    assert first.is_complete
    with elsewhere.write("日本") as unit:
        used = unit.memories.find(Query(now=START, sort=Sort.CREATED))[0].id
        unit.memories.count_access([used], START)
    with pytest.raises(MoveRefused, match=f"日本.*memories: {used}.*differs.*empty place"):
        move_workspaces(full, elsewhere, **UNSEEN)
    assert elsewhere.workspaces() == ["日本"]


def test_a_session_that_went_on_at_the_target_stops_the_move(full, elsewhere):
    move_workspaces(full, elsewhere, **UNSEEN)
    with elsewhere.write("default") as unit:
        session = unit.sessions.get("s")
        unit.sessions.put(replace(session, turns=session.turns + 1))
    with pytest.raises(MoveRefused, match="sessions: s is at the target already and differs"):
        move_workspaces(full, elsewhere, **UNSEEN)


def test_a_heard_turn_that_was_read_at_the_target_stops_the_move(full, elsewhere):
    move_workspaces(full, elsewhere, **UNSEEN)
    with elsewhere.write("default") as unit:
        fresh = unit.heard.at_stage(QueueStage.FRESH, 1)[0].id
        unit.heard.settle([fresh], keep=True)
    with pytest.raises(MoveRefused, match=f"heard turns: {fresh} is at the target already"):
        move_workspaces(full, elsewhere, **UNSEEN)


def test_an_erasure_at_the_source_after_a_move_stops_the_next(full, elsewhere):
    move_workspaces(full, elsewhere, **UNSEEN)
    tacit = Tacit(full, "default", clock=HandClock(), config=Config())
    tacit.erase(tacit.list(key="editor")[0].id)
    with pytest.raises(MoveRefused, match="differs"):
        move_workspaces(full, elsewhere, **UNSEEN)


def test_the_same_statement_under_another_id_stops_the_move(full, elsewhere):
    theirs = Tacit(elsewhere, "default", clock=HandClock(), config=Config()).remember(REPLICAS).id
    before = _everything(elsewhere)
    with full.read("default") as unit:
        mine = unit.memories.same(make_memory(REPLICAS).content_hash).id
    with pytest.raises(MoveRefused, match=f"{mine} says exactly what {theirs} says"):
        move_workspaces(full, elsewhere, **UNSEEN)
    assert _everything(elsewhere) == before


def test_a_statement_that_was_superseded_is_in_nobodys_way(full, elsewhere):
    theirs = Tacit(elsewhere, "default", clock=HandClock(), config=Config())
    theirs.remember("vim", key="editor")
    (moved,) = move_workspaces(full, elsewhere, ["default"], **UNSEEN)
    assert moved.is_complete


def test_the_same_wish_under_another_id_stops_the_move(full, elsewhere):
    move_workspaces(full, elsewhere, **UNSEEN)
    for store in (full, elsewhere):
        tacit = Tacit(store, "default", clock=HandClock(), config=Config())
        tacit.edit(tacit.list(key="editor")[0].id, by="agent", content="nano")
    with pytest.raises(MoveRefused, match=r"reviews: .* says exactly what"):
        move_workspaces(full, elsewhere, **UNSEEN)


def test_what_the_target_had_before_stays_beside_what_comes(full, elsewhere):
    theirs = Tacit(
        elsewhere, "default", embedder=FakeEmbedder(), clock=HandClock(), config=Config()
    )
    kept = theirs.memories.remember_all([f"Lamp number {number}" for number in range(9)])
    (moved,) = move_workspaces(full, elsewhere, ["default"], page_size=2, **UNSEEN)
    assert moved.is_complete
    assert _counts(moved)["memories"] == (8, 8, 8)
    found = {memory.id for memory in _everything(elsewhere)["memories"]}
    assert found > {each.id for each in kept}
    assert theirs.search("lamp number 3").hits


def test_a_source_that_is_used_meanwhile_is_noticed(full, elsewhere):
    tacit = Tacit(full, "default", clock=HandClock(), config=Config())

    def progress(stage, done, total):
        if stage == "copying audit entries of default":
            tacit.remember("Said meanwhile")

    first, second = move_workspaces(full, elsewhere, progress=progress)
    assert (first.changed, first.is_complete) == (True, False)
    assert (second.changed, second.is_complete) == (False, True)


def test_a_session_that_is_used_meanwhile_is_noticed(full, elsewhere):
    def progress(stage, done, total):
        if stage == "copying sessions of default":
            with full.write("default") as unit:
                unit.sessions.put(replace(unit.sessions.get("s"), turns=99))

    (moved,) = move_workspaces(full, elsewhere, ["default"], progress=progress)
    assert moved.changed


def test_what_did_not_arrive_is_told(full, elsewhere):
    lost = _everything(full)["memories"][0].id

    def progress(stage, done, total):
        if stage == "copying open turns of default":
            with elsewhere.write("default") as unit:
                unit.memories.delete(lost)

    (moved,) = move_workspaces(full, elsewhere, ["default"], progress=progress)
    assert (moved.changed, moved.is_complete) == (False, False)
    assert _counts(moved)["memories"] == (8, 7, 8)
    differing = [kind.name for kind in moved.kinds if not kind.is_equal]
    assert {"memories", "vectors of fake (32, 1)"} <= set(differing)


def test_a_place_that_cannot_be_moved_from_or_to_is_refused(file, tmp_path):
    (tmp_path / "link.db").symlink_to(file)
    for same in (file, tmp_path / "link.db"):
        with pytest.raises(InvalidInput, match="same store"):
            migrate(file, same)
    for source, target in ((":memory:", tmp_path / "x.db"), (file, ":memory:")):
        with pytest.raises(InvalidInput, match="lasts as long as the process"):
            migrate(source, target)
    with pytest.raises(StoreUnavailable, match="no memories to move from"):
        migrate(tmp_path / "nowhere.db", tmp_path / "x.db")
    with pytest.raises(NotFound, match=r"no workspace 'shop'; there are: default"):
        migrate(file, tmp_path / "x.db", workspaces=["shop"])
    assert not (tmp_path / "nowhere.db").exists()
    assert not (tmp_path / "x.db").exists()


# The command line.


def test_the_command_shows_both_sides_and_copies_nothing_twice(run, file, tmp_path):
    target = tmp_path / "to.db"
    first = run("migrate", file, target)
    assert (first.code, first.err) == (0, "")
    rows = {tuple(line.split()) for line in first.out.splitlines()}
    assert ("memories", "8", "8", "8", "equal") in rows
    assert ("open", "turns", "1", "1", "1", "equal") in rows
    again = json.loads(run("migrate", file, target, "--json").out)
    assert again["complete"] is True
    assert (again["source"], again["target"]) == (str(file), str(target))
    (moved,) = again["workspaces"]
    assert {kind["copied"] for kind in moved["kinds"]} == {0}
    assert all(len(kind["source_checksum"]) == 64 for kind in moved["kinds"])


def test_the_command_says_no_where_the_source_was_used_meanwhile(run, file, tmp_path, monkeypatch):
    @contextmanager
    def bar():
        with Tacit.open(file, embedder="none") as tacit:
            yield lambda stage, *_: tacit.remember(f"Said while {stage}")

    monkeypatch.setattr("tacit.cli.archive.progress_bar", bar)
    ran = run("migrate", file, tmp_path / "to.db", "-w", "default")
    assert ran.code == 1
    assert "Workspace default was used at the source meanwhile" in ran.err


def test_the_command_names_what_stands_in_the_way(run, file, tmp_path):
    with Tacit.open(tmp_path / "to.db", embedder="none") as tacit:
        tacit.remember(REPLICAS)
    ran = run("migrate", file, tmp_path / "to.db", "--json")
    assert ran.code == 2
    assert json.loads(ran.err)["error"] == "MoveRefused"


def test_moving_from_an_empty_store_says_so(run, tmp_path):
    SqliteStore.open(tmp_path / "empty.db").close()
    ran = run("migrate", tmp_path / "empty.db", tmp_path / "to.db")
    assert (ran.code, "Nothing to move" in ran.out) == (0, True)


def test_a_file_moved_into_postgresql_and_back_is_the_same(run, file, tmp_path):
    url = empty_database()
    there = json.loads(run("migrate", file, url, "--json").out)
    assert there["complete"] is True
    assert there["target"].startswith("postgresql://")
    assert ":postgres@" not in there["target"]
    back = run("migrate", url, tmp_path / "back.db")
    assert (back.code, back.err) == (0, "")
    with (
        closing(SqliteStore.open(file)) as one,
        closing(SqliteStore.open(tmp_path / "back.db")) as two,
    ):
        assert _everything(two) == _everything(one)
    same = run("migrate", url, url)
    assert (same.code, "same store" in same.err) == (2, True)


def test_a_password_is_never_printed(run, file):
    url = "postgresql://ann:heliotrope@127.0.0.1:1/memories"
    for ran in (run("migrate", file, url), run("migrate", url, file, "--json")):
        assert ran.code == 2
        assert "127.0.0.1" in ran.err
        assert "heliotrope" not in ran.out + ran.err
