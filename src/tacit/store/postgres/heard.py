"""What was heard and waits to be learned from, in PostgreSQL."""

from tacit.store.postgres.table import Table
from tacit.store.sql.heard import SqlHeardTurns


class PostgresHeardTurns(SqlHeardTurns, Table):
    """The queue of one workspace."""
