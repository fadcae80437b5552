"""The end of a Tacit: what works in the background ends with it, and says nothing about that."""

import logging
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from tacit import Tacit
from tacit.core.errors import NotFound, StoreClosed
from tacit.grounding.documents.watcher import WatchedWorkspace, Watcher
from tacit.runtime.workers import Worker
from tacit.server.jobs import Job, Jobs
from tacit.settings.config import Config
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tests.support import UNLEARNING, HandClock, open_backend

REMEMBER = "Remember that I prefer tabs over spaces in Go code."


class ClosedBehind(SqliteInMemoryStore):
    """A store that is closed as soon as work in the background wants to write."""

    @contextmanager
    def write(self, workspace):
        if threading.current_thread().name in ("tacit-jobs", "tacit-learning"):
            self.close()
        with super().write(workspace) as unit:
            yield unit


def _turn(tacit, text="Which gherkins do we grow?"):
    with tacit.turn(session="s", text=text) as turn:
        turn.commit("I see.")
    return turn.receipt.id


def _warnings(caplog):
    """What was warned of, besides the missing model."""
    warned = [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]
    return [each for each in warned if "no embedding model" not in each]


def test_old_receipts_are_dropped_even_by_a_process_that_ends_at_once(tmp_path, caplog):
    clock = HandClock()

    def opened():
        return Tacit(open_backend("sqlite", tmp_path), "default", clock=clock, config=UNLEARNING)

    with opened() as first:
        old = _turn(first)
    clock.advance(days=40)
    second = opened()
    busy = threading.Event()
    second._context.shared.worker.submit(lambda: busy.wait(60))
    new = _turn(second)
    ending = threading.Thread(target=second.close)
    ending.start()
    ending.join(0.1)  # the store would be closed by now if nobody waited for the worker
    busy.set()
    ending.join(60)
    with opened() as third:
        assert third.turns.get(new).id == new
        with pytest.raises(NotFound):
            third.turns.get(old)
    assert _warnings(caplog) == []


def test_what_finds_the_store_closed_leaves_its_work_to_the_next_time_and_warns_of_nothing(caplog):
    store = ClosedBehind.open()
    with Tacit(store, "default", config=Config()) as tacit:
        _turn(tacit, REMEMBER)
    with pytest.raises(StoreClosed):
        tacit.list()
    assert _warnings(caplog) == []


def test_a_job_that_outlasts_its_store_is_no_failure(caplog):
    def work():
        raise StoreClosed("was closed; open it again")

    jobs = Jobs(Worker("test-jobs"), clock=lambda: datetime(2026, 3, 1, tzinfo=UTC))
    jobs.add(Job(name="sweep", every=3600, work=work))
    jobs.run("sweep").result(60)
    assert _warnings(caplog) == []


def test_documents_that_are_looked_at_while_it_closes_are_no_trouble(tmp_path, caplog):
    looking = threading.Event()

    def catch_up(is_closed):
        looking.set()
        while not is_closed():
            pass
        raise StoreClosed("was closed; open it again")

    watcher = Watcher()
    watched = WatchedWorkspace(
        roots=lambda: (str(tmp_path),), catch_up=catch_up, changed=lambda _: None
    )
    watcher.follow("default", watched)
    assert looking.wait(60)
    watcher.close()
    assert _warnings(caplog) == []


def test_a_command_that_ends_right_after_a_turn_prints_no_warning(
    run, tmp_path, monkeypatch, caplog
):
    monkeypatch.chdir(tmp_path)
    run("remember", "We chose JWT over session tokens for the API")
    ran = run("workflow", "run", "on_before_agent", "--prompt", "Why did we choose JWT?")
    assert (ran.code, ran.err) == (0, "")
    assert _warnings(caplog) == []


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(3))
def test_a_process_that_ends_without_closing_its_memory_never_aborts(attempt):
    program = (
        "from tacit import Tacit\n"
        "tacit = Tacit.open(':memory:', embedder='minilm')\n"
        "for n in range(10):\n"
        "    said = f'We deploy service {n} from main. My dentist is Dr. Ek{n}.'\n"
        "    tacit.ground(said, external_id='c', user='ann', deadline_ms=60000).commit('I see.')\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_no_native_call_begins_on_a_background_thread_while_the_process_ends():
    program = (
        "import atexit, threading\n"
        "begun = threading.Event()\n"
        "def last():\n"
        "    begun.clear()\n"
        "    print('begun' if begun.wait(0.5) else 'none')\n"
        "atexit.register(last)\n"  # before the package's own handler, so it runs after that
        "from tacit.runtime.native_calls import native_call\n"
        "def call():\n"
        "    while True:\n"
        "        with native_call():\n"
        "            begun.set()\n"
        "threading.Thread(target=call, daemon=True).start()\n"
        "begun.wait()\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "none\n", "")
