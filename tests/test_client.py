"""A memory at a server: the calls of the library, its values and its errors; and bad servers."""

import asyncio
import io
import json
import os
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

import pytest
from pydantic import BaseModel

from tacit import AsyncTacit, InvalidInput, Message, NotFound, Tacit, Turn
from tacit.api.client import transport
from tacit.core.errors import (
    AlreadyKnown,
    ArchiveError,
    LimitExceeded,
    NotAllowed,
    StoreBusy,
    StoreUnavailable,
    TacitError,
    Unanswered,
)
from tests.misbehaving import Answer, cut, forwarded, misbehaving, nobody, problem, said
from tests.serving import running

UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057"
SECRET = "tacit_abcdefghijkl_0123456789abcdefghijklmnopqrstuvwxyzABCDEF"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("served") / "memory.db") as server:
        yield server


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    """Tries follow each other at once; how long it waits between them is not tested here."""
    monkeypatch.setattr(transport, "_RETRY_SECONDS", (0.01, 0.03, 0.09, 0.27))


_names = iter(f"w{number}" for number in range(10_000))


@pytest.fixture
def remote(server):
    """A workspace of its own at the real server."""
    with Tacit.connect(server.url, workspace=next(_names)) as tacit:
        yield tacit


@pytest.fixture
def local(tmp_path):
    """The same kind of store, in this process."""
    with Tacit.open(tmp_path / "local.db") as tacit:
        yield tacit


def _memories(tacit, tmp_path):
    """Every call about memories, and what it gives."""
    first = tacit.remember(
        "Billing runs on PostgreSQL 16",
        type="decision",
        key="billing.database",
        tags={"billing"},
        metadata={"a": [1, None]},
        origin={"session": "s", "ordinal": 3, "time": "2026-01-01"},
        valid_from="2026-02-01T10:00:00+01:00",
    )
    yield first
    yield tacit.remember("Billing runs on PostgreSQL 16", type="decision", key="billing.database")
    yield from tacit.memories.remember_all(
        ["tea at four", {"content": "déjà vu 🙂", "pinned": True}]
    )
    yield tacit.remember("Billing runs on MySQL", key="billing.database", by="agent")
    tea, vu = (memory.id for memory in tacit.list(sort="created")[1:3])
    yield tacit.get(tea)
    yield list(tacit.memories.get_all([vu, UNKNOWN, tea, vu]).items())
    yield tacit.memories.get_all([])
    yield tacit.list(state=None, types=["fact"], sort="importance", limit=2)
    yield tacit.list(pinned=True)
    yield tacit.list(contains="BILLING runs", source="user", trust="trusted", explicit=True)
    yield tacit.list(session="s", expires=False, min_importance=0.1, max_importance=0.9)
    yield tacit.list(min_confidence=1, created_from="2026-01-01", updated_from="2026-01-01")
    yield [tacit.count(), tacit.count(state=None, types=["fact"]), tacit.count(contains="DÉJÀ")]
    yield tacit.count(created_to="2026-01-01", agent="coder")
    yield tacit.list(after=tea, key=None, scope="user", scope_id="")
    yield tacit.edit(tea, importance=0.9, expires_at=None, tags=("drink",))
    yield tacit.edit(first.id, content="Billing runs on Oracle", by="agent")
    yield tacit.forget(tea, by="operator")
    yield tacit.forget(tea)
    yield tacit.memories.get_all([tea, vu])
    yield tacit.restore(tea)
    yield tacit.memories.forget_all([tea, vu])
    yield tacit.memories.restore_all([tea, vu])
    yield tacit.memories.assign("ann", ids=[vu], by="agent")
    yield tacit.memories.assign("ann", contains="tea", dry_run=True)
    yield [tacit.memories.assign("ann", ids=[tea]), tacit.get(tea).scope_id]
    yield [tacit.memories.assign("zoe", from_user="ann", limit=1), tacit.edit(tea, scope_id="")]
    yield tacit.memories.link(first.id, tea, "caused_by", weight=0.25)
    yield tacit.memories.link(first.id, vu)
    yield tacit.memories.links(first.id)
    yield tacit.memories.graph(tea, depth=2)
    own = tacit.remember("the planner's own", agent="planner")
    tacit.memories.link(tea, own.id)
    yield [tacit.memories.graph(tea, agent=agent) for agent in ("planner", "coder", None)]
    yield tacit.memories.unlink(first.id, vu)
    yield tacit.memories.unlink(tea, own.id, by="operator")
    yield [entry.by for entry in tacit.memories.history(own.id)]
    yield tacit.memories.history(first.id)
    wishes = tacit.reviews.list()
    yield wishes
    yield tacit.reviews.list(limit=1, after=wishes[0].id, agent="coder")
    yield [tacit.reviews.get(each.id) for each in wishes]
    yield tacit.reviews.get(wishes[0].id, agent="coder")
    yield tacit.reviews.reject(wishes[0].id, reason="not now", by="operator")
    yield [tacit.reviews.accept(each.id, reason="yes") for each in wishes[1:]]
    yield tacit.memories.history(first.id)
    yield tacit.search("which database does billing use?", max_results=3)
    yield tacit.search("", mode="recent")
    yield tacit.search("which database does billing use?", session="s", limit=2)
    yield replace(tacit.workspace.stats(), store={}, workspace="")
    yield tacit.remember("Our office is in Berlin", key="office", by="agent", confidence=0.5)
    yield tacit.remember("Our office is in Bonn", key="office", by="agent", confidence=0.4)
    conflicts = tacit.conflicts.list()
    yield conflicts
    sides = [memory.id for memory in conflicts[0].memories]
    yield tacit.conflicts.resolve(keep=sides[0], supersede=sides[1:], reason="we moved", by="agent")
    yield tacit.memories.history(sides[1])
    for confidence in (0.9, 0.87):
        tacit.remember(f"at {confidence}", key="desk", agent="planner", confidence=confidence)
    yield [tacit.conflicts.list(agent=agent) for agent in ("planner", "coder")]
    yield tacit.erase(tea)
    yield tacit.memories.history(tea)
    yield tacit.erase(vu, by="operator")
    yield tacit.memories.history(vu)
    yield [tacit.memories.history(vu, limit=1), tacit.memories.links(first.id, limit=1)]
    tacit.memories.remember_all([{"content": f"seed {n}", "scope_id": "ann"} for n in range(3)])
    yield tacit.memories.erase_matching(contains="SEED 1", created_from="2026-01-01", dry_run=True)
    yield tacit.memories.erase_matching(contains="SEED 1", types=["fact"], min_importance=0.1)
    yield tacit.memories.erase_owner("user:ann", by="operator")
    yield tacit.memories.erase_owner("org")
    yield tacit.memories.erase_session("a/b", dry_run=True)
    yield tacit.memories.erase_session("s")
    archive = tmp_path / f"{type(tacit).__name__}.jsonl"
    yield tacit.archive.export_to(archive)
    yield [json.loads(line).get("kind") for line in archive.read_text().splitlines()]
    tacit.remember("Ann likes tea", user="ann")
    yield tacit.archive.export_to(archive, owner="user:ann")
    kept = [json.loads(line) for line in archive.read_text().splitlines()]
    yield [(line["kind"], line.get("owner"), line.get("content")) for line in kept]
    yield tacit.archive.import_from(archive)
    yield tacit.archive.import_from(
        io.BytesIO(b'{"content": "new"}\n{"content": ""}\n'), format="jsonl"
    )
    said = {"origin": {"time": "2026-01-01"}, "tags": {"été"}, "scope": "org", "importance": None}
    lines = b'{"content": "newer"}\n{"content": "newest", "scope": "user"}\n'
    yield tacit.archive.import_from(
        io.BytesIO(lines), by="operator", valid_from="2026-01-01", **said
    )
    yield tacit.list(tag="été", sort="created")
    yield [event.kind for event in tacit.workspace.events(limit=5).events]


