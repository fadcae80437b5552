"""The folders that projects are at, in PostgreSQL."""

from tacit.store.postgres.table import Table
from tacit.store.sql.places import SqlPlaces


class PostgresPlaces(SqlPlaces, Table):
    """The places of one workspace's projects."""
