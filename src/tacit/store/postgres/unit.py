"""One transaction on one workspace of a PostgreSQL database."""

from collections.abc import Iterator
from datetime import datetime

from tacit.core.vectors import EmbeddingModel
from tacit.store.indexed import IndexedBatch
from tacit.store.postgres.answers import PostgresAnswers
from tacit.store.postgres.associations import PostgresAssociations
from tacit.store.postgres.audit import PostgresAudit
from tacit.store.postgres.changes import PostgresChanges
from tacit.store.postgres.claims import PostgresClaims
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.conversations import (
    PostgresBlocks,
    PostgresLedger,
    PostgresMarks,
    PostgresParticipants,
    PostgresPlaces,
    PostgresReceipts,
    PostgresSessions,
)
from tacit.store.postgres.events import PostgresEvents
from tacit.store.postgres.heard import PostgresHeardTurns
from tacit.store.postgres.index import PostgresIndex
from tacit.store.postgres.keeper import Keeper
from tacit.store.postgres.memories import PostgresMemories
from tacit.store.postgres.outbox import Outbox
from tacit.store.postgres.progress import PostgresProgress
from tacit.store.postgres.reviews import PostgresReviews
from tacit.store.postgres.texts import PostgresTexts
from tacit.store.postgres.variables import PostgresVariables
from tacit.store.postgres.vectors import PostgresVectors
from tacit.store.sql.counting import counts_of
from tacit.store.stats import Counts


class PostgresUnit:
    """The tables of one workspace on one connection; who writes knows its last event."""

    def __init__(
        self,
        connection: Connection,
        workspace: str,
        number: int,
        *,
        keeper: Keeper | None = None,
        last_event: int = 0,
    ) -> None:
        self.workspace = workspace
        self._connection = connection
        self._number = number
        self._keeper = keeper
        self._outbox = Outbox()
        place = (connection, workspace, number, self._outbox)
        self._changes = PostgresChanges(*place)
        self.memories = PostgresMemories(*place, self._changes)
        self.associations = PostgresAssociations(*place)
        self.texts = PostgresTexts(*place)
        self.vectors = PostgresVectors(*place, self._changes)
        self.audit = PostgresAudit(*place)
        self.reviews = PostgresReviews(*place)
        self.claims = PostgresClaims(*place)
        self.sessions = PostgresSessions(*place)
        self.participants = PostgresParticipants(*place)
        self.blocks = PostgresBlocks(*place)
        self.ledger = PostgresLedger(*place)
        self.receipts = PostgresReceipts(*place)
        self.marks = PostgresMarks(*place)
        self.events = PostgresEvents(*place, last_event)
        self.answers = PostgresAnswers(*place)
        self.heard = PostgresHeardTurns(*place)
        self.variables = PostgresVariables(*place)
        self.places = PostgresPlaces(*place)
        self.progress = PostgresProgress(*place)

    def flush(self) -> None:
        """Send what was written and still waits."""
        self._outbox.flush()

    def revision(self) -> int:
        """Counts the transactions that changed what is searched."""
        return self._changes.revision()

    def changed(self, since: int, model: EmbeddingModel | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, with the vectors of a model."""
        return self._changes.since(since, self.vectors.number(model) if model else None)

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""
        return self._changes.removed(since)

    def index(self, model: EmbeddingModel | None) -> PostgresIndex | None:
        """The server's own index of a workspace that is too large to be held in memory."""
        if self._keeper is None:
            return None
        number = self._keeper.number(model, self.vectors.number) if model else None
        census = self._keeper.census(self._connection, self.workspace, number)
        if census is None:
            return None
        return PostgresIndex(self._connection, self._number, census, model, number)

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