def _conversation(tacit, _):
    """Every call about turns and sessions, and what it gives."""
    tacit.remember("Replicas live in Frankfurt", key="replicas", scope="org")
    tacit.remember("Deploys need two approvals", type="constraint", scope="org", pinned=True)
    yield tacit.preview(session="a/b", text="Where do replicas live?").messages
    for only in ({"scopes": ["user"]}, {"types": ["constraint"]}, {"scopes": []}):
        yield tacit.preview(session="a/b", text="Where do replicas live?", **only).receipt
    with tacit.turn(session="a/b", text="Where do replicas live?", user="ann") as turn:
        yield [turn.messages, turn.block, turn.history, turn.is_open]
        yield turn.receipt
        turn.commit("In Frankfurt.")
    yield [turn.history, turn.is_open]
    yield tacit.turns.get(turn.receipt.id)
    yield tacit.turns.list()
    yield tacit.turns.list(session="elsewhere")
    with tacit.turn(session="a/b", text="And the deploys?", history=turn.history) as lost:
        yield lost.messages
        yield [lost.receipt.outcome(), lost.receipt.deduped, lost.receipt.query]
    yield lost.history
    with tacit.turn(
        session="once", text="Where do replicas live?", max_injected_blocks_in_history=0
    ) as once:
        once.commit({"role": "assistant", "content": "Frankfurt"})
    yield [once.messages, once.history]
    open = tacit.turn(session="open", text="Where do replicas live?")
    yield tacit.commit_turn(open.receipt.id)
    yield tacit.turns.roll_back(open.receipt.id)
    yield tacit.sessions.list()
    yield tacit.sessions.list(limit=1, after=tacit.sessions.list(limit=1)[0].cursor)
    tacit.sessions.pause(session="once")
    yield tacit.sessions.list()
    yield tacit.sessions.get("a/b")
    tacit.remember("Replicas of the planner live in Oslo", agent="planner", scope="org")
    with tacit.turn(session="own", text="Where do replicas live?", agent="planner") as own:
        own.commit("In Oslo.")
    for agent in ("planner", "coder"):
        yield tacit.sessions.get("own", agent=agent).blocks
    yield tacit.sessions.fork("a/b", "a/c?d#e")
    yield tacit.sessions.clear("a/c?d#e")
    yield tacit.sessions.reset_memory_injection_tracking("a/b")
    tacit.sessions.pause(session="..")
    yield tacit.turn(session="..", text="Where do replicas live?").receipt.skipped
    yield [tacit.sessions.resume(session="..") for _ in range(2)]
    tacit.sessions.pause(project="p/q")
    asked = {"session": "x", "project": "p/q", "text": "Where do replicas live?"}
    yield tacit.turn(**asked).receipt.skipped
    yield [tacit.sessions.resume(project="p/q") for _ in range(2)]
    yield tacit.turn(**asked).receipt.skipped
    yield tacit.compact(session="a/b", history=turn.history, level="aggressive")
    done = tacit.workspace.activity(turns=5, days=2, agent="coder").to_dict()
    yield [done["turns"], done["found"], done["left_out"], done["tokens"], done["top"]]
    yield [
        tacit.workspace.activity().growth.before,
        len(tacit.workspace.activity(agent="planner").top),
    ]
    yield tacit.turns.mark_irrelevant(turn.receipt.id, turn.receipt.injected[0].memory)
    mark = tacit.turns.mark_irrelevant_for(
        "Where do replicas live?", turn.receipt.injected[0].memory
    )
    marked = tacit.turns.marks(turn.receipt.injected[0].memory)
    yield len(marked), marked[0].memory
    yield tacit.turns.unmark(mark)
    yield tacit.turns.marks(turn.receipt.injected[0].memory)


