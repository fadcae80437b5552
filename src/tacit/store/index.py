"""A workspace that is searched where it lies, because it is too large to be held in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tacit.core.vectors import Vector
from tacit.store.indexed import IndexedBatch
from tacit.store.query import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """How much there was of everything when it was last counted; words are counted with repeats."""

    documents: int
    words: int
    sessions: int = 0
    session_words: int = 0
    vectors: int = 0
    mean: Vector | None = field(default=None, compare=False)


class Index(Protocol):
    """What the database finds by its own indexes in one workspace."""

    @property
    def census(self) -> Census:
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
