"""A large workspace searched by the indexes that the server has of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pgvector import HalfVector
from psycopg import sql

from tacit.core.vectors import EmbeddingModel, Vector
from tacit.store.index import Census
from tacit.store.indexed import Indexed, IndexedBatch
from tacit.store.postgres.binary import to_packed
from tacit.store.postgres.changes import to_batch
from tacit.store.postgres.connections import Connection
from tacit.store.postgres.memories import filters
from tacit.store.query import Query
from tacit.store.sql.statements import statements

_SQL = statements(__package__, "index")
_LEAST_EF = 200
_MOST_EF = 1_000
_EF_PER_HIT = 4
_VECTORS_PER_EF = 2_500
_MOST_UNCOUNTED = 1_000
_UNTOLD = {"confidence": 1.0, "importance": 0.0, "updated_at": 0}
_SIGNED = 1 << 63
_ALL = 1 << 64


class PostgresIndex:
    """The indexes of one workspace, on one connection."""

    def __init__(
        self,
        connection: Connection,
        workspace: int,
        census: Census,
        model: EmbeddingModel | None,
        number: int | None,
    ) -> None:
        self._connection = connection
        self._names = {
            "workspace": sql.Literal(workspace),
            "model": sql.Literal(number or 0),
            "dims": sql.Literal(model.dims if model else 1),
            "columns": sql.SQL(_SQL["columns"]),
        }
        self.census = census
        self._breadth = min(max(_LEAST_EF, census.vectors // _VECTORS_PER_EF), _MOST_EF)
        self._rows("steer", breadth=str(self._breadth))

    def commonness(self, codes: Sequence[int]) -> Mapping[int, int]:
        """How many memories hold each of these terms, as far as they were counted."""
        signed = {_signed(code) for code in codes}
        counted = dict(self._rows("commonness", codes=list(signed)))
        if missing := signed - counted.keys():
            uncounted = self._rows("uncounted", codes=list(missing), limit=_MOST_UNCOUNTED)
            counted.update(uncounted)
        return {code % _ALL: documents for code, documents in counted.items()}

    def session_words(self, sessions: Sequence[str]) -> Mapping[str, int]:
        """How many words were said in these sessions."""
        return dict(self._rows("session_words", sessions=list(sessions)))

    def holding(self, codes: Sequence[int], query: Query) -> IndexedBatch:
        """Memories that pass the query's filters and hold any of these terms."""
        if not codes:
            return IndexedBatch.of([])
        rows = self._filtered("holding", query, codes=[_signed(code) for code in codes])
        ids, sessions, terms = zip(*rows, strict=True) if rows else ((), (), ())
        return _matches(ids, sessions, to_packed(terms))

    def nearest(self, vector: Vector, query: Query, most: int) -> list[str]:
        """Memories that pass the query's filters, by how near their vectors are, nearest first."""
        if _EF_PER_HIT * most > self._breadth:
            self._rows("steer", breadth=str(min(_EF_PER_HIT * most, _MOST_EF)))
        rows = self._filtered("nearest", query, vector=HalfVector(list(vector)), limit=most)
        return [id for (id,) in rows]

    def these(self, ids: Sequence[str], places: int) -> IndexedBatch:
        """These memories and what was said so many places around them, with vectors."""
        return to_batch(self._rows("these", ids=list(ids), places=places))

    def _filtered(self, name: str, query: Query, **bindings: Any) -> list[tuple[Any, ...]]:
        clause, values = filters(query)
        return self._rows(name, clause, **values, **bindings)

    def _rows(self, name: str, filters: str = "true", **bindings: Any) -> list[tuple[Any, ...]]:
        text = sql.SQL(_SQL[name]).format(**self._names, filters=sql.SQL(filters))
        with self._connection.cursor(binary=True) as cursor:
            return cursor.execute(text, bindings).fetchall()


def _matches(
    ids: Sequence[str], sessions: Sequence[str | None], terms: Sequence[bytes]
) -> IndexedBatch:
    """Memories of which nothing else was asked."""
    told = {"id": ids, "session": sessions, "terms": terms}
    return IndexedBatch(
        [told.get(name) or [_UNTOLD.get(name)] * len(ids) for name in Indexed._fields]
    )


def _signed(code: int) -> int:
    return code - _ALL if code >= _SIGNED else code
