"""What a search found, and why each hit has its rank."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from tacit.core.memory import Memory


@dataclass(frozen=True, slots=True)
class SourceRank:
    """The rank of a hit in one source, from 1, and the source's own score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory found: its rank in each source that found it, and the parts of its score.

    Scores compare within one search; `relevance`, from 0 to 1, compares between searches.
    """

    memory: Memory
    score: float
    relevance: float = 0.0
    sources: Mapping[str, SourceRank] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        places = {
            name: {"rank": place.rank, "score": place.score} for name, place in self.sources.items()
        }
        return {
            "score": self.score,
            "relevance": self.relevance,
            "sources": places,
            "parts": dict(self.parts),
            "memory": self.memory.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        sources = values["sources"].items()
        return cls(
            memory=Memory.from_dict(values["memory"]),
            score=values["score"],
            relevance=values["relevance"],
            sources={
                name: SourceRank(int(place["rank"]), place["score"]) for name, place in sources
            },
            parts=dict(values["parts"]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Hits, best first; `degraded` names every source that was left out, and why."""

    hits: tuple[Hit, ...]
    degraded: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "hits": [hit.to_dict() for hit in self.hits],
            "degraded": list(self.degraded),
            "timings_ms": dict(self.timings_ms),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            hits=tuple(map(Hit.from_dict, values["hits"])),
            degraded=tuple(values["degraded"]),
            timings_ms=dict(values["timings_ms"]),
        )
