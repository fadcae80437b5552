"""The account of changes in PostgreSQL."""

from collections.abc import Iterable, Sequence
from typing import Any

from tacit.memory import AuditEntry
from tacit.store.postgres.posting import PostingTable
from tacit.store.rows import from_audit_entry, to_audit_entry, to_json


class PostgresAudit(PostingTable[dict[str, Any]]):
    """The audit rows of one workspace."""

    topic = "audit"

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""
        self._wait(entry.id, from_audit_entry(entry))

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""
        rows = [from_audit_entry(entry) for entry in entries]
        return self._run("append", rows=to_json(rows)) if rows else 0

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""
        return [to_audit_entry(row) for row in self._rows("of", memory=memory)]

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""
        return [to_audit_entry(row) for row in self._rows("scan", after=after or "", limit=limit)]

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""
        return self._run("blank", memory=memory)

    def _post(self, rows: Sequence[dict[str, Any]]) -> None:
        self._send("record", rows=to_json(rows))
