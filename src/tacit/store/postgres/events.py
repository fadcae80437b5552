"""What happened, in PostgreSQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from tacit.core.events import EventKind
from tacit.core.times import to_micros
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.outbox import Outbox
from tacit.store.postgres.posting import PostingTable
from tacit.store.sql.events import SqlEvents
from tacit.store.sql.rows import to_json


class PostgresEvents(SqlEvents, PostingTable[dict[str, Any]]):
    """What happened in one workspace.

    Who writes holds the workspace's lock and was told its last number with it, so numbers are given
    without asking, and nobody waits for the rows.
    """

    def __init__(
        self, connection: Connection, workspace: str, number: int, outbox: Outbox, last: int
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
