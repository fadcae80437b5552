"""What a workspace holds, at a glance."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tacit.store import Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of one workspace, and the store they are in."""

    workspace: str
    counts: Counts
    store: Mapping[str, object]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"workspace": self.workspace, **asdict(self.counts), "store": dict(self.store)}
