"""What several tests share: a clock that is set by hand, and ids that count."""

import functools
import itertools
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.api import workspace
from tacit.core.kinds import Actor
from tacit.core.memory import Memory
from tacit.runtime.trust import TrustRecord, read_content
from tacit.settings.config import Config
from tacit.settings.server import PostgresSettings
from tacit.settings.writing import WritingSettings
from tacit.statements.pair_reading import PAIR_RELATIONS
from tacit.store.protocols.store import Store
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.store.sqlite.store import SqliteStore
from tacit.writing.draft import MemoryDraft
from tests.postgres_server import empty_database

UNLEARNING = Config(writing=WritingSettings(learn=False))
"""For tests that count what is in a store: nothing comes in by itself."""

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
BACKENDS = ("sqlite", "postgres")
RULES_BACKENDS = ("sqlite", pytest.param("postgres", marks=pytest.mark.other_store))
"""For rules above the store: SQLite in the fast tests, PostgreSQL in the slow ones."""


def agree(path: Path) -> None:
    """The user says yes to a file of a project as it is now."""
    content = read_content(path)
    TrustRecord().add(content.path, content.sha256)


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> datetime:
        self.now += timedelta(**amount)
        return self.now


class CountedIds:
    """Valid UUIDv7s that are the same in every run."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def __call__(self) -> str:
        return f"01890a5d-ac96-7000-8000-{next(self._numbers):012x}"


def open_backend(backend: str, folder: Path) -> Store:
    """A store, empty unless there is one in the folder."""
    if backend == "memory":
        return SqliteInMemoryStore.open()
    if backend == "postgres":
        from tacit.store.postgres.store import PostgresStore

        return PostgresStore.open(empty_database(), PostgresSettings(partitions=2))
    path = folder / "memory.db"
    if not path.exists():
        path.write_bytes(_empty_sqlite())
        path.chmod(0o600)
    return SqliteStore.open(path)


@functools.cache
def _empty_sqlite() -> bytes:
    """A database with its schema, which takes longer to make than most tests."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        SqliteStore.open(path).close()
        return path.read_bytes()


def make_memory(content: str = "The API speaks gRPC", id: str | None = None, **fields) -> Memory:
    """A memory as the engine would make it."""
    known = {
        name: fields.pop(name)
        for name in ("superseded_by", "forgotten", "access_count", "updated_at", "created_at")
        if name in fields
    }
    by = Actor(fields.pop("by", "user"))
    memory = MemoryDraft.of({"content": content, **fields}).memory(
        id=id or next_id(), workspace="default", by=by, now=START
    )
    return replace(memory, **known)


next_id = CountedIds()


class FixedPairReader:
    """A local model that is as sure as it was told to be that a later text replaces an earlier."""

    def __init__(self, likelihood: float) -> None:
        rest = (1 - likelihood) / (len(PAIR_RELATIONS) - 1)
        self.shares = [likelihood, *[rest] * (len(PAIR_RELATIONS) - 1)]

    def read_pairs(self, pairs):
        return np.array([self.shares] * len(pairs), np.float32)

    def weigh_statements(self, pairs):
        return np.ones(len(pairs), np.float32)

    def weigh_authorship(self, text):
        return 0.1

    def weigh_exchange(self, first, second):
        return 0.0, 0.0

    def use(self, monkeypatch) -> None:
        """Let every workspace that is opened compare with it."""
        monkeypatch.setattr(workspace, "find_pair_reader", lambda _: self)


def changed_in(unit, since, model):
    """What changed, one by one."""
    return [each for batch in unit.changed(since, model) for each in batch]


@dataclass
class House:
    """A Tacit with its clock at hand."""

    tacit: Tacit
    clock: HandClock
    store: Store

    def another(self, workspace: str) -> Tacit:
        return Tacit(
            self.store,
            workspace,
            embedder=FakeEmbedder(),
            config=Config(),
            clock=self.clock,
        )


def say(tacit: Tacit, text: str, session: str = "s1", **who) -> None:
    """Say something in a turn of its own, and let it be learned from and kept."""
    said = {"session": session, "text": text, "history": (), **who}
    with tacit.turn(**said) as turn:
        turn.commit("I see.")
    tacit.learn()


@contextmanager
def writing_opener(folder: Path, **given):
    """A function that opens the file of a folder with settings of `[writing]`; all are closed."""
    made = []

    def opened(**writing):
        config = folder / "tacit.toml"
        lines = [f"{name} = {_to_toml(value)}\n" for name, value in writing.items()]
        config.write_text("[writing]\n" + "".join(lines))
        made.append(Tacit.open(folder / "memory.db", config=config, **given))
        return made[-1]

    try:
        yield opened
    finally:
        for tacit in made:
            tacit.close()


def _to_toml(value) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
