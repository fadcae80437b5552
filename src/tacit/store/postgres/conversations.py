"""Sessions, turns, events and the learning queue in PostgreSQL."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from tacit.core.blocks import LedgerEntry
from tacit.core.events import EventKind
from tacit.core.times import to_micros
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.table import BufferedTable, PostgresTable, WriteBuffer
from tacit.store.sql.conversations import (
    SqlBlocks,
    SqlEvents,
    SqlLearningQueue,
    SqlLedger,
    SqlMarks,
    SqlParticipants,
    SqlPlaces,
    SqlReceipts,
    SqlSessions,
    SqlVariables,
)
from tacit.store.sql.table import to_entry_columns, to_json


class PostgresSessions(SqlSessions, PostgresTable):
    """The sessions of one workspace, and what is paused."""


class PostgresParticipants(SqlParticipants, PostgresTable):
    """Who takes part in sessions and contexts."""


class PostgresPlaces(SqlPlaces, PostgresTable):
    """The folders that projects are at."""


class PostgresBlocks(SqlBlocks, PostgresTable):
    """The blocks that sessions were shown."""


class PostgresLedger(SqlLedger, PostgresTable):
    """Which memories sessions were shown."""

    def add(self, entries: Iterable[LedgerEntry]) -> None:
        """Note what was injected, in one statement."""
        rows = {(each.session, each.turn, each.memory): to_entry_columns(each) for each in entries}
        if rows:
            first = next(iter(rows.values()))
            columns = {name: [row[name] for row in rows.values()] for name in first}
            self._send("add", **columns)


class PostgresReceipts(SqlReceipts, PostgresTable):
    """The accounts of turns, and the turns that have not ended."""


class PostgresMarks(SqlMarks, PostgresTable):
    """What people said was of no use."""


class PostgresEvents(SqlEvents, BufferedTable[dict[str, Any]]):
    """What happened in one workspace.

    Who writes holds the workspace's lock and was told its last number with it, so numbers are given
    without asking, and nobody waits for the rows.
    """

    def __init__(
        self, connection: Connection, workspace: str, number: int, outbox: WriteBuffer, last: int
    ) -> None:
        super().__init__(connection, workspace, number, outbox)
        self._last = last

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Note that something happened; returns its number."""
        self._last += 1
        row = {"number": self._last, "at": to_micros(at), "kind": str(kind), "data": to_json(data)}
        self._wait(self._last, row)
        return self._last

    def _post(self, rows: Sequence[dict[str, Any]]) -> None:
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        self._send("append", last=rows[-1]["number"], **columns)


class PostgresLearningQueue(SqlLearningQueue, PostgresTable):
    """The queue of one workspace."""


class PostgresVariables(SqlVariables, PostgresTable):
    """The variables of one workspace's sessions."""
