"""Sessions, their blocks, ledgers, receipts and marks in PostgreSQL."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from tacit.conversation import Block, Entry, Mark, OpenTurn, Session, unpack
from tacit.memory import Scope, to_micros
from tacit.receipt import Receipt
from tacit.store.conversation_rows import (
    from_block,
    from_entry,
    from_mark,
    from_receipt,
    from_session,
    to_block,
    to_entry,
    to_mark,
    to_session,
)
from tacit.store.postgres.table import Table


class PostgresSessions(Table):
    """The sessions of one workspace, and what is paused."""

    topic = "sessions"

    def get(self, id: str) -> Session | None:
        """One session."""
        row = self._row("get", id=id)
        return to_session(row) if row else None

    def put(self, session: Session) -> None:
        """Add a session or replace what is known of it."""
        self._send("put", **from_session(session))

    def recent(self, limit: int) -> list[Session]:
        """The sessions that were active last."""
        return [to_session(row) for row in self._rows("recent", limit=limit)]

    def scan(self, after: str | None, limit: int) -> list[Session]:
        """A page of all sessions, by id."""
        return [to_session(row) for row in self._rows("scan", after=after or "", limit=limit)]

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Leave a session or a project alone from now on."""
        self._send("pause", scope=str(scope), scope_id=scope_id)

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Serve it again; tells whether it was paused."""
        return self._run("resume", scope=str(scope), scope_id=scope_id) > 0

    def paused(self) -> set[tuple[Scope, str]]:
        """What is left alone."""
        return {(Scope(scope), id) for scope, id in self._rows("paused")}


class PostgresBlocks(Table):
    """The blocks that sessions were shown."""

    topic = "blocks"

    def put(self, block: Block) -> None:
        """Add a block or change its state."""
        self._send("put", **from_block(block), memories=list(block.memories))

    def of(self, session: str) -> list[Block]:
        """The blocks of a session in every state, oldest first."""
        return [_block(row) for row in self._rows("of", session=session)]

    def scan(self, after: Block | None, limit: int) -> list[Block]:
        """A page of all blocks, by session and id."""
        session, id = (after.session, after.id) if after else ("", "")
        rows = self._rows("scan", session=session, id=id, limit=limit)
        return [_block(row) for row in rows]

    def blank(self, memory: str) -> int:
        """Remove the words of every block that a memory was in; returns how many."""
        return self._run("blank", memory=memory)


class PostgresLedger(Table):
    """Which memories sessions were shown."""

    topic = "ledger"

    def add(self, entries: Iterable[Entry]) -> None:
        """Note what was injected."""
        rows = {(each.session, each.turn, each.memory): from_entry(each) for each in entries}
        if rows:
            first = next(iter(rows.values()))
            columns: dict[str, Any] = {name: [row[name] for row in rows.values()] for name in first}
            self._send("add", **columns)

    def of(self, session: str) -> list[Entry]:
        """The entries of a session, oldest first."""
        return [to_entry(row) for row in self._rows("of", session=session)]

    def scan(self, after: Entry | None, limit: int) -> list[Entry]:
        """A page of all entries, by session, turn and memory."""
        session, turn, memory = (after.session, after.turn, after.memory) if after else ("", 0, "")
        rows = self._rows("scan", session=session, turn=turn, memory=memory, limit=limit)
        return [to_entry(row) for row in rows]

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Let entries of these blocks, or of all, be injected again; returns how many."""
        named = None if blocks is None else list(blocks)
        return self._run("release", session=session, blocks=named, at=to_micros(at))

    def remove(self, memory: str) -> int:
        """Drop a memory's entries; returns how many."""
        return self._run("remove", memory=memory)


class PostgresReceipts(Table):
    """The accounts of turns, and the turns that have not ended."""

    topic = "receipts"

    def put(self, receipt: Receipt) -> None:
        """Keep a receipt."""
        self._send("put", **from_receipt(receipt))

    def get(self, id: str) -> Receipt | None:
        """One receipt."""
        row = self._row("get", id=id)
        return Receipt.from_dict(unpack(row[0])) if row else None

    def recent(self, session: str | None, limit: int) -> list[Receipt]:
        """The last receipts of a session, or of all, newest first."""
        name = "recent" if session is None else "recent_of"
        rows = self._rows(name, session=session, limit=limit)
        return [Receipt.from_dict(unpack(body)) for (body,) in rows]

    def scan(self, after: str | None, limit: int) -> list[Receipt]:
        """A page of all receipts, by id."""
        rows = self._rows("scan", after=after or "", limit=limit)
        return [Receipt.from_dict(unpack(body)) for (body,) in rows]

    def prune(self, before: datetime) -> int:
        """Drop receipts older than a moment, except the last of each session."""
        return self._run("prune", before=to_micros(before))

    def open(self, turn: OpenTurn) -> None:
        """Keep a turn that has begun."""
        self._send("open", session=turn.session, id=turn.id, body=turn.packed())

    def opened(self, session: str) -> list[OpenTurn]:
        """The turns of a session that have begun and not ended, oldest first."""
        return [OpenTurn.unpacked(body) for (body,) in self._rows("opened", session=session)]

    def scan_opened(self, after: OpenTurn | None, limit: int) -> list[OpenTurn]:
        """A page of all turns that have begun and not ended, by session and id."""
        session, id = (after.session, after.id) if after else ("", "")
        rows = self._rows("scan_opened", session=session, id=id, limit=limit)
        return [OpenTurn.unpacked(body) for (body,) in rows]

    def drop_holding(self, memory: str) -> int:
        """Drop the turns that have not ended and would show a memory; returns how many."""
        turns = [OpenTurn.unpacked(body) for (body,) in self._rows("all_opened")]
        return sum(self.close(turn.session, turn.id) for turn in turns if turn.shows(memory))

    def close(self, session: str, id: str) -> bool:
        """Drop a turn that has begun; tells whether it was there."""
        return self._run("close", session=session, id=id) > 0


class PostgresMarks(Table):
    """What people said was of no use."""

    topic = "marks"

    def add(self, mark: Mark) -> None:
        """Keep a mark."""
        self._send("add", **from_mark(mark))

    def of(self, ids: Sequence[str]) -> list[Mark]:
        """The marks on these memories."""
        return [to_mark(row) for row in self._rows("of", ids=list(ids))]

    def scan(self, after: Mark | None, limit: int) -> list[Mark]:
        """A page of all marks, by memory and id."""
        memory, id = (after.memory, after.id) if after else ("", "")
        rows = self._rows("scan", memory=memory, id=id, limit=limit)
        return [to_mark(row) for row in rows]


def _block(row: Sequence[Any]) -> Block:
    return to_block(row, tuple(row[6]))
