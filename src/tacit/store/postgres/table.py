"""Tables in PostgreSQL: named queries, and a buffer that sends new rows together."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from tacit.store.postgres.connections import Connection
from tacit.store.sql.table import SqlTable, load_queries

_BUFFERED_ROWS = 250
"""Few enough that the server works on them while the next ones are made."""


class WriteBuffer:
    """Rows that are sent together: before any query, when the unit ends, or when they are many.

    Only the timing differs: an error is raised as late as for every change that is not waited for.
    """

    def __init__(self) -> None:
        self._senders: list[Callable[[], None]] = []
        self._buffered = 0

    def register(self, send: Callable[[], None]) -> None:
        """Register a table that buffers rows; tables that refer to others come after them."""
        self._senders.append(send)

    def count_row(self) -> None:
        """Count a row that was buffered."""
        self._buffered += 1
        if self._buffered >= _BUFFERED_ROWS:
            self.flush()

    def flush(self) -> None:
        """Send all buffered rows."""
        if self._buffered:
            self._buffered = 0
            for send in self._senders:
                send()


class PostgresTable(SqlTable):
    """The queries of one topic, on one connection, for one workspace."""

    def __init__(
        self, connection: Connection, workspace: str, number: int, write_buffer: WriteBuffer
    ) -> None:
        self._connection = connection
        self._workspace = workspace
        self._number = number
        self._write_buffer = write_buffer
        self._sql = load_queries(__package__, self.topic)

    def _run(self, name: str, /, **bindings: Any) -> int:
        """Run a change that returns what it changed, and wait; returns how many rows that is.

        In a pipeline, a change that returns no rows has no count that one could wait for.
        """
        return len(self._rows(name, **bindings))

    def _send(self, name: str, /, **bindings: Any) -> None:
        """Run a change without waiting; in a pipeline its failure is raised later."""
        self._send_planned(name, bindings, is_planned_anew=False)

    def _send_found(self, name: str, count: int, /, **bindings: Any) -> None:
        """Run a change to some memories, or to their rows, which the server finds by id.

        A cached plan may date from when there were few memories, and be slow; for several rows it
        is worth making a new plan.
        """
        self._send_planned(name, bindings, is_planned_anew=count > 1)

    def _send_planned(self, name: str, bindings: dict[str, Any], *, is_planned_anew: bool) -> None:
        self._write_buffer.flush()
        bindings["workspace"] = self._number
        prepare = False if is_planned_anew else None
        self._connection.execute(self._sql[name], bindings, prepare=prepare)

    def _execute(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        self._write_buffer.flush()
        return self._fetch(sql, bindings)

    def _fetch(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Run a query whose result no buffered row can change."""
        bindings["workspace"] = self._number
        return self._connection.execute(sql, bindings, binary=True).fetchall()

    def _to_list_value(self, values: Iterable[str]) -> list[str]:
        return list(values)

    def _from_list_value(self, kept: list[str]) -> list[str]:
        return kept


Row = TypeVar("Row")


class BufferedTable(PostgresTable, Generic[Row]):
    """A table that buffers new rows and sends them in one statement."""

    def __init__(
        self, connection: Connection, workspace: str, number: int, write_buffer: WriteBuffer
    ) -> None:
        super().__init__(connection, workspace, number, write_buffer)
        self._buffered: dict[Hashable, Row] = {}
        write_buffer.register(self._send_buffered)

    def _buffer(self, key: Hashable, row: Row) -> None:
        """Buffer a row; two with the same key are sent one after the other."""
        if key in self._buffered:
            self._write_buffer.flush()
        self._buffered[key] = row
        self._write_buffer.count_row()

    def _send_buffered(self) -> None:
        if self._buffered:
            rows, self._buffered = self._buffered, {}
            self._send_rows(list(rows.values()))

    def _send_rows(self, rows: Sequence[Row]) -> None:
        """Send rows, none of which was sent before."""
        raise NotImplementedError
