"""What was heard and waits to be learned from, in SQLite."""

from tacit.store.sql.heard import SqlHeardTurns
from tacit.store.sqlite.table import Table


class SqliteHeardTurns(SqlHeardTurns, Table):
    """The queue of one workspace."""
