"""A store in a PostgreSQL database."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Self

from tacit.core.errors import StoreError
from tacit.core.vectors import EmbeddingModel
from tacit.language.terms import signed_term_code
from tacit.settings.server import PostgresSettings
from tacit.store.index import IndexedBatch
from tacit.store.postgres.connections import (
    Connection,
    Connections,
    PostgresAddress,
    translate_errors,
)
from tacit.store.postgres.conversations import (
    PostgresBlocks,
    PostgresEvents,
    PostgresLearningQueue,
    PostgresLedger,
    PostgresMarks,
    PostgresParticipants,
    PostgresPlaces,
    PostgresReceipts,
    PostgresSessions,
    PostgresVariables,
)
from tacit.store.postgres.index import IndexMaintainer, PostgresIndex
from tacit.store.postgres.memories import (
    PostgresAssociations,
    PostgresAudit,
    PostgresChanges,
    PostgresClaims,
    PostgresComparisonQueue,
    PostgresComparisons,
    PostgresGenerations,
    PostgresMemories,
    PostgresModels,
    PostgresReviews,
    PostgresTexts,
    PostgresTokenCodes,
    PostgresVectors,
)
from tacit.store.postgres.row_security import (
    bypasses_row_security,
    enable_row_security,
    is_row_security_enabled,
    reject_superuser,
)
from tacit.store.postgres.schema import (
    find_stale_workspaces,
    migrate,
    rebuild_terms,
    reject_newer_database,
)
from tacit.store.postgres.service import PostgresIdempotencyRecords, PostgresKeys, PostgresProgress
from tacit.store.postgres.table import WriteBuffer
from tacit.store.sql.table import load_queries
from tacit.store.sql.upgrade import (
    ANALYSIS_VERSIONS,
    Migration,
    load_migrations,
)
from tacit.store.stats import Counts, to_counts
from tacit.store.transactions import join_read, join_write


class PostgresUnit:
    """The tables of one workspace on one connection; a writer knows the last event number."""

    def __init__(
        self,
        connection: Connection,
        workspace: str,
        number: int,
        *,
        maintainer: IndexMaintainer | None = None,
        last_event: int = 0,
    ) -> None:
        self.workspace = workspace
        self._connection = connection
        self._number = number
        self._maintainer = maintainer
        self._write_buffer = WriteBuffer()
        place = (connection, workspace, number, self._write_buffer)
        self._changes = PostgresChanges(*place)
        self.memories = PostgresMemories(*place, self._changes)
        self.associations = PostgresAssociations(*place)
        self.texts = PostgresTexts(*place)
        self._models = PostgresModels(*place)
        self.vectors = PostgresVectors(*place, self._changes, self._models)
        self.generations = PostgresGenerations(*place, self._models)
        self.token_codes = PostgresTokenCodes(*place, self._changes, self._models)
        self.audit = PostgresAudit(*place)
        self.reviews = PostgresReviews(*place)
        self.claims = PostgresClaims(*place)
        self.comparisons = PostgresComparisons(*place)
        self.uncompared = PostgresComparisonQueue(*place)
        self.sessions = PostgresSessions(*place)
        self.participants = PostgresParticipants(*place)
        self.blocks = PostgresBlocks(*place)
        self.ledger = PostgresLedger(*place)
        self.receipts = PostgresReceipts(*place)
        self.marks = PostgresMarks(*place)
        self.events = PostgresEvents(*place, last_event)
        self.answers = PostgresIdempotencyRecords(*place)
        self.heard = PostgresLearningQueue(*place)
        self.variables = PostgresVariables(*place)
        self.places = PostgresPlaces(*place)
        self.progress = PostgresProgress(*place)

    def flush(self) -> None:
        """Send all buffered rows."""
        self._write_buffer.flush()

    def revision(self) -> int:
        """The number of transactions that changed what is searched."""
        return self._changes.revision()

    def changed(self, since: int, model: EmbeddingModel | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, with the vectors of a model."""
        return self._changes.since(since, self._models.number(model) if model else None)

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""
        return self._changes.removed(since)

    def index(self, model: EmbeddingModel | None) -> PostgresIndex | None:
        """The server's own index of a workspace that is too large for memory."""
        if self._maintainer is None:
            return None
        number = self._maintainer.model_number(model, self._models.number) if model else None
        statistics = self._maintainer.statistics(self._connection, self.workspace, number)
        if statistics is None:
            return None
        return PostgresIndex(self._connection, self._number, statistics, model, number)

    def counts(self, now: datetime) -> Counts:
        """The counts of this workspace."""
        return to_counts(
            self.memories.tally(now),
            associations=self.associations.count(),
            audit_entries=self.audit.count(),
            reviews=self.reviews.count(),
            indexed=self.texts.count(),
            vectors=self.vectors.by_model(),
            token_codes=self.token_codes.by_model(),
        )


_SCHEMA_QUERIES = load_queries(__package__, "schema")
_log = logging.getLogger("tacit.store")


