"""Workspaces too large for memory: indexes of their own, built beside the searches, and searched.

An index over everybody's vectors finds little for one tenant among many; one that holds a single
workspace has no such trouble, and the thousands of small workspaces cost no index at all.
"""

import logging
import threading
import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

import psycopg
from pgvector import HalfVector
from psycopg import sql

from tacit.core.errors import StoreClosed
from tacit.core.vectors import EmbeddingModel, GenerationState, Vector
from tacit.language.terms import signed_term_code
from tacit.runtime.workers import Worker
from tacit.settings.server import PostgresSettings
from tacit.store.index import IndexedBatch, IndexedMemory, IndexStatistics
from tacit.store.postgres.connections import Connection, Connections
from tacit.store.postgres.memories import decode_terms, to_filter_clause, to_indexed_batch
from tacit.store.query import Query
from tacit.store.sql.table import load_queries

_INDEX_QUERIES = load_queries(__package__, "index")
_LEAST_EF = 200
_MOST_EF = 1_000
_EF_PER_HIT = 4
_VECTORS_PER_EF = 2_500
_MOST_UNCOUNTED = 1_000
_DEFAULTS = {"confidence": 1.0, "importance": 0.0, "updated_at": 0}
_SIGN_LIMIT = 1 << 63
_CODE_COUNT = 1 << 64