def _lessons(tacit, _):
    """Every call about learning, and what it gives."""
    said = "I always use tabs for indentation. Should I always use tabs?"
    yield tacit.extract(said)
    yield tacit.extract("hello")
    yield tacit.learn()
    with tacit.turn(session="a/b", text=said, user="ann") as turn:
        turn.commit("Sure.")
    tacit.learn(agent="coder")  # or it was read meanwhile
    yield [(each.content, each.type, each.metadata["learned_by"]) for each in tacit.list()]
    yield tacit.learn()
    yield tacit.end_session("a/b")


def _upkeep(tacit, _):
    """Upkeep, which finds some things to relate."""
    for number in range(3):
        tacit.remember(f"the lamp on desk {number} is lit when the office opens", by="agent")
    yield tacit.upkeep(dry_run=True, limit=2)
    yield tacit.upkeep(limit=2)
    yield tacit.upkeep()
    yield tacit.memories.links(tacit.list(sort="created")[0].id)


@pytest.mark.parametrize("script", [_memories, _conversation, _lessons, _upkeep])
def test_every_call_gives_what_the_library_gives(script, local, remote, tmp_path):
    there, here = _Same(remote.workspace.name), _Same(local.workspace.name)
    for number, (came, expected) in enumerate(
        zip(script(remote, tmp_path), script(local, tmp_path), strict=True)
    ):
        assert there.seen(came) == here.seen(expected), number


class _Same:
    """Values without what differs from run to run: ids by their order, no times."""

    def __init__(self, workspace):
        self._ids = {}
        self._workspace = workspace

    def seen(self, value):
        return self._plain(value)

    def _plain(self, value):
        if hasattr(value, "to_dict"):
            return type(value), self._plain(value.to_dict() | self._messages(value))
        if isinstance(value, dict):
            left_out = ("timings_ms", "cpu_ms", "content_hash")
            return {
                self._plain(name): self._plain(each)
                for name, each in value.items()
                if name not in left_out
            }
        if isinstance(value, list | tuple):
            return [self._plain(each) for each in value]
        if isinstance(value, float):
            return round(value, 2)
        return self._text(value) if isinstance(value, str) else value

    def _messages(self, value):
        return {"messages": value.messages} if hasattr(value, "messages") else {}

    def _text(self, value):
        if value == self._workspace:
            return "<workspace>"
        value = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "<time>", value)
        value = re.sub(r"(k-[0-9a-f]{16})-[0-9a-f]{16}", r"\1-<conflict>", value)
        return re.sub(
            r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{17,}",
            lambda found: self._ids.setdefault(found[0], f"<{len(self._ids)}>"),
            value,
        )


def _overtaken(tacit):
    """The id of a wish whose memory was forgotten since."""
    mine = tacit.remember("x").id
    wish = tacit.edit(mine, content="y", by="agent").review
    tacit.forget(mine)
    return wish.id


