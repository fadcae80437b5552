"""The account of every change: what, when, who, and the values before and after."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from tacit.core.memory.fields import check
from tacit.core.memory.kinds import Action, Actor, Subject
from tacit.core.memory.times import rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change; `old` and `new` hold what differs. An association counts to its source."""

    id: str
    memory: str
    action: Action
    by: Actor
    at: datetime
    subject: Subject = Subject.MEMORY
    old: Mapping[str, Any] | None = None
    new: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "memory": self.memory,
            "action": str(self.action),
            "by": str(self.by),
            "at": rfc3339(self.at),
            "subject": str(self.subject),
            "old": self.old,
            "new": self.new,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read and check what `to_dict` wrote."""
        return cls(
            id=check("id", values["id"]),
            memory=check("id", values["memory"]),
            action=check("action", values["action"]),
            by=check("by", values["by"]),
            at=check("at", values["at"]),
            subject=check("subject", values["subject"]),
            old=check("old", values["old"]),
            new=check("new", values["new"]),
        )
