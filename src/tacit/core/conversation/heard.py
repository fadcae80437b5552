"""What was heard in a turn, kept until something is learned from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from tacit.core.memory.fields import check
from tacit.core.memory.kinds import Actor
from tacit.core.memory.times import rfc3339


class HeardStage(StrEnum):
    """Who has read it: nobody yet, or the rules, so that it waits for the model."""

    FRESH = "fresh"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What was said in a turn and what was replied, for whom, and where.

    Its id is that of the turn's receipt. `by` is whose words they are: an agent's are not a
    person's.
    """

    id: str
    session: str
    at: datetime
    said: tuple[str, ...]
    reply: str = ""
    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    by: Actor = Actor.USER

    @property
    def texts(self) -> tuple[str, ...]:
        """Everything that was said in it."""
        return (*self.said, self.reply)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "session": self.session,
            "at": rfc3339(self.at),
            "said": list(self.said),
            "reply": self.reply,
            "agent": self.agent,
            "user": self.user,
            "project": self.project,
            "org": self.org,
            "by": str(self.by),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            id=values["id"],
            session=values["session"],
            at=check("at", values["at"]),
            said=tuple(values["said"]),
            reply=values["reply"],
            agent=values["agent"],
            user=values["user"],
            project=values["project"],
            org=values["org"],
            by=check("by", values.get("by", Actor.USER)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """Where something that was heard stands in the queue; the model should read it now if due."""

    heard: Heard
    stage: HeardStage = HeardStage.FRESH
    due: bool = False

    @property
    def id(self) -> str:
        """The id of what was heard."""
        return self.heard.id

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**self.heard.to_dict(), "stage": str(self.stage), "due": self.due}
