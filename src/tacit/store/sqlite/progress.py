"""How far long work has come, in SQLite."""

from tacit.store.sql.progress import SqlProgress
from tacit.store.sqlite.table import Table


class SqliteProgress(SqlProgress, Table):
    """How far long work has come in one workspace."""
