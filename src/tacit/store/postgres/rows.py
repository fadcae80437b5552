"""Memories as rows and rows as memories."""

from collections.abc import Sequence
from typing import Any

from tacit.core.memory import Memory
from tacit.store.sql import rows


def to_row(memory: Memory) -> dict[str, Any]:
    """The columns of a memory, except the workspace, which the unit binds."""
    return {
        **rows.from_memory(memory),
        "tags": list(memory.tags),
        "session": memory.origin.session,
        "ordinal": memory.origin.ordinal,
        "speaker": memory.origin.speaker,
    }


def to_memory(workspace: str, row: Sequence[Any]) -> Memory:
    """A row of the memory queries, which leave out the place that the origin tells as well."""
    return rows.to_memory(workspace, row, tuple(row[15]))
