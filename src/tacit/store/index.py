"""How search reads a store: memories in columns, and the index of a large workspace."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self

from tacit.core.vectors import Vector
from tacit.store.query import Query


class IndexedMemory(NamedTuple):
    """What filters, ranks and finds a memory; times are microseconds since 1970.

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
    """Many of them, field by field: a hundred thousand become arrays without a step for each."""

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
    """How much there was of everything when it was last counted; words are counted with repeats."""

    documents: int
    words: int
    sessions: int = 0
    session_words: int = 0
    vectors: int = 0
    mean: Vector | None = field(default=None, compare=False)


class DatabaseIndex(Protocol):
    """What the database finds by its own indexes in one workspace."""

    @property
    def census(self) -> IndexStatistics:
        """The counts that rank what is found."""

    def commonness(self, codes: Sequence[int]) -> Mapping[int, int]:
        """How many memories hold each of these terms, as far as they were counted."""

    def holding(self, codes: Sequence[int], query: Query) -> IndexedBatch:
        """Memories that pass the query's filters and hold any of these terms.

        Of their fields only the id, the session and the terms are told.
        """

    def session_words(self, sessions: Sequence[str]) -> Mapping[str, int]:
        """How many words were said in these sessions."""

    def nearest(self, vector: Vector, query: Query, most: int) -> list[str]:
        """Memories that pass the query's filters, by how near their vectors are, nearest first."""

    def these(self, ids: Sequence[str], places: int) -> IndexedBatch:
        """These memories and what was said so many places around them, with vectors."""
