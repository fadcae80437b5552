"""How far long work has come, in SQL."""

import json
from collections.abc import Mapping
from typing import Any

from tacit.store.sql.rows import to_json
from tacit.store.sql.table import SqlTable


class SqlProgress(SqlTable):
    """How far long work has come in one workspace."""

    topic = "progress"

    def get(self, name: str) -> Mapping[str, Any] | None:
        """How far the work of this name has come."""
        row = self._row("get", name=name)
        return json.loads(row[0]) if row else None

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Note how far it has come."""
        self._send("put", name=name, value=to_json(value))

    def remove(self, name: str) -> None:
        """Let it begin anew."""
        self._send("remove", name=name)
