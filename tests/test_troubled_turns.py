"""Turns that overlap in one session, and turns whose store fails in the middle of them."""

import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from threading import Event

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import NotFound, StoreBusy
from tacit.core.sessions import BlockState
from tacit.runtime.workers import MAX_LATE
from tacit.store.sqlite.in_memory import SqliteInMemoryStore

ASKED = {"contextual_min_score": 0.05}
MEMORIES = (
    "zinc is kept in shed one",
    "zinc is sold by Mara",
    "copper is kept in shed two",
    "the zinc order waits for Mara and copper",
)
QUESTIONS = (
    "Where is the zinc kept?",
    "Who orders zinc and copper, Mara?",
    "What does Mara sell, zinc?",
)


class Fragile:
    """A store that fails when it is told to: before it reads, or after it has written."""

    def __init__(self):
        self._store = SqliteInMemoryStore.open()
        self.cannot_read = self.loses_answer = False
        self.refused = []
        self.readers = set()
        self.go, self.reads = Event(), Event()
        self.go.set()
        self.reads.set()

    def __getattr__(self, name):
        return getattr(self._store, name)

    def read(self, workspace):
        if self.cannot_read:
            raise OSError("nobody answers")
        self.readers.add(threading.current_thread())
        assert self.reads.wait(30)
        return self._store.read(workspace)

    @contextmanager
    def write(self, workspace):
        assert self.go.wait(30)
        try:
            with self._store.write(workspace) as unit:
                yield unit
        except StoreBusy as error:
            self.refused.append(error)
            raise
        if self.loses_answer:
            raise OSError("the connection is gone")


class Stuck(FakeEmbedder):
    """An embedder that waits until it may go on."""

    def __init__(self):
        super().__init__()
        self.go = Event()
        self.go.set()

    def embed(self, texts):
        assert self.go.wait(30)
        return super().embed(texts)

    def embed_query(self, text):
        return self.embed([text])[0]


@pytest.fixture
def store():
    return Fragile()


@pytest.fixture
def tacit(store):
    tacit = Tacit(store, "default", embedder=FakeEmbedder())
    tacit.memories.remember_all([{"content": content, "scope": "org"} for content in MEMORIES])
    tacit.warm()
    yield tacit
    tacit.close()


def test_turns_that_overlapped_leave_nothing_to_be_shown_twice(tacit):
    begun = [_begin(tacit, text, []) for text in QUESTIONS[:2]]
    for turn in begun:
        turn.commit("So it is.")
    said = [(_said(text), _reply()) for text in QUESTIONS[:2]]
    turn = _begin(tacit, QUESTIONS[2], [message for pair in said for message in pair])
    shown = Counter(line for each in turn.messages for line in each["content"].splitlines())
    assert all(sum(n for line, n in shown.items() if each in line) <= 1 for each in MEMORIES)


@pytest.mark.parametrize("committed", [0, 1, 2])
def test_the_same_block_made_by_two_turns_at_once_stands_once(tacit, committed):
    begun = [_begin(tacit, QUESTIONS[0], []) for _ in range(2)]
    for turn in begun[:committed]:
        turn.commit("So it is.")
    said = [_said(QUESTIONS[0]), _reply()] * 2
    _begin(tacit, QUESTIONS[2], said).commit("So it is.")
    report = tacit.sessions.get("s")
    live = [block.id for block in report.blocks if block.state is BlockState.LIVE]
    bound = Counter(entry.memory for entry in report.ledger if entry.pruned_at is None)
    assert begun[0].receipt.block == begun[1].receipt.block
    assert begun[0].receipt.block in live
    assert set(bound.values()) == {1}


def test_the_block_of_a_turn_that_never_ended_leaves_a_history_that_was_edited(tacit):
    lost = _begin(tacit, QUESTIONS[0], [])
    *block, said = lost.messages
    history = [*block, {**said, "content": "Where is the tin kept?"}, _reply()]
    for _ in range(2):
        turn = _begin(tacit, QUESTIONS[1], history)
        assert sum(line.startswith("[Context from memory]") for line in _lines(turn)) == 1
    turn.commit("So it is.")
    assert lost.block not in [each["content"] for each in turn.history]
    again = _begin(tacit, QUESTIONS[2], history)
    assert lost.block not in [each["content"] for each in again.messages]


