"""Opening a store: the location decides the backend."""

from pathlib import Path
from typing import TYPE_CHECKING

from tacit.core.errors import StoreUnavailable
from tacit.settings.server import PostgresSettings
from tacit.store.location import IN_MEMORY, is_url, parse_location
from tacit.store.protocols.store import Store
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from tacit.store.postgres.store import PostgresStore


def open_store(location: str | Path, postgres: PostgresSettings | None = None) -> Store:
    """Open a PostgreSQL URL, a SQLite file, or ":memory:", a new one in memory."""
    place = parse_location(location)
    if place == IN_MEMORY:
        return SqliteInMemoryStore.open()
    if is_url(place):
        return _load_postgres().open(place, postgres or PostgresSettings())
    return SqliteStore.open(Path(place))


def store_exists(location: str | Path) -> bool:
    """Whether a store exists at a location, without creating anything."""
    place = parse_location(location)
    if is_url(place):
        return _load_postgres().exists(place)
    return Path(place).expanduser().exists()


def _load_postgres() -> "type[PostgresStore]":
    try:
        from tacit.store.postgres.store import PostgresStore
    except ImportError as error:
        raise StoreUnavailable(
            f"PostgreSQL needs more than is installed ({error}); run: pip install 'tacit[postgres]'"
        ) from error
    return PostgresStore
