"""How much a memory matters by now: it fades, and nothing of that is ever written."""

from datetime import datetime, timedelta

from tacit.core.kinds import MemoryType
from tacit.core.memory import Memory

_LOSS_PER_DAY = 0.05
_MOST_LOSS = 0.5
_LATELY = timedelta(days=7)
_LONG_AGO = timedelta(days=30)
_USED_LATELY = 1.1
_UNUSED_FOR_LONG = 0.9
_DAY = timedelta(days=1)


def effective_importance(memory: Memory, now: datetime) -> float:
    """The importance that is left at a moment; identity and what a person wrote keep theirs."""
    if memory.explicit or memory.type is MemoryType.IDENTITY:
        return memory.importance
    days = max((now - memory.updated_at) / _DAY, 0.0)
    left = 1 - min(days * _LOSS_PER_DAY, _MOST_LOSS)
    return memory.importance * left * _use(memory, now)


def _use(memory: Memory, now: datetime) -> float:
    """What use adds or takes; what was never used has been unused since it was written."""
    used = memory.last_accessed_at
    if used is not None and now - used <= _LATELY:
        return _USED_LATELY
    return _UNUSED_FOR_LONG if now - (used or memory.created_at) > _LONG_AGO else 1.0
