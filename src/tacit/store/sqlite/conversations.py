"""Sessions, turns, events and the learning queue in SQLite."""

from tacit.store.sql.conversations import (
    SqlBlocks,
    SqlLedger,
    SqlMarks,
    SqlParticipants,
    SqlPlaces,
    SqlReceipts,
    SqlSessions,
    SqlVariables,
)
from tacit.store.sql.queues import SqlEvents, SqlLearningQueue
from tacit.store.sqlite.connections import SqliteTable


class SqliteSessions(SqlSessions, SqliteTable):
    """The sessions of one workspace, and what is paused."""


class SqliteParticipants(SqlParticipants, SqliteTable):
    """Who takes part in sessions and contexts."""


class SqlitePlaces(SqlPlaces, SqliteTable):
    """The folders of projects."""


class SqliteBlocks(SqlBlocks, SqliteTable):
    """The blocks that sessions were shown."""


class SqliteLedger(SqlLedger, SqliteTable):
    """Which memories sessions were shown."""


class SqliteReceipts(SqlReceipts, SqliteTable):
    """The receipts of turns, and the turns that are still open."""


class SqliteMarks(SqlMarks, SqliteTable):
    """Marks on memories that somebody found useless."""


class SqliteEvents(SqlEvents, SqliteTable):
    """The events of one workspace."""


class SqliteLearningQueue(SqlLearningQueue, SqliteTable):
    """The queue of one workspace."""


class SqliteVariables(SqlVariables, SqliteTable):
    """The variables of one workspace's sessions."""
