"""Access keys, idempotency records and progress in PostgreSQL."""

from typing import Any

from tacit.store.postgres.connections import Connections, PostgresAddress, translate_errors
from tacit.store.postgres.table import PostgresTable
from tacit.store.sql.service import Rows, SqlIdempotencyRecords, SqlKeys, SqlProgress
from tacit.store.sql.table import load_queries

_KEY_QUERIES = load_queries(__package__, "keys")

_NO_WORKSPACE = 0


class PostgresKeys(SqlKeys):
    """The keys of a whole database."""

    def __init__(self, address: PostgresAddress, connections: Connections) -> None:
        self._address = address
        self._connections = connections

    def _read(self, name: str, /, **bindings: Any) -> Rows:
        with (
            translate_errors(self._address),
            self._connections.reading(_NO_WORKSPACE) as connection,
        ):
            return connection.execute(_KEY_QUERIES[name], bindings, binary=True).fetchall()

    def _write(self, name: str, /, **bindings: Any) -> Rows:
        with (
            translate_errors(self._address),
            self._connections.writing(_NO_WORKSPACE) as connection,
        ):
            return connection.execute(_KEY_QUERIES[name], bindings, binary=True).fetchall()


class PostgresIdempotencyRecords(SqlIdempotencyRecords, PostgresTable):
    """The idempotency records of one workspace."""


class PostgresProgress(SqlProgress, PostgresTable):
    """The progress of long jobs in one workspace."""
