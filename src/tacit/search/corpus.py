"""One workspace as arrays in memory: derived from the store and refreshed by its revisions."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacit.core.kinds import Owner, Scope
from tacit.core.times import to_micros
from tacit.core.vectors import EmbeddingModel
from tacit.search.filter import Filter
from tacit.search.indexes import GrowingArray, Postings, TermCodes, TokenCodes, VectorMatrix
from tacit.search.ranking import ABSENT, Flags, Floats, Integers
from tacit.store.index import IndexedBatch, IndexedMemory, IndexStatistics
from tacit.store.protocols.store import UnitOfWork

ANYONE = -1
_UNKNOWN_NAME = -2


class NameCodes:
    """Gives every name a number; ANYONE stands for no name."""

    def __init__(self) -> None:
        self._numbers: dict[str | None, int] = {None: ANYONE}

    def numbers(self, names: Sequence[str | None]) -> Integers:
        """The numbers of names; new names get new numbers."""
        for name in dict.fromkeys(names):
            self._numbers.setdefault(name, len(self._numbers) - 1)
        return np.fromiter(map(self._numbers.__getitem__, names), np.int64, len(names))

    def number_of(self, name: str) -> int:
        """The number of a name; a name that was never seen matches nothing."""
        return self._numbers.get(name, _UNKNOWN_NAME)

    def items(self) -> list[tuple[str, int]]:
        """Every name with its number."""
        return [(name, number) for name, number in self._numbers.items() if name is not None]

    def __len__(self) -> int:
        return len(self._numbers) - 1


_ALWAYS = np.iinfo(np.int64)


class Columns:
    """One row per memory, in the order they came."""

    def __init__(self) -> None:
        self.names = {
            name: NameCodes() for name in ("type", "scope", "owner", "agent", "trust", "speaker")
        }
        self.sessions = NameCodes()
        self.alive = GrowingArray(bool)
        self.type = GrowingArray(np.int16)
        self.scope = GrowingArray(np.int16)
        self.owner = GrowingArray(np.int32)
        self.agent = GrowingArray(np.int32)
        self.trust = GrowingArray(np.int16)
        self.speaker = GrowingArray(np.int32)
        self.session = GrowingArray(np.int32)
        self.ordinal = GrowingArray(np.int64)
        self.confidence = GrowingArray(np.float32)
        self.importance = GrowingArray(np.float32)
        self.updated = GrowingArray(np.int64)
        self.starts = GrowingArray(np.int64)
        self.ends = GrowingArray(np.int64)
        self.length = GrowingArray(np.int32)

    def resize(self, size: int) -> None:
        """Make room for this many rows."""
        for column in vars(self).values():
            if isinstance(column, GrowingArray):
                column.resize(size)

    def put(self, first: int, batch: IndexedBatch) -> None:
        """Set rows from `first` on."""
        span = slice(first, first + len(batch))
        for column, field, names in (
            (self.type, "type", self.names["type"]),
            (self.scope, "scope", self.names["scope"]),
            (self.owner, "scope_id", self.names["owner"]),
            (self.agent, "agent", self.names["agent"]),
            (self.trust, "trust", self.names["trust"]),
            (self.speaker, "speaker", self.names["speaker"]),
            (self.session, "session", self.sessions),
        ):
            column.data[span] = names.numbers(batch.column(field))
        for column, field in (
            (self.confidence, "confidence"),
            (self.importance, "importance"),
            (self.updated, "updated_at"),
        ):
            column.data[span] = batch.column(field)
        self.ordinal.data[span] = _fill_missing(batch.column("ordinal"), ANYONE)
        self.starts.data[span] = _fill_missing(batch.column("valid_from"), _ALWAYS.min)
        self.ends.data[span] = np.minimum(
            _fill_missing(batch.column("valid_to"), _ALWAYS.max),
            _fill_missing(batch.column("expires_at"), _ALWAYS.max),
        )
        gone = np.array(batch.column("superseded"), bool) | np.array(
            batch.column("forgotten"), bool
        )
        self.alive.data[span] = ~gone
        self.length.data[span] = [len(terms) // 8 for terms in batch.column("terms")]

    def visible(self, filter: Filter) -> Flags:
        """Which rows a search may see."""
        now = to_micros(filter.now)
        seen = self.alive.data & (self.starts.data <= now) & (self.ends.data > now)
        if filter.types is not None:
            wanted = [self.names["type"].number_of(type) for type in filter.types]
            seen &= np.isin(self.type.data, wanted)
        for owned in self._find_owned(filter):
            seen &= owned
        if filter.agent is not None:
            agent = self.names["agent"].number_of(filter.agent)
            seen &= (self.agent.data == ANYONE) | (self.agent.data == agent)
        viewer = filter.query().viewer
        if filter.owners is None and (viewer.is_bound or viewer.is_inside):
            seen &= self._outside_other_sessions(viewer.session)
        if filter.trust is not None:
            seen &= self.trust.data == self.names["trust"].number_of(filter.trust)
        if filter.min_confidence > 0:
            seen &= self.confidence.data >= filter.min_confidence
        return np.asarray(seen)

    def _find_owned(self, filter: Filter) -> Iterator[Flags]:
        """Which rows belong to whom they must, by each condition of a filter."""
        if filter.scope is not None:
            yield self.scope.data == self.names["scope"].number_of(filter.scope)
        if filter.scope_id is not None:
            yield self.owner.data == self.names["owner"].number_of(filter.scope_id)
        if filter.owners is not None:
            yield self._owned(filter.owners)
        if filter.user is not None:
            yield self._shown_to(filter.user)
        if filter.project is not None:
            outside = self.scope.data != self.names["scope"].number_of(Scope.PROJECT)
            yield outside | self._owned([(Scope.PROJECT, filter.project)])

    def _shown_to(self, user: str) -> Flags:
        """Which rows a user may see: of users' memories, their own and those without an owner."""
        own = self._owned([(Scope.USER, ""), (Scope.USER, user)])
        return np.asarray(own | (self.scope.data != self.names["scope"].number_of(Scope.USER)))

    def _outside_other_sessions(self, session: str | None) -> Flags:
        """Which rows belong to no session, or to the one that is looked at."""
        outside = self.scope.data != self.names["scope"].number_of(Scope.SESSION)
        if session is not None:
            return np.asarray(outside | self._owned([(Scope.SESSION, session)]))
        return np.asarray(outside)

    def _owned(self, owners: Sequence[Owner]) -> Flags:
        """Which rows belong to one of these owners."""
        owned = np.zeros(len(self.owner.data), bool)
        for scope, id in owners:
            scoped = self.scope.data == self.names["scope"].number_of(scope)
            owned |= scoped & (self.owner.data == self.names["owner"].number_of(id))
        return np.asarray(owned)


