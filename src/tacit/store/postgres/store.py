"""A store in a PostgreSQL database."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Self

from tacit.core.errors import StoreError
from tacit.language.terms import signed_term_code
from tacit.settings.postgres import PostgresSettings
from tacit.store.postgres.address import Address
from tacit.store.postgres.analysis import rebuild, refuse_newer_analysis, stale_workspaces
from tacit.store.postgres.connections import Connection, Connections
from tacit.store.postgres.failures import explained
from tacit.store.postgres.keeper import Keeper
from tacit.store.postgres.keys import PostgresKeys
from tacit.store.postgres.migration import migrate
from tacit.store.postgres.unit import PostgresUnit
from tacit.store.postgres.walls import are_built, build_walls, is_almighty, refuse_the_almighty
from tacit.store.shared_transaction import join_read, join_write
from tacit.store.sql.analysis import ANALYSIS
from tacit.store.sql.known_participants import note_known_participants
from tacit.store.sql.migrations import Migration, bundled
from tacit.store.sql.statements import statements

_SQL = statements(__package__, "schema")
_PARTICIPANTS = statements(__package__, "participants")
_log = logging.getLogger("tacit.store")


class PostgresStore:
    """One database that several processes on several machines use at once."""

    is_shared = True

    def __init__(
        self, address: Address, connections: Connections, keeper: Keeper | None = None
    ) -> None:
        self.address = address
        self._connections = connections
        self._keeper = keeper

    @classmethod
    def open(
        cls,
        url: str,
        settings: PostgresSettings | None = None,
        migrations: Sequence[Migration] | None = None,
    ) -> Self:
        """Open a database, making the schema or bringing it up to date where needed."""
        settings = settings or PostgresSettings()
        address = Address.of(url)
        connections = Connections(address, settings)
        with explained(address), connections.connect() as connection:
            if settings.row_security:
                refuse_the_almighty(address, connection)
            steps = bundled(__package__) if migrations is None else migrations
            migrate(address, connection, steps, settings.partitions)
            refuse_newer_analysis(address, connection)
            if settings.row_security:
                build_walls(connection)
            has_walls = are_built(connection)
            if has_walls and is_almighty(connection):
                _log.warning("%s: this user sees through the wall between tenants", address)
            stale = stale_workspaces(connection)
            unknown = _unknown_participants(connection) if migrations is None else []
        store = cls(address, connections, None if has_walls else Keeper(connections, settings))
        for workspace in stale:
            store._refresh_terms(workspace)
        for workspace in unknown:
            with store.write(workspace) as unit:
                note_known_participants(unit)
                unit.participants.settle()
        return store

    @classmethod
    def exists(cls, url: str) -> bool:
        """Whether the schema is there, without making it."""
        address = Address.of(url)
        connections = Connections(address, PostgresSettings())
        with explained(address), connections.connect() as connection:
            return connection.execute(_SQL["tables"]).fetchone() != (0, False)

    def read(self, workspace: str) -> AbstractContextManager[PostgresUnit]:
        """A consistent view of one workspace."""
        return join_read(self, workspace, self._begin_read)

    def write(self, workspace: str) -> AbstractContextManager[PostgresUnit]:
        """A transaction: all of it is durable when the block ends, or none of it ever was.

        Who writes to a workspace locks it first, so that its writers follow one another: what one
        read is still so when it writes. Writers of different workspaces do not meet.
        """
        return join_write(self, workspace, self._begin_write)

    def workspaces(self) -> list[str]:
        """The names of all workspaces that were ever written to."""
        with explained(self.address), self._connections.reading(0) as connection:
            return [name for (name,) in connection.execute(_SQL["workspaces"]).fetchall()]

    def keys(self) -> PostgresKeys:
        """The keys of the whole store."""
        return PostgresKeys(self.address, self._connections)

    def settle(self, workspace: str) -> None:
        """Index a workspace that has outgrown memory now, instead of beside its first searches."""
        if self._keeper is not None:
            with explained(self.address):
                self._keeper.index(workspace)

    def purge(self) -> tuple[str, ...]:
        """Nothing is left to remove here; names the places that are the server's own."""
        return (
            f"{self.address}: dead rows until the next VACUUM, its write-ahead log and archives",
            "replicas, base backups, exports and copies made by others",
        )

    def describe(self) -> Mapping[str, object]:
        """Where and how large it is."""
        with explained(self.address), self._connections.reading(0) as connection:
            row = connection.execute(_SQL["size"]).fetchone()
            own = connection.execute(_SQL["property"], {"name": "identity"}).fetchone()
            version = connection.info.server_version
        return {
            "backend": "postgres",
            "engine": f"PostgreSQL {version // 10_000}.{version % 10_000}",
            "path": str(self.address),
            "bytes": row[0] if row else 0,
            "identity": own[0] if own else "",
        }

    def close(self) -> None:
        """Let go of the connections and end the threads; calling it again does nothing."""
        if self._keeper is not None:
            self._keeper.close()
        self._connections.close()

    @contextmanager
    def _begin_read(self, workspace: str) -> Iterator[PostgresUnit]:
        number = signed_term_code(workspace)
        with explained(self.address), self._connections.reading(number) as connection:
            yield PostgresUnit(connection, workspace, number, keeper=self._keeper)

    @contextmanager
    def _begin_write(self, workspace: str) -> Iterator[PostgresUnit]:
        number = signed_term_code(workspace)
        with explained(self.address), self._connections.writing(number) as connection:
            last_event = _lock(connection, workspace, number)
            unit = PostgresUnit(connection, workspace, number, last_event=last_event)
            yield unit
            unit.flush()

    def _refresh_terms(self, workspace: str) -> None:
        """Make terms and claims anew that another version's analysis made."""
        number = signed_term_code(workspace)
        with explained(self.address), self._connections.writing(number) as connection:
            _lock(connection, workspace, number)
            unit = PostgresUnit(connection, workspace, number)
            rebuild(connection, unit, number)
            unit.flush()


def _unknown_participants(connection: Connection) -> list[str]:
    """The workspaces whose participants were not noted; an older schema knows none."""
    return [name for (name,) in connection.execute(_PARTICIPANTS["unknown"]).fetchall()]


def _lock(connection: Connection, workspace: str, number: int) -> int:
    """Take the workspace's lock, making the workspace where it is new; returns its last event."""
    values = {"workspace": number, "name": workspace, "analysis": ANALYSIS}
    row = connection.execute(_SQL["lock_workspace"], values).fetchone()
    if row is None:
        connection.execute(_SQL["add_workspace"], values)
        row = connection.execute(_SQL["lock_workspace"], values).fetchone()
    if row is None or row[0] != workspace:
        raise StoreError(
            f"workspace {workspace!r} has the code of another one; choose another name"
        )
    return int(row[1])
