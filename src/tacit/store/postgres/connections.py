"""Connections to one PostgreSQL database: its address, a pool, and its errors translated."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import psycopg
from pgvector.psycopg import register_vector
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from tacit.core.errors import (
    AlreadyKnown,
    InvalidInput,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnavailable,
    TacitError,
)
from tacit.runtime.workers import seconds_left
from tacit.settings.server import PostgresSettings
from tacit.store.location import URL_HINT
from tacit.store.transactions import refuse_late_commit

_CONNECTION_DEFAULTS: dict[str, str | int | None] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "tacit",
}
"""A lost server is noticed within seconds, unless the URL says otherwise."""


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A database on a server; as text it shows no password."""

    dialled: str
    shown: str

    @classmethod
    def of(cls, url: str) -> Self:
        """Read a URL such as postgresql://user:password@host:5432/database."""
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            given = {}
        if not _is_unambiguous(given):
            raise InvalidInput("database", f"is no URL that can be read; {URL_HINT}")
        return cls(make_conninfo("", **{**_CONNECTION_DEFAULTS, **given}), _to_shown_url(given))

    def __str__(self) -> str:
        return self.shown


def _is_unambiguous(given: Mapping[str, object]) -> bool:
    """Whether no part of a password can have become a host, a port or a database."""
    ports = str(given.get("port") or "").split(",")
    names = f"{given.get('host', '')}{given.get('dbname', '')}"
    are_numbers = all(port == "" or port.isdecimal() for port in ports)
    return bool(given) and are_numbers and "@" not in names


def _to_shown_url(given: Mapping[str, object]) -> str:
    user = f"{given['user']}@" if given.get("user") else ""
    port = f":{given['port']}" if given.get("port") else ""
    return f"postgresql://{user}{given.get('host', '')}{port}/{given.get('dbname', '')}"


Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

_BEGIN_READING = sql.SQL(
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;"
    "SELECT set_config('tacit.workspace', {workspace}, true)"
)
_BEGIN_WRITING = sql.SQL(
    "BEGIN;"
    "SELECT set_config('tacit.workspace', {workspace}, true),"
    " set_config('lock_timeout', {patience}, true)"
)
_IMPATIENT_SECONDS = 0.1
_TROUBLED_SECONDS = 5.0
_CLOSE_SECONDS = 5.0


class _Pool:
    """A pool of connections that knows whether the server refused the latest one."""

    def __init__(self, address: PostgresAddress, settings: PostgresSettings) -> None:
        self._has_prepared_statements = settings.prepared_statements
        self._refusals_before = 0
        self._connections: ConnectionPool[Connection] = ConnectionPool(
            address.dialled,
            kwargs={"autocommit": True},
            min_size=0,
            max_size=settings.pool_size,
            configure=self._configure,
            name="tacit",
            open=False,
        )
        self._connections.open()

    def borrow(self, seconds: float) -> Connection:
        """A connection that is free within this time, or PoolTimeout."""
        return self._connections.getconn(seconds)

    def give_back(self, connection: Connection) -> None:
        """Let others use a connection; one that is lost is replaced."""
        self._connections.putconn(connection)

    def is_cut_off(self) -> bool:
        """Whether the server refused a connection and gave none since.

        Such a pool waits longer before each retry: a new pool is quicker. A pool whose connections
        are merely all in use is not cut off.
        """
        return self._refusals() > self._refusals_before

    def close(self) -> None:
        """Close what is idle, and end its threads within a bounded time."""
        self._connections.close(_CLOSE_SECONDS)

    def _refusals(self) -> int:
        return self._connections.get_stats().get("connections_errors", 0)

    def _configure(self, connection: Connection) -> None:
        if not self._has_prepared_statements:
            connection.prepare_threshold = None
        register_vector(connection)
        self._refusals_before = self._refusals()


