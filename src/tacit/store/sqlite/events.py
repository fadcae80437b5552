"""What happened, in SQLite."""

from tacit.store.sql.events import SqlEvents
from tacit.store.sqlite.table import Table


class SqliteEvents(SqlEvents, Table):
    """What happened in one workspace."""
