"""Running named queries with the workspace bound: there is no way to run one without it."""

from typing import Any

import apsw

from tacit.store.statements import statements


class Table:
    """The queries of one topic, on one connection, for one workspace."""

    topic: str

    def __init__(self, connection: apsw.Connection, workspace: str, number: int) -> None:
        self._connection = connection
        self._workspace = workspace
        self._number = number
        self._sql = statements(__package__, self.topic)

    def _rows(self, name: str, /, **bindings: Any) -> list[tuple[Any, ...]]:
        return self._execute(self._sql[name], bindings)

    def _row(self, name: str, /, **bindings: Any) -> tuple[Any, ...] | None:
        return next(iter(self._rows(name, **bindings)), None)

    def _run(self, name: str, /, **bindings: Any) -> int:
        """Run a change; returns how many rows it changed."""
        self._execute(self._sql[name], bindings)
        return self._connection.changes()

    def _execute(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        bindings["workspace"] = self._number
        found: list[tuple[Any, ...]] = self._connection.execute(sql, bindings).fetchall()
        return found

    def count(self) -> int:
        """How many rows the workspace has here."""
        row = self._row("count")
        return int(row[0]) if row else 0
