"""Fixtures: stores of every backend, a Tacit on each, and the command line."""

import io
import logging
import sys
from dataclasses import dataclass

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.runtime.deadline import Deadline
from tacit.settings import InjectionSettings
from tacit.turn import beginning
from tests.properties import load_profiles
from tests.support import BACKENDS, CountedIds, HandClock, House, open_backend

load_profiles()


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path, monkeypatch):
    """No test touches the user's own memories."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("TACIT_DB", raising=False)
    monkeypatch.delenv("TACIT_WORKSPACE", raising=False)
    monkeypatch.setenv("TACIT_EMBEDDER", "none")


@pytest.fixture(autouse=True)
def _nobody_is_late(monkeypatch):
    """A machine that is busy with other tests makes no turn late, unless a test sets a deadline."""
    usual = InjectionSettings().deadline_ms / 1_000

    def patient(seconds):
        return Deadline(60.0 if seconds == usual else seconds)

    monkeypatch.setattr(beginning, "Deadline", patient)


@pytest.fixture(autouse=True)
def _own_log():
    """What a command does to the log of its process ends with the test."""
    loggers = [logging.getLogger(name) for name in (None, "tacit", "uvicorn")]
    before = [(logger, logger.level, list(logger.handlers)) for logger in loggers]
    yield
    for logger, level, handlers in before:
        logger.setLevel(level)
        logger.handlers[:] = handlers


@pytest.fixture(params=BACKENDS)
def store(request, tmp_path):
    store = open_backend(request.param, tmp_path)
    yield store
    store.close()


@pytest.fixture
def house(store):
    clock = HandClock()
    tacit = Tacit(store, "default", embedder=FakeEmbedder(), clock=clock, new_id=CountedIds())
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
