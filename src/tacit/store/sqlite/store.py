"""A store in one SQLite file."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Self

import apsw

from tacit.core.errors import StoreUnavailable
from tacit.runtime.files import make_private_folder
from tacit.store.shared_transaction import join_read, join_write
from tacit.store.sql.known_participants import note_known_participants
from tacit.store.sql.migrations import Migration, bundled
from tacit.store.sql.statements import statements
from tacit.store.sqlite import analysis
from tacit.store.sqlite.connections import Connections
from tacit.store.sqlite.failures import explained
from tacit.store.sqlite.keys import SqliteKeys
from tacit.store.sqlite.migration import migrate
from tacit.store.sqlite.unit import SqliteUnit

_SQL = statements(__package__, "memories")
_PARTICIPANTS = statements(__package__, "participants")
_OWNER_ONLY = 0o600

_NOWHERE = -1
"""Stands for a workspace that nobody has written to: every query finds nothing."""


class SqliteStore:
    """One file that several threads and processes use at once."""

    is_shared = False

    def __init__(self, path: Path, connections: Connections) -> None:
        self.path = path
        self._connections = connections

    @classmethod
    def open(cls, path: Path, migrations: Sequence[Migration] | None = None) -> Self:
        """Open a database, making it or bringing it up to date where needed."""
        path = path.expanduser().absolute()
        _prepare(path)
        with explained(path):
            migrate(path, bundled(__package__) if migrations is None else migrations)
            store = cls(path, Connections(path))
            try:
                store._refresh_terms()
                if migrations is None:  # an older schema knows no participants
                    store._note_participants()
            except BaseException:
                store.close()
                raise
        return store

    def workspaces(self) -> list[str]:
        """The workspaces that were ever written to, by name."""
        with explained(self.path), self._connections.reading() as connection:
            return [name for (name,) in connection.execute(_SQL["workspaces"])]

    def read(self, workspace: str) -> AbstractContextManager[SqliteUnit]:
        """A consistent view of one workspace."""
        return join_read(self, workspace, self._begin_read)

    def write(self, workspace: str) -> AbstractContextManager[SqliteUnit]:
        """A transaction: all of it is durable when the block ends, or none of it ever was."""
        return join_write(self, workspace, self._begin_write)

    def keys(self) -> SqliteKeys:
        """The keys of the whole store."""
        return SqliteKeys(self.path, self._connections)

    def settle(self, workspace: str) -> None:
        """Nothing is to be made ready: searches read what they need."""

    def purge(self) -> tuple[str, ...]:
        """Remove what was deleted from the log too; names the places it could not reach."""
        with explained(self.path):
            truncated = self._connections.truncate_log()
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

    def close(self) -> None:
        """Let go of the file; calling it again does nothing."""
        self._connections.close()

    @contextmanager
    def _begin_read(self, workspace: str) -> Iterator[SqliteUnit]:
        with explained(self.path), self._connections.reading() as connection:
            number = _number(connection, workspace)
            yield SqliteUnit(connection, workspace, _NOWHERE if number is None else number)

    @contextmanager
    def _begin_write(self, workspace: str) -> Iterator[SqliteUnit]:
        with explained(self.path), self._connections.writing() as connection:
            number = _number(connection, workspace)
            if number is None:
                connection.execute(_SQL["add_workspace"], {"name": workspace})
                number = connection.last_insert_rowid()
            yield SqliteUnit(connection, workspace, number)

    def _refresh_terms(self) -> None:
        with self._connections.reading() as connection:
            analysis.refuse_newer_analysis(self.path, connection)
            is_outdated = analysis.are_outdated(connection)
        if is_outdated:
            with self._connections.writing() as connection:
                analysis.refuse_newer_analysis(self.path, connection)
                if analysis.are_outdated(connection):
                    analysis.rebuild(connection)

    def _note_participants(self) -> None:
        """Read who took part in sessions that an older version kept."""
        with self._connections.reading() as connection:
            names = [name for (name,) in connection.execute(_PARTICIPANTS["unknown"])]
        for name in names:
            with self.write(name) as unit:
                note_known_participants(unit)
                unit.participants.settle()


def _number(connection: apsw.Connection, workspace: str) -> int | None:
    row = next(connection.execute(_SQL["workspace"], {"name": workspace}), None)
    return row[0] if row else None


def _prepare(path: Path) -> None:
    """Make the folder and a file that only its owner reads; say early and plainly what fails."""
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
