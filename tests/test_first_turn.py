"""The first turn of a process: what is loaded once has a bound of its own."""

import io
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.api import warm_up
from tacit.api.configuration import live_configuration
from tacit.core.errors import ModelUnavailable
from tacit.embedding.registry import LazyEmbedder
from tacit.integrations import daemon
from tacit.integrations.hooks.daemon_client import daemon_address
from tacit.runtime.workers import run_with_limit, seconds_left
from tacit.search.searcher import Searcher
from tacit.server import serve
from tacit.settings.config import Config
from tacit.settings.search import LateInteraction, SearchSettings
from tests.hooking import wait_until

README = Path(__file__).parent.parent / "README.md"
UNLIMITED = 999.0
BY_VECTORS = Config(search=SearchSettings(late_interaction=LateInteraction.OFF))
ASK = {"session": "s", "text": "Where do replicas live?"}


class Gate:
    """An embedder that opens when it may; it notes how much time the one who opens it has."""

    def __init__(self, is_open=True):
        self.time_left = []
        self.may_open = threading.Event()
        if is_open:
            self.may_open.set()
        self.lazy = LazyEmbedder(self._open, FakeEmbedder().model)

    def _open(self):
        self.time_left.append(seconds_left(UNLIMITED))
        assert self.may_open.wait(60)
        return FakeEmbedder()


@pytest.fixture
def opened(house):
    """Opens a workspace that holds a memory, with an embedder that was not used yet."""
    Tacit(house.store, "own").remember("Two replicas live in Frankfurt")
    begun = []

    def open_it(embedder):
        begun.append(Tacit(house.store, "own", embedder=embedder, config=BY_VECTORS))
        return begun[-1]

    yield open_it
    for each in begun:
        each.close()


@pytest.fixture
def loads(monkeypatch):
    """The workspaces that were loaded, in order."""
    seen = []
    load = Searcher.load
    monkeypatch.setattr(
        Searcher, "load", lambda self, name: (seen.append(name), load(self, name))[1]
    )
    return seen


@pytest.mark.parametrize(
    "call",
    [
        lambda tacit: tacit.turn(**ASK, deadline_ms=20).roll_back(),
        lambda tacit: tacit.preview(**ASK, deadline_ms=20),
        lambda tacit: tacit.search("replicas"),
        lambda tacit: tacit.warm(),
    ],
    ids=["turn", "preview", "search", "warm"],
)
def test_loading_the_model_does_not_count_against_the_deadline(opened, call):
    gate = Gate()
    tacit = opened(gate.lazy)
    call(tacit)
    assert gate.time_left == [UNLIMITED]


def test_a_first_turn_waits_no_longer_than_its_bound_and_says_so(opened):
    gate = Gate(is_open=False)
    tacit = opened(gate.lazy)
    for _ in range(2):
        turn = tacit.turn(**ASK, first_turn_ms=30, deadline_ms=200)
        assert turn.receipt.degraded[0] == "first turn: late (still loading after 30 ms)"
    gate.may_open.set()
    tacit.warm()
    assert "first turn" not in str(tacit.turn(**ASK).receipt.degraded)


def test_a_host_that_allows_less_time_is_not_kept_waiting(opened):
    gate = Gate(is_open=False)
    tacit = opened(gate.lazy)
    end = time.monotonic() + 0.3
    turn = run_with_limit(lambda: tacit.turn(**ASK, deadline_ms=200), end)
    gate.may_open.set()
    assert turn.receipt.degraded[0].startswith("first turn: late (still loading after ")


def test_first_turns_at_once_share_what_they_wait_for(opened, loads):
    gate = Gate(is_open=False)
    tacit = opened(gate.lazy)
    loads.clear()
    with ThreadPoolExecutor(4) as threads:
        turns = [threads.submit(tacit.turn, **{**ASK, "session": f"s{n}"}) for n in range(4)]
        gate.may_open.set()
        degraded = [turn.result().receipt.degraded for turn in turns]
    assert "first turn" not in str(degraded)
    assert len(loads) == 2  # memories, and what was said
    assert len(gate.time_left) == 1


def test_each_workspace_is_loaded_once_whoever_opens_it(opened, loads):
    tacit = opened(FakeEmbedder())
    loads.clear()
    for name in ("a", "b", "a", "b"):
        tacit.workspace.open(name).preview(**ASK)
    assert len(loads) == len(set(loads)) == 4


def test_a_model_that_cannot_be_loaded_is_not_waited_for_again(opened):
    tries = []

    def fail():
        tries.append(1)
        raise ModelUnavailable("no source has it")

    tacit = opened(LazyEmbedder(fail, FakeEmbedder().model))
    degraded = [tacit.turn(**ASK, history=[]).receipt.degraded for _ in range(3)]
    assert "first turn" not in str(degraded)
    assert all("no source has it" in str(each) for each in degraded)
    assert tries == [1]


