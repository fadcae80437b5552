"""The statements that drivers are compared on: like the store's, without its Python."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from benchmarks.batches import BATCH, batches
from benchmarks.figures import Figure, latency, rate
from benchmarks.texts import make_queries, make_texts

TEXTS = 20_000
_SINGLE = 2_000
_QUERIES = 300
_GETS = 20_000
_VECTOR = bytes(range(256)) * 3

SCHEMA = (
    "CREATE TABLE memories (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT)",
    "CREATE VIRTUAL TABLE terms USING fts5(text, content='', tokenize='ascii')",
    "CREATE TABLE vectors (row INTEGER PRIMARY KEY, vector BLOB)",
)
_INSERT = "INSERT INTO memories (row, id, content) VALUES (?, ?, ?)"
_INDEX = "INSERT INTO terms (rowid, text) VALUES (?, ?)"
_EMBED = "INSERT INTO vectors (row, vector) VALUES (?, ?)"
_SEARCH = "SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY bm25(terms) LIMIT 50"
_GET = "SELECT * FROM memories WHERE id = ?"


class Connection(Protocol):
    """What both drivers can do."""

    def execute(self, sql: str, bindings: Sequence[Any] = (), /) -> Iterable[Any]:
        """Run one statement."""

    def close(self) -> None:
        """Let go of the file."""


Job = Callable[[Connection], None]


@dataclass(frozen=True, slots=True)
class Stage:
    """Jobs of one kind, and what their durations amount to."""

    name: str
    jobs: Sequence[Job]
    figures: Callable[[str, Sequence[float]], list[Figure]]
    synchronous: str = "FULL"


def stages() -> list[Stage]:
    """The work in order: the rows that are written first are read later."""
    rows = list(enumerate(make_texts(TEXTS)))
    normal, full, rest = rows[:_SINGLE], rows[_SINGLE : 2 * _SINGLE], rows[2 * _SINGLE :]
    return [
        Stage("write, synchronous=NORMAL", _writes(normal, 1), partial(_rate, 1), "NORMAL"),
        Stage("write, synchronous=FULL", _writes(full, 1), partial(_rate, 1)),
        Stage(f"write, FULL, batches of {BATCH}", _writes(rest, BATCH), partial(_rate, BATCH)),
        Stage("full-text search", _searches(), latency),
        Stage("get by key", _gets(), partial(_rate, BATCH)),
    ]


def _writes(rows: Sequence[tuple[int, str]], size: int) -> list[Job]:
    return [partial(_write, rows=batch) for batch in batches(rows, size)]


def _searches() -> list[Job]:
    return [partial(_search, words=words) for words in make_queries(_QUERIES)]


def _gets() -> list[Job]:
    return [partial(_get, rows=batch) for batch in batches(range(_GETS))]


def _write(connection: Connection, rows: Sequence[tuple[int, str]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for row, text in rows:
        connection.execute(_INSERT, (row, f"id{row}", text))
        connection.execute(_INDEX, (row, text))
        connection.execute(_EMBED, (row, _VECTOR))
    connection.execute("COMMIT")


def _search(connection: Connection, words: Sequence[str]) -> None:
    list(connection.execute(_SEARCH, (" OR ".join(words),)))


def _get(connection: Connection, rows: Sequence[int]) -> None:
    for row in rows:
        list(connection.execute(_GET, (f"id{row}",)))


def _rate(size: int, name: str, durations: Sequence[float]) -> list[Figure]:
    return [rate(name, size * len(durations), sum(durations))]
