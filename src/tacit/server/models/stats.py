"""What a workspace holds."""

from typing import Any

from tacit.core.kinds import MemoryType, Scope, State
from tacit.server.models.common import Told


class StatsShape(Told):
    """Counts of a workspace, and the store they are in."""

    workspace: str
    by_state: dict[State, int]
    by_type: dict[MemoryType, int]
    by_scope: dict[Scope, int]
    associations: int
    audit_entries: int
    reviews: int
    indexed: int
    vectors: dict[str, int]
    store: dict[str, Any]
