"""A change that somebody wanted and only a person may make."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from tacit.memory.fields import check
from tacit.memory.kinds import Action, Actor
from tacit.memory.times import rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What was asked for, by whom, of which memory; it waits until a person decides."""

    id: str
    memory: str
    action: Action
    change: Mapping[str, Any]
    by: Actor
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "memory": self.memory,
            "action": str(self.action),
            "change": self.change,
            "by": str(self.by),
            "created_at": rfc3339(self.created_at),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read and check what `to_dict` wrote."""
        return cls(
            id=check("id", values["id"]),
            memory=check("id", values["memory"]),
            action=check("action", values["action"]),
            change=check("change", values["change"]),
            by=check("by", values["by"]),
            created_at=check("created_at", values["created_at"]),
        )
