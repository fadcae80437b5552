"""A workspace in arrays."""

import threading
from collections.abc import Sequence

import numpy as np

from tacit.ranking.arrays import Flags, Integers
from tacit.ranking.signals import ABSENT
from tacit.search.corpus.columns import Columns
from tacit.search.corpus.growing import Growing
from tacit.search.corpus.matrix import Matrix
from tacit.search.corpus.names import ANYONE
from tacit.search.corpus.postings import Codes, Postings
from tacit.store import Indexed, Unit
from tacit.vector import Model

_PLACES = (-2, -1, 1, 2)


class Corpus:
    """Everything that is searched in one workspace; `lock` guards it while it is read or fed."""

    def __init__(self, model: Model | None) -> None:
        self.lock = threading.Lock()
        self.model = model
        self.columns = Columns()
        self.postings = Postings()
        self.matrix = Matrix(model.dims if model else 1)
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
        changed = list(unit.changed(self._revision, self.model))
        self._replace([each for each in changed if each.id in self._rows])
        self._append([each for each in changed if each.id not in self._rows])
        if self.postings.wants_rebuilding:
            self.postings.build(self._texts)
        self._revision = revision

    def around(self, rows: Integers, visible: Flags) -> Integers:
        """The rows said two and one places before, and one and two after, each of these rows."""
        found = self._beside.data[rows]
        return np.where((found != ABSENT) & visible[found], found, ABSENT)

    def _append(self, rows: Sequence[Indexed]) -> None:
        first, texts = len(self._ids), [_codes(row) for row in rows]
        if not rows:
            return
        self._resize(first + len(rows))
        self._ids += [row.id for row in rows]
        self._rows |= {row.id: first + place for place, row in enumerate(rows)}
        self._texts += texts
        self._put(first, rows)
        if first == 0:
            self.postings.build(self._texts)
        else:
            for place, text in enumerate(texts):
                self.postings.put(first + place, text)

    def _replace(self, rows: Sequence[Indexed]) -> None:
        for row in rows:
            place, text = self._rows[row.id], _codes(row)
            self._put(place, [row])
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

    def _put(self, first: int, rows: Sequence[Indexed]) -> None:
        self.columns.put(first, rows)
        if self.model is not None:
            self.matrix.put(first, [row.vector for row in rows])
        self._beside.data[first : first + len(rows)] = ABSENT
        sessions = self.columns.session.data[first : first + len(rows)].tolist()
        for place, (session, row) in enumerate(zip(sessions, rows, strict=True), start=first):
            if session != ANYONE and row.ordinal is not None:
                self._seat(place, session, row.ordinal)

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


def _codes(row: Indexed) -> Codes:
    return np.frombuffer(row.terms, "<u8")
