"""The account of changes, in SQL."""

from collections.abc import Iterable

from tacit.core.changes import AuditEntry
from tacit.store.sql.rows import from_audit_entry, to_audit_entry
from tacit.store.sql.table import SqlTable


class SqlAudit(SqlTable):
    """The audit rows of one workspace."""

    topic = "audit"

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""
        self.append([entry])

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""
        return sum(self._run("append", **from_audit_entry(entry)) for entry in entries)

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""
        return [to_audit_entry(row) for row in self._rows("of", memory=memory)]

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""
        return [to_audit_entry(row) for row in self._rows("scan", after=after or "", limit=limit)]

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""
        return self._run("blank", memory=memory)
