"""A line of the ledger: a memory that a session was shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from tacit.core.memory.fields import check
from tacit.core.memory.times import rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What was injected at which turn, in which block; `pruned_at` once it may come again."""

    session: str
    turn: int
    memory: str
    content_hash: bytes
    block: str
    pruned_at: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "turn": self.turn,
            "memory": self.memory,
            "block": self.block,
            "content_hash": self.content_hash.hex(),
            "pruned_at": None if self.pruned_at is None else rfc3339(self.pruned_at),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], session: str) -> Self:
        """Read what `to_dict` wrote of an entry of a session."""
        pruned_at = values["pruned_at"]
        return cls(
            session=session,
            turn=values["turn"],
            memory=values["memory"],
            content_hash=bytes.fromhex(values["content_hash"]),
            block=values["block"],
            pruned_at=None if pruned_at is None else check("at", pruned_at),
        )
