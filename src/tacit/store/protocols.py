"""What a backend must offer: rows in, rows out, all of one workspace, in one transaction.

A backend decides nothing. What a change means (its audit row, its index terms) is in the
journal, once, for all of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from tacit.memory import Association, AuditEntry, Memory, Relation, Review
from tacit.store.indexed import IndexedBatch
from tacit.store.query import Counts, Query
from tacit.vector import Model, Vector


class Memories(Protocol):
    """The memories of one workspace, in every state."""

    def insert(self, memory: Memory) -> None:
        """Add a memory; one with its id or its identity must not be there (AlreadyKnown)."""

    def update(self, memory: Memory) -> None:
        """Replace the memory that has this id, as long as no other says the same."""

    def delete(self, id: str) -> None:
        """Remove a memory with its terms, vectors and associations."""

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Those of the ids that exist, forgotten ones included."""

    def same(self, content_hash: bytes) -> Memory | None:
        """The memory with this identity that was not superseded."""

    def ending(self, suffix: str, limit: int) -> list[str]:
        """Ids that end like this, forgotten ones included."""

    def find(self, query: Query) -> list[Memory]:
        """What the query asks for, in its order."""

    def count_access(self, ids: Sequence[str], at: datetime) -> None:
        """Note that these were really used; nothing else about them changes."""


class Associations(Protocol):
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

    def around(self, ids: Sequence[str]) -> list[Association]:
        """Edges at any of these memories, in both directions."""

    def scan(self, after: Association | None, limit: int) -> list[Association]:
        """A page of all edges, by source, target and relation."""


class Texts(Protocol):
    """The terms that memories are found by."""

    def put(self, id: str, terms: Sequence[str]) -> None:
        """Keep the terms of a memory, instead of any it had."""

    def of(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The terms of these memories, as packed codes."""


class Vectors(Protocol):
    """The vectors of memories, each knowing its model."""

    def put(self, id: str, model: Model, vector: Vector) -> None:
        """Store a vector, instead of any this model had for the memory."""

    def get(self, ids: Sequence[str], model: Model) -> dict[str, Vector]:
        """The vectors that this model made of these memories."""

    def discard(self, id: str) -> None:
        """Remove the vectors of every model: the text they were made of changed."""

    def models(self) -> list[Model]:
        """The models that vectors of this workspace were made by."""

    def lacking(self, model: Model) -> int:
        """How many memories have no vector of this model."""

    def missing(self, model: Model, limit: int) -> list[str]:
        """Memories that have no vector of this model, oldest first."""


class Audit(Protocol):
    """The account of changes; rows are added, and only an erasure blanks them."""

    def append(self, entries: Iterable[AuditEntry]) -> int:
        """Add rows; one that is there already is left alone. Returns how many were added."""

    def of(self, memory: str) -> list[AuditEntry]:
        """The rows of one memory, oldest first."""

    def scan(self, after: str | None, limit: int) -> list[AuditEntry]:
        """A page of all rows, by id."""

    def blank(self, memory: str) -> int:
        """Remove the values from a memory's rows; returns how many rows held any."""


class Reviews(Protocol):
    """Changes that wait for a person."""

    def same(self, review: Review) -> Review | None:
        """The wish of the same author for the same change that waits already."""

    def add(self, review: Review) -> None:
        """Queue a wish that does not wait yet."""

    def pending(self, after: str | None, limit: int) -> list[Review]:
        """A page of what waits, oldest first."""

    def remove(self, memory: str) -> int:
        """Drop the wishes about one memory; returns how many."""


class Unit(Protocol):
    """One transaction on one workspace."""

    @property
    def workspace(self) -> str:
        """The tenant that everything here belongs to."""

    @property
    def memories(self) -> Memories:
        """The memories."""

    @property
    def associations(self) -> Associations:
        """The edges."""

    @property
    def texts(self) -> Texts:
        """The terms."""

    @property
    def vectors(self) -> Vectors:
        """The vectors."""

    @property
    def audit(self) -> Audit:
        """The account of changes."""

    @property
    def reviews(self) -> Reviews:
        """What waits for a person."""

    def revision(self) -> int:
        """Counts the transactions that changed what is searched."""

    def changed(self, since: int, model: Model | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, in every state, with the vectors of a model."""

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""

    def counts(self, now: datetime) -> Counts:
        """How much is here."""


class Store(Protocol):
    """A place that memories live in."""

    def read(self, workspace: str) -> AbstractContextManager[Unit]:
        """A consistent view of one workspace."""

    def write(self, workspace: str) -> AbstractContextManager[Unit]:
        """A transaction: all of it is durable when the block ends, or none of it ever was."""

    def purge(self) -> tuple[str, ...]:
        """Remove what was deleted from logs too; names the places it could not reach."""

    def describe(self) -> Mapping[str, object]:
        """Where and how large it is, for people."""

    def close(self) -> None:
        """Let go of files and connections; calling it again does nothing."""
