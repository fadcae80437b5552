"""Choosing a backend by where the memories are."""

from pathlib import Path

from tacit.store.inmemory import InMemoryStore
from tacit.store.protocols import Store
from tacit.store.sqlite import SqliteStore

IN_MEMORY = ":memory:"


def open_store(location: str | Path) -> Store:
    """A file is a SQLite database; ":memory:" lasts as long as the process."""
    if str(location) == IN_MEMORY:
        return InMemoryStore()
    return SqliteStore.open(Path(location))
