"""Associations between memories of one workspace."""

from tacit.errors import InvalidInput, NotFound
from tacit.memory import Association, Relation
from tacit.writing.author import Author


def link(author: Author, association: Association) -> Association:
    """Relate two memories; a repeat changes the weight."""
    if association.source == association.target:
        raise InvalidInput("target", "is the memory itself; name another one")
    author.visible(association.source)
    author.visible(association.target)
    author.journal.link(association)
    return association


def unlink(author: Author, source: str, target: str, relation: Relation) -> None:
    """Remove an association."""
    edge = author.unit.associations.get(source, target, relation)
    if edge is None:
        raise NotFound(f"memory {source} has no association {relation} to {target}")
    author.journal.unlink(edge)
