"""What a search found, and why each hit has its rank."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from tacit.core.episodes import Episode
from tacit.core.json_value import UNWRITTEN, JsonValue
from tacit.core.memory import Memory


@dataclass(frozen=True, slots=True)
class SourceRank(JsonValue):
    """The rank of a hit in one source, from 1, and the source's own score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(JsonValue):
    """One memory found: its rank in each source that found it, and the parts of its score.

    Scores compare within one search; `relevance`, from 0 to 1, compares between searches. Where the
    exchanges before a message are searched for too, `alone` is the relevance to the message itself.
    """

    score: float
    relevance: float = 0.0
    alone: float = 0.0
    sources: Mapping[str, SourceRank] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)
    memory: Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement(JsonValue):
    """What took the place of earlier words: a memory or later words, and since when."""

    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeHit(JsonValue):
    """One episode found, scored as a hit is."""

    score: float
    relevance: float = 0.0
    sources: Mapping[str, SourceRank] = field(default_factory=dict)
    parts: Mapping[str, float] = field(default_factory=dict)
    episode: Episode
    replaced: Annotated[
        Replacement | None, "What it says was replaced or corrected since, if it was."
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult(JsonValue):
    """Hits, best first; `degraded` names every source that was left out, and why.

    `episodes` are what was said, if that was asked for. `notes` say what is not there yet and will
    be, such as the tokens of new memories.
    """

    hits: tuple[Hit, ...]
    episodes: tuple[EpisodeHit, ...] = ()
    degraded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    judged: Annotated[Mapping[str, float], UNWRITTEN] = field(default_factory=dict)
    """The relevance of memories that were named, whether or not they are among the hits."""
    need_odds: Annotated[float | None, UNWRITTEN] = None
    """What the vector of the message adds to the odds of needing memory, if that is known."""
