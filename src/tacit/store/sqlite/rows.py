"""Memories as rows and rows as memories."""

import json
from collections.abc import Sequence
from typing import Any

from tacit.core.memory import Memory
from tacit.store.sql import rows


def to_row(memory: Memory) -> dict[str, Any]:
    """The columns of a memory, except the workspace, which the unit binds."""
    return {**rows.from_memory(memory), "tags": rows.to_json(memory.tags)}


def to_memory(workspace: str, row: Sequence[Any]) -> Memory:
    """A row of `SELECT * FROM memories`; its first two columns are the row and workspace ids."""
    tags = row[17]
    return rows.to_memory(workspace, row[2:], () if tags == "[]" else tuple(json.loads(tags)))
