"""Associations between memories of one workspace."""

from tacit.core.errors import InvalidInput, NotFound
from tacit.core.kinds import Relation
from tacit.core.memory import Association, Memory
from tacit.core.permissions import may_change
from tacit.writing.author import Author


def link(author: Author, association: Association) -> Association:
    """Relate two memories; a repeat changes the weight."""
    if association.source == association.target:
        raise InvalidInput("target", "is the memory itself; name another one")
    ends = [author.visible(association.source), author.visible(association.target)]
    _refuse_undue_peace(author, association, ends)
    author.journal.link(association)
    return association


def _refuse_undue_peace(author: Author, edge: Association, ends: list[Memory]) -> None:
    """That a person's words do not contradict others, only a person can say."""
    may = all(may_change(end, author.by) for end in ends)
    if edge.relation is Relation.COMPATIBLE_WITH and not may:
        problem = f"the {author.by} cannot say this of a person's words; resolve asks a person"
        raise InvalidInput("relation", problem)


def unlink(author: Author, source: str, target: str, relation: Relation) -> None:
    """Remove an association."""
    edge = author.unit.associations.get(source, target, relation)
    if edge is None:
        raise NotFound(f"memory {source} has no association {relation} to {target}")
    author.journal.unlink(edge)
