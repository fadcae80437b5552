"""Reports about a session: its state, and the result of clearing it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from tacit.core.blocks import Block, LedgerEntry
from tacit.core.receipt import Receipt
from tacit.core.sessions import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReport:
    """What is known about a session: its blocks, their memories, and its last receipts."""

    session: Session
    is_paused: bool
    blocks: tuple[Block, ...]
    ledger: tuple[LedgerEntry, ...]
    receipts: tuple[Receipt, ...]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            **self.session.to_dict(),
            "paused": self.is_paused,
            "blocks": [block.to_dict() for block in self.blocks],
            "ledger": [entry.to_dict() for entry in self.ledger],
            "receipts": [receipt.to_dict() for receipt in self.receipts],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        session = Session.from_dict(values)
        return cls(
            session=session,
            is_paused=values["paused"],
            blocks=tuple(Block.from_dict(each, session.id) for each in values["blocks"]),
            ledger=tuple(LedgerEntry.from_dict(each, session.id) for each in values["ledger"]),
            receipts=tuple(map(Receipt.from_dict, values["receipts"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset:
    """How many memories may be shown again in a session, and how many open turns were abandoned."""

    session: str
    cleared: int
    abandoned_turns: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "session": self.session,
            "memory_tracking_reset": True,
            "previous_count": self.cleared,
            "abandoned_turns": self.abandoned_turns,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            session=values["session"],
            cleared=values["previous_count"],
            abandoned_turns=values["abandoned_turns"],
        )
