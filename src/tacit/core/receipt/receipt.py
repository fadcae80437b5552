"""The receipt of a turn."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from tacit.core.memory.fields import check
from tacit.core.memory.times import rfc3339
from tacit.core.memory.unseen import Unseen
from tacit.core.receipt.candidate import Candidate, Fate, Found

_SUMMED_UP = (
    "id",
    "session",
    "turn",
    "at",
    "kind",
    "skipped",
    "injected",
    "count",
    "filtered",
    "tokens",
    "characters",
    "pruned",
    "degraded",
    "notes",
    "unseen",
    "timings_ms",
)
_DEDUPED = (Fate.SEEN_IN_WINDOW, Fate.SAME_BATCH, Fate.SAME_CONTENT, Fate.NEAR_DUPLICATE)


class Skip(StrEnum):
    """Why a turn looked for nothing, or for nothing contextual."""

    DISABLED = "disabled"
    PAUSED = "paused"
    SYSTEM_TURN = "system_turn"
    LOW_INFORMATION = "low_information"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a turn was asked, what it thought of, what it injected, and what that cost.

    `unseen` is counted where nothing that the turn could see was relevant, and in a preview.
    """

    id: str
    session: str
    turn: int
    at: datetime
    agent: str | None = None
    user: str | None = None
    project: str | None = None
    org: str | None = None
    query: str = ""
    context: tuple[str, ...] = ()
    kind: str = "general"
    skipped: Skip | None = None
    candidates: tuple[Candidate, ...] = ()
    block: str | None = None
    tokens: int = 0
    characters: int = 0
    pruned: tuple[str, ...] = ()
    recached_tokens: int = 0
    degraded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What is true of the turn and no failure, such as who keeps its history."""
    unseen: Unseen | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    cpu_ms: Mapping[str, float] = field(default_factory=dict)

    @property
    def injected(self) -> tuple[Candidate, ...]:
        """The candidates that are in the block."""
        return tuple(each for each in self.candidates if each.fate is Fate.INJECTED)

    @property
    def conflicts(self) -> tuple[Candidate, ...]:
        """The candidates that another stands against, and nobody can tell which is right."""
        return tuple(each for each in self.candidates if each.is_in_conflict)

    @property
    def deduped(self) -> int:
        """How many were left out because the model has them already."""
        return sum(each.fate in _DEDUPED for each in self.candidates)

    @property
    def hint(self) -> str:
        """How many memories belong to no user or to others, and how to assign them, if any do."""
        return "" if self.unseen is None else self.unseen.hint(self.user)

    @property
    def filtered(self) -> int:
        """How many were left out because they are in view, or repeat what earlier turns showed."""
        return sum(each.fate is Fate.SEEN_IN_WINDOW or each.is_repeat for each in self.candidates)

    @property
    def texts(self) -> tuple[str, ...]:
        """What it keeps of the words that were said, but for the single terms of the context."""
        return (self.query, *self.degraded, *self.notes)

    def counts(self) -> dict[Found, int]:
        """How many were injected, by how they were found."""
        found = Counter(each.found for each in self.injected)
        return {way: found[way] for way in Found}

    def outcome(self) -> dict[str, Any]:
        """Whether anything was injected, how much, and how much was in view already."""
        count = len(self.injected)
        return {
            "injected": count > 0,
            "count": count,
            "filtered": self.filtered,
        }

    def summary(self) -> dict[str, Any]:
        """What was injected and what it cost, ready for JSON, without the other candidates."""
        whole = replace(self, candidates=()).to_dict() | self.outcome()
        return {name: whole[name] for name in _SUMMED_UP} | {
            "deduped": self.deduped,
            "counts": {str(found): count for found, count in self.counts().items()},
            "memories": [each.to_dict() for each in self.injected],
        }

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return values | {
            "at": rfc3339(self.at),
            "context": list(self.context),
            "skipped": None if self.skipped is None else str(self.skipped),
            "candidates": [each.to_dict() for each in self.candidates],
            "pruned": list(self.pruned),
            "degraded": list(self.degraded),
            "notes": list(self.notes),
            "unseen": None if self.unseen is None else self.unseen.to_dict(),
            "timings_ms": {name: round(value, 2) for name, value in self.timings_ms.items()},
            "cpu_ms": {name: round(value, 2) for name, value in self.cpu_ms.items()},
            **self.outcome(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        known = {each.name for each in fields(cls)}
        given = {name: value for name, value in values.items() if name in known}
        for name in ("context", "pruned", "degraded", "notes"):
            given[name] = tuple(given.get(name, ()))
        if given.get("unseen") is not None:
            given["unseen"] = Unseen.from_dict(given["unseen"])
        return cls(
            **{
                **given,
                "at": check("at", values["at"]),
                "skipped": None if values["skipped"] is None else Skip(values["skipped"]),
                "candidates": tuple(map(Candidate.from_dict, values["candidates"])),
            }
        )

    def __str__(self) -> str:
        """The headline and, on a line of its own, the hint if there is one."""
        return "\n".join(filter(None, (self.headline, self.hint)))

    @property
    def headline(self) -> str:
        """The turn in one line, as the log has it."""
        if self.skipped is not None and not self.injected:
            return f"memory injection: skipped ({self.skipped})"
        counts = self.counts()
        parts = [f"{counts[Found.PINNED]} pinned"]
        if counts[Found.FACT]:
            parts.append(f"{counts[Found.FACT]} facts")
        parts.append(f"{counts[Found.CONTEXTUAL]} contextual")
        took = round(self.timings_ms.get("total", 0.0))
        return f"memory injection: {' + '.join(parts)} = {len(self.injected)} total, took {took}ms"
