"""Sessions, places of projects, blocks, ledgers, receipts and marks in SQLite."""

from tacit.store.sql.blocks import SqlBlocks
from tacit.store.sql.ledger import SqlLedger
from tacit.store.sql.marks import SqlMarks
from tacit.store.sql.participants import SqlParticipants
from tacit.store.sql.places import SqlPlaces
from tacit.store.sql.receipts import SqlReceipts
from tacit.store.sql.sessions import SqlSessions
from tacit.store.sqlite.table import Table


class SqliteSessions(SqlSessions, Table):
    """The sessions of one workspace, and what is paused."""


class SqliteParticipants(SqlParticipants, Table):
    """Who takes part in sessions and contexts."""


class SqlitePlaces(SqlPlaces, Table):
    """The folders that projects are at."""


class SqliteBlocks(SqlBlocks, Table):
    """The blocks that sessions were shown."""


class SqliteLedger(SqlLedger, Table):
    """Which memories sessions were shown."""


class SqliteReceipts(SqlReceipts, Table):
    """The accounts of turns, and the turns that have not ended."""


class SqliteMarks(SqlMarks, Table):
    """What people said was of no use."""
