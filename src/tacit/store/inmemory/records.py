"""Associations, audit rows and reviews in dictionaries."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from tacit.core.changes import AuditEntry, Review
from tacit.core.kinds import Relation
from tacit.core.memory import Association
from tacit.store.inmemory.tables import Edge, Tables


class InMemoryAssociations:
    """The edges between memories of one workspace."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def get(self, source: str, target: str, relation: Relation) -> Association | None:
        """One edge."""
        return self._tables.associations.get((source, target, str(relation)))

    def put(self, association: Association) -> None:
        """Add an edge or change its weight."""
        self._tables.associations[_edge(association)] = association

    def remove(self, association: Association) -> None:
        """Remove an edge."""
        self._tables.associations.pop(_edge(association), None)

    def clear(self, id: str) -> int:
        """Remove every edge at a memory; returns how many."""
        gone = [edge for edge in self._tables.associations if id in edge[:2]]
        for edge in gone:
            del self._tables.associations[edge]
        return len(gone)

    def of(self, id: str) -> list[Association]:
        """Edges at a memory, in both directions, leaving out forgotten neighbours."""
        return [
            association
            for (source, target, _), association in sorted(self._tables.associations.items())
            if id in (source, target)
            and not self._tables.memories[target if source == id else source].forgotten
        ]

    def within(
        self, ids: Sequence[str], depth: int, relations: Collection[Relation]
    ) -> list[Association]:
        """Edges at any memory that is fewer than `depth` steps away over edges of `relations`."""
        reached: set[str] = set()
        frontier = set(ids)
        for _ in range(depth):
            reached |= frontier
            walked = [edge[:2] for edge in self._at(frontier) if edge[2] in relations]
            frontier = {id for ends in walked for id in ends} - reached
        return [self._tables.associations[edge] for edge in sorted(self._at(reached))]

    def _at(self, ids: set[str]) -> list[Edge]:
        return [edge for edge in self._tables.associations if ids & set(edge[:2])]

    def scan(self, after: Association | None, limit: int) -> list[Association]:
        """A page of all edges, by source, target and relation."""
        edges = sorted(self._tables.associations)
        start = _edge(after) if after else ("", "", "")
        return [self._tables.associations[edge] for edge in edges if edge > start][:limit]


class InMemoryAudit:
    """The account of changes."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""
        self.append([entry])

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""
        before = len(self._tables.audit)
        for entry in entries:
            self._tables.audit.setdefault(entry.id, entry)
        return len(self._tables.audit) - before

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""
        return [entry for _, entry in sorted(self._tables.audit.items()) if entry.memory == memory]

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""
        ids = sorted(id for id in self._tables.audit if id > (after or ""))
        return [self._tables.audit[id] for id in ids[:limit]]

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""
        held = [each for each in self.of(memory) if each.old is not None or each.new is not None]
        for entry in held:
            self._tables.audit[entry.id] = replace(entry, old=None, new=None)
        return len(held)


class InMemoryReviews:
    """Changes that wait for a person."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def same(self, review: Review) -> Review | None:
        """The wish of the same author for the same change that waits already."""
        for waiting in self._tables.reviews.values():
            if replace(waiting, id=review.id, created_at=review.created_at) == review:
                return waiting
        return None

    def add(self, review: Review) -> None:
        """Queue a wish that does not wait yet, its fields in order as other backends keep them."""
        ordered = json.loads(json.dumps(review.change, sort_keys=True))
        self._tables.reviews[review.id] = replace(review, change=ordered)

    def get(self, id: str) -> Review | None:
        """One wish that waits."""
        return self._tables.reviews.get(id)

    def about(self, memory: str) -> list[Review]:
        """The wishes about one memory, oldest first."""
        found = sorted(self._tables.reviews.items())
        return [review for _, review in found if review.memory == memory]

    def pending(self, after: str | None, limit: int) -> list[Review]:
        """A page of what waits, oldest first."""
        ids = sorted(id for id in self._tables.reviews if id > (after or ""))
        return [self._tables.reviews[id] for id in ids[:limit]]

    def drop(self, id: str) -> bool:
        """Drop one wish; tells whether it waited."""
        return self._tables.reviews.pop(id, None) is not None

    def remove(self, memory: str) -> int:
        """Drop the wishes about one memory; returns how many."""
        gone = [id for id, review in self._tables.reviews.items() if review.memory == memory]
        for id in gone:
            del self._tables.reviews[id]
        return len(gone)


def _edge(association: Association) -> Edge:
    return (association.source, association.target, str(association.relation))
