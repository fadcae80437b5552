"""The account of changes in SQLite."""

from collections.abc import Iterable

from tacit.core.memory.audit import AuditEntry
from tacit.store.sql.audit import SqlAudit
from tacit.store.sql.rows import from_audit_entry
from tacit.store.sqlite.table import Table


class SqliteAudit(SqlAudit, Table):
    """The audit rows of one workspace."""

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""
        self.append([entry])

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""
        return sum(self._run("append", **from_audit_entry(entry)) for entry in entries)
