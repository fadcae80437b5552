"""Links between memories that conflict, or of which somebody declared that both are right."""

from collections.abc import Collection

from tacit.core.kinds import Relation
from tacit.core.memory import Association
from tacit.statements.precedence import IdPair
from tacit.store.protocols.store import UnitOfWork


def load_compatible_pairs(unit: UnitOfWork, ids: Collection[str]) -> frozenset[IdPair]:
    """Pairs, smaller id first, that somebody declared to be both right."""
    return frozenset(map(pair_of, load_links_among(unit, ids, Relation.COMPATIBLE_WITH)))


def load_conflicting_pairs(unit: UnitOfWork, ids: Collection[str]) -> frozenset[IdPair]:
    """Pairs, smaller id first, of which it was noted that they conflict."""
    return frozenset(map(pair_of, load_links_among(unit, ids, Relation.CONTRADICTS)))


def load_links_among(
    unit: UnitOfWork, ids: Collection[str], relation: Relation
) -> list[Association]:
    """The links of a relation that some memories have."""
    edges = unit.associations.within(sorted(ids), 1, (relation,)) if ids else []
    return [edge for edge in edges if edge.relation is relation]


def pair_of(edge: Association) -> IdPair:
    """The ends of a link, smaller id first."""
    return min(edge.source, edge.target), max(edge.source, edge.target)
