"""Choosing a backend by where the memories are."""

from pathlib import Path

from tacit.errors import InvalidInput, StoreUnavailable
from tacit.settings import PostgresSettings
from tacit.store.inmemory import InMemoryStore
from tacit.store.protocols import Store
from tacit.store.sqlite import SqliteStore

IN_MEMORY = ":memory:"
_POSTGRES = ("postgresql://", "postgres://")


def open_store(location: str | Path, postgres: PostgresSettings | None = None) -> Store:
    """A URL is a PostgreSQL database, a path a SQLite file; ":memory:" lasts as long as we do."""
    if str(location) == IN_MEMORY:
        return InMemoryStore()
    if is_url(location):
        return _open_postgres(str(location), postgres or PostgresSettings())
    scheme, separator, _ = str(location).partition("://")
    if separator:
        problem = f"{scheme}:// is no place for memories; name a file or a postgresql:// URL"
        raise InvalidInput("database", problem)
    return SqliteStore.open(Path(location))


def is_url(location: str | Path) -> bool:
    """Whether a location names a server, not a file."""
    return str(location).startswith(_POSTGRES)


def _open_postgres(url: str, settings: PostgresSettings) -> Store:
    try:
        from tacit.store.postgres import PostgresStore
    except ImportError as error:
        raise StoreUnavailable(
            f"PostgreSQL needs more than is installed ({error}); run: pip install 'tacit[postgres]'"
        ) from error
    return PostgresStore.open(url, settings)
