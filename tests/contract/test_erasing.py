"""Erasing an owner, a session or what filters leave: all of it goes, and nothing else."""

import pytest

from tacit import Tacit
from tacit.api import bulk_erase
from tacit.core.changes import Review
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Action, Actor, Scope
from tacit.core.open_turn import CapturedTurn, OpenTurn, compress_json
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, LedgerEntry, Placement, Session, SessionVariable
from tacit.settings.config import Config
from tacit.settings.grounding import GroundingSettings
from tacit.store.backends import open_store
from tacit.store.sqlite.store import SqliteStore
from tests.support import START, UNLEARNING, CountedIds, HandClock, next_id

ANN = {"scope": "user", "scope_id": "ann"}


def _receipt(session, user=None, **fields):
    return Receipt(
        id=next_id(), session=session, turn=1, at=START, user=user, query="heliotrope?", **fields
    )


def _heard(session, user=None, said="I planted heliotrope", **fields):
    return CapturedTurn(id=next_id(), session=session, at=START, said=(said,), user=user, **fields)


def _session(id, *speakers):
    return Session(id=id, speakers=speakers, created_at=START, updated_at=START)


def _talk(unit, session, memory, *users):
    """A session with something in every table, and a turn of each user."""
    placement = Placement(id="7f3a9c21", text="about heliotrope", anchor="a" * 64, ordinal=0)
    unit.sessions.put(_session(session, *filter(None, users)))
    unit.sessions.pause(Scope.SESSION, session)
    unit.blocks.put(Block(session=session, turn=1, placement=placement, memories=(memory,)))
    unit.ledger.add(
        [LedgerEntry(session=session, turn=1, memory=memory, content_hash=b"\1", block="7f3a9c21")]
    )
    unit.variables.put(SessionVariable(session=session, name="phase", value="heliotrope", at=START))
    for user in users:
        unit.receipts.put(_receipt(session, user))
        unit.receipts.open_turn(OpenTurn(receipt=_receipt(session, user), anchor=""))
        unit.heard.add(_heard(session, user))


def _rows(store, session, workspace="default"):
    """What is kept of a session, by kind."""
    with store.read(workspace) as unit:
        return {
            "sessions": int(unit.sessions.get(session) is not None),
            "paused": int((Scope.SESSION, session) in unit.sessions.paused()),
            "blocks": len(unit.blocks.of(session)),
            "ledger": len(unit.ledger.of(session)),
            "variables": len(unit.variables.of(session)),
            "receipts": len(unit.receipts.recent(session, 99)),
            "turns": len(unit.receipts.open_turns(session)),
            "heard": sum(each.turn.session == session for each in unit.heard.scan(None, 99)),
        }


ALL = {
    "sessions": 1,
    "paused": 1,
    "blocks": 1,
    "ledger": 1,
    "variables": 1,
    "receipts": 1,
    "turns": 1,
    "heard": 1,
}
NONE = {**dict.fromkeys(ALL, 0), "paused": 1}
"""A session that was paused stays so."""


def _proposal(**change):
    return Review(
        id=next_id(),
        memory=next_id(),
        action=Action.INSERT,
        change={"content": "planted heliotrope", "type": "fact", "origin": {}, **change},
        by=Actor.AGENT,
        created_at=START,
    )


def _contents(tacit, workspace="default"):
    found = tacit.workspace.open(workspace).list(state=None, limit=1_000)
    return {memory.content for memory in found}


@pytest.fixture
def tacit(store):
    return Tacit(store, "default", config=UNLEARNING, clock=HandClock(), new_id=CountedIds())