class PostgresIndex:
    """The indexes of one workspace, on one connection."""

    def __init__(
        self,
        connection: Connection,
        workspace: int,
        statistics: IndexStatistics,
        model: EmbeddingModel | None,
        number: int | None,
    ) -> None:
        self._connection = connection
        self._names = {
            "workspace": sql.Literal(workspace),
            "model": sql.Literal(number or 0),
            "dims": sql.Literal(model.dims if model else 1),
            "columns": sql.SQL(_INDEX_QUERIES["columns"]),
        }
        self.statistics = statistics
        self._breadth = min(max(_LEAST_EF, statistics.vectors // _VECTORS_PER_EF), _MOST_EF)
        self._rows("steer", breadth=str(self._breadth))

    def document_frequencies(self, codes: Sequence[int]) -> Mapping[int, int]:
        """How many memories hold each of these terms, as far as they were counted."""
        signed = {_to_signed(code) for code in codes}
        counted = dict(self._rows("commonness", codes=list(signed)))
        if missing := signed - counted.keys():
            uncounted = self._rows("uncounted", codes=list(missing), limit=_MOST_UNCOUNTED)
            counted.update(uncounted)
        return {code % _CODE_COUNT: documents for code, documents in counted.items()}

    def session_words(self, sessions: Sequence[str]) -> Mapping[str, int]:
        """The number of words of each of these sessions."""
        return dict(self._rows("session_words", sessions=list(sessions)))

    def find_by_terms(self, codes: Sequence[int], query: Query) -> IndexedBatch:
        """The memories that match the query and hold any of these terms."""
        if not codes:
            return IndexedBatch.of([])
        rows = self._filtered("holding", query, codes=[_to_signed(code) for code in codes])
        ids, sessions, terms = zip(*rows, strict=True) if rows else ((), (), ())
        return _to_matches(ids, sessions, decode_terms(terms))

    def find_nearest(self, vector: Vector, query: Query, most: int) -> list[str]:
        """The memories that match the query whose vectors are nearest, nearest first."""
        if _EF_PER_HIT * most > self._breadth:
            self._rows("steer", breadth=str(min(_EF_PER_HIT * most, _MOST_EF)))
        rows = self._filtered("nearest", query, vector=HalfVector(list(vector)), limit=most)
        return [id for (id,) in rows]

    def load_with_neighbours(self, ids: Sequence[str], places: int) -> IndexedBatch:
        """These memories with vectors, and those said up to `places` before or after them."""
        return to_indexed_batch(self._rows("these", ids=list(ids), places=places))

    def _filtered(self, name: str, query: Query, **bindings: Any) -> list[tuple[Any, ...]]:
        clause, values = to_filter_clause(query)
        return self._rows(name, clause, **values, **bindings)

    def _rows(self, name: str, filters: str = "true", **bindings: Any) -> list[tuple[Any, ...]]:
        text = sql.SQL(_INDEX_QUERIES[name]).format(**self._names, filters=sql.SQL(filters))
        with self._connection.cursor(binary=True) as cursor:
            return cursor.execute(text, bindings).fetchall()


def _to_matches(
    ids: Sequence[str], sessions: Sequence[str | None], terms: Sequence[bytes]
) -> IndexedBatch:
    """Memories of which only these fields are known."""
    told = {"id": ids, "session": sessions, "terms": terms}
    return IndexedBatch(
        [told.get(name) or [_DEFAULTS.get(name)] * len(ids) for name in IndexedMemory._fields]
    )


def _to_signed(code: int) -> int:
    return code - _CODE_COUNT if code >= _SIGN_LIMIT else code


_RELOAD_SECONDS = 10.0
_CHECK_SECONDS = 60.0
_CLOSE_SECONDS = 5.0
_CANCEL_SECONDS = 0.1
_CENSUS_QUERIES = load_queries(__package__, "census")
_log = logging.getLogger("tacit.store")


@dataclass(slots=True)
class _CachedStatistics:
    """The statistics of one workspace, and when they were loaded and checked."""

    statistics: IndexStatistics | None
    looked: float
    considered: float


class IndexMaintainer:
    """Knows which workspaces have indexes of their own, and builds those that are missing."""

    def __init__(self, connections: Connections, settings: PostgresSettings) -> None:
        self._connections = connections
        self._resident = settings.resident_memories
        self._worker = Worker("tacit-indexing")
        self._closing = threading.Event()
        self._building: set[Connection] = set()
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int | None], _CachedStatistics] = {}
        self._numbers: dict[EmbeddingModel, int] = {}

    def model_number(
        self, model: EmbeddingModel, look_up: Callable[[EmbeddingModel], int | None]
    ) -> int | None:
        """The number of a model, which never changes once it has one."""
        if model not in self._numbers and (found := look_up(model)) is not None:
            self._numbers[model] = found
        return self._numbers.get(model)

    def statistics(
        self, connection: Connection, workspace: str, model: int | None
    ) -> IndexStatistics | None:
        """The statistics of a workspace that has indexes with this model's vectors, if it has."""
        now = time.monotonic()
        with self._lock:
            known = self._known.get((workspace, model))
        if known is None or now - known.looked > _RELOAD_SECONDS:
            considered = known.considered if known else -_CHECK_SECONDS
            known = _CachedStatistics(
                _load_statistics(connection, signed_term_code(workspace), model), now, considered
            )
        if now - known.considered > _CHECK_SECONDS and not self._closing.is_set():
            known.considered = now
            self._worker.submit(lambda: self._consider(workspace))
        with self._lock:
            self._known[workspace, model] = known
        statistics = known.statistics
        return statistics if statistics and statistics.documents > self._resident else None

    def index(self, workspace: str, *, with_filled: bool = False) -> bool:
        """Index a workspace now if it needs to be; returns whether it did.

        With those vectors too that are being filled, it is ready for a switch to them.
        """
        number = signed_term_code(workspace)
        with self._connections.reading(number) as connection:
            needed = needs_indexing(connection, number, self._resident, with_filled=with_filled)
            is_unseen = has_outdated_planner_statistics(connection, number)
        if not needed and not is_unseen:
            return False
        with self._connections.connect() as connection, self._cancelled_at_close(connection):
            update_planner_statistics(connection, number)
            done = needed and build_indexes(connection, number, with_filled=with_filled)
        with self._lock:
            self._known = {key: each for key, each in self._known.items() if key[0] != workspace}
        return done

    def close(self) -> None:
        """Stop building and end the thread; a half-built index is built again later."""
        self._closing.set()
        if not self._worker.is_alive:
            return
        end = time.monotonic() + _CLOSE_SECONDS
        last = self._worker.submit(lambda: None)
        while not last.done() and time.monotonic() < end:
            self._cancel()  # repeatedly: a cancellation may fall between two statements
            wait([last], _CANCEL_SECONDS)
        self._worker.close(max(end - time.monotonic(), 0.0))

    def _cancel(self) -> None:
        with self._lock:
            building = tuple(self._building)
        for connection in building:
            with suppress(psycopg.Error):
                connection.cancel_safe(timeout=_CLOSE_SECONDS)

    @contextmanager
    def _cancelled_at_close(self, connection: Connection) -> Iterator[None]:
        with self._lock:
            self._building.add(connection)
        try:
            if self._closing.is_set():
                raise StoreClosed("the store was closed; open it again")
            yield
        finally:
            with self._lock:
                self._building.discard(connection)

    def _consider(self, workspace: str) -> None:
        if self._closing.is_set():
            return
        try:
            if self.index(workspace):
                _log.info("indexed workspace %s in the database", workspace)
        except (psycopg.OperationalError, StoreClosed) as error:
            _log.debug("nobody could be asked whether to index workspace %s: %s", workspace, error)
        except psycopg.Error as error:
            _log.warning(
                "workspace %s was not indexed and is searched in memory: %s", workspace, error
            )


