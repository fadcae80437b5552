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
    ComparisonQueue,
    ComparisonTable,
    GenerationTable,
    MemoryTable,
    ReviewTable,
    TermTable,
    TokenCodeTable,
    VectorTable,
)
from tacit.store.protocols.service import IdempotencyTable, KeyTable, ProgressTable
from tacit.store.stats import Counts


class UnitOfWork(Protocol):
    """One transaction on one workspace."""

    @property
    def workspace(self) -> str:
        """The workspace that everything here belongs to."""

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
    def generations(self) -> GenerationTable:
        """The models that made vectors."""

    @property
    def token_codes(self) -> TokenCodeTable:
        """The token codes."""

    @property
    def audit(self) -> AuditTable:
        """The audit log."""

    @property
    def reviews(self) -> ReviewTable:
        """The changes that wait for a person."""

    @property
    def claims(self) -> ClaimTable:
        """The claims of memories."""

    @property
    def comparisons(self) -> ComparisonTable:
        """How statements stand to each other."""

    @property
    def uncompared(self) -> ComparisonQueue:
        """The statements that wait to be compared."""

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
        """Marks on memories that somebody found useless."""

    @property
    def events(self) -> EventTable:
        """The events."""

    @property
    def answers(self) -> IdempotencyTable:
        """The idempotency records."""

    @property
    def heard(self) -> LearningQueue:
        """The captured turns that wait to be learned from."""

    @property
    def variables(self) -> VariableTable:
        """Variables that workflows set on sessions."""

    @property
    def places(self) -> ProjectPlaceTable:
        """The folders of projects."""

    @property
    def progress(self) -> ProgressTable:
        """The progress of long jobs."""

    def revision(self) -> int:
        """The number of transactions that changed what is searched."""

    def changed(self, since: int, model: EmbeddingModel | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, in every state, with the vectors of a model."""

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""

    def index(self, model: EmbeddingModel | None) -> DatabaseIndex | None:
        """The database's own index of a workspace that is too large for memory."""

    def counts(self, now: datetime) -> Counts:
        """The counts of this workspace."""


class Store(Protocol):
    """Where memories are kept; texts sort by code point."""

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
        """Prepare what searches will need, after much was written at once."""

    def purge(self) -> tuple[str, ...]:
        """Remove deleted data from logs too; returns the places that it could not reach."""

    def describe(self) -> Mapping[str, object]:
        """Where and how large it is, for people."""

    def close(self) -> None:
        """Close files and connections; closing again does nothing."""