class Connections:
    """A pool that each process opens when it first uses it."""

    def __init__(self, address: PostgresAddress, settings: PostgresSettings) -> None:
        self._address = address
        self._settings = settings
        self._closed = False
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._pool: _Pool | None = None
        self._replaced: list[threading.Thread] = []
        self._trouble = -_TROUBLED_SECONDS

    @contextmanager
    def reading(self, workspace: int) -> Iterator[Connection]:
        """A connection in a transaction that sees one moment and changes nothing."""
        begin = _BEGIN_READING.format(workspace=sql.Literal(str(workspace)))
        with self._transaction(begin) as connection:
            yield connection

    @contextmanager
    def writing(self, workspace: int) -> Iterator[Connection]:
        """A connection in a transaction; statements that nobody waits for are sent together."""
        patience = max(round(1_000 * self._seconds_left()), 1)  # 0 would be without end
        begin = _BEGIN_WRITING.format(
            workspace=sql.Literal(str(workspace)), patience=sql.Literal(str(patience))
        )
        with self._transaction(begin) as connection, connection.pipeline():
            yield connection
            refuse_late_commit(self._address)

    def connect(self) -> Connection:
        """A connection outside the pool, for long work; the caller closes it."""
        return psycopg.connect(self._address.dialled, autocommit=True)

    def close(self) -> None:
        """Close idle connections; closing again does nothing."""
        self._closed = True
        if self._process != os.getpid():
            return
        with self._lock:
            pool, replaced, self._replaced = self._pool, self._replaced, []
        if pool is not None:
            pool.close()
        for closing in replaced:
            closing.join(_CLOSE_SECONDS)

    @contextmanager
    def _transaction(self, begin: sql.Composed) -> Iterator[Connection]:
        with self._begun(begin) as connection:
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(psycopg.Error):
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _begun(self, begin: sql.Composed) -> Iterator[Connection]:
        """A connection in a transaction, until the block ends."""
        pool, connection = self._begin(begin)
        try:
            yield connection
        finally:
            pool.give_back(connection)

    def _begin(self, begin: sql.Composed) -> tuple[_Pool, Connection]:
        """A connection in a transaction; each that was idle may turn out to be lost."""
        for left in reversed(range(self._settings.pool_size + 1)):
            pool, connection = self._borrow()
            try:
                connection.execute(begin)
                break
            except BaseException as error:
                pool.give_back(connection)
                if not (left and isinstance(error, psycopg.Error) and is_connection_lost(error)):
                    raise
                self._trouble = time.monotonic()
        self._trouble = -_TROUBLED_SECONDS
        return pool, connection

    def _borrow(self) -> tuple[_Pool, Connection]:
        """A connection of the pool, within the time that the settings give.

        While a server is known to have trouble, it is probed early, so that turns do not wait for
        it. A pool is replaced once a server that refused it answers again; callers that wait for
        the old pool continue with the new one.
        """
        end = time.monotonic() + self._seconds_left()
        while True:
            pool = self._opened()
            left = max(end - time.monotonic(), 0.0)
            is_troubled = time.monotonic() - self._trouble < _TROUBLED_SECONDS
            try:
                return pool, pool.borrow(min(left, _IMPATIENT_SECONDS) if is_troubled else left)
            except PoolClosed:
                continue
            except PoolTimeout:
                self._ask_server()
                if pool.is_cut_off():
                    self._replace(pool)
                    end = time.monotonic() + self._seconds_left()
                elif time.monotonic() >= end:
                    raise

    def _seconds_left(self) -> float:
        return seconds_left(self._settings.pool_timeout_ms / 1_000)

    def _ask_server(self) -> None:
        """Connect outside the pool, so that the server says why it gives no connection."""
        try:
            self.connect().close()
        except psycopg.Error:
            self._trouble = time.monotonic()
            raise
        self._trouble = -_TROUBLED_SECONDS

    def _replace(self, pool: _Pool) -> None:
        """Replace a pool that waits before it asks the server again."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
                closing = threading.Thread(target=pool.close, name="tacit-pool", daemon=True)
                self._replaced = [each for each in self._replaced if each.is_alive()]
                self._replaced.append(closing)
                closing.start()

    def _opened(self) -> _Pool:
        """The pool; none is opened after closing, and a forked child opens its own."""
        if self._process != os.getpid():
            self._abandoned = self._pool
            self._start()
        with self._lock:
            if self._closed:
                raise StoreClosed(f"{self._address}: was closed; open it again")
            if self._pool is None:
                self._pool = _Pool(self._address, self._settings)
            return self._pool


@contextmanager
def translate_errors(address: PostgresAddress) -> Iterator[None]:
    """Raise a store error instead of the server's, with its cause."""
    try:
        yield
    except psycopg.Error as error:
        raise to_store_error(address, error) from error


