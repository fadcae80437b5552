"""A conflict: memories of which only one can be current, for a person to resolve."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import Any, Self

from tacit.core.memory import Memory
from tacit.search.selection.conflicts import Pair, settle
from tacit.search.selection.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """What the rules of a turn say: which memory stays; None where they cannot tell."""

    keep: str | None
    supersede: tuple[str, ...] = ()
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"keep": self.keep, "supersede": list(self.supersede), "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            keep=values["keep"], supersede=tuple(values["supersede"]), reason=values["reason"]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Memories that each contradict all the others, oldest first, and what `about`.

    Lists are in the order of the ids, which follow from what the memories are.
    """

    id: str
    memories: tuple[Memory, ...]
    about: str
    recommended: Recommendation

    @classmethod
    def of(cls, topic: Topic, memories: Iterable[Memory]) -> "Conflict":
        """The conflict of these memories."""
        sides = tuple(sorted(memories, key=lambda memory: memory.id))
        named = "\n".join(memory.id for memory in sides).encode()
        return cls(
            id=f"{topic.place}-{blake2b(named, digest_size=8).hexdigest()}",
            memories=sides,
            about=topic.words,
            recommended=_recommended(sides),
        )

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "id": self.id,
            "memories": [memory.to_dict() for memory in self.memories],
            "about": self.about,
            "recommended": self.recommended.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            id=values["id"],
            memories=tuple(map(Memory.from_dict, values["memories"])),
            about=values["about"],
            recommended=Recommendation.from_dict(values["recommended"]),
        )


def cliques(pairs: Iterable[Pair]) -> list[tuple[str, ...]]:
    """Groups in which each stands against all the others; every pair is in one of them at least."""
    listed = sorted({(min(pair), max(pair)) for pair in pairs})
    against: dict[str, set[str]] = {}
    for one, other in listed:
        against.setdefault(one, set()).add(other)
        against.setdefault(other, set()).add(one)
    found: list[tuple[str, ...]] = []
    covered: set[Pair] = set()
    for one, other in listed:
        if (one, other) not in covered:
            group = {one, other}
            for each in sorted(against[one] & against[other]):
                if group <= against[each]:
                    group.add(each)
            found.append(tuple(sorted(group)))
            covered.update(combinations(found[-1], 2))
    return found


def _recommended(sides: tuple[Memory, ...]) -> Recommendation:
    ids = [memory.id for memory in sides]
    verdicts = settle(sides, combinations(ids, 2), detect=True)
    standing = [id for id in ids if id not in verdicts or verdicts[id].level_with]
    if len(standing) > 1:
        return Recommendation(keep=None, reason=verdicts[standing[0]].reason)
    losers = tuple(id for id in ids if id != standing[0])
    reasons = dict.fromkeys(verdicts[id].reason for id in losers)
    return Recommendation(keep=standing[0], supersede=losers, reason=", ".join(reasons))
