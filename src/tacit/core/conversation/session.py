"""A session: one conversation that memory serves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from tacit.core.errors import InvalidInput
from tacit.core.memory.fields import check
from tacit.core.memory.times import rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """How many turns were committed in it, and who spoke."""

    id: str
    turns: int = 0
    speakers: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    cleared_at: datetime | None = None
    """When its history last began anew: it was cleared, reset, or compacted by its host."""
    clears: int = 0
    """How often it was cleared: a turn that began before is not recorded after."""

    @property
    def cursor(self) -> str:
        """Where it stands among those that were active last, to go on after it."""
        return f"{rfc3339(self.updated_at)} {self.id}"

    @property
    def is_shared(self) -> bool:
        """Whether several people speak in it."""
        return len(self.speakers) > 1

    def after(self, speaker: str | None, now: datetime) -> Self:
        """The session once a turn of this speaker is committed."""
        spoken = dict.fromkeys(self.speakers)
        if speaker is not None:
            spoken[speaker] = None
        return replace(self, turns=self.turns + 1, speakers=tuple(spoken), updated_at=now)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "turns": self.turns,
            "speakers": list(self.speakers),
            "created_at": rfc3339(self.created_at),
            "updated_at": rfc3339(self.updated_at),
            "cleared_at": None if self.cleared_at is None else rfc3339(self.cleared_at),
            "clears": self.clears,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        cleared = values.get("cleared_at")
        return cls(
            id=values["id"],
            turns=values["turns"],
            speakers=tuple(values["speakers"]),
            created_at=check("created_at", values["created_at"]),
            updated_at=check("updated_at", values["updated_at"]),
            cleared_at=None if cleared is None else check("at", cleared),
            clears=values["clears"],
        )


def place_of(cursor: str) -> tuple[datetime, str]:
    """The moment and the id that a cursor is made of."""
    at, space, id = cursor.partition(" ")
    try:
        if space:
            return check("at", at), check("workspace", id)
    except InvalidInput:
        pass
    raise InvalidInput("after", f"{cursor!r} is no cursor of a session; start from the top")
