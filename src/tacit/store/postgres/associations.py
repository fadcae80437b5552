"""Associations in PostgreSQL."""

from tacit.store.postgres.table import Table
from tacit.store.sql.associations import SqlAssociations


class PostgresAssociations(SqlAssociations, Table):
    """The edges between memories of one workspace."""