@pytest.fixture
def full(store, tacit):
    """Memories and sessions of Ann, of Bob, of both, and of somebody without a name."""
    past = tacit.remember("Ann plants roses", key="plants", **ANN)
    tacit.remember("Ann plants heliotrope", key="plants", **ANN)
    tacit.forget(tacit.remember("Ann forgets the shears", agent="coder", **ANN).id)
    kept = tacit.remember("Bob mows", scope="user", scope_id="bob")
    tacit.remember("The garden is walled", scope="project", origin={"session": "hers"})
    tacit.remember("This talk is about seeds", scope="session", scope_id="hers")
    tacit.remember("Nobody's own")
    tacit.memories.link(past.id, kept.id)
    tacit.turns.mark_irrelevant_for("what about roses?", past.id)
    tacit.forget(past.id, by="agent")
    tacit.workspace.open("theirs").remember("Ann plants heliotrope", **ANN)
    for workspace in ("default", "theirs"):
        with store.write(workspace) as unit:
            _talk(unit, "hers", kept.id, "ann")
            _talk(unit, "both", kept.id, "ann", "bob")
            _talk(unit, "unnamed", kept.id, None)
            unit.reviews.add(_proposal(**ANN))
            unit.reviews.add(_proposal(scope="user", scope_id="bob", origin={"session": "hers"}))
    return tacit


def test_rows_of_one_session_are_removed_and_those_of_others_stay(store):
    memory, receipts = next_id(), [_receipt("s"), _receipt("s"), _receipt("t")]
    for workspace in ("default", "theirs"):
        with store.write(workspace) as unit:
            _talk(unit, "s", memory, "ann")
            _talk(unit, "t", memory, "ann")
            for receipt in receipts:
                unit.receipts.put(receipt)
    with store.write("default") as unit:
        assert unit.sessions.remove("s") is True
        assert unit.sessions.remove("s") is False
        assert (unit.blocks.clear("s"), unit.blocks.clear("s")) == (1, 0)
        assert (unit.ledger.clear("s"), unit.ledger.clear("s")) == (1, 0)
        ids = [receipts[0].id, receipts[2].id, next_id()]
        assert (unit.receipts.drop(ids), unit.receipts.drop(ids)) == (2, 0)
        assert unit.receipts.get(receipts[1].id) is not None
    assert _rows(store, "s") == {**ALL, "sessions": 0, "blocks": 0, "ledger": 0, "receipts": 2}
    assert _rows(store, "t") == ALL
    assert _rows(store, "s", "theirs") == {**ALL, "receipts": 3}


def test_of_an_owner_goes_every_memory_and_every_turn_and_session_of_theirs(store, full):
    rows = {id: len(full.memories.history(id)) for id in _ids(full, **ANN)}
    before = _contents(full)
    swept = full.memories.erase_owner("user:ann")
    gone = {"Ann plants roses", "Ann plants heliotrope", "Ann forgets the shears"}
    assert before - _contents(full) == {*gone, "This talk is about seeds"}
    assert _rows(store, "hers") == NONE
    shared = {"receipts": 1, "turns": 1, "heard": 1}
    assert _rows(store, "both") == {**ALL, **shared}
    assert _rows(store, "unnamed") == ALL
    with store.read("default") as unit:
        assert [each.user for each in unit.receipts.recent("both", 9)] == ["bob"]
        assert [each.change["scope_id"] for each in unit.reviews.pending(None, 9)] == ["bob"]
        assert unit.associations.scan(None, 9) == unit.marks.scan(None, 9) == []
    assert swept.removed == {
        "memories": 4,
        "episodes": 0,
        "items": 0,
        "associations": 1,
        "comparisons": 0,
        "audit_values": 7,
        "reviews": 2,
        "blocks": 1,
        "ledger": 1,
        "heard": 2,
        "waiting_prompts": 0,
        "variables": 1,
        "chat_entries": 0,
        "turns": 2,
        "receipts": 2,
        "sessions": 1,
    }
    assert any("if one still ends" in place for place in swept.not_reached)
    for id, count in rows.items():
        history = full.memories.history(id)
        assert [each.action for each in history].count(Action.ERASE) == 1
        assert len(history) == count + 1
        assert all(each.old is None and each.new is None for each in history)
    assert _contents(full, "theirs") == {"Ann plants heliotrope"}
    assert _rows(store, "hers", "theirs") == ALL
    assert not any(full.memories.erase_owner("user:ann").removed.values())


def test_the_owner_without_a_name_is_a_user_but_no_project(store, full):
    full.memories.erase_owner("user")
    assert "Nobody's own" not in _contents(full)
    assert _rows(store, "unnamed") == NONE
    assert _rows(store, "hers") == ALL
    full.memories.erase_owner("project")
    assert "The garden is walled" not in _contents(full)
    assert _rows(store, "hers") == ALL


