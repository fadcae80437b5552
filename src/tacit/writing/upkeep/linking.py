"""What is related because it is near."""

from collections.abc import Iterable

from tacit.core.kinds import Relation, Scope
from tacit.core.memory import Association, Memory

MOST_LINKS = 5
"""So many memories one is related to; beyond, the relations tell nothing."""


def may_relate(one: Memory, other: Memory) -> bool:
    """Whether two memories may know of each other: those of two users never."""
    is_of_users = one.scope is Scope.USER and other.scope is Scope.USER
    return one.id != other.id and not (is_of_users and one.scope_id != other.scope_id)


def have_room(one: Memory, other: Memory, edges: Iterable[Association]) -> bool:
    """Whether two memories are not tied yet, and neither has as many relations as it may."""
    counts = {one.id: 0, other.id: 0}
    for edge in edges:
        ends = {edge.source, edge.target}
        if ends == counts.keys():
            return False
        if edge.relation is Relation.RELATED_TO:
            counts |= {id: counts[id] + 1 for id in ends & counts.keys()}
    return max(counts.values()) < MOST_LINKS


def relation(one: Memory, other: Memory, cosine: float) -> Association:
    """The edge between two memories, from the newer one."""
    source, target = max(one.id, other.id), min(one.id, other.id)
    return Association(source=source, target=target, weight=round(min(cosine, 1.0), 4))
