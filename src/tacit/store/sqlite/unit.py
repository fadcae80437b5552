"""One transaction on one workspace of a SQLite database."""

from collections.abc import Iterator
from datetime import datetime

import apsw

from tacit.core.vectors import EmbeddingModel
from tacit.store.indexed import IndexedBatch
from tacit.store.sql.counting import counts_of
from tacit.store.sqlite.answers import SqliteAnswers
from tacit.store.sqlite.associations import SqliteAssociations
from tacit.store.sqlite.audit import SqliteAudit
from tacit.store.sqlite.changes import SqliteChanges
from tacit.store.sqlite.claims import SqliteClaims
from tacit.store.sqlite.conversations import (
    SqliteBlocks,
    SqliteLedger,
    SqliteMarks,
    SqliteParticipants,
    SqlitePlaces,
    SqliteReceipts,
    SqliteSessions,
)
from tacit.store.sqlite.events import SqliteEvents
from tacit.store.sqlite.heard import SqliteHeardTurns
from tacit.store.sqlite.memories import SqliteMemories
from tacit.store.sqlite.progress import SqliteProgress
from tacit.store.sqlite.reviews import SqliteReviews
from tacit.store.sqlite.texts import SqliteTexts
from tacit.store.sqlite.variables import SqliteVariables
from tacit.store.sqlite.vectors import SqliteVectors
from tacit.store.stats import Counts


class SqliteUnit:
    """The tables of one workspace on one connection."""

    def __init__(self, connection: apsw.Connection, workspace: str, number: int) -> None:
        self.workspace = workspace
        self._changes = SqliteChanges(connection, workspace, number)
        self.memories = SqliteMemories(connection, workspace, number, self._changes)
        self.associations = SqliteAssociations(connection, workspace, number)
        self.texts = SqliteTexts(connection, workspace, number)
        self.vectors = SqliteVectors(connection, workspace, number, self._changes)
        self.audit = SqliteAudit(connection, workspace, number)
        self.reviews = SqliteReviews(connection, workspace, number)
        self.claims = SqliteClaims(connection, workspace, number)
        self.sessions = SqliteSessions(connection, workspace, number)
        self.participants = SqliteParticipants(connection, workspace, number)
        self.blocks = SqliteBlocks(connection, workspace, number)
        self.ledger = SqliteLedger(connection, workspace, number)
        self.receipts = SqliteReceipts(connection, workspace, number)
        self.marks = SqliteMarks(connection, workspace, number)
        self.events = SqliteEvents(connection, workspace, number)
        self.answers = SqliteAnswers(connection, workspace, number)
        self.heard = SqliteHeardTurns(connection, workspace, number)
        self.variables = SqliteVariables(connection, workspace, number)
        self.places = SqlitePlaces(connection, workspace, number)
        self.progress = SqliteProgress(connection, workspace, number)

    def revision(self) -> int:
        """Counts the transactions that changed what is searched."""
        return self._changes.revision()

    def changed(self, since: int, model: EmbeddingModel | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, with the vectors of a model."""
        return self._changes.since(since, self.vectors.number(model) if model else None)

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""
        return self._changes.removed(since)

    def index(self, model: EmbeddingModel | None) -> None:
        """Every workspace is searched in memory."""

    def counts(self, now: datetime) -> Counts:
        """How much is here."""
        return counts_of(
            self.memories.tally(now),
            associations=self.associations.count(),
            audit_entries=self.audit.count(),
            reviews=self.reviews.count(),
            indexed=self.texts.count(),
            vectors=self.vectors.by_model(),
        )