def test_of_a_project_go_its_memories_and_the_turns_in_it(store, tacit):
    tacit.remember("The shop sells seeds", scope="project", scope_id="shop")
    tacit.remember("The barn is red", scope="project", scope_id="barn")
    with store.write("default") as unit:
        unit.sessions.put(_session("s", "ann"))
        for project in ("shop", "barn", None):
            unit.receipts.put(_receipt("s", "ann", project=project))
            unit.heard.add(_heard("s", "ann", project=project))
    assert tacit.memories.erase_owner("project:shop").removed["receipts"] == 1
    assert _contents(tacit) == {"The barn is red"}
    with store.read("default") as unit:
        assert {each.project for each in unit.receipts.scan(None, 9)} == {"barn", None}
        assert {each.turn.project for each in unit.heard.scan(None, 9)} == {"barn", None}
        assert unit.sessions.get("s") is not None


def test_of_a_session_goes_what_was_said_in_it_and_all_its_rows(store, full):
    before = _contents(full)
    swept = full.memories.erase_session("hers")
    assert before - _contents(full) == {"The garden is walled", "This talk is about seeds"}
    assert _rows(store, "hers") == NONE
    assert _rows(store, "both") == {**ALL, "receipts": 2, "turns": 2, "heard": 2}
    with store.read("default") as unit:
        waiting = [each.change for each in unit.reviews.pending(None, 9)]
        assert [each["origin"] for each in waiting if "origin" in each] == [{}]
    assert [swept.removed[kind] for kind in ("memories", "sessions", "receipts", "turns")] == [
        2,
        1,
        1,
        1,
    ]
    assert _rows(store, "hers", "theirs") == ALL


def test_of_filters_go_the_memories_that_meet_all_of_them_in_every_state(store, full):
    full.remember("Ann plants a kind of borage", key="borage", **ANN)
    assert full.memories.erase_matching(contains="HELIOtrope").removed["memories"] == 1
    assert (
        full.memories.erase_matching(scope="user", scope_id="ann", key="plants").removed["memories"]
        == 1
    )
    assert "Ann plants a kind of borage" in _contents(full)
    assert full.memories.erase_matching(state="forgotten").removed["memories"] == 1
    assert "Ann forgets the shears" not in _contents(full)
    assert _rows(store, "hers") == ALL
    assert _contents(full, "theirs") == {"Ann plants heliotrope"}


@pytest.mark.parametrize(
    "erase",
    [
        lambda tacit, **asked: tacit.memories.erase_owner("user:ann", **asked),
        lambda tacit, **asked: tacit.memories.erase_session("hers", **asked),
        lambda tacit, **asked: tacit.memories.erase_matching(contains="plants", **asked),
    ],
)
def test_a_dry_run_counts_what_is_meant_and_changes_nothing(store, full, erase):
    before = _contents(full), _rows(store, "hers"), len(full.reviews.list())
    wished = erase(full, dry_run=True)
    assert wished.dry_run
    assert (_contents(full), _rows(store, "hers"), len(full.reviews.list())) == before
    done = erase(full)
    assert not done.dry_run
    uncounted = {"associations", "comparisons", "audit_values", "chat_entries"}
    for kind in wished.removed.keys() - uncounted:
        assert wished.removed[kind] == done.removed[kind], kind


def test_others_lose_what_has_the_erased_words_and_no_more_and_a_dry_run_counts_it(store, tacit):
    tacit.remember("tea", **ANN)
    told = {"The team eats steak instead": 0, "Some Tea, please": 1}
    with store.write("default") as unit:
        for said in told:
            unit.heard.add(_heard("his", "bob", said))
            unit.variables.put(
                SessionVariable(session="his", name=said[:4], value=[said], at=START)
            )
            unit.reviews.add(_proposal(content=said, scope="user", scope_id="bob"))
    wished = tacit.memories.erase_owner("user:ann", dry_run=True).removed
    assert [wished[kind] for kind in ("heard", "variables", "reviews")] == [1, 1, 1]
    assert tacit.memories.erase_owner("user:ann").removed["variables"] == 1
    with store.read("default") as unit:
        left = [
            *(each.turn.said[0] for each in unit.heard.scan(None, 9)),
            *(each.value[0] for each in unit.variables.of("his")),
            *(each.change["content"] for each in unit.reviews.pending(None, 9)),
        ]
    assert left == [said for said, goes in told.items() if not goes] * 3


