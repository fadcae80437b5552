"""Keys in PostgreSQL."""

from typing import Any

from tacit.store.postgres.address import Address
from tacit.store.postgres.connections import Connections
from tacit.store.postgres.failures import explained
from tacit.store.sql.keys import Rows, SqlKeys
from tacit.store.sql.statements import statements

_SQL = statements(__package__, "keys")

_NO_WORKSPACE = 0


class PostgresKeys(SqlKeys):
    """The keys of a whole database."""

    def __init__(self, address: Address, connections: Connections) -> None:
        self._address = address
        self._connections = connections

    def _read(self, name: str, /, **bindings: Any) -> Rows:
        with (
            explained(self._address),
            self._connections.reading(_NO_WORKSPACE) as connection,
        ):
            return connection.execute(_SQL[name], bindings, binary=True).fetchall()

    def _write(self, name: str, /, **bindings: Any) -> Rows:
        with (
            explained(self._address),
            self._connections.writing(_NO_WORKSPACE) as connection,
        ):
            return connection.execute(_SQL[name], bindings, binary=True).fetchall()
