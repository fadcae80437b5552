"""Tables in PostgreSQL: named queries, and a buffer that sends new rows together."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from tacit.store.postgres.connections import Connection
from tacit.store.sql.table import SqlTable, load_queries

_BUFFERED_ROWS = 250
"""So few that the server works on them while we make the next ones."""


class WriteBuffer:
    """What waits is sent before anything else is asked, when the unit ends, or when it is much.

    Nobody can tell the difference but by the time it takes: a refusal comes as late as it does
    for every change that nobody waits for.
    """

    def __init__(self) -> None:
        self._senders: list[Callable[[], None]] = []
        self._waiting = 0

    def serve(self, send: Callable[[], None]) -> None:
        """Add a table that has rows to send; what refers to others comes after them."""
        self._senders.append(send)

    def note(self) -> None:
        """Count a row that waits from now on."""
        self._waiting += 1
        if self._waiting >= _BUFFERED_ROWS:
            self.flush()

    def flush(self) -> None:
        """Send everything that waits."""
        if self._waiting:
            self._waiting = 0
            for send in self._senders:
                send()


class PostgresTable(SqlTable):
    """The queries of one topic, on one connection, for one workspace."""

    def __init__(
        self, connection: Connection, workspace: str, number: int, outbox: WriteBuffer
    ) -> None:
        self._connection = connection
        self._workspace = workspace
        self._number = number
        self._outbox = outbox
        self._sql = load_queries(__package__, self.topic)

    def _run(self, name: str, /, **bindings: Any) -> int:
        """Run a change that returns what it changed, and wait; returns how many rows that is.

        In a pipeline, a change that returns no rows has no count that one could wait for.
        """
        return len(self._rows(name, **bindings))

    def _send(self, name: str, /, **bindings: Any) -> None:
        """Run a change that nobody waits for; in a pipeline its failure comes up later."""
        self._send_planned(name, bindings, is_planned_anew=False)

    def _send_found(self, name: str, count: int, /, **bindings: Any) -> None:
        """Run a change to some memories, or to what is theirs, which the server finds by their ids.

        A plan that is kept was made when there were few memories, perhaps, and finds one of many
        slowly; for several it is worth making a new one.
        """
        self._send_planned(name, bindings, is_planned_anew=count > 1)

    def _send_planned(self, name: str, bindings: dict[str, Any], *, is_planned_anew: bool) -> None:
        self._outbox.flush()
        bindings["workspace"] = self._number
        prepare = False if is_planned_anew else None
        self._connection.execute(self._sql[name], bindings, prepare=prepare)

    def _execute(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        self._outbox.flush()
        return self._fetch(sql, bindings)

    def _fetch(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Ask for what no row that still waits can change."""
        bindings["workspace"] = self._number
        return self._connection.execute(sql, bindings, binary=True).fetchall()

    def _listed(self, values: Iterable[str]) -> list[str]:
        return list(values)

    def _unlisted(self, kept: list[str]) -> list[str]:
        return kept


Row = TypeVar("Row")


class BufferedTable(PostgresTable, Generic[Row]):
    """The queries of one topic, and rows of it that were not sent yet."""

    def __init__(
        self, connection: Connection, workspace: str, number: int, outbox: WriteBuffer
    ) -> None:
        super().__init__(connection, workspace, number, outbox)
        self._waiting: dict[Hashable, Row] = {}
        outbox.serve(self._send_waiting)

    def _wait(self, key: Hashable, row: Row) -> None:
        """Let a row wait; two that have the same key are sent one after the other."""
        if key in self._waiting:
            self._outbox.flush()
        self._waiting[key] = row
        self._outbox.note()

    def _send_waiting(self) -> None:
        if self._waiting:
            rows, self._waiting = self._waiting, {}
            self._post(list(rows.values()))

    def _post(self, rows: Sequence[Row]) -> None:
        """Send rows, none of which was sent before."""
        raise NotImplementedError
