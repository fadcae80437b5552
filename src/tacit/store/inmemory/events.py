"""What happened, in a dictionary."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tacit.core.events import Event, EventKind
from tacit.store.inmemory.tables import Tables


class InMemoryEvents:
    """What happened in one workspace."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Note that something happened, as other backends write it; returns its number."""
        number = self._tables.last_event = self._tables.last_event + 1
        written = json.loads(json.dumps(data))
        self._tables.events[number] = Event(number=number, at=at, kind=kind, data=written)
        return number

    def after(self, number: int, limit: int) -> list[Event]:
        """What has a higher number, oldest first."""
        numbers = range(max(number + 1, self.first() or 1), self._tables.last_event + 1)
        return [self._tables.events[each] for each in numbers[:limit]]

    def last(self) -> int:
        """The number that was given last; 0 if none ever was."""
        return self._tables.last_event

    def first(self) -> int:
        """The number of the oldest that is kept; 0 if none is."""
        return next(iter(self._tables.events), 0)

    def prune(self, keep: int) -> int:
        """Drop all but the newest; returns how many."""
        gone = list(self._tables.events)[: max(len(self._tables.events) - keep, 0)]
        for number in gone:
            del self._tables.events[number]
        return len(gone)
