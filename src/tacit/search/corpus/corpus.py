"""A workspace in arrays."""

import threading
from collections.abc import Sequence

import numpy as np

from tacit.core.vectors import EmbeddingModel
from tacit.search.corpus.columns import Columns
from tacit.search.corpus.counted import Counted
from tacit.search.corpus.growing import Growing
from tacit.search.corpus.matrix import Matrix
from tacit.search.corpus.names import ANYONE
from tacit.search.corpus.postings import Codes, Postings
from tacit.search.ranking.arrays import Flags, Floats, Integers
from tacit.search.ranking.signals import ABSENT
from tacit.store.indexed import Indexed, IndexedBatch
from tacit.store.protocols.unit import Unit

_PLACES = (-2, -1, 1, 2)


class Corpus:
    """Everything that is searched in one workspace; `lock` guards it while it is read or fed.

    An excerpt of a workspace knows by `counted` what the whole is like.
    """

    def __init__(self, model: EmbeddingModel | None, counted: Counted | None = None) -> None:
        self.lock = threading.Lock()
        self.model = model
        self.counted = counted
        self.columns = Columns()
        self.postings = Postings()
        census = counted.census if counted else None
        self.matrix = Matrix(model.dims if model else 1, census)
        self._revision = 0
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}
        self._texts: list[Codes] = []
        self._said: dict[tuple[int, int], int] = {}
        self._beside = Growing(np.int32, len(_PLACES))

    @property
    def nbytes(self) -> int:
        """Memory that is taken, roughly."""
        return self.matrix.nbytes + 2 * self.postings.nbytes + 400 * len(self._ids)

    @property
    def revision(self) -> int:
        """The store's revision that it is as fresh as."""
        return self._revision

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the rows."""
        return self._ids

    def row(self, id: str) -> int | None:
        """The row of a memory."""
        return self._rows.get(id)

    def refresh(self, unit: Unit) -> None:
        """Take in what changed in the store since the last time."""
        revision = unit.revision()
        if revision <= self._revision:
            return
        for id in unit.removed(self._revision):
            self._remove(id)
        for batch in unit.changed(self._revision, self.model):
            self.take(batch)
        if self.postings.wants_rebuilding:
            self.postings.build(self._texts)
        self._revision = revision

    def size(self) -> tuple[int, float]:
        """How many live memories there are, and how many words each has on average."""
        if self.counted is not None:
            census = self.counted.census
            return census.documents, census.words / max(census.documents, 1)
        alive = self.columns.alive.data
        documents = int(np.count_nonzero(alive))
        return documents, float(self.columns.length.data.sum(where=alive)) / max(documents, 1)

    def sessions(self) -> tuple[Floats, int, float]:
        """The words of each session by its number, how many sessions have any, and their mean."""
        count = len(self.columns.sessions)
        if self.counted is not None:
            census, words = self.counted.census, self.counted.session_words
            average = census.session_words / max(census.sessions, 1)
            held = [words.get(name, average) for name, _ in self.columns.sessions.items()]
            return np.array(held), census.sessions, average
        session = self.columns.session.data
        within = self.columns.alive.data & (session >= 0)
        lengths = np.bincount(session[within], self.columns.length.data[within], count) * 1.0
        filled = int(np.count_nonzero(lengths))
        return lengths, filled, float(lengths.sum()) / max(filled, 1)

    def lacking(self, visible: Flags) -> int:
        """How many of the memories that may be seen have no vector."""
        if self.counted is not None:
            return max(self.counted.census.documents - self.counted.census.vectors, 0)
        return self.matrix.lacking(visible)

    def around(self, rows: Integers, visible: Flags) -> Integers:
        """The rows said two and one places before, and one and two after, each of these rows."""
        found = self._beside.data[rows]
        return np.where((found != ABSENT) & visible[found], found, ABSENT)

    def take(self, batch: IndexedBatch) -> None:
        """Add what is new at once, and replace what is known one by one."""
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
        first, texts = len(self._ids), [_codes(terms) for terms in batch.column("terms")]
        self._resize(first + len(batch))
        self._ids += batch.column("id")
        self._rows.update(zip(batch.column("id"), range(first, len(self._ids)), strict=True))
        self._texts += texts
        self._put(first, batch)
        self.postings.append(first, texts)

    def _replace(self, row: Indexed) -> None:
        place, text = self._rows[row.id], _codes(row.terms)
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
        self.postings.put(place, self._texts[place])

    def _put(self, first: int, batch: IndexedBatch) -> None:
        self.columns.put(first, batch)
        if self.model is not None:
            self.matrix.put(first, batch.column("vector"))
        span = slice(first, first + len(batch))
        self._beside.data[span] = ABSENT
        sessions = self.columns.session.data[span]
        placed = (sessions != ANYONE) & (self.columns.ordinal.data[span] != ANYONE)
        for place in np.flatnonzero(placed).tolist():
            ordinal = int(self.columns.ordinal.data[first + place])
            self._seat(first + place, int(sessions[place]), ordinal)

    def _seat(self, row: int, session: int, ordinal: int) -> None:
        """Note what was said around a row, and the row at what was said around it."""
        self._said[session, ordinal] = row
        beside = self._beside.data
        for column, distance in enumerate(_PLACES):
            other = self._said.get((session, ordinal + distance), ABSENT)
            beside[row, column] = other
            if other != ABSENT:
                beside[other, -1 - column] = row

    def _resize(self, size: int) -> None:
        self.columns.resize(size)
        self.matrix.resize(size)
        self._beside.resize(size)


def _codes(terms: bytes) -> Codes:
    return np.frombuffer(terms, "<u8")
