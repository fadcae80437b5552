"""How much a workspace holds, of what SQL counted."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Any

from tacit.core.kinds import MemoryType, Scope, State
from tacit.store.stats import Counts


def counts_of(tally: Iterable[tuple[Any, ...]], **others: Any) -> Counts:
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


def days_of(rows: Iterable[tuple[Any, ...]]) -> dict[date, int]:
    """Rows of a day, counted from the first of the year 1, and how many memories came on it."""
    return {date.fromordinal(day): count for day, count in rows}
