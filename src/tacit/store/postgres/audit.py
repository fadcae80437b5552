"""The account of changes in PostgreSQL."""

from collections.abc import Iterable, Sequence
from typing import Any

from tacit.core.changes import AuditEntry
from tacit.store.postgres.posting import PostingTable
from tacit.store.sql.audit import SqlAudit
from tacit.store.sql.rows import from_audit_entry, to_json


class PostgresAudit(SqlAudit, PostingTable[dict[str, Any]]):
    """The audit rows of one workspace."""

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""
        self._wait(entry.id, from_audit_entry(entry))

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""
        rows = [from_audit_entry(entry) for entry in entries]
        return self._run("append", rows=to_json(rows)) if rows else 0

    def _post(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send("record", rows=to_json(rows))