MISTAKES = {
    "no such memory": lambda tacit: tacit.get(UNKNOWN),
    "no id": lambda tacit: tacit.get("../status"),
    "forgotten": lambda tacit: tacit.get(tacit.forget(tacit.remember("x").id).id),
    "importance": lambda tacit: tacit.remember("x", importance=3),
    "empty": lambda tacit: tacit.remember(" "),
    "no such field": lambda tacit: tacit.remember("x", colour="red"),
    "one of many": lambda tacit: tacit.memories.remember_all(
        ["fine", {"content": "x", "type": "opinion"}]
    ),
    "not a list": lambda tacit: tacit.memories.remember_all("x"),
    "nobody": lambda tacit: tacit.remember("x", by="nobody"),
    "state": lambda tacit: tacit.list(state="sleeping"),
    "limit": lambda tacit: tacit.list(limit=0),
    "contains nothing": lambda tacit: tacit.list(contains=""),
    "no such filter": lambda tacit: tacit.count(colour="red"),
    "no time": lambda tacit: tacit.count(created_to="tomorrow"),
    "after": lambda tacit: tacit.list(after=UNKNOWN),
    "cannot be empty": lambda tacit: tacit.edit(tacit.remember("x").id, content=None),
    "edit unknown": lambda tacit: tacit.edit(UNKNOWN, content="x"),
    "twin": lambda tacit: tacit.edit(
        tacit.remember("x").id, content=tacit.remember("y").memory.content
    ),
    "ids": lambda tacit: tacit.memories.forget_all(UNKNOWN),
    "one of the ids": lambda tacit: tacit.memories.get_all([UNKNOWN, "../status"]),
    "too many ids": lambda tacit: tacit.memories.get_all(
        str(UUID(int=each)) for each in range(1_001)
    ),
    "forget unknown": lambda tacit: tacit.forget(UNKNOWN),
    "restore unknown": lambda tacit: tacit.restore(UNKNOWN),
    "erase unknown": lambda tacit: tacit.erase(UNKNOWN),
    "erase everything": lambda tacit: tacit.memories.erase_matching(),
    "erase what an agent sees": lambda tacit: tacit.memories.erase_matching(agent="coder"),
    "erase by no filter": lambda tacit: tacit.memories.erase_matching(colour="red"),
    "erase no owner": lambda tacit: tacit.memories.erase_owner("moon:ann"),
    "erase no session": lambda tacit: tacit.memories.erase_session(""),
    "an agent erases": lambda tacit: tacit.memories.erase_owner("user:ann", by="agent"),
    "link": lambda tacit: tacit.memories.link(UNKNOWN, tacit.remember("x").id),
    "weight": lambda tacit: tacit.memories.link(UNKNOWN, UNKNOWN, weight=2),
    "unlink": lambda tacit: tacit.memories.unlink(tacit.remember("x").id, tacit.remember("y").id),
    "history": lambda tacit: tacit.memories.history(UNKNOWN),
    "review": lambda tacit: tacit.reviews.get(UNKNOWN),
    "no review": lambda tacit: tacit.reviews.get("../status"),
    "accept": lambda tacit: tacit.reviews.accept(UNKNOWN),
    "accept by an agent": lambda tacit: tacit.reviews.accept(UNKNOWN, by="agent"),
    "accept too late": lambda tacit: tacit.reviews.accept(_overtaken(tacit)),
    "reject": lambda tacit: tacit.reviews.reject(UNKNOWN),
    "reject without sense": lambda tacit: tacit.reviews.reject(UNKNOWN, reason=7),
    "mode": lambda tacit: tacit.search("x", mode="magic"),
    "search setting": lambda tacit: tacit.search("x", max_results=-1),
    "no search setting": lambda tacit: tacit.search("x", nonsense=1),
    "turn setting": lambda tacit: tacit.turn(session="s", text="x", max_total=-1),
    "no turn setting": lambda tacit: tacit.turn(session="s", text="x", nonsense=1),
    "session": lambda tacit: tacit.turn(session="", text="x"),
    "nothing said": lambda tacit: tacit.turn(session="s", text=[]),
    "no message": lambda tacit: tacit.turn(session="s", text="x", history=[7]),
    "trigger": lambda tacit: tacit.turn(session="s", text="x", trigger="moon"),
    "scopes": lambda tacit: tacit.preview(session="s", text="x", scopes="org"),
    "no scope": lambda tacit: tacit.preview(session="s", text="x", scopes=["moon"]),
    "types": lambda tacit: tacit.preview(session="s", text="x", types=["moon"]),
    "session is no text": lambda tacit: tacit.sessions.get(None),
    "no session": lambda tacit: tacit.sessions.get("nowhere"),
    "fork": lambda tacit: tacit.sessions.fork("nowhere", "there"),
    "pause": lambda tacit: tacit.sessions.pause(),
    "end": lambda tacit: tacit.end_session(""),
    "extract": lambda tacit: tacit.extract(7),
    "learn": lambda tacit: tacit.learn(agent=7),
    "level": lambda tacit: tacit.compact(session="s", history=[], level="high"),
    "receipt": lambda tacit: tacit.turns.get(UNKNOWN),
    "commit": lambda tacit: tacit.commit_turn(UNKNOWN),
    "mark": lambda tacit: tacit.turns.mark_irrelevant(UNKNOWN, UNKNOWN),
    "mark of nothing": lambda tacit: tacit.turns.mark_irrelevant_for("Which replicas?", UNKNOWN),
    "mark for nothing": lambda tacit: tacit.turns.mark_irrelevant_for("and the", UNKNOWN),
    "unmark": lambda tacit: tacit.turns.unmark(UNKNOWN),
    "activity of no turns": lambda tacit: tacit.workspace.activity(turns=0),
    "activity of no days": lambda tacit: tacit.workspace.activity(days=1_001),
    "nobody erases": lambda tacit: tacit.erase(UNKNOWN, by="nobody"),
    "nobody imports": lambda tacit: tacit.archive.import_from(io.BytesIO(b"x"), by="nobody"),
    "default": lambda tacit: tacit.archive.import_from(io.BytesIO(b"x"), importance=3),
    "no such default": lambda tacit: tacit.archive.import_from(io.BytesIO(b"x"), colour="red"),
    "receipts after": lambda tacit: tacit.turns.list(after="x"),
    "resolve": lambda tacit: tacit.conflicts.resolve(keep=UNKNOWN, keep_both=[UNKNOWN]),
    "not text": lambda tacit: tacit.archive.import_from(io.BytesIO(b"\0\1")),
    "no file": lambda tacit: tacit.archive.import_from("/nowhere/at/all"),
    "erase by nothing": lambda tacit: tacit.erase(UNKNOWN, by=None),
    "restore no id": lambda tacit: tacit.restore("x"),
    "unlink what": lambda tacit: tacit.memories.unlink(UNKNOWN, UNKNOWN, "moon"),
    "links of nothing": lambda tacit: tacit.memories.links(None),
    "links for no agent": lambda tacit: tacit.memories.links(tacit.remember("x").id, agent=""),
    "graph of nothing": lambda tacit: tacit.memories.graph(tacit.remember("x").id, limit=0),
    "conflicts of none": lambda tacit: tacit.conflicts.list(limit=0),
    "conflicts for no user": lambda tacit: tacit.conflicts.list(user=""),
    "conflicts after": lambda tacit: tacit.conflicts.list(after="x"),
    "resolve none": lambda tacit: tacit.conflicts.resolve(keep_both="x"),
    "reviews after": lambda tacit: tacit.reviews.list(after="x"),
    "sessions after": lambda tacit: tacit.sessions.list(after="x"),
    "receipts of no session": lambda tacit: tacit.turns.list(session=""),
    "receipts of none": lambda tacit: tacit.turns.list(limit=True),
    "rollback": lambda tacit: tacit.turns.roll_back("x"),
    "history of none": lambda tacit: tacit.memories.history(UNKNOWN, limit=0),
    "links of none": lambda tacit: tacit.memories.links(tacit.remember("x").id, limit=1_001),
    "marks of none": lambda tacit: tacit.turns.marks(UNKNOWN, limit=True),
    "search in no session": lambda tacit: tacit.search("x", session=""),
    "marks": lambda tacit: tacit.turns.marks("x"),
    "marks for no user": lambda tacit: tacit.turns.marks(UNKNOWN, user=""),
    "a mark by nobody": lambda tacit: tacit.turns.mark_irrelevant_for("x", UNKNOWN, by="nobody"),
    "reset": lambda tacit: tacit.sessions.reset_memory_injection_tracking(""),
    "variables": lambda tacit: tacit.sessions.variables(None),
    "fork to nowhere": lambda tacit: tacit.sessions.fork("s", ""),
    "stats for no agent": lambda tacit: tacit.workspace.stats(agent=""),
    "events of none": lambda tacit: tacit.workspace.events(limit=0),
    "certainty": lambda tacit: tacit.search("x", min_confidence=2),
    "one type": lambda tacit: tacit.search("x", types="fact"),
    "no such type": lambda tacit: tacit.search("x", types=["moon"]),
    "search for no user": lambda tacit: tacit.search("x", user=""),
    "role": lambda tacit: tacit.grounding.policy(role="king"),
    "kind": lambda tacit: tacit.grounding.log_chat("WHISPER", "x", context="c"),
    "no words": lambda tacit: tacit.grounding.log_chat("TOOL", 7, context="c"),
    "end of what": lambda tacit: tacit.grounding.end("x"),
    "documents": lambda tacit: tacit.documents.search("x", limit=0),
    "upkeep of nothing": lambda tacit: tacit.upkeep(limit=0),
    "upkeep of too much": lambda tacit: tacit.upkeep(limit=100_001),
    "format": lambda tacit: tacit.archive.import_from(io.BytesIO(b"x"), format="xml"),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_mistakes_raise_what_the_library_raises(mistake, local, remote):
    raised = []
    for tacit in (local, remote):
        with pytest.raises(TacitError) as caught:
            mistake(tacit)
        message = str(caught.value).replace(f"{tacit.workspace.name!r}", "<workspace>")
        message = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "<id>", message)
        raised.append((type(caught.value), message, getattr(caught.value, "field", None)))
    assert raised[0] == raised[1]


