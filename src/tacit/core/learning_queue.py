"""Turns that wait until something is learned from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from tacit.core.fields import check_field
from tacit.core.kinds import Actor
from tacit.core.times import to_rfc3339


class QueueStage(StrEnum):
    """Who has read the turn: nobody, or the rules, in which case it waits for the model."""

    FRESH = "fresh"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedTurn:
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
        """All texts that were said in it."""
        return (*self.said, self.reply)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "session": self.session,
            "at": to_rfc3339(self.at),
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
            at=check_field("at", values["at"]),
            said=tuple(values["said"]),
            reply=values["reply"],
            agent=values["agent"],
            user=values["user"],
            project=values["project"],
            org=values["org"],
            by=check_field("by", values.get("by", Actor.USER)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedTurn:
    """A captured turn in the learning queue; if `due`, the model should read it now."""

    turn: CapturedTurn
    stage: QueueStage = QueueStage.FRESH
    due: bool = False

    @property
    def id(self) -> str:
        """The id of the turn."""
        return self.turn.id

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**self.turn.to_dict(), "stage": str(self.stage), "due": self.due}
