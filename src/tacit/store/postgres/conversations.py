"""Sessions, places of projects, blocks, ledgers, receipts and marks in PostgreSQL."""

from collections.abc import Iterable

from tacit.core.blocks import LedgerEntry
from tacit.store.postgres.table import Table
from tacit.store.sql.blocks import SqlBlocks
from tacit.store.sql.conversation_rows import from_entry
from tacit.store.sql.ledger import SqlLedger
from tacit.store.sql.marks import SqlMarks
from tacit.store.sql.participants import SqlParticipants
from tacit.store.sql.places import SqlPlaces
from tacit.store.sql.receipts import SqlReceipts
from tacit.store.sql.sessions import SqlSessions


class PostgresSessions(SqlSessions, Table):
    """The sessions of one workspace, and what is paused."""


class PostgresParticipants(SqlParticipants, Table):
    """Who takes part in sessions and contexts."""


class PostgresPlaces(SqlPlaces, Table):
    """The folders that projects are at."""


class PostgresBlocks(SqlBlocks, Table):
    """The blocks that sessions were shown."""


class PostgresLedger(SqlLedger, Table):
    """Which memories sessions were shown."""

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Note what was injected, in one statement."""
        rows = {(each.session, each.turn, each.memory): from_entry(each) for each in entries}
        if rows:
            first = next(iter(rows.values()))
            columns = {name: [row[name] for row in rows.values()] for name in first}
            self._send("add", **columns)


class PostgresReceipts(SqlReceipts, Table):
    """The accounts of turns, and the turns that have not ended."""


class PostgresMarks(SqlMarks, Table):
    """What people said was of no use."""
