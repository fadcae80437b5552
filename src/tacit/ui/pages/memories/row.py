"""A row: a memory as the table shows it, ready for the browser."""

from datetime import datetime
from typing import Any

from tacit.core.memory.kinds import Scope, State
from tacit.core.memory.record import Memory
from tacit.core.memory.times import rfc3339
from tacit.turn.block import shorten

MOST_SHOWN = 800
"""Characters of a content; the whole is at the memory's own page."""


def row_of(
    memory: Memory, now: datetime, address: str, relevance: float | None = None
) -> dict[str, Any]:
    """What is told of a memory in a line."""
    state = memory.state(now)
    return {
        "id": memory.id,
        "address": address,
        "content": shorten(memory.content, MOST_SHOWN),
        "type": str(memory.type),
        "state": "" if state is State.LIVE else str(state),
        "pinned": memory.pinned,
        "key": memory.key or "",
        "tags": list(memory.tags[:4]),
        "whose": whose(memory),
        "importance": memory.importance,
        "source": str(memory.source),
        "trust": str(memory.trust),
        "used": memory.access_count,
        "updated": rfc3339(memory.updated_at),
        "relevance": relevance,
    }


def whose(memory: Memory) -> str:
    """Whose a memory is, in words."""
    whose = f"{memory.scope} {memory.scope_id}".strip()
    seen = f", agent {memory.agent} only" if memory.agent else ""
    return ("everybody" if memory.scope is Scope.ORG and not memory.scope_id else whose) + seen


def span(skipped: int, shown: int, total: int | None) -> str:
    """Which part of how many is in sight."""
    if shown == 0:
        return "0 memories" if skipped == 0 else "No more memories"
    whole = "…" if total is None else f"{total:,}"
    return f"{skipped + 1:,}–{skipped + shown:,} of {whole}"
