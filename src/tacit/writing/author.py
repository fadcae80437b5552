"""The author of a write: who writes, when, and in which transaction."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tacit.core.changes import AuditEntry
from tacit.core.errors import NotFound
from tacit.core.kinds import PERSONS, Actor
from tacit.core.memory import Memory
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
