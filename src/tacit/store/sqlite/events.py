"""What happened, in SQLite."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tacit.core.conversation.event import EventKind
from tacit.core.memory.times import to_micros
from tacit.store.sql.events import SqlEvents
from tacit.store.sql.rows import to_json
from tacit.store.sqlite.table import Table


class SqliteEvents(SqlEvents, Table):
    """What happened in one workspace."""

    def append(self, kind: EventKind, at: datetime, data: Mapping[str, Any]) -> int:
        """Note that something happened; returns its number."""
        rows = self._rows("append", kind=str(kind), at=to_micros(at), data=to_json(data))
        return int(rows[0][0])
