"""A line of the ledger: a memory that a session was shown."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tacit.memory import rfc3339


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
