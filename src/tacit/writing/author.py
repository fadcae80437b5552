"""The author of a write: who writes, when, and in which transaction."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tacit.core.changes import AuditEntry
from tacit.core.errors import NotFound
from tacit.core.kinds import PERSONS, Action, Actor
from tacit.core.memory import Memory
from tacit.core.permissions import may_change
from tacit.store.journal import Journal
from tacit.store.protocols.store import UnitOfWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Somebody who writes, in one transaction."""

    unit: UnitOfWork
    by: Actor
    now: datetime
    new_id: Callable[[], str]
    noted: Callable[[AuditEntry], None] = lambda _: None
    """Called with every change."""
    reason: str = ""
    """The reason, for the history."""

    @property
    def is_person(self) -> bool:
        """Whether a person writes."""
        return self.by in PERSONS

    @property
    def journal(self) -> Journal:
        """The journal, which makes changes and records each of them."""
        return Journal(
            self.unit,
            by=self.by,
            now=self.now,
            new_id=self.new_id,
            noted=self.noted,
            reason=self.reason,
        )

    def may_replace(self, memory: Memory) -> bool:
        """Whether a memory is superseded, merged or forgotten without asking a person.

        What a person brought back stays until a person decides otherwise.
        """
        return self.is_person or (may_change(memory, self.by) and not self.was_brought_back(memory))

    def was_brought_back(self, memory: Memory) -> bool:
        """Whether a person ever restored a memory, or undid what was done to it."""
        rows = self.unit.audit.of(memory.id)
        return any(row.action is Action.RESTORE and row.by in PERSONS for row in rows)

    def existing(self, id: str) -> Memory:
        """Load a memory of this workspace, forgotten or not."""
        memory = self.unit.memories.get([id]).get(id)
        if memory is None:
            raise NotFound(f"there is no memory {id} in workspace {self.unit.workspace!r}")
        return memory

    def visible(self, id: str) -> Memory:
        """Load a memory of this workspace that was not forgotten."""
        memory = self.existing(id)
        if memory.forgotten:
            raise NotFound(f"memory {id} was forgotten; restore it first")
        return memory
