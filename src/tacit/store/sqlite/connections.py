"""Connections to a SQLite database: transactions, named queries, and errors translated."""

import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import apsw

from tacit.core.errors import (
    AlreadyKnown,
    NotADatabase,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnavailable,
    TacitError,
)
from tacit.runtime.workers import seconds_left
from tacit.store.sql.table import SqlTable, load_queries, to_json
from tacit.store.transactions import WAIT_SECONDS, hold_lock, refuse_late_commit

_RETRY_SECONDS = (0.0005, 0.002)
IDLE_READERS = 8

# FULL makes a commit survive a power cut, not only a crash; it costs one flush per commit.
# secure_delete overwrites what is deleted, so that an erased memory is not left in free pages.
# cache_size is in KiB if negative: a search reads the token codes of its candidates, a page each.
_PRAGMAS = (
    "synchronous = FULL",
    "foreign_keys = ON",
    "secure_delete = ON",
    "cache_size = -8000",
)


def connect(path: Path) -> apsw.Connection:
    """Open one connection, set up the way every connection is."""
    connection = apsw.Connection(str(path))
    connection.set_busy_handler(_make_busy_handler())
    set_pragmas(connection)
    return connection


def set_pragmas(connection: apsw.Connection) -> None:
    """Set what holds for one connection only.

    A statement is planned once: by default SQLite plans many anew whenever they are bound to other
    values, which takes longer than to run them, and gains nothing without statistics.
    """
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    for pragma in _PRAGMAS:
        connection.pragma(*(part.strip() for part in pragma.split("=")))


def _make_busy_handler() -> Callable[[int], bool]:
    """A busy handler that waits in short naps of random length, for a bounded time.

    SQLite's own timeout naps longer the longer it has waited, so that under load those who
    waited longest lose to those who just came: writes of seconds were measured.
    """
    end = 0.0

    def nap(times: int) -> bool:
        nonlocal end
        if times == 0:
            end = time.monotonic() + seconds_left(WAIT_SECONDS)
        time.sleep(random.uniform(*_RETRY_SECONDS))
        return time.monotonic() < end

    return nap


class ConnectionPool(Protocol):
    """Connections to one database: one that writes, for which threads queue, and many that read."""

    def reading(self) -> AbstractContextManager[apsw.Connection]:
        """A connection for one reading transaction."""

    def writing(self) -> AbstractContextManager[apsw.Connection]:
        """The writing connection, in a transaction."""

    def close(self) -> None:
        """Close all connections, those in use as soon as they are not."""


class Connections:
    """Connections to one file: one that writes, for which threads queue, and many that read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._closed = False
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._writer: apsw.Connection | None = None
        self._readers: list[apsw.Connection] = []

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection for one reading transaction."""
        self._check()
        with self._lock:
            connection = self._readers.pop() if self._readers else None
        connection = connection or connect(self._path)
        with transaction(connection, "BEGIN"):
            yield connection
        with self._lock:
            if len(self._readers) < IDLE_READERS and not self._closed:
                self._readers.append(connection)
                return
        connection.close()

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """The writing connection, in a transaction that took the write lock at once.

        A transaction that starts by reading and then wants to write fails as soon as another
        process wrote in between, whatever the timeout; one that starts by locking waits.
        """
        self._check()
        with hold_lock(self._writing, WAIT_SECONDS, self._path):
            self._refuse_closed()
            self._writer = self._writer or connect(self._path)
            with transaction(self._writer, "BEGIN IMMEDIATE"):
                yield self._writer
                refuse_late_commit(self._path)

    def truncate_log(self) -> bool:
        """Move what the write-ahead log holds into the database; False if readers prevent it."""
        with self._writing:
            self._writer = self._writer or connect(self._path)
            busy, _, _ = next(self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
        return not busy

    def close(self) -> None:
        """Close what is idle; the last process to close folds the log into the database."""
        self._closed = True
        if self._process != os.getpid():
            return
        with self._writing, self._lock:
            for connection in (*self._readers, self._writer):
                if connection is not None:
                    connection.close()
            self._readers, self._writer = [], None

    def _check(self) -> None:
        """Refuse to open after closing; a forked child leaves its parent's connections alone."""
        self._refuse_closed()
        if self._process != os.getpid():
            self._abandoned = (self._readers, self._writer)
            self._start()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreClosed(f"{self._path}: was closed; open it again")


@contextmanager
def transaction(connection: apsw.Connection, begin: str) -> Iterator[None]:
    """Commit when the block ends, roll back when it raises."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


class SqliteTable(SqlTable):
    """The queries of one topic, on one connection, for one workspace."""

    def __init__(self, connection: apsw.Connection, workspace: str, number: int) -> None:
        self._connection = connection
        self._workspace = workspace
        self._number = number
        self._sql = load_queries(__package__, self.topic)

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

    def _to_list_value(self, values: Iterable[str]) -> str:
        return to_json(list(values))

    def _from_list_value(self, kept: str) -> list[str]:
        values: list[str] = json.loads(kept)
        return values


@contextmanager
def translate_errors(place: object) -> Iterator[None]:
    """Raise a store error instead of SQLite's, with its cause."""
    try:
        yield
    except apsw.Error as error:
        raise _to_store_error(place, error) from error


def _to_store_error(place: object, error: apsw.Error) -> TacitError:
    if isinstance(error, apsw.ConstraintError):
        return AlreadyKnown(f"another memory has this id or says exactly this already ({error})")
    for kinds, failure, advice in _ERRORS:
        if isinstance(error, kinds):
            return failure(f"{place}: {advice}")
    return StoreError(f"{place}: the database refused ({error})")


_ERRORS: tuple[tuple[tuple[type[apsw.Error], ...], type[StoreError], str], ...] = (
    (
        (apsw.NotADBError,),
        NotADatabase,
        "this file is not a database; name another with --db, or move this one away",
    ),
    (
        (apsw.CorruptError,),
        StoreDamaged,
        "the database is damaged; stop what uses it, keep a copy, and restore your last export"
        " or the backup beside it (*.bak)",
    ),
    (
        (apsw.FullError,),
        StoreFull,
        "the disk is full; nothing was changed. Free some space and try again",
    ),
    (
        (apsw.BusyError, apsw.LockedError),
        StoreBusy,
        "another process has kept the database locked for too long; end it, or try again",
    ),
    (
        (apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError),
        StoreUnavailable,
        "the database cannot be written; make the file and its folder writable for you,"
        " or name another with --db",
    ),
    (
        (apsw.CantOpenError,),
        StoreUnavailable,
        "the database cannot be opened; check that its folder exists and is writable for you,"
        " or name another with --db",
    ),
    (
        (apsw.IOError,),
        StoreUnavailable,
        "reading or writing the database failed; nothing was changed. Check the disk's space,"
        " quota and health",
    ),
)
