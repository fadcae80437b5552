"""The vectors of a workspace, and how near each is to a query."""

from collections.abc import Mapping, Sequence

import numpy as np

from tacit.core.vectors import limit_blas_threads
from tacit.search.corpus.growing import Growing
from tacit.search.ranking.arrays import Flags, Floats, Integers
from tacit.store.index import Census

EXACT_LIMIT = 40_000
"""Up to so many memories every vector is compared; beyond, signs choose which.

Of the 50 nearest of 29,605 real texts the signs then keep .9996, in less time from here on.
"""
RERANKED = 2_000
"""How many vectors the signs choose, at least."""


_IMAGINED = 20
_ORDINARY_COSINE = 0.05


class Matrix:
    """Unit vectors in rows; a row without a vector is zero."""

    def __init__(self, dims: int, census: Census | None = None) -> None:
        self._rows = Growing(np.float32, dims)
        self._signs = [Growing(np.uint64) for _ in range(-(-dims // 64))]
        self._has = Growing(bool)
        self._total = np.zeros(dims)
        self._dims = dims
        self._census = census

    @property
    def nbytes(self) -> int:
        """Memory that is taken."""
        return self._rows.nbytes + sum(column.nbytes for column in self._signs)

    @property
    def filled(self) -> int:
        """How many memories have a vector."""
        if self._census is not None:
            return self._census.vectors
        return int(np.count_nonzero(self._has.data))

    def lacking(self, rows: Flags) -> int:
        """How many of the marked rows have no vector."""
        return int(np.count_nonzero(rows & ~self._has.data))

    def resize(self, size: int) -> None:
        """Make room for so many rows."""
        for array in (self._rows, *self._signs, self._has):
            array.resize(size)

    def put(self, first: int, vectors: Sequence[bytes | None]) -> None:
        """Set rows from `first` on, from half-precision floats or nothing."""
        empty = bytes(2 * self._dims)
        packed = b"".join(vector or empty for vector in vectors)
        rows = np.frombuffer(packed, "<f2").reshape(-1, self._dims).astype(np.float32)
        span = slice(first, first + len(vectors))
        with limit_blas_threads():
            each = np.ones(len(rows), np.float32)
            self._total += each @ rows - each @ self._rows.data[span]
        self._rows.data[span] = rows
        for column, signs in zip(self._signs, _signs(rows).T, strict=True):
            column.data[span] = signs
        self._has.data[span] = [vector is not None for vector in vectors]

    def clear(self, row: int) -> None:
        """Take a row out."""
        self.put(row, [None])

    def vectors(self, rows: Mapping[str, int]) -> dict[str, Floats]:
        """The vectors of named rows that have one."""
        return {name: self._rows.data[row] for name, row in rows.items() if self._has.data[row]}

    def background(self, query: Floats) -> float:
        """The cosine that the average memory has to the query.

        A few memories do not tell, and one alone would be its own average, so a few ordinary ones
        are imagined beside them.
        """
        total = self._sum_of_cosines(query) + _IMAGINED * _ORDINARY_COSINE
        return total / (self.filled + _IMAGINED)

    def _sum_of_cosines(self, query: Floats) -> float:
        if self._census is None:
            return float(self._total @ query)
        if self._census.mean is None:
            return 0.0
        return self._census.vectors * float(np.asarray(self._census.mean, np.float32) @ query)

    def nearest(self, query: Floats, visible: Flags, count: int) -> tuple[Integers, Floats]:
        """The rows nearest to a query among the visible ones, best first, with their cosines."""
        rows = self._worth_comparing(query, visible & self._has.data, count)
        cosines = self.cosines(rows, query)
        best = _largest(cosines, count)
        return rows[best], cosines[best]

    def cosines(self, rows: Integers, query: Floats) -> Floats:
        """The cosines of some rows to a query; where they are many, gathering costs more."""
        everything = self._rows.data
        are_many = len(rows) * 4 > len(everything)
        with limit_blas_threads():
            found: Floats = (everything @ query)[rows] if are_many else everything[rows] @ query
        return found

    def known(self, rows: Integers) -> Flags:
        """Which of the rows have a vector."""
        found: Flags = self._has.data[rows]
        return found

    def _worth_comparing(self, query: Floats, visible: Flags, count: int) -> Integers:
        rows = np.flatnonzero(visible)
        if len(rows) <= EXACT_LIMIT:
            return rows
        differing = self._differing(query)[rows]
        wanted = max(RERANKED, 20 * count)
        most = int(np.searchsorted(np.cumsum(np.bincount(differing)), wanted))
        return rows[differing <= most]

    def _differing(self, query: Floats) -> Integers:
        """How many signs of each row differ from the query's; a column at a time is fastest."""
        total = np.zeros(len(self._has.data), np.int16)
        for column, sign in zip(self._signs, _signs(query[np.newaxis])[0], strict=True):
            total += np.bitwise_count(column.data ^ sign)
        return total


def _signs(rows: Floats) -> Integers:
    bits = np.packbits(rows > 0, axis=1)
    spare = -bits.shape[1] % 8
    return np.pad(bits, ((0, 0), (0, spare))).view(np.uint64)


def _largest(values: Floats | Integers, count: int) -> Integers:
    """Positions of the largest values, largest first; equal ones in order of position."""
    if len(values) > count:
        chosen = np.sort(np.argpartition(-values, count - 1)[:count])
    else:
        chosen = np.arange(len(values))
    return chosen[np.argsort(-values[chosen], kind="stable")]