def to_store_error(address: PostgresAddress, error: psycopg.Error) -> TacitError:
    """The store error for an error of the server or of the connection to it."""
    if isinstance(error, errors.UniqueViolation):
        return AlreadyKnown(f"another memory has this id or says exactly this already ({error})")
    if isinstance(error, psycopg.DataError) and any(name in str(error) for name in _NUL_MESSAGES):
        return InvalidInput("text", "holds a NUL character, which PostgreSQL cannot keep")
    for kinds, failure, advice in _ERRORS:
        if isinstance(error, kinds):
            return failure(f"{address}: {advice} ({_reason(error)})")
    if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        return _to_connection_error(address, error)
    return StoreError(f"{address}: the database refused ({_reason(error)})")


def is_connection_lost(error: psycopg.Error) -> bool:
    """Whether the connection is lost, so that another one may work."""
    gone = (errors.AdminShutdown, errors.CrashShutdown, errors.IdleSessionTimeout)
    return isinstance(error, gone) or (
        isinstance(error, psycopg.OperationalError) and error.sqlstate is None
    )


def _to_connection_error(address: PostgresAddress, error: psycopg.Error) -> StoreUnavailable:
    """The error where there is no code: libpq could not connect, or lost the connection."""
    reason = _reason(error)
    for words, advice in _CONNECTION_ERRORS:
        if words in reason:
            return StoreUnavailable(f"{address}: {advice} ({reason})")
    return StoreUnavailable(f"{address}: there is no connection ({reason})")


def _reason(error: psycopg.Error) -> str:
    return " ".join((error.diag.message_primary or str(error)).split())


_NUL_MESSAGES = ("NUL", "\\u0000 cannot be converted to text")
"""How the driver reports a NUL in a text, and the server one in JSON."""

_NO_SERVER = "no server answers; check that it runs, and the URL's host and port"
_LOST = "the connection was lost; what was not committed was not changed"
_CONNECTION_ERRORS = (
    ("refused", _NO_SERVER),
    ("resolve host", _NO_SERVER),
    ("timeout expired", _NO_SERVER),
    ("No such file", _NO_SERVER),
    ("unreachable", _NO_SERVER),
    ("No route", _NO_SERVER),
    ("closed the connection", _LOST),
    ("connection is lost", _LOST),
    ("connection is closed", _LOST),
    ("authentication failed", "the server does not accept this user and password"),
    ("no password supplied", "the server asks for a password; put one into the URL or ~/.pgpass"),
    ("role ", "the server does not let this user in; check its name and rights"),
    ("does not exist", "there is no such database; make it with createdb, or name another"),
    ("too many clients", "the server takes no more connections; raise its max_connections"),
    ("remaining connection slots", "the server takes no more connections; raise max_connections"),
    ("starting up", "the server is just starting; try again in a moment"),
    ("shutting down", "the server is shutting down; try again when it is back"),
)

_ERRORS: tuple[tuple[tuple[type[psycopg.Error], ...], type[StoreError], str], ...] = (
    (
        (PoolTimeout,),
        StoreBusy,
        "all connections of this process are in use; raise pool_size, or do less at once",
    ),
    (
        (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure),
        StoreBusy,
        "others have kept this workspace locked for too long; nothing was changed, try again",
    ),
    (
        (errors.TooManyConnections,),
        StoreBusy,
        "the server takes no more connections; raise its max_connections or lower pool_size",
    ),
    (
        (errors.InsufficientPrivilege,),
        StoreUnavailable,
        "this user lacks a right; connect as the owner of the schema tacit, or grant it",
    ),
    (
        (errors.ReadOnlySqlTransaction,),
        StoreUnavailable,
        "this server is a replica or read-only; name the primary in the URL",
    ),
    (
        (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow),
        StoreUnavailable,
        "the server is shutting down or starting; nothing was changed, try again in a moment",
    ),
    (
        (errors.DiskFull, errors.OutOfMemory),
        StoreFull,
        "the server has no room left; nothing was changed. Free some space and try again",
    ),
    (
        (errors.DataCorrupted, errors.IndexCorrupted),
        StoreDamaged,
        "the server found damaged data; stop writing and restore a backup",
    ),
    (
        (errors.InvalidSqlStatementName, errors.DuplicatePreparedStatement),
        StoreError,
        "a pool before the server loses prepared statements; set prepared_statements = false",
    ),
    (
        (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName),
        StoreError,
        "the schema tacit is not as it should be; restore a backup, or use another database",
    ),
)
