"""The account of changes in SQLite."""

from tacit.store.sql.audit import SqlAudit
from tacit.store.sqlite.table import Table


class SqliteAudit(SqlAudit, Table):
    """The audit rows of one workspace."""
