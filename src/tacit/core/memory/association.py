"""How two memories of one workspace relate."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from tacit.core.memory.fields import check
from tacit.core.memory.kinds import Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Association:
    """An edge: unique by source, target and relation; a repeat only changes its weight."""

    source: str
    target: str
    relation: Relation = Relation.RELATED_TO
    weight: float = 0.5

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "source": self.source,
            "target": self.target,
            "relation": str(self.relation),
            "weight": self.weight,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read and check what `to_dict` wrote."""
        return cls(
            source=check("id", values["source"]),
            target=check("id", values["target"]),
            relation=check("relation", values["relation"]),
            weight=check("weight", values["weight"]),
        )
