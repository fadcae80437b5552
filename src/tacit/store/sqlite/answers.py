"""How requests were answered, in SQLite."""

from tacit.store.sql.answers import SqlAnswers
from tacit.store.sqlite.table import Table


class SqliteAnswers(SqlAnswers, Table):
    """How requests to one workspace were answered."""