class Part(BaseModel):
    type: str = "text"
    text: str


class Spoken(BaseModel):
    role: str
    content: str | list[dict | Part] | None
    name: str | None = None


@dataclass
class Line:
    role: str
    content: str


class Slotted:
    __slots__ = ("content", "role")

    def __init__(self, role, content):
        self.role, self.content = role, content


class Loose:
    def __init__(self, role, content):
        self.role, self.content = role, content


@pytest.mark.parametrize(
    "make",
    [
        lambda role, text: {"role": role, "content": text},
        lambda role, text: Slotted(role, text),
        lambda role, text: Spoken(role=role, content=text),
        lambda role, text: Spoken(role=role, content=[Part(text=text)]),
        Line,
        Loose,
        Message,
    ],
)
def test_messages_come_back_as_the_very_objects_that_were_sent(make, remote, local):
    history = [make("user", "hi"), make("assistant", "ok"), make("user", "hi"), make("user", "hi")]
    said = make("user", "Where do replicas live?")
    shapes = []
    for tacit in (remote, local):
        tacit.remember("Replicas live in Frankfurt")
        with tacit.turn(session="s", history=history, text=said) as turn:
            turn.commit("In Frankfurt")
        assert [id(each) for each in turn.messages[:4]] == [id(each) for each in history]
        assert turn.messages[-1] is said
        assert len(turn.messages) == 6
        shapes.append([type(each) for each in turn.history])
        made = tacit.compact(session="s", history=turn.history, level="emergency").messages
        assert any(each is said for each in made)
    assert shapes[0] == shapes[1]


def test_a_block_between_parts_leaves_the_other_parts_alone(remote, local):
    call = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "done"}
    asked = Part(text="Where do replicas live?")
    found = []
    for tacit in (remote, local):
        tacit.remember("Replicas live in Frankfurt")
        history = [Spoken(role="user", content="look"), Spoken(role="assistant", content=[call])]
        answer = Spoken(role="user", content=[result, asked])
        with tacit.turn(session="s", history=history, text=answer) as turn:
            turn.commit("In Frankfurt")
        last = turn.messages[-1]
        assert isinstance(last, Spoken)
        assert last.content[-1] is answer.content[-1]
        found.append([each.model_dump() for each in turn.messages])
    assert found[0] == found[1]


