"""What happened, in SQL."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from tacit.core.events import Event, EventKind
from tacit.core.times import from_micros, to_micros
from tacit.store.sql.rows import to_json
from tacit.store.sql.table import SqlTable


class SqlEvents(SqlTable):
    """What happened in one workspace."""

    topic = "events"

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Note that something happened; returns its number."""
        rows = self._rows("append", kind=str(kind), at=to_micros(at), data=to_json(data))
        return int(rows[0][0])

    def after(self, number: int, limit: int) -> list[Event]:
        """What has a higher number, oldest first."""
        return [_event(row) for row in self._rows("after", number=number, limit=limit)]

    def last(self) -> int:
        """The number that was given last; 0 if none ever was."""
        row = self._row("last")
        return int(row[0]) if row else 0

    def first(self) -> int:
        """The number of the oldest that is kept; 0 if none is."""
        row = self._row("first")
        return int(row[0]) if row else 0

    def prune(self, keep: int) -> int:
        """Drop all but the newest; returns how many."""
        return self._run("prune", keep=keep)


def _event(row: Sequence[Any]) -> Event:
    number, at, kind, data = row
    return Event(number=number, at=from_micros(at), kind=EventKind(kind), data=json.loads(data))
