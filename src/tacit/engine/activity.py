"""What memory did lately in a workspace."""

from collections.abc import Sequence
from datetime import datetime

from tacit.conversation import EVERYTHING, Reach
from tacit.memory import Growth, Memory
from tacit.receipt import Activity, Use, activity_of, uses_of
from tacit.store import Unit

_TOP = 10


def activity_in(
    unit: Unit,
    *,
    turns: int,
    days: int,
    agent: str | None,
    now: datetime,
    reach: Reach = EVERYTHING,
) -> Activity:
    """The last turns that are reached and the last days, in figures."""
    if reach.is_everything:
        receipts = unit.receipts.recent(None, turns)
    else:
        receipts = unit.receipts.recent_reached(reach, turns)
    growth = Growth.until(now.date(), days, unit.memories.by_day(agent))
    return activity_of(receipts, _top(unit, uses_of(receipts), agent), growth)


def _top(unit: Unit, uses: Sequence[Use], agent: str | None) -> list[Use]:
    """The most used of those memories that can still be read, or that an agent can read."""
    top: list[Use] = []
    for start in range(0, len(uses), _TOP):
        batch = uses[start : start + _TOP]
        known = unit.memories.get([each.memory for each in batch])
        top += [each for each in batch if _is_readable(known.get(each.memory), agent)]
        if len(top) >= _TOP:
            break
    return top[:_TOP]


def _is_readable(memory: Memory | None, agent: str | None) -> bool:
    if memory is None or memory.forgotten:
        return False
    return agent is None or memory.agent in (None, agent)