def test_a_key_decides_the_workspace_and_what_may_be_done(tmp_path):
    with Tacit.open(tmp_path / "m.db") as store:
        _, writer = store.keys.add("writer", "write", workspace="acme")
        _, reader = store.keys.add("reader", "read", workspace="acme")
        _, everywhere = store.keys.add("all", "admin")
    with running(tmp_path / "m.db") as server:
        with Tacit.connect(server.url, writer) as tacit:
            assert tacit.remember("x").memory.workspace == tacit.workspace.name == "acme"
            with pytest.raises(NotAllowed, match="another workspace"):
                tacit.workspace.open("other").list()
        with Tacit.connect(server.url, everywhere, workspace="acme") as tacit:
            assert [memory.content for memory in tacit.list()] == ["x"]
            assert tacit.workspace.open("other").list() == []
            assert tacit.workspace.names() == ["acme"]
        with Tacit.connect(server.url, reader) as tacit:
            assert len(tacit.list()) == 1
            with pytest.raises(NotAllowed, match="role write"):
                tacit.remember("y")
            with tacit.turn(session="s", text="What is x?") as turn:
                turn.commit("that")
            assert "role write" in turn.receipt.degraded[0]
        for key, refusal in ((SECRET, "unknown or was revoked"), (None, "send a key")):
            with Tacit.connect(server.url, key) as tacit, pytest.raises(NotAllowed, match=refusal):
                tacit.list()


def test_with_an_agents_key_one_writes_as_the_agent_without_saying_so(tmp_path):
    with Tacit.open(tmp_path / "m.db") as store:
        _, coder = store.keys.add("coder", "admin", workspace="acme", agent="coder")
        tea = store.workspace.open("acme").remember("tea at four").id
    with running(tmp_path / "m.db") as server, Tacit.connect(server.url, coder) as tacit:
        own = tacit.remember("x").memory
        assert (own.source, tacit.edit(own.id, tags=["t"]).status) == ("agent", "updated")
        assert tacit.forget(tea).status == "queued"
        tacit.memories.link(own.id, tea)
        tacit.memories.unlink(own.id, tea)
        assert [each.by for each in tacit.memories.history(own.id)] == ["agent"] * 4
        assert tacit.archive.import_from(io.BytesIO(b"y\n")).counts == {"created": 1}
        assert [each.source for each in tacit.list(sort="created")] == ["user", "agent", "agent"]
        for call in (
            lambda: tacit.remember("z", by="operator"),
            lambda: tacit.erase(own.id, by="operator"),
            lambda: tacit.archive.import_from(io.BytesIO(b"z\n"), by="user"),
            lambda: tacit.archive.import_from(io.BytesIO(b"z\n"), agent="planner"),
            lambda: tacit.memories.graph(own.id, agent="planner"),
        ):
            with pytest.raises(NotAllowed, match="key"):
                call()


@pytest.mark.parametrize("name", ["café 日本", "50%", "a%20b", " spaces ", "team/alpha?x#y"])
def test_a_workspace_is_reached_by_any_name_it_can_have(server, name):
    with Tacit.connect(server.url, workspace=name) as tacit:
        assert tacit.remember("x").memory.workspace == name
        assert name in tacit.workspace.names()


def test_defaults_that_are_too_long_for_an_address_are_refused(remote):
    with pytest.raises(LimitExceeded, match="say less"):
        remote.archive.import_from(io.BytesIO(b"x"), metadata={"a": "é" * 20_000})
    assert remote.list() == []


def test_receipts_are_one_request(server):
    name = next(_names)
    with misbehaving(forwarded(server.url)) as line:
        with Tacit.connect(line.url, workspace=name) as tacit:
            for number in range(3):
                tacit.turn(session="s", text=f"What is {number}?").commit("that")
            before = len(line.heard)
            assert [each.turn for each in tacit.turns.list()] == [3, 2, 1]
        assert len(line.heard) == before + 1


def test_the_environment_says_what_is_not_given(server, monkeypatch):
    monkeypatch.setenv("TACIT_URL", server.url)
    monkeypatch.setenv("TACIT_KEY", SECRET)
    with Tacit.connect() as tacit, pytest.raises(NotAllowed):
        tacit.list()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"url": "localhost:8377"}, "url"),
        ({"url": "http://"}, "url"),
        ({"url": "http://[::1"}, "url"),
        ({"key": f"{SECRET}\n"}, "key"),
        ({"key": f"{SECRET}ö"}, "key"),
        ({"workspace": ""}, "workspace"),
        ({"timeout": 0}, "timeout"),
    ],
)
def test_what_cannot_be_connected_to_is_refused_without_telling_the_key(given, field):
    with pytest.raises(InvalidInput) as caught:
        Tacit.connect(**{"url": "http://127.0.0.1:1", **given})
    assert caught.value.field == field
    assert SECRET not in str(caught.value)


def test_the_key_is_in_no_message_and_no_repr():
    with Tacit.connect(nobody().replace("//", "//me:pass@"), SECRET, timeout=0.5) as tacit:
        with pytest.raises(Unanswered) as caught:
            tacit.list()
        turn = tacit.turn(session="s", text="hi")
        told = f"{tacit!r} {vars(tacit)!r} {caught.value} {turn.receipt}"
    assert SECRET not in told
    assert "pass" not in told


KEPT = {
    "id": UNKNOWN,
    "workspace": "default",
    "content": "x",
    "type": "fact",
    "importance": 0.6,
    "confidence": 1.0,
    "scope": "user",
    "source": "user",
    "trust": "trusted",
    "explicit": True,
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
}
WRITTEN = {"status": "created", "memory": KEPT, "superseded": [], "review": None}
BUSY = problem("store_busy", 503, Retry_After="0")


