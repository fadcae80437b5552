"""Erasure: memories and every trace of their words, gone for good."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from tacit.core.errors import InvalidInput
from tacit.core.kinds import PERSONS, Actor
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.store.journal import texts_of
from tacit.writing.author import Author
from tacit.writing.succession import leave_place
from tacit.writing.sweep import Sweep


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """The receipt of one memory: how much of each kind went, and what could not be reached."""

    memory: str
    removed: Mapping[str, int]
    not_reached: tuple[str, ...] = ()

    @classmethod
    def of(cls, memory: str, sweep: Sweep) -> Self:
        """The receipt of an erasure that aimed at one memory."""
        return cls(memory=memory, removed=sweep.removed, not_reached=sweep.not_reached)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "memory": self.memory,
            "removed": dict(self.removed),
            "not_reached": list(self.not_reached),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            memory=values["memory"],
            removed=dict(values["removed"]),
            not_reached=tuple(values["not_reached"]),
        )


def erase_all(author: Author, memories: Sequence[Memory], reach: Viewer) -> dict[str, int]:
    """Remove memories with all that is kept of them and all within reach that holds their texts.

    Says how much of each kind went.
    """
    check_eraser(author.by)
    texts = {text for memory in memories for text in texts_of(author.unit, memory)}
    gone = author.journal.erase(memories, texts, reach)
    leave_place(author, memories)
    return gone


def check_eraser(by: Actor) -> None:
    """Refuse who is no person."""
    if by not in PERSONS:
        raise InvalidInput("by", f"only a person can erase; the {by} can forget instead")
