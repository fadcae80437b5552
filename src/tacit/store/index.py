"""How search reads a store: memories in columns, and the index of a large workspace."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self

from tacit.core.vectors import Vector
from tacit.store.query import Query


class IndexedMemory(NamedTuple):
    """The fields that find, filter and rank a memory; times are microseconds since 1970.

    `terms` are packed codes, `vector` half-precision floats of the model that was asked for.
    """

    id: str
    type: str
    scope: str
    scope_id: str
    agent: str | None
    confidence: float
    importance: float
    trust: str
    updated_at: int
    valid_from: int | None
    valid_to: int | None
    expires_at: int | None
    superseded: bool
    forgotten: bool
    session: str | None
    ordinal: int | None
    speaker: str | None
    terms: bytes
    vector: bytes | None


class IndexedBatch:
    """Many memories, field by field, so that a hundred thousand become arrays in one step."""

    def __init__(self, columns: Sequence[Sequence[Any]]) -> None:
        self._columns = dict(zip(IndexedMemory._fields, columns, strict=True))

    @classmethod
    def of(cls, rows: Iterable[Sequence[Any]]) -> Self:
        """Rows that have the fields of `Indexed`, turned by ninety degrees."""
        columns = list(zip(*rows, strict=True))
        return cls(columns or [()] * len(IndexedMemory._fields))

    def __len__(self) -> int:
        return len(self._columns["id"])

    def __iter__(self) -> Iterator[IndexedMemory]:
        return map(IndexedMemory._make, zip(*self._columns.values(), strict=True))

    def column(self, name: str) -> Sequence[Any]:
        """One field of all rows."""
        return self._columns[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatistics:
    """The statistics of an index when they were last taken; repeated words count each time."""

    documents: int
    words: int
    sessions: int = 0
    session_words: int = 0
    vectors: int = 0
    mean: Vector | None = field(default=None, compare=False)
    sample: Sequence[Vector] = field(default=(), compare=False)


class DatabaseIndex(Protocol):
    """The database's own index of one workspace that is too large for memory."""

    @property
    def statistics(self) -> IndexStatistics:
        """The statistics that rank what is found."""

    def document_frequencies(self, codes: Sequence[int]) -> Mapping[int, int]:
        """How many memories hold each of these terms, as far as they were counted."""

    def find_by_terms(self, codes: Sequence[int], query: Query) -> IndexedBatch:
        """The memories that match the query and hold any of these terms.

        Only their ids, sessions and terms are filled in.
        """

    def session_words(self, sessions: Sequence[str]) -> Mapping[str, int]:
        """The number of words of each of these sessions."""

    def find_nearest(self, vector: Vector, query: Query, most: int) -> list[str]:
        """The memories that match the query whose vectors are nearest, nearest first."""

    def load_with_neighbours(self, ids: Sequence[str], places: int) -> IndexedBatch:
        """These memories with vectors, and those said up to `places` before or after them."""
