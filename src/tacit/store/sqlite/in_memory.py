"""A store in a SQLite database in memory, which the threads of one process share.

In memory SQLite has no write-ahead log: a writer would keep readers out, and wait for those that
are in. So a transaction writes to the database itself only if nobody reads it, and else to a copy
that takes its place with the commit. Readers that begin during a write in place read a copy of the
state before it. Readers and writers do not wait for each other, and copies are made only where
they meet.
"""

import functools
import itertools
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from typing import Self

import apsw

from tacit.core.errors import StoreClosed, StoreFull, StoreUnavailable
from tacit.store.sql.upgrade import load_migrations
from tacit.store.sqlite.connections import IDLE_READERS, set_pragmas, transaction
from tacit.store.sqlite.schema import create_schema, rebuild_terms
from tacit.store.sqlite.store import BaseSqliteStore
from tacit.store.transactions import WAIT_SECONDS, hold_lock, refuse_late_commit

_PLACE = "the store in memory"

_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
_numbers = itertools.count(1)


class _Database:
    """One database in memory, which SQLite frees when its last connection is closed."""

    def __init__(self) -> None:
        self._uri = f"file:/tacit-{next(_numbers)}?vfs=memdb"
        self.reader_count = 0
        self._idle_readers: list[apsw.Connection] = []
        self.writer = self._connect()
        self.writer.pragma("cache_spill", False)  # before the commit nothing reaches the database
        self.committed = self._connect()

    @classmethod
    def copy_of(cls, source: apsw.Connection) -> "_Database":
        """A database with what a connection sees."""
        made = cls()
        with made.writer.backup("main", source, "main") as backup:
            backup.step()
        return made

    def begin_write(self) -> None:
        """Keep the committed state readable by the connection `committed` while it is written."""
        self.committed.execute("BEGIN; PRAGMA user_version")

    def end_write(self) -> None:
        """Let the writer commit."""
        if self.committed.in_transaction:
            self.committed.execute("COMMIT")

    def take_reader(self) -> apsw.Connection:
        """A connection for one reading transaction."""
        connection = self._idle_readers.pop() if self._idle_readers else self._connect()
        self.reader_count += 1
        return connection

    def return_reader(self, connection: apsw.Connection) -> None:
        """Keep a connection for the next reader, unless a query of it was not read to its end."""
        self.reader_count -= 1
        is_idle = connection.txn_state("main") == apsw.SQLITE_TXN_NONE
        if is_idle and len(self._idle_readers) < IDLE_READERS:
            self._idle_readers.append(connection)
        else:
            connection.close(True)

    def close(self) -> None:
        """Close all connections."""
        for connection in (*self._idle_readers, self.committed, self.writer):
            connection.close(True)

    def _connect(self) -> apsw.Connection:
        connection = apsw.Connection(self._uri, flags=_FLAGS)
        set_pragmas(connection)
        return connection


class InMemoryConnections:
    """Connections to one database in memory, of which there may be copies for a while."""

    def __init__(self, image: bytes) -> None:
        self._process = os.getpid()
        self._closed = False
        self._lock = threading.RLock()
        self._writing = threading.Lock()
        self._databases: list[_Database] = []
        self._written: _Database | None = None
        self._previous: _Database | None = None
        with closing(apsw.Connection(":memory:")) as source:
            source.deserialize("main", image)
            self._current = self._copy(source)

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection for one reading transaction."""
        self._refuse_other_process()
        with self._lock:
            self._refuse_closed()
            database = self._readable_database()
            connection = database.take_reader()
        try:
            with transaction(connection, "BEGIN"):
                yield connection
        finally:
            with self._lock:
                database.return_reader(connection)
                self._close_unused()

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """The writing connection, in a transaction."""
        self._refuse_other_process()
        self._refuse_closed()
        with (
            hold_lock(self._writing, WAIT_SECONDS, _PLACE),
            _translate_full(),
            ExitStack() as commit,
        ):
            database = self._begin_write()
            try:
                with transaction(database.writer, "BEGIN IMMEDIATE"):
                    yield database.writer
                    refuse_late_commit(_PLACE)
                    commit.enter_context(self._lock)
                    database.end_write()
                self._current = database
            finally:
                self._end_write()

    def close(self) -> None:
        """Free the memory; what is still being read is freed afterwards."""
        self._closed = True
        if self._process == os.getpid():
            with self._writing, self._lock:
                self._close_unused()

    def _begin_write(self) -> _Database:
        """The database to write to: the current one if nobody reads it, else a copy."""
        with self._lock:
            self._refuse_closed()
            if self._current.reader_count:
                self._written = self._copy(self._current.writer)
            else:
                self._written = self._current
                self._written.begin_write()
            return self._written

    def _end_write(self) -> None:
        with self._lock:
            self._current.end_write()
            self._written = self._previous = None
            self._close_unused()

    def _readable_database(self) -> _Database:
        """The current database, or while that is written a copy of the state before."""
        if self._written is not self._current:
            return self._current
        if self._previous is None:
            self._previous = self._copy(self._current.committed)
        return self._previous

    def _copy(self, source: apsw.Connection) -> _Database:
        made = _Database.copy_of(source)
        self._databases.append(made)
        return made

    def _close_unused(self) -> None:
        used = (self._written, self._previous) if self._closed else self._used_databases()
        for database in [each for each in self._databases if not each.reader_count]:
            if database not in used:
                self._databases.remove(database)
                database.close()

    def _used_databases(self) -> tuple[_Database | None, ...]:
        return self._current, self._written, self._previous

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreClosed(f"{_PLACE} was closed; open a new one")

    def _refuse_other_process(self) -> None:
        if self._process != os.getpid():
            raise StoreUnavailable(
                f"{_PLACE} belongs to the process that opened it; open another one in this process,"
                " or a file that processes can share"
            )


@contextmanager
def _translate_full() -> Iterator[None]:
    try:
        yield
    except apsw.FullError as error:
        raise StoreFull(
            f"{_PLACE} is full: SQLite holds up to 1 GiB in memory; nothing was changed."
            " Use a file instead"
        ) from error


class SqliteInMemoryStore(BaseSqliteStore):
    """A database that lasts until it is closed, or until the process ends."""

    @classmethod
    def open(cls) -> Self:
        """Make a new database, apart from all others."""
        return cls(_PLACE, InMemoryConnections(_empty_database()))

    def purge(self) -> tuple[str, ...]:
        """Nothing deleted is left anywhere."""
        return ()

    def describe(self) -> Mapping[str, object]:
        """The backend; there is no place to name."""
        return {"backend": "memory"}


@functools.cache
def _empty_database() -> bytes:
    """A database with its schema, which takes longer to make than to copy."""
    with closing(apsw.Connection(":memory:")) as connection:
        create_schema(connection, load_migrations(__package__))
        with transaction(connection, "BEGIN IMMEDIATE"):
            rebuild_terms(connection)
        return connection.serialize("main")
