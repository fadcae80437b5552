"""What a workspace holds, and what memory did lately in it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from tacit.api.reviews import waiting
from tacit.api.visibility import is_visible
from tacit.core.activity import (
    Activity,
    MemoryGrowth,
    MemoryUse,
    count_memory_uses,
    summarize_activity,
)
from tacit.core.fields import MAX_LIMIT
from tacit.core.kinds import MemoryType, Scope, State
from tacit.core.memory import Memory
from tacit.core.permissions import UNBOUND, Viewer
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query
from tacit.store.stats import Counts

_TOP = 10

Kind = TypeVar("Kind")


def activity_in(
    unit: Unit,
    *,
    turns: int,
    days: int,
    viewer: Viewer,
    now: datetime,
    reach: Viewer = UNBOUND,
) -> Activity:
    """The last turns that are reached and the last days, in figures."""
    if not reach.is_bound:
        receipts = unit.receipts.recent(None, turns)
    else:
        receipts = unit.receipts.recent_reached(reach, turns)
    growth = MemoryGrowth.until(now.date(), days, unit.memories.by_day(viewer))
    return summarize_activity(receipts, _top(unit, count_memory_uses(receipts), viewer), growth)


def counts_for(unit: Unit, viewer: Viewer, now: datetime) -> Counts:
    """How much there is, as far as somebody may know of it."""
    if not viewer.is_bound:
        return unit.counts(now)

    def count(**wanted: Any) -> int:
        seen = Query(now=now, agent=viewer.agent, user=viewer.user, **wanted)
        return unit.memories.total(seen)

    return Counts(
        by_state=_some({state: count(state=state) for state in State}),
        by_type=_some({type: count(types=(type,)) for type in MemoryType}),
        by_scope=_some({scope: count(scope=scope) for scope in Scope}),
        reviews=len(waiting(unit, MAX_LIMIT, None, viewer)),
    )


def _some(counts: dict[Kind, int]) -> dict[Kind, int]:
    """Without what there is none of."""
    return {kind: number for kind, number in counts.items() if number}


def _top(unit: Unit, uses: Sequence[MemoryUse], viewer: Viewer) -> list[MemoryUse]:
    """The most used of those memories that somebody can still read."""
    top: list[MemoryUse] = []
    for start in range(0, len(uses), _TOP):
        batch = uses[start : start + _TOP]
        known = unit.memories.get([each.memory for each in batch])
        top += [each for each in batch if _is_readable(unit, known.get(each.memory), viewer)]
        if len(top) >= _TOP:
            break
    return top[:_TOP]


def _is_readable(unit: Unit, memory: Memory | None, viewer: Viewer) -> bool:
    return memory is not None and not memory.forgotten and is_visible(viewer, unit, memory)
