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

from tacit.errors import StoreClosed
from tacit.settings import PostgresSettings
from tacit.store.postgres.address import Address
from tacit.store.postgres.failures import is_lost

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]
Pool: TypeAlias = "ConnectionPool[Connection]"

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
        self._pool: Pool | None = None
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
        begin = _BEGIN_WRITING.format(
            workspace=sql.Literal(str(workspace)),
            patience=sql.Literal(str(self._settings.pool_timeout_ms)),
        )
        with self._transaction(begin) as connection, connection.pipeline():
            yield connection

    def connect(self) -> Connection:
        """A connection beside the pool, for what takes long; the caller closes it."""
        return psycopg.connect(self._address.dialled, autocommit=True)

    def close(self) -> None:
        """Close what is idle; calling it again does nothing."""
        self._closed = True
        if self._process == os.getpid() and self._pool is not None:
            self._pool.close()

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
            pool.putconn(connection)

    def _begin(self, begin: sql.Composed, *, again: bool = True) -> tuple[Pool, Connection]:
        """A connection in a transaction; one that turns out to be lost is replaced once."""
        pool, connection = self._borrowed()
        try:
            connection.execute(begin)
        except BaseException as error:
            pool.putconn(connection)
            if not again or not (isinstance(error, psycopg.Error) and is_lost(error)):
                raise
            self._renew(pool)
            return self._begin(begin, again=False)
        return pool, connection

    def _borrowed(self) -> tuple[Pool, Connection]:
        """A connection of the pool; the reason why there is none is asked of the server itself.

        While a server is known to be in trouble nobody waits long for it: a turn has better to do.
        """
        pool = self._opened()
        is_troubled = time.monotonic() - self._trouble < _TROUBLED_SECONDS
        patience = self._settings.pool_timeout_ms / 1_000
        try:
            found = pool.getconn(min(patience, _IMPATIENT_SECONDS) if is_troubled else patience)
        except PoolClosed:
            self._refuse_closed()
            raise
        except PoolTimeout:
            self._trouble = time.monotonic()
            self.connect().close()
            if not is_troubled:
                raise
            self._renew(pool)
            pool = self._opened()
            found = pool.getconn(patience)
        self._trouble = -_TROUBLED_SECONDS
        return pool, found

    def _renew(self, pool: Pool) -> None:
        """Leave a pool whose connections are lost: it takes its time to see that."""
        self._trouble = time.monotonic()
        with self._lock:
            if self._pool is pool:
                self._pool = None
                threading.Thread(target=pool.close, daemon=True).start()

    def _opened(self) -> Pool:
        """The pool; nothing is opened after closing, and a forked child has its own."""
        self._refuse_closed()
        if self._process != os.getpid():
            self._abandoned = self._pool
            self._start()
        with self._lock:
            if self._pool is None:
                self._pool = ConnectionPool(
                    self._address.dialled,
                    kwargs={"autocommit": True},
                    min_size=0,
                    max_size=self._settings.pool_size,
                    configure=self._configure,
                    name="tacit",
                    open=True,
                )
        return self._pool

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreClosed(f"{self._address}: was closed; open it again")

    def _configure(self, connection: Connection) -> None:
        if not self._settings.prepared_statements:
            connection.prepare_threshold = None
        register_vector(connection)
