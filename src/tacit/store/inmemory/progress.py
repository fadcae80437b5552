"""How far long work has come, in a dictionary."""

import json
from collections.abc import Mapping
from typing import Any

from tacit.store.inmemory.tables import Tables


class InMemoryProgress:
    """How far long work has come in one workspace; kept as JSON, as other backends keep it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def get(self, name: str) -> Mapping[str, Any] | None:
        """How far the work of this name has come."""
        value = self._tables.progress.get(name)
        return None if value is None else json.loads(value)

    def put(self, name: str, value: Mapping[str, Any]) -> None:
        """Note how far it has come."""
        self._tables.progress[name] = json.dumps(value)

    def remove(self, name: str) -> None:
        """Let it begin anew."""
        self._tables.progress.pop(name, None)
