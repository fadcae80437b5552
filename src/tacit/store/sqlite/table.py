"""Running named queries on a connection to SQLite, with the workspace bound."""

import json
from collections.abc import Iterable
from typing import Any

import apsw

from tacit.store.sql.rows import to_json
from tacit.store.sql.statements import statements
from tacit.store.sql.table import SqlTable


class Table(SqlTable):
    """The queries of one topic, on one connection, for one workspace."""

    def __init__(self, connection: apsw.Connection, workspace: str, number: int) -> None:
        self._connection = connection
        self._workspace = workspace
        self._number = number
        self._sql = statements(__package__, self.topic)

    def _run(self, name: str, /, **bindings: Any) -> int:
        """Run a change; returns how many rows it changed."""
        self._execute(self._sql[name], bindings)
        return self._connection.changes()

    def _execute(self, sql: str, bindings: dict[str, Any]) -> list[tuple[Any, ...]]:
        bindings["workspace"] = self._number
        found: list[tuple[Any, ...]] = self._connection.execute(sql, bindings).fetchall()
        return found

    def _send(self, name: str, /, **bindings: Any) -> None:
        self._execute(self._sql[name], bindings)

    def _listed(self, values: Iterable[str]) -> str:
        return to_json(list(values))

    def _unlisted(self, kept: str) -> list[str]:
        values: list[str] = json.loads(kept)
        return values
