"""Associations in SQL."""

from collections.abc import Collection, Sequence

from tacit.core.kinds import Relation
from tacit.core.memory import Association
from tacit.store.sql.rows import to_association
from tacit.store.sql.table import SqlTable


class SqlAssociations(SqlTable):
    """The edges between memories of one workspace."""

    topic = "associations"

    def get(self, source: str, target: str, relation: Relation) -> Association | None:
        """One edge."""
        row = self._row("get", source=source, target=target, relation=str(relation))
        return to_association(row) if row else None

    def put(self, association: Association) -> None:
        """Add an edge or change its weight."""
        self._send("put", **association.to_dict())

    def remove(self, association: Association) -> None:
        """Remove an edge."""
        self._send("remove", **association.to_dict())

    def clear(self, id: str) -> int:
        """Remove every edge at a memory; returns how many."""
        return self._run("clear_from", id=id) + self._run("clear_to", id=id)

    def of(self, id: str) -> list[Association]:
        """Edges at a memory, in both directions, leaving out forgotten neighbours."""
        return [to_association(row) for row in self._rows("of", id=id)]

    def within(
        self, ids: Sequence[str], depth: int, relations: Collection[Relation]
    ) -> list[Association]:
        """Edges at any memory that is fewer than `depth` steps away over edges of `relations`."""
        walked = self._listed(str(relation) for relation in relations)
        rows = self._rows("within", ids=self._listed(ids), depth=depth, relations=walked)
        return [to_association(row) for row in rows]

    def scan(self, after: Association | None, limit: int) -> list[Association]:
        """A page of all edges, by source, target and relation."""
        start = after.to_dict() if after else {"source": "", "target": "", "relation": ""}
        start.pop("weight", None)
        return [to_association(row) for row in self._rows("scan", limit=limit, **start)]
