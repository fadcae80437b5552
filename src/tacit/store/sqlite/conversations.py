"""Sessions, their blocks, ledgers, receipts and marks in SQLite."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from tacit.conversation import (
    Block,
    BlockState,
    Entry,
    Mark,
    OpenTurn,
    Session,
    pack,
    unpack,
)
from tacit.history import Placement
from tacit.memory import Scope, from_micros, to_micros
from tacit.receipt import Receipt
from tacit.store.sqlite.rows import to_json
from tacit.store.sqlite.table import Table


class SqliteSessions(Table):
    """The sessions of one workspace, and what is paused."""

    topic = "sessions"

    def get(self, id: str) -> Session | None:
        """One session."""
        row = self._row("get", id=id)
        return _session(*row) if row else None

    def put(self, session: Session) -> None:
        """Add a session or replace what is known of it."""
        self._run(
            "put",
            id=session.id,
            turns=session.turns,
            speakers=to_json(session.speakers),
            created_at=to_micros(session.created_at),
            updated_at=to_micros(session.updated_at),
        )

    def recent(self, limit: int) -> list[Session]:
        """The sessions that were active last."""
        return [_session(*row) for row in self._rows("recent", limit=limit)]

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Leave a session or a project alone from now on."""
        self._run("pause", scope=str(scope), scope_id=scope_id)

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Serve it again; tells whether it was paused."""
        return self._run("resume", scope=str(scope), scope_id=scope_id) > 0

    def paused(self) -> set[tuple[Scope, str]]:
        """What is left alone."""
        return {(Scope(scope), id) for scope, id in self._rows("paused")}


class SqliteBlocks(Table):
    """The blocks that sessions were shown."""

    topic = "blocks"

    def put(self, block: Block) -> None:
        """Add a block or change its state."""
        self._run(
            "put",
            session=block.session,
            id=block.id,
            turn=block.turn,
            text=block.placement.text,
            anchor=block.placement.anchor,
            ordinal=block.placement.ordinal,
            memories=to_json(block.memories),
            made_in=block.made_in,
            speaker=block.speaker,
            state=str(block.state),
        )

    def of(self, session: str) -> list[Block]:
        """The blocks of a session in every state, oldest first."""
        return [_block(*row) for row in self._rows("of", session=session)]

    def blank(self, memory: str) -> int:
        """Remove the words of every block that a memory was in; returns how many."""
        return self._run("blank", memory=memory)


class SqliteLedger(Table):
    """Which memories sessions were shown."""

    topic = "ledger"

    def add(self, entries: Iterable[Entry]) -> None:
        """Note what was injected."""
        for entry in entries:
            self._run(
                "add",
                session=entry.session,
                turn=entry.turn,
                memory=entry.memory,
                content_hash=entry.content_hash,
                block=entry.block,
                pruned_at=to_micros(entry.pruned_at),
            )

    def of(self, session: str) -> list[Entry]:
        """The entries of a session, oldest first."""
        return [_entry(*row) for row in self._rows("of", session=session)]

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Let entries of these blocks, or of all, be injected again; returns how many."""
        named = None if blocks is None else json.dumps(list(blocks))
        return self._run("release", session=session, blocks=named, at=to_micros(at))

    def remove(self, memory: str) -> int:
        """Drop a memory's entries; returns how many."""
        return self._run("remove", memory=memory)


class SqliteReceipts(Table):
    """The accounts of turns, and the turns that have not ended."""

    topic = "receipts"

    def put(self, receipt: Receipt) -> None:
        """Keep a receipt."""
        self._run(
            "put",
            id=receipt.id,
            session=receipt.session,
            turn=receipt.turn,
            at=to_micros(receipt.at),
            body=pack(receipt.to_dict()),
        )

    def get(self, id: str) -> Receipt | None:
        """One receipt."""
        row = self._row("get", id=id)
        return Receipt.from_dict(unpack(row[0])) if row else None

    def recent(self, session: str | None, limit: int) -> list[Receipt]:
        """The last receipts of a session, or of all, newest first."""
        rows = self._rows("recent", session=session, limit=limit)
        return [Receipt.from_dict(unpack(body)) for (body,) in rows]

    def prune(self, before: datetime) -> int:
        """Drop receipts older than a moment, except the last of each session."""
        return self._run("prune", before=to_micros(before))

    def open(self, turn: OpenTurn) -> None:
        """Keep a turn that has begun."""
        self._run("open", session=turn.session, id=turn.id, body=turn.packed())

    def opened(self, session: str) -> list[OpenTurn]:
        """The turns of a session that have begun and not ended, oldest first."""
        return [OpenTurn.unpacked(body) for (body,) in self._rows("opened", session=session)]

    def drop_holding(self, memory: str) -> int:
        """Drop the turns that have not ended and would show a memory; returns how many."""
        turns = [OpenTurn.unpacked(body) for (body,) in self._rows("all_opened")]
        return sum(self.close(turn.session, turn.id) for turn in turns if turn.shows(memory))

    def close(self, session: str, id: str) -> bool:
        """Drop a turn that has begun; tells whether it was there."""
        return self._run("close", session=session, id=id) > 0


class SqliteMarks(Table):
    """What people said was of no use."""

    topic = "marks"

    def add(self, mark: Mark) -> None:
        """Keep a mark."""
        at = to_micros(mark.at)
        self._run("add", id=mark.id, memory=mark.memory, terms=mark.terms, at=at)

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""
        rows = self._rows("of", ids=json.dumps(list(ids)))
        return [
            Mark(id=id, memory=memory, terms=terms, at=from_micros(at))
            for id, memory, terms, at in rows
        ]


def _session(id: str, turns: int, speakers: str, created_at: int, updated_at: int) -> Session:
    return Session(
        id=id,
        turns=turns,
        speakers=tuple(json.loads(speakers)),
        created_at=from_micros(created_at),
        updated_at=from_micros(updated_at),
    )


def _block(
    session: str,
    id: str,
    turn: int,
    text: str,
    anchor: str,
    ordinal: int,
    memories: str,
    made_in: str,
    speaker: str | None,
    state: str,
) -> Block:
    return Block(
        session=session,
        turn=turn,
        placement=Placement(id=id, text=text, anchor=anchor, ordinal=ordinal),
        memories=tuple(json.loads(memories)),
        made_in=made_in,
        speaker=speaker,
        state=BlockState(state),
    )


def _entry(
    session: str, turn: int, memory: str, wording: bytes, block: str, pruned_at: int | None
) -> Entry:
    return Entry(
        session=session,
        turn=turn,
        memory=memory,
        content_hash=wording,
        block=block,
        pruned_at=from_micros(pruned_at),
    )
