"""Connections to one PostgreSQL database, and transactions on one workspace."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from tacit.core.errors import StoreClosed
from tacit.runtime.workers import seconds_left
from tacit.settings.postgres import PostgresSettings
from tacit.store.locks import refuse_late_commit
from tacit.store.postgres.address import Address
from tacit.store.postgres.failures import is_lost

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
    """Connections that are reused, and whether the server has refused the latest one."""

    def __init__(self, address: Address, settings: PostgresSettings) -> None:
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
        """Whether the server refused it a connection and it got none since.

        It waits before it tries again, longer each time: a new pool is quicker. One whose
        connections are merely all in use was not refused any.
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
    """A pool that is opened when first used, in every process anew."""

    def __init__(self, address: Address, settings: PostgresSettings) -> None:
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
        """A connection beside the pool, for what takes long; the caller closes it."""
        return psycopg.connect(self._address.dialled, autocommit=True)

    def close(self) -> None:
        """Close what is idle; calling it again does nothing."""
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
                if not (left and isinstance(error, psycopg.Error) and is_lost(error)):
                    raise
                self._trouble = time.monotonic()
        self._trouble = -_TROUBLED_SECONDS
        return pool, connection

    def _borrow(self) -> tuple[_Pool, Connection]:
        """A connection of the pool, within the time that the settings give.

        While a server is known to be in trouble it is asked early whether it is there: a turn has
        better to do than to wait for it. A pool is replaced once a server that had refused it
        answers again; whoever waits for that pool goes on with the new one.
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
        """Connect beside the pool: the server itself says why it gives no connection."""
        try:
            self.connect().close()
        except psycopg.Error:
            self._trouble = time.monotonic()
            raise
        self._trouble = -_TROUBLED_SECONDS

    def _replace(self, pool: _Pool) -> None:
        """Leave a pool that waits before it asks the server again."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
                closing = threading.Thread(target=pool.close, name="tacit-pool", daemon=True)
                self._replaced = [each for each in self._replaced if each.is_alive()]
                self._replaced.append(closing)
                closing.start()

    def _opened(self) -> _Pool:
        """The pool; nothing is opened after closing, and a forked child has its own."""
        if self._process != os.getpid():
            self._abandoned = self._pool
            self._start()
        with self._lock:
            if self._closed:
                raise StoreClosed(f"{self._address}: was closed; open it again")
            if self._pool is None:
                self._pool = _Pool(self._address, self._settings)
            return self._pool
