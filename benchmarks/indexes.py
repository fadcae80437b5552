"""The indexes that PostgreSQL has of large workspaces, made now and not beside the searches."""

from collections.abc import Iterable

from tacit.store.postgres.store import PostgresStore
from tacit.store.protocols.store import Store


def build_indexes(store: Store, workspaces: Iterable[str]) -> bool:
    """Index what has outgrown memory; tells whether anything has."""
    maintainer = store._maintainer if isinstance(store, PostgresStore) else None
    if maintainer is None:
        return False
    return sum(maintainer.index(each) for each in workspaces) > 0