def _load_statistics(
    connection: Connection, workspace: int, model: int | None
) -> IndexStatistics | None:
    bindings = {"workspace": workspace, "model": model}
    row = connection.execute(_CENSUS_QUERIES["get"], bindings).fetchone()
    if row is None:
        return None
    sample = connection.execute(_CENSUS_QUERIES["sample"], bindings).fetchall()
    _, documents, words, sessions, session_words, vectors, mean = row
    return IndexStatistics(
        documents=documents,
        words=words,
        sessions=sessions,
        session_words=session_words,
        vectors=vectors,
        mean=None if mean is None else _to_vector(mean),
        sample=[_to_vector(vector) for (vector,) in sample],
    )


def _to_vector(written: str) -> list[float]:
    return [float(each) for each in written.strip("[]").split(",")]


MOST_CHANGED = 0.2
"""Statistics are taken again when this share of the memories has changed."""

_INDEXING_LOCK = 0x54434958
_STATISTICS_QUERIES = load_queries(__package__, "census")
_STATISTICS_STEPS = (
    "clear",
    "clear_lexicon",
    "clear_sessions",
    "take_lexicon",
    "take_sessions",
)
_VECTOR_INDEX = sql.SQL(
    "CREATE INDEX CONCURRENTLY {name} ON {table}"
    " USING hnsw ((vector::halfvec({dims})) halfvec_cosine_ops)"
    " WITH (m = 24, ef_construction = 200)"
    " WHERE workspace = {workspace} AND model = {model}"
)
_TERM_INDEX = sql.SQL(
    "CREATE INDEX CONCURRENTLY {name} ON {table} USING gin (terms) WHERE workspace = {workspace}"
)

ReportStage = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class IndexedModel:
    """A model whose vectors are indexed, and what its generation is."""

    number: int
    dims: int
    state: str = "serving"
    has_statistics: bool = False

    @property
    def is_filled(self) -> bool:
        """Whether its vectors are still being made."""
        return self.state == GenerationState.FILLING


def needs_indexing(
    connection: Connection, workspace: int, resident: int, *, with_filled: bool = False
) -> bool:
    """Whether a workspace is too large for memory, or changed much since the last statistics.

    Those of vectors that are being filled are taken whenever they are asked for.
    """
    (size,) = _fetch_number(connection, "memories_up_to", workspace, limit=resident + 1)
    if size <= resident:
        return False
    serving, *others = _models_in_use(connection, workspace)
    statistics = connection.execute(
        _STATISTICS_QUERIES["get"], {"workspace": workspace, "model": serving.number}
    ).fetchone()
    if statistics is None or (with_filled and any(each.is_filled for each in others)):
        return True
    revision, documents = statistics[:2]
    most = int(MOST_CHANGED * documents) + 1
    (changed,) = _fetch_number(
        connection, "changed_since", workspace, revision=revision, limit=most
    )
    return bool(changed >= most)


def has_outdated_planner_statistics(connection: Connection, workspace: int) -> bool:
    """Whether tables have grown much since the planner's statistics were taken."""
    return bool(
        connection.execute(_STATISTICS_QUERIES["unseen"], {"workspace": workspace}).fetchone()
    )


def update_planner_statistics(connection: Connection, workspace: int) -> None:
    """Update the planner's statistics now, before autovacuum does."""
    for (table,) in connection.execute(
        _STATISTICS_QUERIES["unseen"], {"workspace": workspace}
    ).fetchall():
        connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(*table.split("."))))


