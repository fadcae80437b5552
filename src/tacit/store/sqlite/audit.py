"""The account of changes in SQLite."""

from collections.abc import Iterable

from tacit.memory import AuditEntry, to_micros
from tacit.store.sqlite.rows import to_audit_entry, to_json
from tacit.store.sqlite.table import Table


class SqliteAudit(Table):
    """The audit rows of one workspace."""

    topic = "audit"

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""
        return sum(self._append(entry) for entry in entries)

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""
        return [to_audit_entry(row) for row in self._rows("of", memory=memory)]

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""
        return [to_audit_entry(row) for row in self._rows("scan", after=after or "", limit=limit)]

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""
        return self._run("blank", memory=memory)

    def _append(self, entry: AuditEntry) -> int:
        return self._run(
            "append",
            id=entry.id,
            memory=entry.memory,
            action=str(entry.action),
            actor=str(entry.by),
            at=to_micros(entry.at),
            subject=str(entry.subject),
            old=None if entry.old is None else to_json(entry.old),
            new=None if entry.new is None else to_json(entry.new),
        )
