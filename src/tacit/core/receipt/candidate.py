"""A memory that a turn thought of, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self


class Found(StrEnum):
    """How a turn came upon a memory."""

    PINNED = "pinned"
    FACT = "fact"
    CONTEXTUAL = "contextual"


class Fate(StrEnum):
    """What became of a candidate: exactly one of these."""

    INJECTED = "injected"
    BELOW_FLOOR = "below_floor"
    SEEN_IN_WINDOW = "seen_in_window"
    SAME_BATCH = "same_batch"
    SAME_CONTENT = "same_content"
    NEAR_DUPLICATE = "near_duplicate"
    SHADOWED = "shadowed"
    SUPERSEDED = "superseded"
    LOW_CONFIDENCE = "low_confidence"
    IRRELEVANT_TYPE = "irrelevant_type"
    CONFLICT_OMITTED = "conflict_omitted"
    BELOW_IMPORTANCE = "below_importance"
    OVER_SLOTS = "over_slots"
    OVER_TOKENS = "over_tokens"
    OVER_CHARS = "over_chars"
    UNTRUSTED = "untrusted"


IN_CONFLICT = "conflict"
"""The note of a candidate that is shown together with what stands against it."""

MARKED = "marked of no use for a similar question"
"""The note of a candidate that counts less, as somebody wished."""

NOTHING_RELEVANT = "nothing is relevant enough"
"""The note of hits of which not even the best reaches the floor."""

SAID = "said in this session"
"""The note of a candidate that was learned from words in view."""

SHOWN_BY_HOST = "shown by the host"
"""The note of a candidate that the host shows by itself."""

RIVAL = "stands against a candidate"
"""The note of a candidate that is there for what it stands against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One memory's way through a turn; `by` is the memory that decided against it, if one did.

    `is_repeat` says that a block of an earlier turn shows it, in these words or in others. A
    candidate holds no words of the memory, so that an erased one leaves none behind.
    """

    memory: str
    found: Found
    type: str
    score: float = 0.0
    relevance: float = 0.0
    signals: Mapping[str, float] = field(default_factory=dict)
    fate: Fate
    by: str | None = None
    note: str = ""
    is_repeat: bool = False

    @property
    def is_in_conflict(self) -> bool:
        """Whether another memory stands against it, and no rule could decide."""
        return self.fate is Fate.CONFLICT_OMITTED or self.note == IN_CONFLICT

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, without what is empty."""
        values: dict[str, Any] = {
            "memory": self.memory,
            "found": str(self.found),
            "type": self.type,
            "fate": str(self.fate),
        }
        if self.found is Found.CONTEXTUAL:
            values |= {"score": round(self.score, 4), "relevance": round(self.relevance, 4)}
            values["signals"] = {name: round(value, 4) for name, value in self.signals.items()}
        if self.is_repeat:
            values["repeat"] = True
        return values | {name: value for name in _SPOKEN if (value := getattr(self, name))}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; null is the same as nothing."""
        return cls(
            memory=values["memory"],
            found=Found(values["found"]),
            type=values["type"],
            score=values.get("score") or 0.0,
            relevance=values.get("relevance") or 0.0,
            signals=values.get("signals") or {},
            fate=Fate(values["fate"]),
            by=values.get("by"),
            note=values.get("note") or "",
            is_repeat=bool(values.get("repeat")),
        )


_SPOKEN = ("by", "note")
