"""A store in a SQLite database, and the one in a file."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

import apsw

from tacit.core.errors import StoreUnavailable
from tacit.core.vectors import EmbeddingModel
from tacit.runtime.files import make_private_folder
from tacit.store.index import IndexedBatch
from tacit.store.sql.table import load_queries
from tacit.store.sql.upgrade import Migration, load_migrations
from tacit.store.sqlite.connections import ConnectionPool, Connections, translate_errors
from tacit.store.sqlite.conversations import (
    SqliteBlocks,
    SqliteEvents,
    SqliteLearningQueue,
    SqliteLedger,
    SqliteMarks,
    SqliteParticipants,
    SqlitePlaces,
    SqliteReceipts,
    SqliteSessions,
    SqliteVariables,
)
from tacit.store.sqlite.memories import (
    SqliteAssociations,
    SqliteAudit,
    SqliteChanges,
    SqliteClaims,
    SqliteComparisonQueue,
    SqliteComparisons,
    SqliteGenerations,
    SqliteMemories,
    SqliteModels,
    SqliteReviews,
    SqliteTexts,
    SqliteTokenCodes,
    SqliteVectors,
)
from tacit.store.sqlite.schema import (
    has_outdated_terms,
    migrate,
    rebuild_terms,
    reject_newer_database,
)
from tacit.store.sqlite.service import SqliteIdempotencyRecords, SqliteKeys, SqliteProgress
from tacit.store.stats import Counts, to_counts
from tacit.store.transactions import join_read, join_write


class SqliteUnit:
    """The tables of one workspace on one connection."""

    def __init__(self, connection: apsw.Connection, workspace: str, number: int) -> None:
        self.workspace = workspace
        self._changes = SqliteChanges(connection, workspace, number)
        self.memories = SqliteMemories(connection, workspace, number, self._changes)
        self.associations = SqliteAssociations(connection, workspace, number)
        self.texts = SqliteTexts(connection, workspace, number)
        self._models = SqliteModels(connection, workspace, number)
        self.vectors = SqliteVectors(connection, workspace, number, self._changes, self._models)
        self.generations = SqliteGenerations(connection, workspace, number, self._models)
        self.token_codes = SqliteTokenCodes(
            connection, workspace, number, self._changes, self._models
        )
        self.audit = SqliteAudit(connection, workspace, number)
        self.reviews = SqliteReviews(connection, workspace, number)
        self.claims = SqliteClaims(connection, workspace, number)
        self.comparisons = SqliteComparisons(connection, workspace, number)
        self.uncompared = SqliteComparisonQueue(connection, workspace, number)
        self.sessions = SqliteSessions(connection, workspace, number)
        self.participants = SqliteParticipants(connection, workspace, number)
        self.blocks = SqliteBlocks(connection, workspace, number)
        self.ledger = SqliteLedger(connection, workspace, number)
        self.receipts = SqliteReceipts(connection, workspace, number)
        self.marks = SqliteMarks(connection, workspace, number)
        self.events = SqliteEvents(connection, workspace, number)
        self.answers = SqliteIdempotencyRecords(connection, workspace, number)
        self.heard = SqliteLearningQueue(connection, workspace, number)
        self.variables = SqliteVariables(connection, workspace, number)
        self.places = SqlitePlaces(connection, workspace, number)
        self.progress = SqliteProgress(connection, workspace, number)

    def revision(self) -> int:
        """The number of transactions that changed what is searched."""
        return self._changes.revision()

    def changed(self, since: int, model: EmbeddingModel | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, with the vectors of a model."""
        return self._changes.since(since, self._models.number(model) if model else None)

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""
        return self._changes.removed(since)

    def index(self, model: EmbeddingModel | None) -> None:
        """Every workspace is searched in memory."""

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


_QUERIES = load_queries(__package__, "memories")
_OWNER_ONLY = 0o600

_NO_WORKSPACE = -1
"""The number of a workspace that nobody has written to: every query finds nothing."""


