"""One transaction on one workspace, with all that a backend offers there."""

from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from tacit.core.vectors import EmbeddingModel
from tacit.store.index import Index
from tacit.store.indexed import IndexedBatch
from tacit.store.protocols.changes import Audit, Events, Reviews
from tacit.store.protocols.conversations import (
    Blocks,
    Ledger,
    Marks,
    Participants,
    ProjectPlaces,
    Receipts,
    Sessions,
    Variables,
)
from tacit.store.protocols.memories import Associations, Claims, Memories, Texts, Vectors
from tacit.store.protocols.work import Answers, HeardTurns, Progress
from tacit.store.stats import Counts


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

    @property
    def claims(self) -> Claims:
        """What memories claim."""

    @property
    def sessions(self) -> Sessions:
        """The sessions."""

    @property
    def participants(self) -> Participants:
        """Who takes part in them."""

    @property
    def blocks(self) -> Blocks:
        """What they were shown."""

    @property
    def ledger(self) -> Ledger:
        """The memories in it."""

    @property
    def receipts(self) -> Receipts:
        """The accounts of turns."""

    @property
    def marks(self) -> Marks:
        """What was of no use."""

    @property
    def events(self) -> Events:
        """What happened."""

    @property
    def answers(self) -> Answers:
        """How requests were answered."""

    @property
    def heard(self) -> HeardTurns:
        """What was heard and waits to be learned from."""

    @property
    def variables(self) -> Variables:
        """What workflows noted about sessions."""

    @property
    def places(self) -> ProjectPlaces:
        """The folders that projects are at."""

    @property
    def progress(self) -> Progress:
        """How far long work has come."""

    def revision(self) -> int:
        """Counts the transactions that changed what is searched."""

    def changed(self, since: int, model: EmbeddingModel | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, in every state, with the vectors of a model."""

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""

    def index(self, model: EmbeddingModel | None) -> Index | None:
        """The database's own index of a workspace that is too large to be held in memory."""

    def counts(self, now: datetime) -> Counts:
        """How much is here."""