def build_indexes(
    connection: Connection,
    workspace: int,
    tell: ReportStage = lambda _: None,
    *,
    with_filled: bool = False,
) -> bool:
    """Build missing indexes and take statistics; False if another process is doing it.

    Writers and readers continue meanwhile. An index left unfinished is built again.
    """
    lock = {"lock": _INDEXING_LOCK, "workspace": workspace}
    (mine,) = connection.execute(
        "SELECT pg_try_advisory_lock(%(lock)s # %(workspace)s)", lock
    ).fetchone() or (False,)
    if not mine:
        return False
    try:
        in_use = _models_in_use(connection, workspace)
        models = [
            each for each in in_use if with_filled or each.has_statistics or not each.is_filled
        ]
        tell("words")
        name = f"words_{_to_hex(workspace)}"
        _add_index(connection, _TERM_INDEX, "tacit.texts", name, workspace, models[0])
        tell("vectors")
        for each in models:
            name = _index_name(workspace, each)
            _add_index(connection, _VECTOR_INDEX, "tacit.vectors", name, workspace, each)
        _drop_other_indexes(
            connection, workspace, {_index_name(workspace, each) for each in in_use}
        )
        tell("census")
        _take_statistics(connection, workspace, models)
    finally:
        connection.execute("SELECT pg_advisory_unlock(%(lock)s # %(workspace)s)", lock)
    return True


def _take_statistics(
    connection: Connection, workspace: int, models: Sequence[IndexedModel]
) -> None:
    """Take statistics in one transaction: searches see the old ones or the new ones.

    Erasures and this wait for each other, so that no erased word is counted.
    """
    values = {"workspace": workspace}
    connection.execute(_STATISTICS_QUERIES["lock"], values)
    try:
        with connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            for step in _STATISTICS_STEPS:
                connection.execute(_STATISTICS_QUERIES[step], values)
            for each in models:
                connection.execute(_STATISTICS_QUERIES["take"], {**values, "model": each.number})
    finally:
        connection.execute(_STATISTICS_QUERIES["unlock"], values)
    for table in ("texts", "vectors", "memories", "lexicon", "session_lengths"):
        connection.execute(f"ANALYZE tacit.{table}")


def _add_index(
    connection: Connection,
    made: sql.SQL,
    table: str,
    name: str,
    workspace: int,
    model: IndexedModel,
) -> None:
    """Build an index on the partition of the workspace, unless a valid one exists."""
    valid = connection.execute(_STATISTICS_QUERIES["index_validity"], {"name": name}).fetchone()
    if valid == (True,):
        return
    if valid is not None:
        _drop_index(connection, name)
    where = _STATISTICS_QUERIES["partition"].replace("{table}", table)
    found = connection.execute(where, {"workspace": workspace}).fetchone()
    if found is None:
        return
    connection.execute(
        made.format(
            name=sql.Identifier(name),
            table=sql.Identifier(*found[0].split(".")),
            workspace=sql.Literal(workspace),
            model=sql.Literal(model.number),
            dims=sql.Literal(model.dims),
        )
    )


def _drop_other_indexes(connection: Connection, workspace: int, kept: Container[str]) -> None:
    """Remove indexes of models whose vectors were dropped."""
    pattern = f"meaning\\_{_to_hex(workspace)}\\_%"
    rows = connection.execute(_STATISTICS_QUERIES["indexes_like"], {"pattern": pattern}).fetchall()
    for (name,) in rows:
        if name not in kept:
            _drop_index(connection, name)


def _drop_index(connection: Connection, name: str) -> None:
    connection.execute(sql.SQL("DROP INDEX CONCURRENTLY {}").format(sql.Identifier("tacit", name)))


def _models_in_use(connection: Connection, workspace: int) -> list[IndexedModel]:
    """The models that have vectors here, first the one that serves; one at least, maybe of none."""
    asked = {"workspace": workspace}
    rows = connection.execute(_STATISTICS_QUERIES["models_in_use"], asked).fetchall()
    return [IndexedModel(*row) for row in rows] or [IndexedModel(0, 1)]


def _index_name(workspace: int, model: IndexedModel) -> str:
    return f"meaning_{_to_hex(workspace)}_{model.number}"


def _fetch_number(connection: Connection, name: str, workspace: int, **values: int) -> tuple[int]:
    row = connection.execute(
        _STATISTICS_QUERIES[name], {"workspace": workspace, **values}
    ).fetchone()
    return cast(tuple[int], row or (0,))


def _to_hex(workspace: int) -> str:
    return f"{workspace & 0xFFFFFFFFFFFFFFFF:016x}"
