"""How far long work has come, in PostgreSQL."""

from tacit.store.postgres.table import Table
from tacit.store.sql.progress import SqlProgress


class PostgresProgress(SqlProgress, Table):
    """How far long work has come in one workspace."""
