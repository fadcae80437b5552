"""What workflows noted about sessions, in PostgreSQL."""

from tacit.store.postgres.table import Table
from tacit.store.sql.variables import SqlVariables


class PostgresVariables(SqlVariables, Table):
    """The variables of one workspace's sessions."""