def test_warming_leaves_no_trace(tacit, monkeypatch):
    monkeypatch.setattr(warm_up, "_is_rehearsed", False)
    tacit.warm()
    assert warm_up._is_rehearsed
    assert not tacit.list()
    assert not tacit.sessions.list()
    assert not tacit.turns.list()
    assert not tacit.workspace.names()


class Terminal(io.StringIO):
    """A stderr that a person sees."""

    def __init__(self, told):
        super().__init__()
        self._told = told

    def isatty(self):
        return True

    def write(self, text):
        self._told.set()
        return super().write(text)


def test_a_terminal_is_told_what_a_long_first_turn_waits_for(opened, monkeypatch):
    gate = Gate(is_open=False)
    tacit = opened(gate.lazy)
    shown = Terminal(told=gate.may_open)
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(warm_up, "NOTICE_SECONDS", 0.01)
    tacit.turn(**ASK)
    assert shown.getvalue() == "tacit: loading the model and the memories (first use) …\n"


def _is_logged(caplog):
    return [line for line in caplog.messages if "(first use) took" in line]


def test_a_service_logs_one_line_about_a_long_loading_and_shows_nothing(
    opened, monkeypatch, capsys, caplog
):
    monkeypatch.setattr(warm_up, "NOTICE_SECONDS", 0.0)
    caplog.set_level("INFO", "tacit.turn")
    tacit = opened(Gate().lazy)
    for _ in range(2):
        tacit.turn(**ASK).roll_back()
    wait_until(lambda: _is_logged(caplog))
    assert len(_is_logged(caplog)) == 1
    assert [each.levelname for each in caplog.records if "took" in each.msg][:1] == ["INFO"]
    assert capsys.readouterr().err == ""


def test_a_short_loading_is_not_logged(opened, monkeypatch, caplog):
    monkeypatch.setattr(warm_up, "NOTICE_SECONDS", 600.0)
    caplog.set_level("INFO", "tacit.turn")
    opened(Gate().lazy).warm()
    assert not _is_logged(caplog)


def test_a_late_store_is_reported_with_what_to_do(opened, monkeypatch, caplog):
    tacit = opened(FakeEmbedder())
    tacit.warm()
    free = threading.Event()
    monkeypatch.setattr(type(tacit._context.store), "read", lambda *_: free.wait())
    turn = tacit.turn(**ASK, deadline_ms=50)
    free.set()
    assert turn.receipt.degraded == ("session: late",)
    assert caplog.messages == [
        "Memory skipped: the store exceeded deadline_ms (50). Raise it, or call warm() first."
    ]


def test_a_server_has_loaded_its_workspaces_before_it_listens(tmp_path, monkeypatch, loads):
    monkeypatch.setattr(serve, "_serve_in_process", lambda *_: loads.append("listens"))
    live = live_configuration(None)
    with closing(live), Tacit.open(tmp_path / "memory.db", config=live) as tacit:
        tacit.workspace.open("other").remember("Two replicas live in Frankfurt")
        serve.serve(tacit, live, serve.ServerOptions(), lambda _: None)
    assert loads[-1] == "listens"
    assert {"default", "other"} < set(loads)


class Listens(Exception):
    """The daemon would be reachable from here on."""


def test_a_daemon_has_loaded_what_a_turn_uses_before_it_can_be_reached(
    tmp_path, monkeypatch, loads
):
    monkeypatch.setenv("TACIT_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("TACIT_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("TACIT_EMBEDDER", "none")

    def bind(_):
        loads.append("listens")
        raise Listens

    monkeypatch.setattr(daemon.DaemonSocket, "bind", bind)
    with pytest.raises(Listens):
        daemon.run_daemon(daemon_address(os.environ).ensure_folder())
    assert loads[-1] == "listens"
    assert "default" in loads


@contextmanager
def _busy_processes(count):
    """So many processes that do nothing but compute; other tests at the same time are some."""
    count -= int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) - 1
    loop = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(loop) for _ in range(count)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


@pytest.mark.slow
def test_the_first_program_of_the_readme_prints_its_block_beside_eight_busy_processes(
    tmp_path, monkeypatch
):
    monkeypatch.delenv("TACIT_EMBEDDER")
    readme = README.read_text()
    program = readme.split("```python\n")[1].split("```")[0]
    printed = readme.split("```text\n")[1].split("```")[0]
    with _busy_processes(8):
        for number in range(4):
            folder = tmp_path / str(number)
            folder.mkdir()
            ran = subprocess.run(
                [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True
            )
            assert (ran.returncode, ran.stdout, ran.stderr) == (0, printed, "")
