"""SQLite's errors in our own words, each saying what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from tacit.core.errors import (
    AlreadyKnown,
    NotADatabase,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnavailable,
    TacitError,
)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Raise a store error instead of SQLite's, with the cause kept."""
    try:
        yield
    except apsw.Error as error:
        raise _explanation(path, error) from error


def _explanation(path: Path, error: apsw.Error) -> TacitError:
    if isinstance(error, apsw.ConstraintError):
        return AlreadyKnown(f"another memory has this id or says exactly this already ({error})")
    for kinds, failure, advice in _KINDS:
        if isinstance(error, kinds):
            return failure(f"{path}: {advice}")
    return StoreError(f"{path}: the database refused ({error})")


_KINDS: tuple[tuple[tuple[type[apsw.Error], ...], type[StoreError], str], ...] = (
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
