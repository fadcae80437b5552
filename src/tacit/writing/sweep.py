"""The receipt of an erasure: of a memory, of an owner, of a session, or by filters."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

KINDS = (
    "memories",
    "associations",
    "audit_values",
    "reviews",
    "blocks",
    "ledger",
    "heard",
    "variables",
    "chat_entries",
    "turns",
    "receipts",
    "sessions",
)
"""What is counted, in the order in which it is told.

`turns` are those that had not ended; `receipts` also those that lost only terms of their context.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """How much of each kind went, or would in a dry run, and what could not be reached.

    A dry run counts no associations, values of the history and chat entries, and of the blocks and
    the ledger only what is of the sessions that go.
    """

    removed: Mapping[str, int]
    not_reached: tuple[str, ...] = ()
    dry_run: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "removed": dict(self.removed),
            "not_reached": list(self.not_reached),
            "dry_run": self.dry_run,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            removed=dict(values["removed"]),
            not_reached=tuple(values["not_reached"]),
            dry_run=values["dry_run"],
        )


@dataclass(slots=True)
class Tally:
    """What an erasure has done so far."""

    counts: Counter[str] = field(default_factory=Counter)
    not_reached: dict[str, None] = field(default_factory=dict)

    def add(self, kind: str, count: int) -> None:
        """Count what went of one kind."""
        self.counts[kind] += count

    def miss(self, *places: str) -> None:
        """Note what could not be reached, each once."""
        self.not_reached |= dict.fromkeys(places)

    def sweep(self, *, dry_run: bool) -> Sweep:
        """All of it as a receipt."""
        removed = {kind: self.counts[kind] for kind in KINDS}
        return Sweep(removed=removed, not_reached=tuple(self.not_reached), dry_run=dry_run)
