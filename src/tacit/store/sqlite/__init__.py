"""SQLite behind the store's protocols: one file, many processes, nothing to run."""

from tacit.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
