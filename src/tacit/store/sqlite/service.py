"""Access keys, idempotency records and progress in SQLite."""

from typing import Any

from tacit.store.sql.service import Rows, SqlIdempotencyRecords, SqlKeys, SqlProgress
from tacit.store.sql.table import load_queries
from tacit.store.sqlite.connections import ConnectionPool, SqliteTable, translate_errors

_KEY_QUERIES = load_queries(__package__, "keys")


class SqliteKeys(SqlKeys):
    """The keys of a whole store."""

    def __init__(self, place: object, connections: ConnectionPool) -> None:
        self._place = place
        self._connections = connections

    def _read(self, name: str, /, **bindings: Any) -> Rows:
        with translate_errors(self._place), self._connections.reading() as connection:
            return connection.execute(_KEY_QUERIES[name], bindings).fetchall()

    def _write(self, name: str, /, **bindings: Any) -> Rows:
        with translate_errors(self._place), self._connections.writing() as connection:
            return connection.execute(_KEY_QUERIES[name], bindings).fetchall()


class SqliteIdempotencyRecords(SqlIdempotencyRecords, SqliteTable):
    """The idempotency records of one workspace."""


class SqliteProgress(SqlProgress, SqliteTable):
    """The progress of long jobs in one workspace."""
