"""What a workspace holds, counted."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import date
from typing import Any, Self

from tacit.core.kinds import MemoryType, Scope, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much a workspace holds."""

    by_state: Mapping[State, int] = field(default_factory=dict)
    by_type: Mapping[MemoryType, int] = field(default_factory=dict)
    by_scope: Mapping[Scope, int] = field(default_factory=dict)
    associations: int = 0
    audit_entries: int = 0
    reviews: int = 0
    indexed: int = 0
    vectors: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of one workspace, and the store they are in."""

    workspace: str
    counts: Counts
    store: Mapping[str, object]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"workspace": self.workspace, **asdict(self.counts), "store": dict(self.store)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        counted = {each.name: values[each.name] for each in fields(Counts)}
        counted |= {
            "by_state": {State(name): count for name, count in values["by_state"].items()},
            "by_type": {MemoryType(name): count for name, count in values["by_type"].items()},
            "by_scope": {Scope(name): count for name, count in values["by_scope"].items()},
        }
        return cls(workspace=values["workspace"], counts=Counts(**counted), store=values["store"])


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
