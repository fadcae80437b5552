"""What is forgotten because it has faded."""

from collections.abc import Collection
from datetime import datetime, timedelta

from tacit.core.kinds import PERSONS, Action
from tacit.core.memory import Memory
from tacit.settings.upkeep import UpkeepSettings
from tacit.store.protocols.unit import Unit
from tacit.store.query import Query
from tacit.writing.upkeep.decay import effective_importance

_MANY = 1_000


def has_faded(memory: Memory, now: datetime, settings: UpkeepSettings) -> bool:
    """Whether so little is left of an old memory that nobody would miss it."""
    if memory.explicit or memory.pinned:
        return False
    is_old = now - memory.created_at > timedelta(days=settings.prune_after_days)
    return is_old and effective_importance(memory, now) < settings.prune_below


def may_go(
    unit: Unit, memory: Memory, now: datetime, settings: UpkeepSettings, gone: Collection[str] = ()
) -> bool:
    """Whether a memory that has faded may be forgotten; those that are gone hold no key."""
    return (
        has_faded(memory, now, settings)
        and not _was_brought_back(unit, memory, now, settings)
        and not _is_only_holder(unit, memory, now, gone)
    )


def _was_brought_back(unit: Unit, memory: Memory, now: datetime, settings: UpkeepSettings) -> bool:
    """Whether a person wanted it back, or anybody did lately."""
    lately = now - timedelta(days=settings.prune_after_days)
    return any(
        entry.by in PERSONS or entry.at > lately
        for entry in unit.audit.of(memory.id)
        if entry.action is Action.RESTORE
    )


def _is_only_holder(unit: Unit, memory: Memory, now: datetime, gone: Collection[str]) -> bool:
    """Whether nobody else of its owner says what its key is worth."""
    if memory.key is None:
        return False
    query = Query(
        now=now, key=memory.key, scope=memory.scope, scope_id=memory.scope_id, limit=_MANY
    )
    return not any(
        other.id != memory.id and other.id not in gone and other.agent == memory.agent
        for other in unit.memories.find(query)
    )
