"""Sessions, turns, events and the learning queue in PostgreSQL."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from tacit.core.events import EventKind
from tacit.core.sessions import LedgerEntry
from tacit.core.times import to_micros
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.table import BufferedTable, PostgresTable, WriteBuffer
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
from tacit.store.sql.table import to_entry_columns, to_json


class PostgresSessions(SqlSessions, PostgresTable):
    """The sessions of one workspace, and what is paused."""


class PostgresParticipants(SqlParticipants, PostgresTable):
    """Who takes part in sessions and contexts."""


class PostgresPlaces(SqlPlaces, PostgresTable):
    """The folders of projects."""


class PostgresBlocks(SqlBlocks, PostgresTable):
    """The blocks that sessions were shown."""


class PostgresLedger(SqlLedger, PostgresTable):
    """Which memories sessions were shown."""

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Add entries for what was injected, in one statement."""
        rows = {(each.session, each.turn, each.memory): to_entry_columns(each) for each in entries}
        if rows:
            first = next(iter(rows.values()))
            columns = {name: [row[name] for row in rows.values()] for name in first}
            self._send("add", **columns)


class PostgresReceipts(SqlReceipts, PostgresTable):
    """The receipts of turns, and the turns that are still open."""


class PostgresMarks(SqlMarks, PostgresTable):
    """Marks on memories that somebody found useless."""


class PostgresEvents(SqlEvents, BufferedTable[dict[str, Any]]):
    """The events of one workspace.

    A writer holds the workspace's lock and knows its last number, so numbers are given without a
    query, and rows need not be waited for.
    """

    def __init__(
        self,
        connection: Connection,
        workspace: str,
        number: int,
        write_buffer: WriteBuffer,
        last: int,
    ) -> None:
        super().__init__(connection, workspace, number, write_buffer)
        self._last = last

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Add an event; returns its number."""
        self._last += 1
        row = {"number": self._last, "at": to_micros(at), "kind": str(kind), "data": to_json(data)}
        self._buffer(self._last, row)
        return self._last

    def _send_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        self._send("append", last=rows[-1]["number"], **columns)


class PostgresLearningQueue(SqlLearningQueue, PostgresTable):
    """The queue of one workspace."""


class PostgresVariables(SqlVariables, PostgresTable):
    """The variables of one workspace's sessions."""
