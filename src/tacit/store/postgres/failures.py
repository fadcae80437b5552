"""PostgreSQL's errors in our own words, each saying what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from tacit.core.errors import (
    AlreadyKnown,
    InvalidInput,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnavailable,
    TacitError,
)
from tacit.store.postgres.address import Address


@contextmanager
def explained(address: Address) -> Iterator[None]:
    """Raise a store error instead of the server's, with the cause kept."""
    try:
        yield
    except psycopg.Error as error:
        raise explanation(address, error) from error


def explanation(address: Address, error: psycopg.Error) -> TacitError:
    """What an error of the server, or of the way to it, means for the user."""
    if isinstance(error, errors.UniqueViolation):
        return AlreadyKnown(f"another memory has this id or says exactly this already ({error})")
    if isinstance(error, psycopg.DataError) and any(name in str(error) for name in _NUL):
        return InvalidInput("text", "holds a NUL character, which PostgreSQL cannot keep")
    for kinds, failure, advice in _KINDS:
        if isinstance(error, kinds):
            return failure(f"{address}: {advice} ({_reason(error)})")
    if isinstance(error, psycopg.OperationalError) and error.sqlstate is None:
        return _unconnected(address, error)
    return StoreError(f"{address}: the database refused ({_reason(error)})")


def is_lost(error: psycopg.Error) -> bool:
    """Whether the connection is gone, so that another may do."""
    gone = (errors.AdminShutdown, errors.CrashShutdown, errors.IdleSessionTimeout)
    return isinstance(error, gone) or (
        isinstance(error, psycopg.OperationalError) and error.sqlstate is None
    )


def _unconnected(address: Address, error: psycopg.Error) -> StoreUnavailable:
    """Without a code it is libpq that speaks: it could not connect, or the connection is gone."""
    reason = _reason(error)
    for words, advice in _UNCONNECTED:
        if words in reason:
            return StoreUnavailable(f"{address}: {advice} ({reason})")
    return StoreUnavailable(f"{address}: there is no connection ({reason})")


def _reason(error: psycopg.Error) -> str:
    return " ".join((error.diag.message_primary or str(error)).split())


_NUL = ("NUL", "\\u0000 cannot be converted to text")
"""As the driver names it in a text of its own, and the server in one that JSON holds."""

_NO_SERVER = "no server answers; check that it runs, and the URL's host and port"
_LOST = "the connection was lost; what was not committed was not changed"
_UNCONNECTED = (
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

_KINDS: tuple[tuple[tuple[type[psycopg.Error], ...], type[StoreError], str], ...] = (
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
