"""Fixtures: stores of every backend, a Tacit on each, and the command line."""

import functools
import gc
import io
import logging
import ssl
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.api import background_encoding
from tacit.api.background_encoding import BackgroundPortions
from tacit.core.episodes import Episode
from tacit.core.open_turn import CapturedTurn
from tacit.embedding.minilm import embedder, pair_reader
from tacit.settings.config import Config
from tacit.writing.learning.episodes import DoubtMessage, EpisodeWriter
from tests.networks import share_networks
from tests.patience import wait_longer_by_default
from tests.properties import load_profiles
from tests.support import (
    RULES_BACKENDS,
    CountedIds,
    HandClock,
    House,
    open_backend,
)

load_profiles()
wait_longer_by_default()

# Loading a network takes longer than asking it something.
embedder.open_session = pair_reader.open_session = share_networks(embedder.open_session)

# Reading the system's certificates takes longer than most tests, and every HTTP client does it.
ssl.create_default_context = functools.cache(ssl.create_default_context)

# A test leaves little that refers to itself, and a search for it visits everything that is alive.
gc.set_threshold(10_000, 20, 20)


def pytest_collection_finish():
    """The modules and the collected tests live to the end: nothing need look for them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path, monkeypatch):
    """No test touches the user's own memories."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("TACIT_DB", raising=False)
    monkeypatch.delenv("TACIT_WORKSPACE", raising=False)
    monkeypatch.setenv("TACIT_EMBEDDER", "none")


@pytest.fixture(autouse=True)
def _tokens_when_asked_for(request, monkeypatch):
    """Tokens are made by `embed_missing` alone, so that no ranking changes during a test.

    Statements are compared by `learn`. Where the background does both, nothing waits for more to be
    written.
    """
    if request.node.get_closest_marker("encodes") is None:
        monkeypatch.setattr(BackgroundPortions, "schedule", _schedule_nothing)
    else:
        monkeypatch.setattr(background_encoding, "_GATHER_SECONDS", 0.01)


@pytest.fixture(autouse=True)
def _words_kept_when_asked_for(request, monkeypatch):
    """What is said is kept where a test is about it, so that nothing else is found in the others.

    The background would keep it at any moment of a test.
    """
    if request.node.get_closest_marker("episodes") is None:
        monkeypatch.setattr(EpisodeWriter, "keep", _keep_nothing)


def _keep_nothing(
    self: EpisodeWriter, turns: Iterable[CapturedTurn], is_doubtful: DoubtMessage
) -> list[Episode]:
    """Stands for a setting that keeps nothing."""
    return []


def _schedule_nothing(self: BackgroundPortions) -> None:
    """Stands for a background that never comes to encode or compare anything."""


@pytest.fixture(autouse=True)
def _own_log():
    """What a command does to the log of its process ends with the test."""
    loggers = [logging.getLogger(name) for name in (None, "tacit", "uvicorn")]
    before = [(logger, logger.level, list(logger.handlers)) for logger in loggers]
    yield
    for logger, level, handlers in before:
        logger.setLevel(level)
        logger.handlers[:] = handlers


@pytest.fixture(scope="session")
def by_rules():
    """What reads messages without a model, on a Tuesday."""
    said = datetime(2026, 3, 3, 12, tzinfo=UTC)
    with Tacit.open(":memory:", embedder="none", clock=lambda: said) as tacit:
        yield tacit


@pytest.fixture(params=RULES_BACKENDS)
def store(request, tmp_path):
    """A store of the default backend; `make test-slow` tests the same rules on the others."""
    store = open_backend(request.param, tmp_path)
    yield store
    store.close()


@pytest.fixture
def house(store):
    clock = HandClock()
    tacit = Tacit(
        store,
        "default",
        embedder=FakeEmbedder(),
        config=Config(),
        clock=clock,
        new_id=CountedIds(),
    )
    yield House(tacit, clock, store)
    tacit.close()  # its threads end with the test, and log into no other


@pytest.fixture
def tacit(house):
    return house.tacit


@pytest.fixture
def clock(house):
    return house.clock


@dataclass
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(tmp_path, monkeypatch, capsysbinary):
    """Run `tacit` in this process, on a database of its own unless one is named."""
    from tacit.cli.entry import main

    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments, stdin: bytes = b"", db=None) -> Ran:
        monkeypatch.setenv("TACIT_DB", str(db or tmp_path / "cli.db"))
        monkeypatch.setattr(sys, "argv", ["tacit", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        printed = capsysbinary.readouterr()
        return Ran(code, printed.out.decode(), printed.err.decode())

    return run
