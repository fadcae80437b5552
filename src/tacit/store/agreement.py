"""Of which memories somebody said that both are right, though they seem to contradict."""

from collections.abc import Collection

from tacit.core.kinds import Relation
from tacit.store.protocols.unit import Unit


def agreed(unit: Unit, ids: Collection[str]) -> frozenset[tuple[str, str]]:
    """Pairs of these memories with any others, smaller id first; asks nothing if there are none."""
    if not ids:
        return frozenset()
    edges = unit.associations.within(sorted(ids), 1, (Relation.COMPATIBLE_WITH,))
    return frozenset(
        (min(edge.source, edge.target), max(edge.source, edge.target))
        for edge in edges
        if edge.relation is Relation.COMPATIBLE_WITH
    )
