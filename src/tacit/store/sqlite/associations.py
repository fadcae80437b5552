"""Associations in SQLite."""

from tacit.store.sql.associations import SqlAssociations
from tacit.store.sqlite.table import Table


class SqliteAssociations(SqlAssociations, Table):
    """The edges between memories of one workspace."""
