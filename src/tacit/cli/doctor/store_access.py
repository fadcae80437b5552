"""Opens the store under examination without changing it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

import apsw

from tacit.cli.doctor.configuration import load_settings
from tacit.cli.doctor.findings import Installation
from tacit.cli.output import format_count
from tacit.runtime.files import default_database_path
from tacit.store.backends import open_store, store_exists
from tacit.store.location import IN_MEMORY, is_url, parse_location
from tacit.store.protocols.store import Store
from tacit.store.sql.upgrade import load_migrations, needs_migration
from tacit.store.sqlite.connections import translate_errors
from tacit.store.sqlite.schema import APPLICATION_ID, has_outdated_terms
from tacit.store.workspaces import list_tenants

_BUSY_MS = 5_000


class StoreState(StrEnum):
    """What opening a store would do to it."""

    ABSENT = "absent"
    OLDER = "older"
    READY = "ready"


def store_place(installation: Installation) -> str:
    """The URL or the whole path of the store that is named, or of the user's own."""
    place = parse_location(default_database_path() if installation.db is None else installation.db)
    if place == IN_MEMORY or is_url(place):
        return place
    return str(Path(place).expanduser().absolute())


def store_state(place: str) -> StoreState:
    """Whether opening would make the store, bring it up to date, or just open it."""
    if is_url(place):
        return _url_state(place)
    path = Path(place)
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return StoreState.ABSENT
    return _file_state(path) if path.is_file() else StoreState.READY


@contextmanager
def open_store_unchanged(installation: Installation) -> Iterator[Store | None]:
    """Open the store; None if that would create or change it."""
    place = store_place(installation)
    if place == IN_MEMORY or store_state(place) is not StoreState.READY:
        yield None
        return
    settings = replace(load_settings(installation).postgres, row_security=False)  # builds no walls
    store = open_store(place, settings)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def open_file_unchanged(path: Path) -> Iterator[apsw.Connection]:
    """A connection to a database file that changes nothing, and leaves no log behind."""
    with translate_errors(path):
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.set_busy_timeout(_BUSY_MS)
            connection.pragma("query_only", True)
            yield connection
        finally:
            connection.close()


def _file_state(path: Path) -> StoreState:
    """What this version does not open is READY: opening refuses it, and says why."""
    steps = load_migrations("tacit.store.sqlite")
    with open_file_unchanged(path) as connection:
        if connection.pragma("application_id") != APPLICATION_ID:
            return StoreState.READY
        version = int(connection.pragma("user_version"))
        is_older = needs_migration(version, steps) or (
            version == steps[-1].version and has_outdated_terms(connection)
        )
    return StoreState.OLDER if is_older else StoreState.READY


def _url_state(url: str) -> StoreState:
    if not store_exists(url):
        return StoreState.ABSENT
    from tacit.cli.doctor.postgres import is_older

    is_outdated = is_older(url, load_migrations("tacit.store.postgres"))
    return StoreState.OLDER if is_outdated else StoreState.READY


# The workspaces of a store, up to a limit


MOST_WORKSPACES = 1_000
"""How many workspaces are checked; there may be millions."""

_MOST_NAMES = 3


def workspaces_to_check(store: Store) -> tuple[list[str], str]:
    """The workspaces to check, and a phrase that names them."""
    names = list_tenants(store)
    if len(names) > MOST_WORKSPACES:
        return names[
            :MOST_WORKSPACES
        ], f"the first {MOST_WORKSPACES:,} of {len(names):,} workspaces"
    return names, format_count(len(names), "workspace")


def format_names(names: Sequence[str]) -> str:
    """The first of several names."""
    more = ", …" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