def test_what_is_said_during_an_erasure_goes_too(store, full, monkeypatch):
    drop, erase = bulk_erase.BulkErase._drop, bulk_erase.erase_memories

    def ending_turns(self, kind, *rest):
        drop(self, kind, *rest)
        if kind == "heard":
            with store.write("default") as unit:
                for turn in unit.receipts.open_turns("late"):
                    unit.receipts.close_turn(turn.session, turn.id)
                    unit.heard.add(_heard(turn.session, "ann"))

    def hearing_more(author, *rest):
        _talk(author.unit, "late", next_id(), "ann")
        return erase(author, *rest)

    monkeypatch.setattr(bulk_erase.BulkErase, "_drop", ending_turns)
    monkeypatch.setattr(bulk_erase, "erase_memories", hearing_more)
    full.memories.erase_owner("user:ann")
    assert _rows(store, "late") == NONE


def test_a_session_stays_when_somebody_else_comes_to_speak_in_it_meanwhile(
    store, full, monkeypatch
):
    def joined(*_):
        with store.write("default") as unit:
            unit.sessions.put(_session("hers", "ann", "bob"))
            unit.receipts.put(_receipt("hers", "bob"))
        return 0, ()

    with store.write("default") as unit:
        unit.receipts.open_turn(OpenTurn(receipt=_receipt("hers", "bob"), anchor=""))
        unit.heard.add(_heard("hers", "bob"))
    monkeypatch.setattr(bulk_erase, "drop_conversation_files", joined)
    assert full.memories.erase_owner("user:ann").removed["sessions"] == 0
    assert _rows(store, "hers") == ALL


@pytest.mark.parametrize("scope", ["session", "project"])
def test_only_the_receipts_of_a_session_are_read_to_erase_it(store, full, monkeypatch, scope):
    with store.read("default") as unit:
        table = type(unit.receipts)
    scan, scanned = table.scan, []
    monkeypatch.setattr(table, "scan", lambda *asked: scanned.append(asked) or scan(*asked))
    # no memory was said in it, so no other turn can hold one's words
    full.memories.erase_owner(f"{scope}:both")
    assert bool(scanned) is (scope == "project")
    assert _rows(store, "both")["receipts"] == (2 if scope == "project" else 0)


def test_what_was_interrupted_goes_on_when_it_is_asked_for_again(tacit, monkeypatch):
    written = tacit.memories.remember_all(
        [{"content": f"seed {number}", **ANN} for number in range(5)], by="agent"
    )
    monkeypatch.setattr(bulk_erase, "_BATCH", 2)
    erase, calls, looked_for = bulk_erase.erase_memories, [], []

    def failing(author, memories, reach):
        calls.append(len(memories))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return erase(author, memories, reach)

    def looking(folder, words, is_meant):
        looked_for.append(words)
        return 0, ()

    monkeypatch.setattr(bulk_erase, "erase_memories", failing)
    monkeypatch.setattr(bulk_erase, "drop_words_from_files", looking)
    with pytest.raises(KeyboardInterrupt):
        tacit.memories.erase_owner("user:ann")
    assert len(_contents(tacit)) == 3
    assert tacit.memories.erase_owner("user:ann").removed["memories"] == 3
    assert calls == [2, 2, 2, 1]
    assert [len(words) for words in looked_for] == [5, 3]
    for each in written:
        assert [row.action for row in tacit.memories.history(each.id)] == ["insert", "erase"]


