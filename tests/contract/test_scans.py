"""The contract of a store for reading everything, page by page, each kind in its own order."""

from dataclasses import replace

import pytest

from tacit.core.kinds import Sort
from tacit.core.marks import Mark
from tacit.core.open_turn import CapturedTurn, OpenTurn, QueuedTurn
from tacit.core.receipt import Receipt
from tacit.core.sessions import Block, LedgerEntry, Placement, Session
from tacit.core.vectors import EmbeddingModel
from tacit.store.query import Query
from tests.support import START, make_memory, next_id

MODEL = EmbeddingModel("tiny", 3, "a")
NAMES = ("Z", "_", "a", "a b", "b", "é", "日本", "🙂")
"""In the order of their code points, which is not that of any language."""


def _session(id):
    return Session(id=id, created_at=START, updated_at=START)


def _block(session, id):
    placement = Placement(id=id, text=f"{session} {id}", anchor="a", ordinal=0)
    return Block(session=session, turn=1, made_in="other", placement=placement)


def _entry(session, turn, memory):
    return LedgerEntry(session=session, turn=turn, memory=memory, content_hash=b"\x00", block="b")


def _receipt(session="s"):
    return Receipt(id=next_id(), session=session, turn=1, at=START, query=session)


def _two_memories(unit):
    memories = [make_memory(f"{unit.workspace} {number}") for number in range(2)]
    for memory in memories:
        unit.memories.insert(replace(memory, workspace=unit.workspace))
    return memories


def _sessions(unit):
    rows = [_session(name) for name in NAMES]
    for row in reversed(rows):
        unit.sessions.put(row)
    return rows


def _blocks(unit):
    rows = [_block(name, id) for name in NAMES for id in ("00000001", "0000000a")]
    for row in reversed(rows):
        unit.blocks.put(row)
    return rows


def _entries(unit):
    memories = sorted(next_id() for _ in range(2))
    rows = [_entry(name, turn, id) for name in NAMES for turn in (1, 2, 10) for id in memories]
    unit.ledger.add(reversed(rows))
    return rows


def _receipts(unit):
    rows = [_receipt(name) for name in reversed(NAMES)]
    for row in reversed(rows):
        unit.receipts.put(row)
    return rows


def _open_turns(unit):
    rows = [OpenTurn(receipt=_receipt(name), anchor="a") for name in NAMES for _ in range(2)]
    for row in reversed(rows):
        unit.receipts.open_turn(row)
    return rows


def _marks(unit):
    memories = _two_memories(unit)
    rows = [
        Mark(id=id, memory=memory.id, terms=b"t", at=START)
        for memory in memories
        for id in [next_id() for _ in range(3)]
    ]
    for row in reversed(rows):
        unit.marks.add(row)
    return rows


def _vectors(unit):
    memories = _two_memories(unit)
    rows = [(memory.id, (float(number), 0.5, 0.0)) for number, memory in enumerate(memories)]
    for id, vector in reversed(rows):
        unit.vectors.put(id, MODEL, vector)
        unit.vectors.put(id, EmbeddingModel("other", 1, "a"), [1.0])
    return rows


def _heard(unit):
    turns = [
        CapturedTurn(id=next_id(), session=name, at=START, said=(name,)) for name in reversed(NAMES)
    ]
    for turn in reversed(turns):
        unit.heard.add(turn)
    return [QueuedTurn(turn=turn) for turn in turns]


SCANS = {
    "sessions": (_sessions, lambda unit, last, n: unit.sessions.scan(last and last.id, n)),
    "blocks": (_blocks, lambda unit, last, n: unit.blocks.scan(last, n)),
    "ledger": (_entries, lambda unit, last, n: unit.ledger.scan(last, n)),
    "receipts": (_receipts, lambda unit, last, n: unit.receipts.scan(last and last.id, n)),
    "open turns": (_open_turns, lambda unit, last, n: unit.receipts.scan_open_turns(last, n)),
    "marks": (_marks, lambda unit, last, n: unit.marks.scan(last, n)),
    "heard": (_heard, lambda unit, last, n: unit.heard.scan(last and last.id, n)),
    "vectors": (_vectors, lambda unit, last, n: unit.vectors.scan(MODEL, last and last[0], n)),
}


@pytest.mark.parametrize("kind", SCANS)
def test_pages_put_together_are_all_rows_of_the_workspace_in_order(store, kind):
    write, scan = SCANS[kind]
    with store.write("mine") as unit:
        rows = write(unit)
    with store.write("theirs") as unit:
        write(unit)
    with store.read("mine") as unit:
        for size in (1, 3, 1_000):
            found, last = [], None
            while page := scan(unit, last, size):
                assert len(page) <= size
                found += page
                last = page[-1]
            assert found == rows
    with store.read("nobody") as unit:
        assert scan(unit, None, 9) == []


def test_a_page_goes_on_after_a_row_that_is_no_longer_there(store):
    with store.write("default") as unit:
        rows = _open_turns(unit)
        unit.receipts.close_turn(rows[3].session, rows[3].id)
        assert unit.receipts.scan_open_turns(rows[3], 1_000) == rows[4:]


def test_memories_in_the_order_of_creation_go_on_after_an_id_that_is_not_there(store):
    before, between, after = (next_id() for _ in range(3))
    with store.write("default") as unit:
        for id in (before, after):
            unit.memories.insert(make_memory(id, id=id))
        query = Query(now=START, state=None, sort=Sort.CREATED, after=between)
        assert [memory.id for memory in unit.memories.find(query)] == [after]


def test_a_model_that_made_nothing_has_no_vectors(store):
    with store.write("default") as unit:
        _vectors(unit)
        assert unit.vectors.scan(EmbeddingModel("tiny", 3, "b"), None, 9) == []


def test_a_store_knows_the_workspaces_that_were_written_to(store):
    assert store.workspaces() == []
    for name in reversed(NAMES):
        with store.write(name) as unit:
            unit.sessions.put(_session("s"))
    with store.read("nobody"):
        pass
    assert store.workspaces() == list(NAMES)
