"""Keys in SQLite."""

from pathlib import Path
from typing import Any

from tacit.store.sql.keys import Rows, SqlKeys
from tacit.store.sql.statements import statements
from tacit.store.sqlite.connections import Connections
from tacit.store.sqlite.failures import explained

_SQL = statements(__package__, "keys")


class SqliteKeys(SqlKeys):
    """The keys of a whole file."""

    def __init__(self, path: Path, connections: Connections) -> None:
        self._path = path
        self._connections = connections

    def _read(self, name: str, /, **bindings: Any) -> Rows:
        with explained(self._path), self._connections.reading() as connection:
            return connection.execute(_SQL[name], bindings).fetchall()

    def _write(self, name: str, /, **bindings: Any) -> Rows:
        with explained(self._path), self._connections.writing() as connection:
            return connection.execute(_SQL[name], bindings).fetchall()
