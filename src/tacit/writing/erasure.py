"""Erasure: memories and every trace of their words, gone for good."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from tacit.errors import InvalidInput
from tacit.memory import PERSONS, Actor, Memory
from tacit.store import contents_of
from tacit.writing.author import Author


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """A receipt: how much of each kind went, and what could not be reached."""

    memory: str
    removed: Mapping[str, int]
    not_reached: tuple[str, ...] = ()

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


def erase(author: Author, id: str) -> tuple[dict[str, int], set[str]]:
    """Remove a memory with its terms, vectors, associations, reviews and audit values.

    Says how much went, and everything that the memory ever said, which others may hold too.
    """
    check_eraser(author.by)
    return erase_all(author, [author.existing(id)])


def erase_all(author: Author, memories: Sequence[Memory]) -> tuple[dict[str, int], set[str]]:
    """The same for several memories in one go."""
    check_eraser(author.by)
    contents = {said for memory in memories for said in contents_of(author.unit, memory)}
    return author.journal.erase([memory.id for memory in memories], contents), contents


def check_eraser(by: Actor) -> None:
    """Refuse who is no person."""
    if by not in PERSONS:
        raise InvalidInput("by", f"only a person can erase; the {by} can forget instead")
