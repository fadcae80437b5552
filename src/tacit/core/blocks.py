"""An injected block: its text, its place in the history, and the memories that it showed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from tacit.core.fields import check_field
from tacit.core.times import to_rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The text of a block, and the human message that it precedes in the history.

    `anchor` is the digest of that message, `ordinal` its place among the human messages of the
    history, counted from 0; blocks are not counted.
    """

    id: str
    text: str
    anchor: str
    ordinal: int


def prune_placements(
    placements: Sequence[Placement], keep: int
) -> tuple[tuple[Placement, ...], tuple[Placement, ...]]:
    """Split placements into the newest `keep`, and those to remove; both oldest first."""
    surplus = max(len(placements) - keep, 0)
    return tuple(placements[surplus:]), tuple(placements[:surplus])


class BlockState(StrEnum):
    """The state of a block: in the history, pruned by Tacit, or gone with the message after it."""

    LIVE = "live"
    PRUNED = "pruned"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block that was injected into a session; `speaker` is set if it shows private memories.

    `memories` are all memories whose words are in it, shown or quoted, so that an erasure finds
    it. `made_in` is the session that made it, if this session is a branch of that one.
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

    def without_text(self) -> Self:
        """A copy without the text."""
        return replace(self, placement=replace(self.placement, text=""))

    def to_dropped(self) -> Self:
        """A copy without the text and no longer in the history."""
        return replace(self.without_text(), memories=(), state=BlockState.DROPPED)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """A memory that was injected: at which turn, in which block.

    `pruned_at` is set once the memory may be injected again.
    """

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
            "pruned_at": None if self.pruned_at is None else to_rfc3339(self.pruned_at),
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
            pruned_at=None if pruned_at is None else check_field("at", pruned_at),
        )