class PostgresStore:
    """One database that several processes on several machines use at once."""

    is_shared = True

    def __init__(
        self,
        address: PostgresAddress,
        connections: Connections,
        maintainer: IndexMaintainer | None = None,
    ) -> None:
        self.address = address
        self._connections = connections
        self._maintainer = maintainer

    @classmethod
    def open(
        cls,
        url: str,
        settings: PostgresSettings | None = None,
        migrations: Sequence[Migration] | None = None,
    ) -> Self:
        """Open a database, making the schema or bringing it up to date where needed."""
        settings = settings or PostgresSettings()
        address = PostgresAddress.of(url)
        connections = Connections(address, settings)
        with translate_errors(address), connections.connect() as connection:
            if settings.row_security:
                reject_superuser(address, connection)
            steps = load_migrations(__package__) if migrations is None else migrations
            migrate(address, connection, steps, settings.partitions)
            reject_newer_database(address, connection)
            if settings.row_security:
                enable_row_security(connection)
            has_row_security = is_row_security_enabled(connection)
            if has_row_security and bypasses_row_security(connection):
                _log.warning("%s: this role bypasses row-level security between tenants", address)
            stale = find_stale_workspaces(connection)
        store = cls(
            address,
            connections,
            None if has_row_security else IndexMaintainer(connections, settings),
        )
        for workspace in stale:
            store._refresh_terms(workspace)
        return store

    @classmethod
    def exists(cls, url: str) -> bool:
        """Whether the schema is there, without making it."""
        address = PostgresAddress.of(url)
        connections = Connections(address, PostgresSettings())
        with translate_errors(address), connections.connect() as connection:
            return connection.execute(_SCHEMA_QUERIES["tables"]).fetchone() != (0, False)

    def read(self, workspace: str) -> AbstractContextManager[PostgresUnit]:
        """A consistent view of one workspace."""
        return join_read(self, workspace, self._begin_read)

    def write(self, workspace: str) -> AbstractContextManager[PostgresUnit]:
        """A transaction: all of it is durable when the block ends, or none of it ever was.

        A writer locks its workspace first, so that writers of one workspace follow one another and
        what one read still holds when it writes. Other workspaces are not affected.
        """
        return join_write(self, workspace, self._begin_write)

    def workspaces(self) -> list[str]:
        """The names of all workspaces that were ever written to."""
        with translate_errors(self.address), self._connections.reading(0) as connection:
            return [
                name for (name,) in connection.execute(_SCHEMA_QUERIES["workspaces"]).fetchall()
            ]

    def keys(self) -> PostgresKeys:
        """The keys of the whole store."""
        return PostgresKeys(self.address, self._connections)

    def settle(self, workspace: str) -> None:
        """Index a large workspace now, instead of beside its first searches."""
        if self._maintainer is not None:
            with translate_errors(self.address):
                self._maintainer.index(workspace, with_filled=True)

    def purge(self) -> tuple[str, ...]:
        """Nothing is left to remove here; returns the places that only the server can clean."""
        return (
            f"{self.address}: dead rows until the next VACUUM, its write-ahead log and archives",
            "replicas, base backups, exports and copies made by others",
        )

    def describe(self) -> Mapping[str, object]:
        """Where and how large it is."""
        with translate_errors(self.address), self._connections.reading(0) as connection:
            row = connection.execute(_SCHEMA_QUERIES["size"]).fetchone()
            own = connection.execute(_SCHEMA_QUERIES["property"], {"name": "identity"}).fetchone()
            version = connection.info.server_version
        return {
            "backend": "postgres",
            "engine": f"PostgreSQL {version // 10_000}.{version % 10_000}",
            "path": str(self.address),
            "bytes": row[0] if row else 0,
            "identity": own[0] if own else "",
        }

    def close(self) -> None:
        """Close the connections and end the threads; closing again does nothing."""
        if self._maintainer is not None:
            self._maintainer.close()
        self._connections.close()

    @contextmanager
    def _begin_read(self, workspace: str) -> Iterator[PostgresUnit]:
        number = signed_term_code(workspace)
        with translate_errors(self.address), self._connections.reading(number) as connection:
            yield PostgresUnit(connection, workspace, number, maintainer=self._maintainer)

    @contextmanager
    def _begin_write(self, workspace: str) -> Iterator[PostgresUnit]:
        number = signed_term_code(workspace)
        with translate_errors(self.address), self._connections.writing(number) as connection:
            last_event = _lock_workspace(connection, workspace, number)
            unit = PostgresUnit(connection, workspace, number, last_event=last_event)
            yield unit
            unit.flush()

    def _refresh_terms(self, workspace: str) -> None:
        """Derive terms and claims again that another version made."""
        number = signed_term_code(workspace)
        with translate_errors(self.address), self._connections.writing(number) as connection:
            _lock_workspace(connection, workspace, number)
            unit = PostgresUnit(connection, workspace, number)
            rebuild_terms(connection, unit, number)
            unit.flush()


def _lock_workspace(connection: Connection, workspace: str, number: int) -> int:
    """Lock the workspace, creating it if it is new; returns its last event number."""
    values = {"workspace": number, "name": workspace, "analysis": ANALYSIS_VERSIONS}
    row = connection.execute(_SCHEMA_QUERIES["lock_workspace"], values).fetchone()
    if row is None:
        connection.execute(_SCHEMA_QUERIES["add_workspace"], values)
        row = connection.execute(_SCHEMA_QUERIES["lock_workspace"], values).fetchone()
    if row is None or row[0] != workspace:
        raise StoreError(
            f"workspace {workspace!r} has the code of another one; choose another name"
        )
    return int(row[1])