@pytest.mark.parametrize(
    "trouble",
    [
        cut(),
        BUSY,
        problem("too_many", 429, Retry_After="0"),
        problem("in_progress", 409, Retry_After="0"),
        problem("stopping", 503),
        Answer(503, b"<html>no upstream</html>"),
        Answer(503, b"", {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}),
    ],
)
def test_a_write_is_sent_again_as_the_same_request(trouble):
    with misbehaving(trouble, trouble, said(WRITTEN)) as bad, Tacit.connect(bad.url) as tacit:
        assert tacit.remember("x").id == UNKNOWN
    assert len(bad.heard) == 3
    assert len({(each.headers["Idempotency-Key"], each.body) for each in bad.heard}) == 1


def test_two_writes_have_different_keys():
    with misbehaving(said(WRITTEN)) as bad, Tacit.connect(bad.url) as tacit:
        tacit.remember("x")
        tacit.remember("x")
    one, other = bad.heard
    assert one.headers["Idempotency-Key"] != other.headers["Idempotency-Key"]
    assert one.headers["User-Agent"].startswith("tacit/")


def test_what_was_cut_off_and_has_no_key_is_not_sent_again():
    with misbehaving(cut(), said(WRITTEN)) as bad, Tacit.connect(bad.url) as tacit:
        with pytest.raises(Unanswered):
            tacit.edit(UNKNOWN, content="y")
        assert len(bad.heard) == 1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (problem("too_many", 429, Retry_After="0"), LimitExceeded),
        (BUSY, StoreBusy),
        (problem("store_unavailable", 503, Retry_After="0"), StoreUnavailable),
        (Answer(429, b"slow down", {"Retry-After": "0"}), LimitExceeded),
    ],
)
def test_a_server_that_stays_busy_is_given_up(answer, error):
    with misbehaving(answer) as bad, Tacit.connect(bad.url) as tacit:
        with pytest.raises(error):
            tacit.list()
        assert len(bad.heard) == 5


def test_a_wait_that_takes_too_long_is_not_begun():
    answer = problem("too_many", 429, "ask less", Retry_After="3600")
    with misbehaving(answer) as bad, Tacit.connect(bad.url) as tacit:
        with pytest.raises(LimitExceeded, match="ask less"):
            tacit.list()
        assert len(bad.heard) == 1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Answer(200, b"<html>hello</html>"), Unanswered),
        (Answer(200, b""), Unanswered),
        (Answer(200, b"[]"), Unanswered),
        (said({"items": [{"id": 7}]}), Unanswered),
        (said({"items": [{**KEPT, "type": "opinion"}]}), Unanswered),
        (Answer(204), Unanswered),
        (Answer(200, b"no gzip", {"Content-Encoding": "gzip"}), Unanswered),
        (Answer(302, b"", {"Location": "/login"}), Unanswered),
        (Answer(404, b"<html>not here</html>"), Unanswered),
        (Answer(500, b"<html>oops</html>"), Unanswered),
        (Answer(502, b'{"type": "about:blank"}'), Unanswered),
        (problem("internal", 500), Unanswered),
        (problem("from_the_future", 418), Unanswered),
        (Answer(401, b""), NotAllowed),
        (Answer(403, b"[]"), NotAllowed),
        (Answer(413, b"too big"), LimitExceeded),
        (problem("host_not_allowed", 421), NotAllowed),
        (problem("too_large", 413), LimitExceeded),
        (problem("not_found", 404), NotFound),
        (problem("already_known", 409), AlreadyKnown),
        (problem("invalid_input", 422), ArchiveError),
    ],
)
def test_each_bad_answer_is_an_error_that_says_so(answer, error):
    with misbehaving(answer) as bad, Tacit.connect(bad.url) as tacit:
        with pytest.raises(error) as caught:
            tacit.list()
        assert type(caught.value) is error


def test_a_server_that_says_nothing_is_not_waited_for_longer_than_allowed():
    released = threading.Event()

    def silent(_):
        released.wait(30)
        return cut()

    with misbehaving(silent) as bad, Tacit.connect(bad.url, timeout=0.2) as tacit:
        with pytest.raises(Unanswered, match="does not answer"):
            tacit.list()
        turn = tacit.turn(session="s", text="hi")
        released.set()
    assert "does not answer" in turn.receipt.degraded[0]


@pytest.mark.parametrize(
    "answer", [Answer(200, b"<html>hello</html>"), Answer(500), problem("too_large", 413)]
)
def test_a_turn_goes_on_without_memory_where_the_server_answers_nonsense(answer):
    with misbehaving(answer) as bad, Tacit.connect(bad.url) as tacit:
        with tacit.turn(session="s", text="hi") as turn:
            turn.commit("hello")
        assert [each["content"] for each in turn.history] == ["hi", "hello"]
        assert len(bad.heard) == 1


def test_a_turn_goes_on_without_memory_where_there_is_no_server(caplog):
    history = [Loose("user", "hi"), Loose("assistant", "hello")]
    said = Loose("user", "Where do replicas live?")
    with Tacit.connect(nobody(), timeout=0.5) as tacit:
        for _ in range(2):
            with tacit.turn(session="s", history=history, text=said, user="ann") as turn:
                assert isinstance(turn, Turn)
                assert turn.messages == [*history, said]
                assert (turn.block, turn.is_open, turn.receipt.user) == (None, False, "ann")
                assert "does not answer" in turn.receipt.degraded[0]
                turn.commit("In Frankfurt")
            assert turn.history[:3] == [*history, said]
            assert len(turn.history) == 4
        with tacit.turn(session="s", text="hi") as lost:
            pass
        assert lost.history == []
    assert [each.levelname for each in caplog.records] == ["WARNING"]