def test_a_session_is_known_until_its_chat_logs_are_gone(store, full, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(bulk_erase, "drop_conversation_files", interrupted)
    with pytest.raises(KeyboardInterrupt):
        full.memories.erase_owner("user:ann")
    assert _rows(store, "hers")["sessions"] == 1


@pytest.mark.parametrize("name", ["mine", "Team A", "slack:C123", "UPPER"])
def test_the_chat_log_of_a_session_is_found_whatever_its_name(tmp_path, name):
    config = Config(grounding=GroundingSettings(workspaces_folder=str(tmp_path)))
    with Tacit(open_store(":memory:"), "w", config=config) as tacit:
        for context in (name, "other"):
            tacit.ground("We plant heliotrope", context=context, session=context).commit("Fine.")
        assert tacit.memories.erase_session(name).removed["chat_entries"] > 1
    assert [log.name for log in tmp_path.glob("w/logs/chats/*/*.md")] == ["+other.md"]


def test_what_has_the_words_of_an_erased_memory_is_named_if_it_took_its_place(tacit):
    old = tacit.remember("We deploy on Fridays", key="deploy", tags=["old"])
    heir = tacit.remember("We deploy on Fridays, at noon", key="deploy")
    assert heir.superseded == (old.id,)
    left = tacit.memories.erase_matching(tag="old").not_reached
    assert f"memory {heir.id}: it took an erased one's place and has its words" in left
    assert not any(
        heir.id in place for place in tacit.memories.erase_matching(tag="old").not_reached
    )


def test_only_a_person_erases_and_never_by_what_an_agent_may_see(full):
    before = _contents(full)
    for by in ("agent", "tool", "system", "import"):
        for erase in (
            lambda **asked: full.memories.erase_owner("user:ann", **asked),
            lambda **asked: full.memories.erase_session("hers", **asked),
            lambda **asked: full.memories.erase_matching(contains="plants", **asked),
        ):
            with pytest.raises(InvalidInput, match="person"):
                erase(by=by)
    for filters in ({}, {"contains": None}, {"agent": "coder"}, {"contains": "a", "agent": "x"}):
        with pytest.raises(InvalidInput):
            full.memories.erase_matching(**filters)
    assert _contents(full) == before


@pytest.mark.parametrize("what", ["owner", "session", "filters"])
def test_nothing_that_was_erased_is_in_any_byte_of_the_files(tmp_path, what):
    path = tmp_path / "memory.db"
    store = SqliteStore.open(path)
    tacit = Tacit(store, "default", config=UNLEARNING, clock=HandClock())
    tacit.memories.remember_all([f"ordinary memory {number}" for number in range(100)])
    origin = {"session": "hers", "speaker": "Quetzal"}
    id = tacit.remember("The quetzal nests here", key="bird", origin=origin, tags=["x"], **ANN).id
    tacit.edit(id, content="The quetzal sings", by="user")
    tacit.remember("The quetzal sleeps", key="bird", origin=origin, tags=["x"], **ANN)
    asked = {"session": "hers", "user": "ann", "contextual_min_score": 0.0}
    turn = tacit.turn(text="What of the quetzal that sleeps?", **asked)
    turn.commit("I know.")
    opened = tacit.turn(text="Where is the quetzal?", history=turn.history, **asked)
    heard = _heard("hers", "ann")
    with store.write("default") as unit:
        unit.heard.add(heard)
    packed = [compress_json(turn.receipt.to_dict()), tacit.turns.find(opened.receipt.id).to_bytes()]
    packed.append(compress_json(heard.to_dict()))
    words = [b"quetzal", *(packed if what != "filters" else ())]
    assert "quetzal" in turn.block
    assert all(each in _bytes(path).lower() or each in _bytes(path) for each in words)
    if what == "owner":
        tacit.memories.erase_owner("user:ann")
    elif what == "session":
        tacit.memories.erase_session("hers")
    else:
        assert any(
            "questions" in place for place in tacit.memories.erase_matching(tag="x").not_reached
        )
    left = _bytes(path)
    assert not any(each in left or each in left.lower() for each in words)
    store.close()
    assert b"quetzal" not in _bytes(path).lower()


def _bytes(path):
    files = [path, *path.parent.glob(f"{path.name}-*")]
    return b"".join(file.read_bytes() for file in files)


def _ids(tacit, **filters):
    return [memory.id for memory in tacit.list(state=None, **filters)]
