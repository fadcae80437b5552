"""The folders that projects are at, in SQLite."""

from tacit.store.sql.places import SqlPlaces
from tacit.store.sqlite.table import Table


class SqlitePlaces(SqlPlaces, Table):
    """The places of one workspace's projects."""