def _fill_missing(values: Sequence[int | None], default: int) -> Integers:
    """Numbers, with a default where one is missing."""
    return np.array([default if value is None else value for value in values], np.int64)


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """Statistics of a whole workspace of which a corpus holds only an excerpt.

    They cover the terms and sessions that matter to the query. `session_scores` say how well whole
    sessions match, where they were scored with more than the excerpt.
    """

    totals: IndexStatistics
    document_frequencies: Mapping[int, int]
    session_words: Mapping[str, int]
    session_scores: Mapping[str, float] | None = None


_PLACES = (-2, -1, 1, 2)


class Corpus:
    """Everything that is searched in one workspace; `lock` guards reads and updates.

    An excerpt of a workspace has the `statistics` of the whole.
    """

    def __init__(
        self, model: EmbeddingModel | None, statistics: CorpusStatistics | None = None
    ) -> None:
        self.lock = threading.Lock()
        self.model = model
        self.statistics = statistics
        self.columns = Columns()
        self.postings = Postings()
        totals = statistics.totals if statistics else None
        self.matrix = VectorMatrix(model.dims if model else 1, totals)
        self.tokens = TokenCodes()
        self._revision = 0
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}
        self._texts: list[TermCodes] = []
        self._said: dict[tuple[int, int], int] = {}
        self._neighbours = GrowingArray(np.int32, len(_PLACES))

    @property
    def nbytes(self) -> int:
        """Memory in use, roughly."""
        indexes = self.matrix.nbytes + 2 * self.postings.nbytes + self.tokens.nbytes
        return indexes + 400 * len(self._ids)

    @property
    def revision(self) -> int:
        """The revision of the store that this corpus reflects."""
        return self._revision

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the rows."""
        return self._ids

    def row(self, id: str) -> int | None:
        """The row of a memory."""
        return self._rows.get(id)

    def refresh(self, unit: UnitOfWork) -> None:
        """Read what changed in the store since the last refresh."""
        revision = unit.revision()
        if revision <= self._revision:
            return
        for id in unit.removed(self._revision):
            self._remove(id)
        for batch in unit.changed(self._revision, self.model):
            self.add(batch)
        if self.postings.needs_rebuild:
            self.postings.build(self._texts)
        self._revision = revision

    def size(self) -> tuple[int, float]:
        """How many live memories there are, and their mean length in words."""
        if self.statistics is not None:
            totals = self.statistics.totals
            return totals.documents, totals.words / max(totals.documents, 1)
        alive = self.columns.alive.data
        documents = int(np.count_nonzero(alive))
        return documents, float(self.columns.length.data.sum(where=alive)) / max(documents, 1)

    def sessions(self) -> tuple[Floats, int, float]:
        """The words of each session by its number, how many have any, and their mean length."""
        count = len(self.columns.sessions)
        if self.statistics is not None:
            totals, words = self.statistics.totals, self.statistics.session_words
            average = totals.session_words / max(totals.sessions, 1)
            held = [words.get(name, average) for name, _ in self.columns.sessions.items()]
            return np.array(held), totals.sessions, average
        session = self.columns.session.data
        within = self.columns.alive.data & (session >= 0)
        lengths = np.bincount(session[within], self.columns.length.data[within], count) * 1.0
        filled = int(np.count_nonzero(lengths))
        return lengths, filled, float(lengths.sum()) / max(filled, 1)

    def count_without_vector(self, visible: Flags) -> int:
        """How many of the visible memories have no vector."""
        if self.statistics is not None:
            return max(self.statistics.totals.documents - self.statistics.totals.vectors, 0)
        return self.matrix.count_without_vector(visible)

    def neighbours(self, rows: Integers, visible: Flags) -> Integers:
        """The rows said two and one places before, and one and two after, each row."""
        found = self._neighbours.data[rows]
        return np.where((found != ABSENT) & visible[found], found, ABSENT)

    def add(self, batch: IndexedBatch) -> None:
        """Append new memories at once, and replace known ones one by one."""
        if self._rows.keys().isdisjoint(batch.column("id")):
            self._append(batch)
            return
        rows = list(batch)
        for row in rows:
            if row.id in self._rows:
                self._replace(row)
        self._append(IndexedBatch.of(row for row in rows if row.id not in self._rows))

    def _append(self, batch: IndexedBatch) -> None:
        if not len(batch):
            return
        first, texts = len(self._ids), [_unpack_terms(terms) for terms in batch.column("terms")]
        self._resize(first + len(batch))
        self._ids += batch.column("id")
        self._rows.update(zip(batch.column("id"), range(first, len(self._ids)), strict=True))
        self._texts += texts
        self._put(first, batch)
        self.postings.append(first, texts)

    def _replace(self, row: IndexedMemory) -> None:
        place, text = self._rows[row.id], _unpack_terms(row.terms)
        self.tokens.drop(place)
        self._put(place, IndexedBatch.of([row]))
        if len(text) != len(self._texts[place]) or (text != self._texts[place]).any():
            self._texts[place] = text
            self.postings.put(place, text)

    def _remove(self, id: str) -> None:
        place = self._rows.pop(id, None)
        if place is None:
            return
        self._ids[place] = ""
        self._texts[place] = self._texts[place][:0]
        self.columns.alive.data[place] = False
        self.columns.length.data[place] = 0
        self.matrix.clear(place)
        self.tokens.drop(place)
        self.postings.put(place, self._texts[place])

    def _put(self, first: int, batch: IndexedBatch) -> None:
        self.columns.put(first, batch)
        if self.model is not None:
            self.matrix.put(first, batch.column("vector"))
        span = slice(first, first + len(batch))
        self._neighbours.data[span] = ABSENT
        sessions = self.columns.session.data[span]
        placed = (sessions != ANYONE) & (self.columns.ordinal.data[span] != ANYONE)
        for place in np.flatnonzero(placed).tolist():
            ordinal = int(self.columns.ordinal.data[first + place])
            self._link_neighbours(first + place, int(sessions[place]), ordinal)

    def _link_neighbours(self, row: int, session: int, ordinal: int) -> None:
        """Link a row with the rows that were said around it."""
        self._said[session, ordinal] = row
        beside = self._neighbours.data
        for column, distance in enumerate(_PLACES):
            other = self._said.get((session, ordinal + distance), ABSENT)
            beside[row, column] = other
            if other != ABSENT:
                beside[other, -1 - column] = row

    def _resize(self, size: int) -> None:
        self.columns.resize(size)
        self.matrix.resize(size)
        self._neighbours.resize(size)


def _unpack_terms(terms: bytes) -> TermCodes:
    return np.frombuffer(terms, "<u8")


_MOST_BYTES = 2_000_000_000


class CorpusCache:
    """The corpora in memory, one per workspace; the least used are dropped.

    A workspace has one model whose vectors serve. When another one takes over, its corpus replaces
    that of the former; a corpus without vectors, for searches by words, stays beside it.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[str, EmbeddingModel | None], Corpus] = OrderedDict()

    def get(self, unit: UnitOfWork, model: EmbeddingModel | None) -> Corpus:
        """The corpus of a workspace, refreshed to the unit's view of the store."""
        key = (unit.workspace, model)
        with self._lock:
            if key not in self._held:
                for other in [each for each in self._held if _is_former(each, key)]:
                    del self._held[other]
            corpus = self._held.setdefault(key, Corpus(model))
            self._held.move_to_end(key)
        with corpus.lock:
            corpus.refresh(unit)
        self._drop_least_used()
        return corpus

    def find(self, workspace: str, model: EmbeddingModel | None) -> Corpus | None:
        """The corpus of a workspace with the vectors of a model, if it is in memory."""
        with self._lock:
            return self._held.get((workspace, model))

    def _drop_least_used(self) -> None:
        with self._lock:
            total = sum(corpus.nbytes for corpus in self._held.values())
            while total > self._most_bytes and len(self._held) > 1:
                _, dropped = self._held.popitem(last=False)
                total -= dropped.nbytes


_CorpusKey = tuple[str, EmbeddingModel | None]


def _is_former(held: _CorpusKey, wanted: _CorpusKey) -> bool:
    """Whether a corpus has the vectors of a model that no longer serves its workspace."""
    return held[0] == wanted[0] and None not in (held[1], wanted[1])
