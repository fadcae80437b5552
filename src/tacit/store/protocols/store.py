"""A store, and one unit of work on one of its workspaces."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from tacit.core.vectors import EmbeddingModel
from tacit.store.index import DatabaseIndex, IndexedBatch
from tacit.store.protocols.conversations import (
    BlockTable,
    EventTable,
    LearningQueue,
    LedgerTable,
    MarkTable,
    ParticipantTable,
    ProjectPlaceTable,
    ReceiptTable,
    SessionTable,
    VariableTable,
)
from tacit.store.protocols.memories import (
    AssociationTable,
    AuditTable,
    ClaimTable,
    MemoryTable,
    ReviewTable,
    TermTable,
    VectorTable,
)
from tacit.store.protocols.service import IdempotencyTable, KeyTable, ProgressTable
from tacit.store.stats import Counts


class UnitOfWork(Protocol):
    """One transaction on one workspace."""

    @property
    def workspace(self) -> str:
        """The tenant that everything here belongs to."""

    @property
    def memories(self) -> MemoryTable:
        """The memories."""

    @property
    def associations(self) -> AssociationTable:
        """The edges."""

    @property
    def texts(self) -> TermTable:
        """The terms."""

    @property
    def vectors(self) -> VectorTable:
        """The vectors."""

    @property
    def audit(self) -> AuditTable:
        """The account of changes."""

    @property
    def reviews(self) -> ReviewTable:
        """What waits for a person."""

    @property
    def claims(self) -> ClaimTable:
        """What memories claim."""

    @property
    def sessions(self) -> SessionTable:
        """The sessions."""

    @property
    def participants(self) -> ParticipantTable:
        """Who takes part in them."""

    @property
    def blocks(self) -> BlockTable:
        """What they were shown."""

    @property
    def ledger(self) -> LedgerTable:
        """The memories in it."""

    @property
    def receipts(self) -> ReceiptTable:
        """The accounts of turns."""

    @property
    def marks(self) -> MarkTable:
        """What was of no use."""

    @property
    def events(self) -> EventTable:
        """What happened."""

    @property
    def answers(self) -> IdempotencyTable:
        """How requests were answered."""

    @property
    def heard(self) -> LearningQueue:
        """What was heard and waits to be learned from."""

    @property
    def variables(self) -> VariableTable:
        """What workflows noted about sessions."""

    @property
    def places(self) -> ProjectPlaceTable:
        """The folders that projects are at."""

    @property
    def progress(self) -> ProgressTable:
        """How far long work has come."""

    def revision(self) -> int:
        """Counts the transactions that changed what is searched."""

    def changed(self, since: int, model: EmbeddingModel | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, in every state, with the vectors of a model."""

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""

    def index(self, model: EmbeddingModel | None) -> DatabaseIndex | None:
        """The database's own index of a workspace that is too large to be held in memory."""

    def counts(self, now: datetime) -> Counts:
        """How much is here."""


class Store(Protocol):
    """A place that memories live in; texts are in the order of their code points."""

    @property
    def is_shared(self) -> bool:
        """Whether programs on several machines may use it."""

    def workspaces(self) -> list[str]:
        """The workspaces that were ever written to, by name."""

    def read(self, workspace: str) -> AbstractContextManager[UnitOfWork]:
        """A consistent view of one workspace."""

    def write(self, workspace: str) -> AbstractContextManager[UnitOfWork]:
        """A transaction: all of it is durable when the block ends, or none of it ever was."""

    def keys(self) -> KeyTable:
        """The keys, which are read before a workspace is known."""

    def settle(self, workspace: str) -> None:
        """Make ready what searches will need, after much was written at once."""

    def purge(self) -> tuple[str, ...]:
        """Remove what was deleted from logs too; names the places it could not reach."""

    def describe(self) -> Mapping[str, object]:
        """Where and how large it is, for people."""

    def close(self) -> None:
        """Let go of files and connections; calling it again does nothing."""
