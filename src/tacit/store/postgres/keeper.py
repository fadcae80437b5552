"""Who keeps the indexes of large workspaces: asked by every search, at work beside them."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psycopg

from tacit.core.errors import StoreClosed
from tacit.core.vectors import EmbeddingModel
from tacit.language.terms import signed_term_code
from tacit.runtime.workers import Worker
from tacit.settings.postgres import PostgresSettings
from tacit.store.index import Census
from tacit.store.postgres.connections import Connection, Connections
from tacit.store.postgres.indexing import has_unseen, index, look_again, needs_indexing
from tacit.store.sql.statements import statements

_LOOK_SECONDS = 10.0
_CONSIDER_SECONDS = 60.0
_CLOSE_SECONDS = 5.0
_CANCEL_SECONDS = 0.1
_SQL = statements(__package__, "census")
_log = logging.getLogger("tacit.store")


@dataclass(slots=True)
class _Known:
    """What is known of one workspace, and since when."""

    census: Census | None
    looked: float
    considered: float


class Keeper:
    """Tells which workspaces are searched where they lie, and indexes those that should be."""

    def __init__(self, connections: Connections, settings: PostgresSettings) -> None:
        self._connections = connections
        self._resident = settings.resident_memories
        self._worker = Worker("tacit-indexing")
        self._closing = threading.Event()
        self._building: set[Connection] = set()
        self._lock = threading.Lock()
        self._known: dict[tuple[str, int | None], _Known] = {}
        self._numbers: dict[EmbeddingModel, int] = {}

    def number(
        self, model: EmbeddingModel, look_up: Callable[[EmbeddingModel], int | None]
    ) -> int | None:
        """The number of a model, which never changes once it has one."""
        if model not in self._numbers and (found := look_up(model)) is not None:
            self._numbers[model] = found
        return self._numbers.get(model)

    def census(self, connection: Connection, workspace: str, model: int | None) -> Census | None:
        """The census of a workspace that has indexes with this model's vectors, if it has."""
        now = time.monotonic()
        with self._lock:
            known = self._known.get((workspace, model))
        if known is None or now - known.looked > _LOOK_SECONDS:
            considered = known.considered if known else -_CONSIDER_SECONDS
            known = _Known(_look(connection, signed_term_code(workspace), model), now, considered)
        if now - known.considered > _CONSIDER_SECONDS and not self._closing.is_set():
            known.considered = now
            self._worker.submit(lambda: self._consider(workspace))
        with self._lock:
            self._known[workspace, model] = known
        census = known.census
        return census if census and census.documents > self._resident else None

    def index(self, workspace: str) -> bool:
        """Index a workspace now, if it needs to be; tells whether it did."""
        number = signed_term_code(workspace)
        with self._connections.reading(number) as connection:
            needed = needs_indexing(connection, number, self._resident)
            is_unseen = has_unseen(connection, number)
        if not needed and not is_unseen:
            return False
        with self._connections.connect() as connection, self._cancelled_at_close(connection):
            look_again(connection, number)
            done = needed and index(connection, number)
        with self._lock:
            self._known = {key: each for key, each in self._known.items() if key[0] != workspace}
        return done

    def close(self) -> None:
        """Stop building and end the thread; an index that is half made is made again later."""
        self._closing.set()
        if not self._worker.is_alive:
            return
        end = time.monotonic() + _CLOSE_SECONDS
        last = self._worker.submit(lambda: None)
        while not last.done() and time.monotonic() < end:
            self._cancel()  # again and again: it may come between two statements
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


def _look(connection: Connection, workspace: int, model: int | None) -> Census | None:
    row = connection.execute(_SQL["get"], {"workspace": workspace, "model": model}).fetchone()
    if row is None:
        return None
    _, documents, words, sessions, session_words, vectors, mean = row
    return Census(
        documents=documents,
        words=words,
        sessions=sessions,
        session_words=session_words,
        vectors=vectors,
        mean=None if mean is None else [float(each) for each in mean.strip("[]").split(",")],
    )