def test_what_takes_long_can_be_given_more_patience():
    def slow(_):
        time.sleep(0.5)
        return said({"items": ["a"]})

    with misbehaving(slow) as server, Tacit.connect(server.url, timeout=0.1) as hasty:
        with pytest.raises(Unanswered):
            hasty.workspace.names()
        assert hasty.within(60).workspace.names() == ["a"]
        with pytest.raises(InvalidInput, match="more than 0"):
            hasty.within(0)


@pytest.mark.slow
def test_a_server_that_dies_in_a_turn_takes_nothing_away(tmp_path):
    with running(tmp_path / "m.db") as first, Tacit.connect(first.url) as tacit:
        port = int(first.url.rsplit(":", 1)[1])
        tacit.remember("Replicas live in Frankfurt")
        with tacit.turn(session="s", text="Where do replicas live?") as turn:
            first.kill()
            turn.commit("In Frankfurt.")
        said = [each["content"] for each in turn.history]
        assert said == [turn.block, "Where do replicas live?", "In Frankfurt."]
        with running(tmp_path / "m.db", port=port):
            asked = {"session": "s", "text": "Where do replicas live?"}
            with tacit.turn(history=turn.history, **asked) as again:
                again.commit("As I said.")
            assert again.block is None
            assert again.history[:3] == turn.history
            assert tacit.sessions.get("s").session.turns == 2


def test_a_write_whose_answer_was_lost_is_done_once(server):
    lost, real = forwarded(server.url, then=cut()), forwarded(server.url)
    name = next(_names)
    with misbehaving(lost, real) as line, Tacit.connect(line.url, workspace=name) as tacit:
        assert tacit.remember("tea at four").status == "created"
        assert len(line.heard) == 2
        assert len(tacit.memories.history(tacit.list()[0].id)) == 1


@pytest.mark.slow
def test_watching_goes_on_where_it_broke_off(tmp_path):
    with running(tmp_path / "m.db") as first, Tacit.connect(first.url) as tacit:
        port = int(first.url.rsplit(":", 1)[1])
        tacit.remember("before")
        events = tacit.workspace.watch()
        written = [tacit.remember("one").id]
        seen = [next(events)]
        first.kill()
        with Tacit.open(tmp_path / "m.db") as store:
            written.append(store.remember("two").id)
        with running(tmp_path / "m.db", port=port):
            seen.append(next(events))
            written.append(tacit.remember("three").id)
            seen.append(next(events))
            assert next(tacit.workspace.watch(after=0)).number == 1
            events.close()
    assert [each.number for each in seen] == [2, 3, 4]
    assert [each.data["changes"][0]["memory"] for each in seen] == written


def test_watching_ends_where_the_key_does_not_allow_it():
    with misbehaving(problem("not_allowed", 403)) as bad, Tacit.connect(bad.url) as tacit:
        with pytest.raises(NotAllowed):
            next(tacit.workspace.watch(after=3))
        assert bad.heard[0].headers["Last-Event-ID"] == "3"


def test_what_is_not_understood_in_the_stream_is_passed_over():
    event = {"number": 5, "at": "2026-01-01T00:00:00Z", "kind": "compaction", "data": {}}
    stream = "id: 3\n\nid: 4\nevent: new_kind\ndata: {}\n\nevent: gap\ndata: {}\n\n: beat\n\n"
    stream += f"id: 5\nevent: compaction\ndata: {json.dumps(event)}\n\n"
    sent = Answer(200, stream.encode(), {"Content-Type": "text/event-stream"})
    with misbehaving(sent) as bad, Tacit.connect(bad.url) as tacit:
        events = tacit.workspace.watch(after=2)
        assert next(events).number == 5
        next(events)
        events.close()
    assert [each.headers["Last-Event-ID"] for each in bad.heard] == ["2", "5"]


def test_async_programs_use_a_server_the_same_way(server):
    async def work():
        name = next(_names)
        async with await AsyncTacit.connect(server.url, workspace=name) as tacit:
            events = await tacit.workspace.watch()
            kept = await asyncio.gather(*(tacit.remember(f"number {n}") for n in range(5)))
            assert len(await tacit.list()) == 5
            heard = [await anext(events) for _ in range(5)]
            await events.aclose()
            assert {each.data["changes"][0]["memory"] for each in heard} == {
                each.id for each in kept
            }
            await tacit.remember("Replicas live in Frankfurt")
            async with tacit.turn(session="s", text="Where do replicas live?") as turn:
                assert "Frankfurt" in turn.block
                await turn.commit("In Frankfurt")
            assert len(await tacit.turns.list()) == 1
            with pytest.raises(AttributeError, match="RemoteTacit, which has no call 'warm'"):
                await tacit.warm()
            assert await tacit.count() == 6
            other = tacit.workspace.open(next(_names))
            assert (other.workspace.name, await other.list()) != (tacit.workspace.name, [])

    asyncio.run(work())


PAGE = Path(__file__).parent.parent / "docs/client.md"


def test_the_sample_in_the_docs_prints_what_the_page_shows(server):
    code, shown = re.search(
        r"```py\n(.*?)```\n\n```text\n(.*?)```", PAGE.read_text(), re.S
    ).groups()
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "TACIT_URL": server.url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stderr, ran.stdout) == ("", shown)
