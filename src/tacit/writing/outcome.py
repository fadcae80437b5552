"""What became of a write."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from tacit.core.changes import Review
from tacit.core.memory import Memory


class Status(StrEnum):
    """The ways a write can end."""

    CREATED = "created"
    KNOWN = "known"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    FORGOTTEN = "forgotten"
    RESTORED = "restored"
    SUPERSEDED = "superseded"
    KEPT = "kept"
    QUEUED = "queued"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The memory as it now is, and what was done.

    `superseded` are the memories it replaced; `review` is what waits for a person, if anything.
    """

    memory: Memory
    status: Status
    superseded: tuple[str, ...] = ()
    review: Review | None = None

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "status": str(self.status),
            "memory": self.memory.to_dict(),
            "superseded": list(self.superseded),
            "review": self.review and self.review.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        review = values["review"]
        return cls(
            memory=Memory.from_dict(values["memory"]),
            status=Status(values["status"]),
            superseded=tuple(values["superseded"]),
            review=None if review is None else Review.from_dict(review),
        )
