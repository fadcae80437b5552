"""Which memories sessions were shown, in SQL."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from tacit.core.blocks import LedgerEntry
from tacit.core.times import to_micros
from tacit.store.sql.conversation_rows import from_entry, to_entry
from tacit.store.sql.table import SqlTable


class SqlLedger(SqlTable):
    """Which memories sessions were shown."""

    topic = "ledger"

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Note what was injected."""
        for entry in entries:
            self._send("add", **from_entry(entry))

    def of(self, session: str) -> list[LedgerEntry]:
        """The entries of a session, oldest first."""
        return [to_entry(row) for row in self._rows("of", session=session)]

    def bound(self, session: str) -> list[LedgerEntry]:
        """Those entries of a session that were not released, oldest first."""
        return [to_entry(row) for row in self._rows("bound", session=session)]

    def scan(self, after: LedgerEntry | None, limit: int) -> list[LedgerEntry]:
        """A page of all entries, by session, turn and memory."""
        session, turn, memory = (after.session, after.turn, after.memory) if after else ("", 0, "")
        rows = self._rows("scan", session=session, turn=turn, memory=memory, limit=limit)
        return [to_entry(row) for row in rows]

    def release(self, session: str, blocks: Sequence[str] | None, at: datetime) -> int:
        """Let entries of these blocks, or of all, be injected again; returns how many."""
        named = None if blocks is None else self._listed(blocks)
        return self._run("release", session=session, blocks=named, at=to_micros(at))

    def remove(self, memory: str) -> int:
        """Drop a memory's entries; returns how many."""
        return self._run("remove", memory=memory)

    def clear(self, session: str) -> int:
        """Drop the entries of a session; returns how many."""
        return self._run("clear", session=session)
