"""The graph: what hangs together with memories that match the query's own words."""

from collections.abc import Mapping
from types import MappingProxyType

from tacit.core.kinds import Relation
from tacit.store.protocols.unit import Unit

MULTIPLIERS: Mapping[Relation, float] = MappingProxyType(
    {
        Relation.UPDATES: 1.5,
        Relation.CAUSED_BY: 1.3,
        Relation.RESULT_OF: 1.3,
        Relation.RELATED_TO: 1.0,
        Relation.PART_OF: 0.8,
        Relation.CONTRADICTS: 0.5,
    }
)
"""What a relation counts; one that is not here is no evidence that two memories go together."""

WALKED = frozenset({Relation.RELATED_TO, Relation.PART_OF})
"""Only these are followed further than one step."""


def walk(unit: Unit, seeds: Mapping[str, float], depth: int) -> dict[str, float]:
    """How strongly each memory hangs together with the seeds, over at most `depth` steps."""
    reached: dict[str, float] = {}
    walked = dict(seeds)
    frontier = dict(seeds)
    found = unit.associations.within(list(seeds), depth, WALKED) if seeds else []
    edges = [edge for edge in found if edge.relation in MULTIPLIERS]
    for _ in range(depth):
        if not frontier:
            break
        onward: dict[str, float] = {}
        for edge in edges:
            for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
                if here not in frontier or there in seeds:
                    continue
                strength = frontier[here] * edge.weight * MULTIPLIERS[edge.relation]
                reached[there] = max(reached.get(there, 0.0), strength)
                if edge.relation in WALKED and there not in walked:
                    onward[there] = max(onward.get(there, 0.0), strength)
        walked |= onward
        frontier = onward
    return reached
