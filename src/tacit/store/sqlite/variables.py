"""What workflows noted about sessions, in SQLite."""

from tacit.store.sql.variables import SqlVariables
from tacit.store.sqlite.table import Table


class SqliteVariables(SqlVariables, Table):
    """The variables of one workspace's sessions."""
