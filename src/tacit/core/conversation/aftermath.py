"""What the end of a turn does besides writing the turn itself, as its beginning found it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from tacit.core.conversation.block import BlockState

_DAYS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """Earlier turns that are settled now, blocks that moved or left, and the settings for it.

    `landed` are ids of turns that were left open and happened, `lost` of those that did not. It is
    kept with the open turn, so that any process can end what another began.
    """

    landed: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    moved: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, BlockState] = field(default_factory=dict)
    keeps_block: bool = True
    releases: bool = True
    receipt_days: int = _DAYS

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "landed": list(self.landed),
            "lost": list(self.lost),
            "moved": dict(self.moved),
            "left": {id: str(state) for id, state in self.left.items()},
            "keeps_block": self.keeps_block,
            "releases": self.releases,
            "receipt_days": self.receipt_days,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            landed=tuple(values["landed"]),
            lost=tuple(values["lost"]),
            moved=dict(values["moved"]),
            left={id: BlockState(state) for id, state in values["left"].items()},
            keeps_block=values["keeps_block"],
            releases=values["releases"],
            receipt_days=values["receipt_days"],
        )
