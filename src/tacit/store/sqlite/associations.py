"""Associations in SQLite."""

import json
from collections.abc import Sequence
from typing import Any

from tacit.memory import Association, Relation
from tacit.store.sqlite.table import Table


class SqliteAssociations(Table):
    """The edges between memories of one workspace."""

    topic = "associations"

    def get(self, source: str, target: str, relation: Relation) -> Association | None:
        """One edge."""
        row = self._row("get", source=source, target=target, relation=str(relation))
        return _association(row) if row else None

    def put(self, association: Association) -> None:
        """Add an edge or change its weight."""
        self._run("put", **association.to_dict())

    def remove(self, association: Association) -> None:
        """Remove an edge."""
        self._run("remove", **association.to_dict())

    def clear(self, id: str) -> int:
        """Remove every edge at a memory; returns how many."""
        return self._run("clear", id=id)

    def of(self, id: str) -> list[Association]:
        """Edges at a memory, in both directions, leaving out forgotten neighbours."""
        return [_association(row) for row in self._rows("of", id=id)]

    def around(self, ids: Sequence[str]) -> list[Association]:
        """Edges at any of these memories, in both directions."""
        return [_association(row) for row in self._rows("around", ids=json.dumps(list(ids)))]

    def scan(self, after: Association | None, limit: int) -> list[Association]:
        """A page of all edges, by source, target and relation."""
        start = after.to_dict() if after else {"source": "", "target": "", "relation": ""}
        start.pop("weight", None)
        return [_association(row) for row in self._rows("scan", limit=limit, **start)]


def _association(row: Sequence[Any]) -> Association:
    source, target, relation, weight = row
    return Association(source=source, target=target, relation=Relation(relation), weight=weight)