class BaseSqliteStore:
    """One database that several threads use at once; errors name its place."""

    is_shared = False

    def __init__(self, place: object, connections: ConnectionPool) -> None:
        self._place = place
        self._connections = connections

    def workspaces(self) -> list[str]:
        """The workspaces that were ever written to, by name."""
        with translate_errors(self._place), self._connections.reading() as connection:
            return [name for (name,) in connection.execute(_QUERIES["workspaces"])]

    def read(self, workspace: str) -> AbstractContextManager[SqliteUnit]:
        """A consistent view of one workspace."""
        return join_read(self, workspace, self._begin_read)

    def write(self, workspace: str) -> AbstractContextManager[SqliteUnit]:
        """A transaction: all of it is kept when the block ends, or none of it ever was."""
        return join_write(self, workspace, self._begin_write)

    def keys(self) -> SqliteKeys:
        """The keys of the whole store."""
        return SqliteKeys(self._place, self._connections)

    def settle(self, workspace: str) -> None:
        """There is nothing to prepare: searches read what they need."""

    def close(self) -> None:
        """Close the database; closing again does nothing."""
        self._connections.close()

    @contextmanager
    def _begin_read(self, workspace: str) -> Iterator[SqliteUnit]:
        with translate_errors(self._place), self._connections.reading() as connection:
            number = _workspace_number(connection, workspace)
            yield SqliteUnit(connection, workspace, _NO_WORKSPACE if number is None else number)

    @contextmanager
    def _begin_write(self, workspace: str) -> Iterator[SqliteUnit]:
        with translate_errors(self._place), self._connections.writing() as connection:
            number = _workspace_number(connection, workspace)
            if number is None:
                connection.execute(_QUERIES["add_workspace"], {"name": workspace})
                number = connection.last_insert_rowid()
            yield SqliteUnit(connection, workspace, number)


class SqliteStore(BaseSqliteStore):
    """One file that several threads and processes use at once; a commit is durable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = Connections(path)
        super().__init__(path, self._file)

    @classmethod
    def open(cls, path: Path, migrations: Sequence[Migration] | None = None) -> Self:
        """Open a database, making it or bringing it up to date where needed."""
        path = path.expanduser().absolute()
        _prepare_file(path)
        with translate_errors(path):
            migrate(path, load_migrations(__package__) if migrations is None else migrations)
            store = cls(path)
            try:
                store._refresh_terms()
            except BaseException:
                store.close()
                raise
        return store

    def purge(self) -> tuple[str, ...]:
        """Remove deleted data from the log too; returns the places that it could not reach."""
        with translate_errors(self.path):
            truncated = self._file.truncate_log()
        copies = sorted(self.path.parent.glob(f"{self.path.name}.v*.bak"))
        log = [] if truncated else [f"{self.path}-wal (another process is reading it)"]
        return (*log, *(str(copy) for copy in copies), "exports and copies made by others")

    def describe(self) -> Mapping[str, object]:
        """Where and how large it is."""
        companions = [self.path, self.path.with_name(self.path.name + "-wal")]
        size = sum(file.stat().st_size for file in companions if file.exists())
        return {
            "backend": "sqlite",
            "engine": f"SQLite {apsw.sqlite_lib_version()}",
            "path": str(self.path),
            "bytes": size,
        }

    def _refresh_terms(self) -> None:
        with self._connections.reading() as connection:
            reject_newer_database(self.path, connection)
            is_outdated = has_outdated_terms(connection)
        if is_outdated:
            with self._connections.writing() as connection:
                reject_newer_database(self.path, connection)
                if has_outdated_terms(connection):
                    rebuild_terms(connection)


def _workspace_number(connection: apsw.Connection, workspace: str) -> int | None:
    row = next(connection.execute(_QUERIES["workspace"], {"name": workspace}), None)
    return row[0] if row else None


def _prepare_file(path: Path) -> None:
    """Create the folder and a file that only its owner can read, or say what fails."""
    if path.is_dir():
        raise StoreUnavailable(f"{path}: is a folder; name a file in it, such as memory.db")
    try:
        make_private_folder(path.parent)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, _OWNER_ONLY))
    except OSError as error:
        raise StoreUnavailable(
            f"{path}: cannot be written ({error.strerror}); make its folder writable for you,"
            " or name another place with --db"
        ) from error
