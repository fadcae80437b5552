"""Events of a workspace, for those who watch it."""

from collections.abc import Sequence
from typing import Any

from tacit.conversation import EventPage
from tacit.memory import AuditEntry
from tacit.store import Unit

_MOST_NAMED = 100


def told_of(changes: Sequence[AuditEntry]) -> dict[str, Any]:
    """What one transaction changed: how much, and the first of it by name."""
    named = [{"action": str(each.action), "memory": each.memory} for each in changes]
    return {"count": len(named), "changes": named[:_MOST_NAMED]}


def events_after(unit: Unit, number: int, limit: int) -> EventPage:
    """A page of what happened after an event."""
    found = tuple(unit.events.after(number, limit))
    return EventPage(events=found, first=unit.events.first(), last=unit.events.last())
