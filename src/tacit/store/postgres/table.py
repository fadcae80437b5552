"""Running named queries on a connection to PostgreSQL, with the workspace bound."""

from collections.abc import Iterable
from typing import Any

from tacit.store.postgres.connections import Connection
from tacit.store.postgres.outbox import Outbox
from tacit.store.sql.statements import statements
from tacit.store.sql.table import SqlTable


class Table(SqlTable):
    """The queries of one topic, on one connection, for one workspace."""

    def __init__(self, connection: Connection, workspace: str, number: int, outbox: Outbox) -> None:
        self._connection = connection
        self._workspace = workspace
        self._number = number
        self._outbox = outbox
        self._sql = statements(__package__, self.topic)

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