def test_a_turn_whose_record_got_no_answer_counts_once(tacit, store):
    store.loses_answer = True
    first = _begin(tacit, QUESTIONS[0], [])
    store.loses_answer = False
    first.commit("So it is.")
    _begin(tacit, QUESTIONS[1], first.history).commit("So it is.")
    assert _numbers(tacit) == [1, 2]


def test_a_record_that_comes_late_is_of_what_was_shown(tacit, store):
    store.go.clear()
    turn = tacit.turn(session="s", text=QUESTIONS[0], **{**ASKED, "deadline_ms": 1_000})
    assert turn.block is None
    assert "record: late" in turn.receipt.degraded
    store.go.set()
    found = _eventually(lambda: tacit.turns.find(turn.receipt.id))
    assert _eventually(lambda: not tacit.turns.find(found.id).blocks)
    ended = tacit.commit_turn(found.id)
    assert (ended.was_open, ended.block_stays) == (True, False)
    assert tacit.turns.get(found.id).injected == ()


def test_a_record_whose_answer_was_lost_is_of_what_was_shown(tacit, store):
    store.loses_answer = True
    turn = _begin(tacit, QUESTIONS[0], [])
    assert turn.block is None
    assert _eventually(lambda: not tacit.turns.find(turn.receipt.id).blocks)


def test_turns_against_a_store_that_is_stuck_share_a_bounded_number_of_threads(tacit, store):
    store.reads.clear()
    before = set(threading.enumerate())
    turns = [tacit.turn(session="s", text=QUESTIONS[0], deadline_ms=10) for _ in range(200)]
    assert len(set(threading.enumerate()) - before) <= MAX_LATE + 1  # and the embedder's
    stuck = "session: late (16 earlier pieces of work are stuck)"
    assert any(stuck in turn.receipt.degraded for turn in turns)
    assert all(turn.receipt.degraded[0].startswith("session: late") for turn in turns)
    store.reads.set()
    assert _eventually(lambda: _begin(tacit, QUESTIONS[0], []).block)


def test_turns_against_an_embedder_that_is_stuck_share_a_bounded_number_of_threads(store):
    embedder = Stuck()
    tacit = Tacit(store, "default", embedder=embedder)
    tacit.remember(MEMORIES[0], scope="org")
    tacit.warm()
    embedder.go.clear()
    before = set(threading.enumerate())
    for number in range(200):
        tacit.turn(session="s", text=f"Where is zinc number {number} kept?", deadline_ms=1)
    assert len(set(threading.enumerate()) - before) <= MAX_LATE
    embedder.go.set()
    assert _eventually(lambda: not _begin(tacit, QUESTIONS[0], []).receipt.degraded)
    tacit.close()


def test_stages_that_come_in_time_share_a_thread_and_what_was_said_another(tacit, store):
    store.readers.clear()
    for text in QUESTIONS:
        _begin(tacit, text, [])
    assert len(store.readers) == 2


def test_a_late_stage_gives_up_the_lock_and_writes_nothing(tacit, store):
    with store.write("default"):
        turn = tacit.turn(session="s", text=QUESTIONS[0], **{**ASKED, "deadline_ms": 500})
        assert turn.block is None
        assert _eventually(lambda: store.refused), "it still waits for the writer"
        with store.read("default") as unit:
            assert unit.receipts.get_open_turn(turn.receipt.id) is None
    assert not _eventually(lambda: tacit.turns.find(turn.receipt.id)).blocks


def test_a_turn_that_began_without_the_store_is_numbered_after_the_last(tacit, store):
    first = _begin(tacit, QUESTIONS[0], [])
    first.commit("So it is.")
    tacit.sessions.clear("s")
    store.cannot_read = True
    second = _begin(tacit, QUESTIONS[1], first.history)
    store.cannot_read = False
    second.commit("So it is.")
    assert _numbers(tacit) == [1, 2]


def _begin(tacit, text, history):
    return tacit.turn(session="s", text=text, history=history, **ASKED)


def _eventually(read):
    """What is read once it is there and true."""
    for _ in range(1_000):
        with suppress(NotFound):
            if found := read():
                return found
        time.sleep(0.01)
    return read()


def _lines(turn):
    return [line for each in turn.messages for line in each["content"].splitlines()]


def _numbers(tacit):
    return [receipt.turn for receipt in reversed(tacit.turns.list(session="s"))]


def _said(text):
    return {"role": "user", "content": text}


def _reply():
    return {"role": "assistant", "content": "So it is."}
