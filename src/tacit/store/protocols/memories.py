"""Tables of memories: the memories, their edges, terms, vectors, codes, claims, audit, reviews."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from typing import Protocol

from tacit.core.changes import AuditEntry, ChangePlace, Review
from tacit.core.kinds import Owner, Relation
from tacit.core.memory import Association, Memory, StatementComparison
from tacit.core.permissions import Viewer
from tacit.core.receipt import Unseen
from tacit.core.vectors import EmbeddingModel, Generation, Vector
from tacit.store.query import Query


class MemoryTable(Protocol):
    """The memories of one workspace, in every state."""

    def insert(self, memory: Memory) -> None:
        """Add a memory; one with its id or its identity must not be there (AlreadyKnown)."""

    def update(self, memory: Memory) -> None:
        """Replace the memory that has this id, as long as no other says the same."""

    def delete(self, id: str) -> None:
        """Remove a memory with its terms, vectors and associations."""

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist, forgotten ones included."""

    def known(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that exist, forgotten ones included, without reading them."""

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory with this identity that was not superseded."""

    def same_as(self, hashes: Collection[bytes]) -> dict[bytes, Memory]:
        """The memories with these identities; asking `same` for one of them afterwards is quick."""

    def expired(self, now: datetime, before: ChangePlace | None, limit: int) -> list[Memory]:
        """A page of memories that expired and that no person wrote, the last that did first."""

    def ending(self, suffix: str, limit: int) -> list[str]:
        """Ids that end with this suffix, forgotten ones included."""

    def find(self, query: Query) -> list[Memory]:
        """The memories that match, in the query's order; by creation, `after` need not exist."""

    def total(self, query: Query) -> int:
        """How many memories match the query, whatever its order, limit and place."""

    def unseen(self, user: str, agent: str, now: datetime, most: int) -> Unseen:
        """How many live memories of users a user does not see, of those the agent may see.

        Each count stops at `most`. Without a name, the user sees what belongs to no user.
        """

    def before(self, memory: Memory, limit: int) -> list[str]:
        """Memories before one in its session, nearest first, that all who see it may see too.

        They have a smaller ordinal, are not forgotten, belong to the same owner, a project or an
        organisation, and to the same agent or none. At one ordinal the larger id is nearer.
        """

    def withdrawn(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that were forgotten, superseded or erased."""

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Count an access to these memories; nothing else about them changes."""

    def by_day(self, viewer: Viewer) -> dict[date, int]:
        """How many of those that somebody may see were created on each day in UTC, in every state.

        Days on which none was are left out.
        """


class AssociationTable(Protocol):
    """The edges between memories of one workspace."""

    def get(self, source: str, target: str, relation: Relation) -> Association | None:
        """One edge."""

    def put(self, association: Association) -> None:
        """Add an edge or change its weight."""

    def remove(self, association: Association) -> None:
        """Remove an edge."""

    def clear(self, id: str) -> int:
        """Remove every edge at a memory; returns how many."""

    def of(self, id: str) -> list[Association]:
        """Edges at a memory, in both directions, leaving out forgotten neighbours."""

    def within(
        self, ids: Sequence[str], depth: int, relations: Collection[Relation]
    ) -> list[Association]:
        """Edges at any memory that is fewer than `depth` steps from these, in both directions.

        Only edges of `relations` are walked on; all are returned, by source, target and relation.
        """

    def of_relation(self, relation: Relation) -> list[Association]:
        """All edges of one relation, by source and target."""

    def scan(self, after: Association | None, limit: int) -> list[Association]:
        """A page of all edges, by source, target and relation."""


class TermTable(Protocol):
    """The terms that memories are found by."""

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Store the terms of a memory, replacing any it had."""

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The terms of these memories, as packed codes."""


class VectorTable(Protocol):
    """The vectors of memories, each knowing its model."""

    def put(self, id: str, model: EmbeddingModel, vector: Vector) -> None:
        """Store a vector, replacing this model's vector of the memory."""

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
        """The vectors that this model made of these memories."""

    def scan(
        self, model: EmbeddingModel, after: str | None, limit: int
    ) -> list[tuple[str, Vector]]:
        """A page of the vectors of a model, with their memories, by the memories' ids."""

    def discard(self, id: str) -> None:
        """Remove the vectors of every model: the text they were made of changed."""

    def models(self) -> list[EmbeddingModel]:
        """The models that vectors of this workspace were made by."""

    def lacking(self, model: EmbeddingModel) -> int:
        """How many memories have no vector of this model."""

    def missing(self, model: EmbeddingModel, limit: int) -> list[str]:
        """Memories that have no vector of this model, oldest first."""

    def drop(self, model: EmbeddingModel, limit: int) -> int:
        """Remove at most so many vectors of a model that does not serve; returns how many."""


class GenerationTable(Protocol):
    """The models that made vectors of a workspace; `store.generations` changes their states."""

    def all(self) -> list[Generation]:
        """All generations, the one that began to serve last first."""

    def put(self, generation: Generation) -> None:
        """Add a generation, or change its state."""


class TokenCodeTable(Protocol):
    """The codes of the tokens of memories, as opaque bytes, each knowing its model and context.

    The context of a memory is the memories that its text was encoded behind, two at most.
    """

    def put(self, id: str, model: EmbeddingModel, codes: bytes, context: Sequence[str]) -> None:
        """Store codes and the ids of their context, replacing this model's codes of the memory.

        Nothing is stored if the memory or one of its context does not exist.
        """

    def get(self, ids: Sequence[str], model: EmbeddingModel) -> dict[str, bytes]:
        """The codes that this model made of these memories."""

    def discard(self, id: str) -> None:
        """Remove the codes of a memory, and those encoded behind it: they know its words."""

    def discard_after(self, memory: Memory) -> None:
        """Remove the codes of memories that now have this one among the two before them."""

    def lacking(self, model: EmbeddingModel) -> int:
        """How many memories, not forgotten or superseded, have no codes of this model."""

    def missing(self, model: EmbeddingModel, limit: int, since: int = 0) -> list[str]:
        """Memories, not forgotten or superseded, without codes of this model, newest first.

        With `since`, only those that changed after this revision, and no others are read; to lose
        codes is a change.
        """

    def models(self) -> list[EmbeddingModel]:
        """The models that codes of this workspace were made by."""

    def drop(self, model: EmbeddingModel, limit: int) -> int:
        """Remove at most so many codes of a model that no search uses; returns how many."""


class ClaimTable(Protocol):
    """The claims of memories, which find those that may contradict each other."""

    def put(self, id: str, claims: Sequence[str]) -> None:
        """Add claims to a memory."""

    def clear(self, id: str) -> None:
        """Drop the claims of a memory."""

    def rivals(self, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """Pairs of one of these memories and another, not forgotten or superseded, that shares a
        claim with it, in the order of their ids."""

    def shared(self, start: int, limit: int) -> list[tuple[int, list[tuple[str, Owner]]]]:
        """A page of claims that several memories make, by their signed codes from `start` on, with
        the ids and owners of those memories that were not forgotten or superseded."""

    def shared_keys(self) -> list[tuple[str, list[str]]]:
        """Keys that several memories of one owner have, with the ids of these memories; those that
        were forgotten or superseded do not count."""


class ComparisonTable(Protocol):
    """How the statements of a workspace of memories, and of its episodes, stand to each other.

    A comparison goes with either of its texts.
    """

    def put(self, comparison: StatementComparison) -> None:
        """Store how two statements stand to each other, in place of what was known of them."""

    def remove(self, one: str, other: str) -> None:
        """Drop what is known of two statements, whichever of them is the later one."""

    def clear(self, id: str) -> int:
        """Drop every comparison of a statement; returns how many."""

    def of(self, ids: Sequence[str]) -> list[StatementComparison]:
        """The comparisons of which one side or both are among these, by earlier and later."""


class ComparisonQueue(Protocol):
    """The memories or episodes of a workspace that wait to be compared with others."""

    def add(self, id: str) -> None:
        """Have a statement compared soon; one that waits already is not added again."""

    def add_all(self) -> None:
        """Have everything compared soon that is not forgotten or superseded."""

    def newest(self, before: str | None, limit: int) -> list[str]:
        """A page of what waits, the newest first, by id."""

    def count(self) -> int:
        """How many wait."""

    def waiting(self, ids: Sequence[str]) -> set[str]:
        """Those of the ids that wait."""

    def remove(self, ids: Sequence[str]) -> None:
        """Take out statements that were compared."""


class AuditTable(Protocol):
    """The audit log; rows are only added, and blanked only by an erasure."""

    def record(self, entry: AuditEntry) -> None:
        """Add a row that is new."""

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows unless they are there already; returns how many were added."""

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""

    def get(self, id: str) -> AuditEntry | None:
        """One row."""

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""

    def automatic(self, before: ChangePlace | None, limit: int) -> list[AuditEntry]:
        """A page of what was superseded or forgotten without a person, latest first.

        Rows of what was erased are left out.
        """

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""


class ReviewTable(Protocol):
    """Changes that wait for a person."""

    def same(self, review: Review) -> Review | None:
        """The pending review of the same change by the same author."""

    def add(self, review: Review) -> None:
        """Queue a new review."""

    def get(self, id: str) -> Review | None:
        """One pending review."""

    def about(self, memory: str) -> list[Review]:
        """The pending reviews of one memory, oldest first."""

    def pending(self, after: str | None, limit: int) -> list[Review]:
        """A page of pending reviews, oldest first."""

    def drop(self, id: str) -> bool:
        """Drop one review; returns whether it was pending."""

    def remove(self, memory: str) -> int:
        """Drop the reviews of one memory; returns how many."""
