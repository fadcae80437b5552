"""The store that is examined: which one, and whether it can be opened without changing it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import apsw

from tacit.cli.doctor.configuration import postgres_settings
from tacit.cli.doctor.installation import Installation
from tacit.runtime.files import default_database_path
from tacit.store.backends import open_store, store_exists
from tacit.store.location import IN_MEMORY, is_url, parse_location
from tacit.store.protocols.store import Store
from tacit.store.sql.upgrade import load_migrations
from tacit.store.sqlite.connections import translate_errors
from tacit.store.sqlite.schema import APPLICATION_ID, has_outdated_terms

_BUSY_MS = 5_000


class Readiness(StrEnum):
    """What opening a store would do."""

    ABSENT = "absent"
    OLDER = "older"
    READY = "ready"


def place_of(installation: Installation) -> str:
    """The URL or the whole path of the store that is named, or of the user's own."""
    place = parse_location(default_database_path() if installation.db is None else installation.db)
    if place == IN_MEMORY or is_url(place):
        return place
    return str(Path(place).expanduser().absolute())


def readiness(place: str) -> Readiness:
    """Whether opening would make the store, bring it up to date, or just open it."""
    if is_url(place):
        return _of_url(place)
    path = Path(place)
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return Readiness.ABSENT
    return _of_file(path) if path.is_file() else Readiness.READY


@contextmanager
def opened(installation: Installation) -> Iterator[Store | None]:
    """The store, or None where opening would make or change it."""
    place = place_of(installation)
    if place == IN_MEMORY or readiness(place) is not Readiness.READY:
        yield None
        return
    settings = replace(postgres_settings(installation), row_security=False)  # builds no walls
    store = open_store(place, settings)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def reading(path: Path) -> Iterator[apsw.Connection]:
    """A connection to a database file that changes nothing, and leaves no log behind."""
    with translate_errors(path):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.set_busy_timeout(_BUSY_MS)
            connection.pragma("query_only", True)
            yield connection
        finally:
            connection.close()


def _of_file(path: Path) -> Readiness:
    """What belongs to others or to a newer Tacit is READY: opening refuses it, and says why."""
    newest = load_migrations("tacit.store.sqlite")[-1].version
    with reading(path) as connection:
        if connection.pragma("application_id") != APPLICATION_ID:
            return Readiness.READY
        version = int(connection.pragma("user_version"))
        is_older = version < newest or (version == newest and has_outdated_terms(connection))
    return Readiness.OLDER if is_older else Readiness.READY


def _of_url(url: str) -> Readiness:
    if not store_exists(url):
        return Readiness.ABSENT
    from tacit.cli.doctor.postgres import is_older

    newest = load_migrations("tacit.store.postgres")[-1].version
    return Readiness.OLDER if is_older(url, newest) else Readiness.READY
