"""What a workspace holds, counted."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Any

from tacit.core.json_value import INLINE, JsonValue
from tacit.core.kinds import MemoryType, Scope, State
from tacit.core.vectors import GenerationState


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts(JsonValue):
    """How much a workspace holds."""

    by_state: Mapping[State, int] = field(default_factory=dict)
    by_type: Mapping[MemoryType, int] = field(default_factory=dict)
    by_scope: Mapping[Scope, int] = field(default_factory=dict)
    associations: int = 0
    audit_entries: int = 0
    reviews: int = 0
    indexed: int = 0
    vectors: Mapping[str, int] = field(default_factory=dict)
    token_codes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationReport(JsonValue):
    """A generation of a workspace: its model, its state, and how many of its texts have vectors."""

    model: str
    dims: int
    revision: str
    state: GenerationState
    vectors: int
    texts: int

    @property
    def is_serving(self) -> bool:
        """Whether searches use it."""
        return self.state is GenerationState.SERVING


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats(JsonValue):
    """Counts of one workspace, and the store they are in."""

    workspace: str
    counts: Annotated[Counts, INLINE]
    episodes: Annotated[int, "What was said and is kept, forgotten episodes included."] = 0
    generations: Annotated[
        tuple[GenerationReport, ...],
        "The models that made vectors of memories, episodes, documents and items: first the one"
        " that serves, then those that are being filled or can be gone back to.",
    ] = ()
    store: Mapping[str, object]


def to_counts(tally: Iterable[tuple[Any, ...]], **others: Any) -> Counts:
    """Rows of state, type, scope and how many memories, and the counts of everything else."""
    states: Counter[State] = Counter()
    types: Counter[MemoryType] = Counter()
    scopes: Counter[Scope] = Counter()
    for state, type, scope, count in tally:
        states[State(state)] += count
        if state == State.LIVE:
            types[MemoryType(type)] += count
            scopes[Scope(scope)] += count
    return Counts(by_state=dict(states), by_type=dict(types), by_scope=dict(scopes), **others)


def to_day_counts(rows: Iterable[tuple[Any, ...]]) -> dict[date, int]:
    """Rows of a day, counted from the first of the year 1, and how many memories came on it."""
    return {date.fromordinal(day): count for day, count in rows}
