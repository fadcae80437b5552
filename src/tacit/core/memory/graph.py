"""Memories, and what relates them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from tacit.core.memory.association import Association
from tacit.core.memory.record import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Memories, nearest first, and the edges between them."""

    nodes: tuple[Memory, ...]
    edges: tuple[Association, ...]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "nodes": [each.to_dict() for each in self.nodes],
            "edges": [each.to_dict() for each in self.edges],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(
            nodes=tuple(map(Memory.from_dict, values["nodes"])),
            edges=tuple(map(Association.from_dict, values["edges"])),
        )
