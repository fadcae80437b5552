"""A store in plain dictionaries, with which the backends are compared."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime

from tacit.core.errors import StoreClosed
from tacit.core.kinds import State
from tacit.core.memory import Memory
from tacit.core.times import to_micros
from tacit.core.vectors import EmbeddingModel, Vector, pack_vector
from tacit.store.index import IndexedBatch, IndexedMemory
from tacit.store.stats import Counts
from tacit.store.transactions import (
    WAIT_SECONDS,
    hold_lock,
    join_read,
    join_write,
    refuse_late_commit,
)
from tacit.testing.conversations import (
    InMemoryBlocks,
    InMemoryLedger,
    InMemoryMarks,
    InMemoryParticipants,
    InMemoryPlaces,
    InMemoryReceipts,
    InMemorySessions,
    InMemoryVariables,
)
from tacit.testing.memories import (
    InMemoryAssociations,
    InMemoryAudit,
    InMemoryClaims,
    InMemoryMemories,
    InMemoryReviews,
    InMemoryTexts,
    InMemoryTokenCodes,
    InMemoryVectors,
)
from tacit.testing.queues import InMemoryEvents, InMemoryLearningQueue
from tacit.testing.service import InMemoryIdempotencyRecords, InMemoryKeys, InMemoryProgress
from tacit.testing.tables import WorkspaceTables


class InMemoryUnit:
    """One transaction on one workspace."""

    def __init__(self, tables: WorkspaceTables, workspace: str) -> None:
        self._tables = tables
        self.workspace = workspace
        self.memories = InMemoryMemories(tables)
        self.associations = InMemoryAssociations(tables)
        self.texts = InMemoryTexts(tables)
        self.vectors = InMemoryVectors(tables)
        self.token_codes = InMemoryTokenCodes(tables)
        self.audit = InMemoryAudit(tables)
        self.reviews = InMemoryReviews(tables)
        self.claims = InMemoryClaims(tables)
        self.sessions = InMemorySessions(tables)
        self.participants = InMemoryParticipants(tables)
        self.blocks = InMemoryBlocks(tables)
        self.ledger = InMemoryLedger(tables)
        self.receipts = InMemoryReceipts(tables)
        self.marks = InMemoryMarks(tables)
        self.events = InMemoryEvents(tables)
        self.answers = InMemoryIdempotencyRecords(tables)
        self.heard = InMemoryLearningQueue(tables)
        self.variables = InMemoryVariables(tables)
        self.places = InMemoryPlaces(tables)
        self.progress = InMemoryProgress(tables)

    def revision(self) -> int:
        """The number of transactions that changed what is searched."""
        return self._tables.revision

    def changed(self, since: int, model: EmbeddingModel | None) -> Iterator[IndexedBatch]:
        """Memories that changed after a revision, with the vectors of a model."""
        tables = self._tables
        ids = sorted(id for id, revision in tables.revisions.items() if revision > since)
        yield IndexedBatch.of(
            _to_indexed(
                tables.memories[id],
                tables.terms[id],
                tables.vectors.get((model, id)) if model else None,
                model,
            )
            for id in ids
            if id in tables.terms
        )

    def removed(self, since: int) -> list[str]:
        """Ids that were erased after a revision."""
        return [id for id, revision in self._tables.removals.items() if revision > since]

    def index(self, model: EmbeddingModel | None) -> None:
        """Every workspace is searched in memory."""

    def counts(self, now: datetime) -> Counts:
        """The counts of this workspace."""
        tables = self._tables
        live = [each for each in tables.memories.values() if each.state(now) is State.LIVE]
        return Counts(
            by_state=dict(Counter(each.state(now) for each in tables.memories.values())),
            by_type=dict(Counter(each.type for each in live)),
            by_scope=dict(Counter(each.scope for each in live)),
            associations=len(tables.associations),
            audit_entries=len(tables.audit),
            reviews=len(tables.reviews),
            indexed=len(tables.terms),
            vectors=_count_by_model(tables.vectors),
            token_codes=_count_by_model(tables.token_codes),
        )


class InMemoryStore:
    """Workspaces in dictionaries; a transaction works on a copy and swaps it in."""

    is_shared = False

    def __init__(self) -> None:
        self._workspaces: dict[str, WorkspaceTables] = {}
        self._writing = threading.Lock()
        self._keys = InMemoryKeys()
        self._closed = False

    def workspaces(self) -> list[str]:
        """The workspaces that were ever written to, by name."""
        self._check()
        return sorted(self._workspaces)

    def read(self, workspace: str) -> AbstractContextManager[InMemoryUnit]:
        """A consistent view of one workspace."""
        return join_read(self, workspace, self._begin_read)

    def write(self, workspace: str) -> AbstractContextManager[InMemoryUnit]:
        """A transaction: all of it is there when the block ends, or none of it ever was."""
        return join_write(self, workspace, self._begin_write)

    def keys(self) -> InMemoryKeys:
        """The keys of the whole store."""
        self._check()
        return self._keys

    def settle(self, workspace: str) -> None:
        """There is nothing to prepare: searches read what they need."""

    def purge(self) -> tuple[str, ...]:
        """Nothing deleted is left anywhere."""
        return ()

    def describe(self) -> Mapping[str, object]:
        """The backend; nothing is stored."""
        return {"backend": "memory"}

    def close(self) -> None:
        """Drop everything; closing again does nothing."""
        self._closed = True
        self._workspaces = {}

    @contextmanager
    def _begin_read(self, workspace: str) -> Iterator[InMemoryUnit]:
        self._check()
        yield InMemoryUnit(self._workspaces.get(workspace, WorkspaceTables()), workspace)

    @contextmanager
    def _begin_write(self, workspace: str) -> Iterator[InMemoryUnit]:
        self._check()
        with hold_lock(self._writing, WAIT_SECONDS, "the store in memory"):
            tables = self._workspaces.get(workspace, WorkspaceTables()).copy()
            tables.revision += 1
            yield InMemoryUnit(tables, workspace)
            refuse_late_commit("the store in memory")
            self._workspaces[workspace] = tables

    def _check(self) -> None:
        if self._closed:
            raise StoreClosed("the store in memory was closed; open a new one")


def _count_by_model(rows: Iterable[tuple[EmbeddingModel, str]]) -> dict[str, int]:
    return dict(Counter(f"{m.name} ({m.dims}, {m.revision})" for m, _ in rows))


def _to_indexed(
    memory: Memory, terms: bytes, vector: Vector | None, model: EmbeddingModel | None
) -> IndexedMemory:
    return IndexedMemory(
        id=memory.id,
        type=str(memory.type),
        scope=str(memory.scope),
        scope_id=memory.scope_id,
        agent=memory.agent,
        confidence=memory.confidence,
        importance=memory.importance,
        trust=str(memory.trust),
        updated_at=to_micros(memory.updated_at),
        valid_from=to_micros(memory.valid_from),
        valid_to=to_micros(memory.valid_to),
        expires_at=to_micros(memory.expires_at),
        superseded=memory.superseded_by is not None,
        forgotten=memory.forgotten,
        session=memory.origin.session,
        ordinal=memory.origin.ordinal,
        speaker=memory.origin.speaker,
        terms=terms,
        vector=None if vector is None or model is None else pack_vector(vector, model),
    )
