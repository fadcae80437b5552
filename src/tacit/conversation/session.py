"""A session: one conversation that memory serves."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from tacit.memory import rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """How many turns were committed in it, and who spoke."""

    id: str
    turns: int = 0
    speakers: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime

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
        }
