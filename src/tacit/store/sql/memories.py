"""Associations, generations, comparisons, audit entries and reviews in SQL."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from tacit.core.changes import AuditEntry, ChangePlace, Review
from tacit.core.episodes import is_episode_id
from tacit.core.kinds import Relation
from tacit.core.memory import Association, StatementComparison
from tacit.core.times import to_micros
from tacit.core.vectors import EmbeddingModel, Generation, GenerationState
from tacit.store.sql.table import (
    SqlTable,
    to_association,
    to_audit_columns,
    to_audit_entry,
    to_change_place,
    to_review,
    to_review_columns,
)
from tacit.store.workspaces import episodes_workspace


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
        walked = self._to_list_value(str(relation) for relation in relations)
        rows = self._rows("within", ids=self._to_list_value(ids), depth=depth, relations=walked)
        return [to_association(row) for row in rows]

    def of_relation(self, relation: Relation) -> list[Association]:
        """All edges of one relation, by source and target."""
        return [to_association(row) for row in self._rows("of_relation", relation=str(relation))]

    def scan(self, after: Association | None, limit: int) -> list[Association]:
        """A page of all edges, by source, target and relation."""
        start = after.to_dict() if after else {"source": "", "target": "", "relation": ""}
        start.pop("weight", None)
        return [to_association(row) for row in self._rows("scan", limit=limit, **start)]


class SqlGenerations(SqlTable):
    """The models that made vectors of one workspace, read once in a transaction."""

    topic = "generations"
    _known: list[Generation] | None = None

    def all(self) -> list[Generation]:
        """All generations, the one that began to serve last first."""
        if self._known is None:
            self._known = [
                Generation(EmbeddingModel(name, dims, revision), GenerationState(state), served)
                for name, dims, revision, state, served in self._load_all()
            ]
        return list(self._known)

    def put(self, generation: Generation) -> None:
        """Add a generation, or change its state."""
        self._add_model(generation.model)
        state, served = str(generation.state), generation.served
        self._send("put", state=state, served=served, **asdict(generation.model))
        self._known = None

    def _load_all(self) -> list[tuple[Any, ...]]:
        return self._rows("all")

    @abstractmethod
    def _add_model(self, model: EmbeddingModel) -> None:
        """Give a model a number, unless it has one."""


class SqlComparisons(SqlTable):
    """How the statements of one workspace and of its episodes stand to each other."""

    topic = "comparisons"
    _workspace: str

    def put(self, comparison: StatementComparison) -> None:
        """Store how two statements stand to each other, in place of what was known of them."""
        self.remove(comparison.earlier, comparison.later)
        self._send(
            "put",
            earlier=comparison.earlier,
            later=comparison.later,
            earlier_place=self._place_of(comparison.earlier),
            later_place=self._place_of(comparison.later),
            score=comparison.score,
            likeness=comparison.likeness,
            by_model=comparison.by_model,
        )

    def remove(self, one: str, other: str) -> None:
        """Drop what is known of two statements."""
        self._send("remove", one=one, other=other)

    def clear(self, id: str) -> int:
        """Drop every comparison of a statement; returns how many."""
        return self._run("clear", id=id)

    def of(self, ids: Sequence[str]) -> list[StatementComparison]:
        """The comparisons of which one side or both are among these."""
        return [
            StatementComparison(
                earlier=earlier,
                later=later,
                score=score,
                likeness=likeness,
                by_model=bool(by_model),
            )
            for earlier, later, score, likeness, by_model in self._rows(
                "of", ids=self._to_list_value(ids)
            )
        ]

    def _place_of(self, id: str) -> Any:
        """The workspace that holds a memory or an episode, as the backend names it."""
        own = self._workspace
        return self._to_place(episodes_workspace(own) if is_episode_id(id) else own)

    @abstractmethod
    def _to_place(self, workspace: str) -> Any:
        """A workspace as the backend names it."""


class SqlComparisonQueue(SqlTable):
    """The statements of one workspace that wait to be compared."""

    topic = "uncompared"

    def add(self, id: str) -> None:
        """Have a statement compared soon."""
        self._send("add", id=id)

    def add_all(self) -> None:
        """Have everything compared soon that is not forgotten or superseded."""
        self._send("add_all")

    def newest(self, before: str | None, limit: int) -> list[str]:
        """A page of what waits, the newest first."""
        return [id for (id,) in self._rows("newest", before=before, limit=limit)]

    def count(self) -> int:
        """How many wait."""
        ((count,),) = self._rows("count")
        return int(count)

    def waiting(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that wait."""
        return {id for (id,) in self._rows("waiting", ids=self._to_list_value(ids))}

    def remove(self, ids: Sequence[str]) -> None:
        """Take out statements that were compared."""
        self._send("remove", ids=self._to_list_value(ids))


class SqlAudit(SqlTable):
    """The audit rows of one workspace."""

    topic = "audit"

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""
        self.append([entry])

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows unless they are there already; returns how many were added."""
        return sum(self._run("append", **to_audit_columns(entry)) for entry in entries)

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""
        return [to_audit_entry(row) for row in self._rows("of", memory=memory)]

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""
        return [to_audit_entry(row) for row in self._rows("scan", after=after or "", limit=limit)]

    def get(self, id: str) -> AuditEntry | None:
        """One row."""
        row = self._row("get", id=id)
        return to_audit_entry(row) if row else None

    def automatic(self, before: ChangePlace | None, limit: int) -> list[AuditEntry]:
        """A page of what was superseded or forgotten without a person, latest first."""
        rows = self._rows("automatic", limit=limit, **to_change_place(before))
        return [to_audit_entry(row) for row in rows]

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""
        return self._run("blank", memory=memory)


class SqlReviews(SqlTable):
    """The queue of one workspace."""

    topic = "reviews"

    def same(self, review: Review) -> Review | None:
        """The pending review of the same change by the same author."""
        row = self._row("same", **to_review_columns(review))
        return to_review(row) if row else None

    def add(self, review: Review) -> None:
        """Queue a new review."""
        created_at = to_micros(review.created_at)
        self._send("add", id=review.id, created_at=created_at, **to_review_columns(review))

    def get(self, id: str) -> Review | None:
        """One pending review."""
        row = self._row("get", id=id)
        return to_review(row) if row else None

    def about(self, memory: str) -> list[Review]:
        """The pending reviews of one memory, oldest first."""
        return [to_review(row) for row in self._rows("about", memory=memory)]

    def pending(self, after: str | None, limit: int) -> list[Review]:
        """A page of pending reviews, oldest first."""
        return [to_review(row) for row in self._rows("pending", after=after or "", limit=limit)]

    def drop(self, id: str) -> bool:
        """Drop one review; returns whether it was pending."""
        return self._run("drop", id=id) > 0

    def remove(self, memory: str) -> int:
        """Drop the reviews of one memory; returns how many."""
        return self._run("remove", memory=memory)
