"""Running named queries with the workspace bound: there is no way to run one without it."""

from typing import Any

from tacit.store.postgres.connections import Connection
from tacit.store.postgres.outbox import Outbox
from tacit.store.statements import statements


class Table:
    """The queries of one topic, on one connection, for one workspace."""

    topic: str

    def __init__(self, connection: Connection, workspace: str, number: int, outbox: Outbox) -> None:
        self._connection = connection
        self._workspace = workspace
        self._number = number
        self._outbox = outbox
        self._sql = statements(__package__, self.topic)

    def _rows(self, name: str, /, **bindings: Any) -> list[tuple[Any, ...]]:
        return self._execute(self._sql[name], bindings)

    def _row(self, name: str, /, **bindings: Any) -> tuple[Any, ...] | None:
        return next(iter(self._rows(name, **bindings)), None)

    def _run(self, name: str, /, **bindings: Any) -> int:
        """Run a change that returns what it changed, and wait; returns how many rows that is.

        In a pipeline, a change that returns no rows has no count that one could wait for.
        """
        return len(self._rows(name, **bindings))

    def _send(self, name: str, /, *, prepare: bool | None = None, **bindings: Any) -> None:
        """Run a change that nobody waits for; in a pipeline its failure comes up later."""
        self._outbox.flush()
        bindings["workspace"] = self._number
        self._connection.execute(self._sql[name], bindings, prepare=prepare)

    def _send_found(self, name: str, count: int, /, **bindings: Any) -> None:
        """Run a change to some memories, or to what is theirs, which the server finds by their ids.

        A plan that is kept was made when there were few memories, perhaps, and finds one of many
        slowly; for several it is worth making a new one.
        """
        self._send(name, prepare=None if count == 1 else False, **bindings)

    def _execute(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        self._outbox.flush()
        return self._fetch(sql, bindings)

    def _fetch(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Ask for what no row that still waits can change."""
        bindings["workspace"] = self._number
        return self._connection.execute(sql, bindings, binary=True).fetchall()

    def count(self) -> int:
        """How many rows the workspace has here."""
        row = self._row("count")
        return int(row[0]) if row else 0
