"""A block that a session was shown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from tacit.core.conversation.placement import Placement


class BlockState(StrEnum):
    """Where a block stands: in the history, pruned by us, or gone with what it stood before."""

    LIVE = "live"
    PRUNED = "pruned"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Its bytes, its place, and whose own memories it holds, if anybody's.

    `memories` are all whose words are in it, shown or quoted, so that an erasure finds it;
    `made_in` is the session that made it, where this one is a branch of that.
    """

    session: str
    turn: int
    made_in: str = ""
    placement: Placement
    memories: tuple[str, ...] = ()
    speaker: str | None = None
    state: BlockState = BlockState.LIVE

    @property
    def id(self) -> str:
        """The id that its first line carries."""
        return self.placement.id

    @property
    def maker(self) -> str:
        """The session that made it."""
        return self.made_in or self.session

    def wordless(self) -> Self:
        """Without its words."""
        return replace(self, placement=replace(self.placement, text=""))

    def blanked(self) -> Self:
        """Without its words, and out of the history."""
        return replace(self.wordless(), memories=(), state=BlockState.DROPPED)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "turn": self.turn,
            "state": str(self.state),
            "text": self.placement.text,
            "anchor": self.placement.anchor,
            "ordinal": self.placement.ordinal,
            "memories": list(self.memories),
            "speaker": self.speaker,
            "made_in": self.made_in,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], session: str) -> Self:
        """Read what `to_dict` wrote of a block of a session."""
        return cls(
            session=session,
            turn=values["turn"],
            made_in=values["made_in"],
            placement=Placement(
                id=values["id"],
                text=values["text"],
                anchor=values["anchor"],
                ordinal=values["ordinal"],
            ),
            memories=tuple(values["memories"]),
            speaker=values["speaker"],
            state=BlockState(values["state"]),
        )
