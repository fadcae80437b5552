"""`:memory:` is a SQLite database that threads share, that is gone when closed, and has no file."""

import gc
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import apsw
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import StoreFull, StoreUnavailable
from tacit.store.backends import open_store
from tacit.store.query import Query
from tests.support import START, make_memory

_LARGE = 40_000
_LESS_THAN_A_DATABASE = 100_000
"""Bytes: an empty database has more than twice as many."""


@pytest.fixture
def store():
    with closing(open_store(":memory:")) as store:
        yield store


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """The current folder, the temporary and the home folder, all of them empty."""
    for name, variable in (("here", None), ("temporary", "TMPDIR"), ("home", "HOME")):
        (tmp_path / name).mkdir()
        if variable:
            monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def _keep(store, content):
    with store.write("default") as unit:
        unit.memories.insert(make_memory(content))


def _contents(unit):
    return sorted(memory.content for memory in unit.memories.find(Query(now=START)))


def _read(store):
    with store.read("default") as unit:
        return _contents(unit)


def _in_thread(call, *given):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call, *given).result()


def _files(folder):
    return [each for each in folder.rglob("*") if not each.is_dir()]


def test_two_are_apart():
    with Tacit.open(":memory:") as one, Tacit.open(":memory:") as other:
        one.remember("The first one")
        assert [memory.content for memory in one.list()] == ["The first one"]
        assert other.list() == []


def test_threads_write_and_read_at_once_and_nothing_is_lost():
    start = threading.Barrier(8)

    def work(tacit, number):
        start.wait()
        for turn in range(10):
            written = tacit.remember(f"Thread {number} wrote this as number {turn}")
            assert tacit.get(written.id).content == written.memory.content
            tacit.list(limit=5)
            tacit.search(f"thread {number}")
            assert tacit.workspace.stats().counts.indexed > turn

    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        with ThreadPoolExecutor(8) as pool:
            for done in [pool.submit(work, tacit, number) for number in range(8)]:
                done.result()
        assert tacit.count() == tacit.workspace.stats().counts.indexed == 80


def test_a_write_is_not_seen_before_its_end_in_any_thread(store):
    _keep(store, "first")
    with store.write("default") as unit:
        unit.memories.insert(make_memory("second"))
        assert _read(store) == _in_thread(_read, store) == ["first"]
        assert _contents(unit) == ["first", "second"]
    assert _read(store) == _in_thread(_read, store) == ["first", "second"]


def test_one_who_reads_can_write_and_goes_on_to_read_what_was_there(store):
    _keep(store, "first")
    with store.read("default") as before:
        _keep(store, "second")
        with store.read("default") as between:
            _in_thread(_keep, store, "third")
            assert _contents(between) == ["first", "second"]
        assert _contents(before) == ["first"]
    assert _read(store) == ["first", "second", "third"]


@pytest.mark.parametrize("is_read", [False, True])
def test_a_write_that_fails_leaves_nothing_whoever_reads(store, is_read):
    _keep(store, "first")

    def fail():
        with store.write("default") as unit:
            unit.memories.insert(make_memory("second"))
            assert _read(store) == ["first"]
            raise OSError("the power is gone")

    if is_read:
        with store.read("default") as unit, pytest.raises(OSError, match="power"):
            fail()
        assert unit
    else:
        with pytest.raises(OSError, match="power"):
            fail()
    assert _read(store) == ["first"]
    _keep(store, "third")
    assert _read(store) == ["first", "third"]


def test_a_query_that_is_not_read_to_its_end_keeps_nobody_from_writing(store):
    _keep(store, "first")
    with store._connections.reading() as connection:
        rows = connection.execute("SELECT 1 UNION ALL SELECT id FROM memories")
        next(rows)
    _keep(store, "second")
    assert _read(store) == ["first", "second"]
    del rows


def test_closing_frees_the_memory_and_what_is_read_then_is_freed_afterwards():
    gc.collect()
    open_store(":memory:").close()  # the empty database is made once
    before = apsw.memory_used()
    for is_read in (False, True):
        store = open_store(":memory:")
        _keep(store, "x" * _LARGE)
        if is_read:
            with store.read("default") as unit:
                _keep(store, "y" * _LARGE)
                store.close()
                assert _contents(unit) == ["x" * _LARGE]
        store.close()
        assert apsw.memory_used() - before < _LESS_THAN_A_DATABASE


def test_copies_are_freed_once_nobody_reads_them(store):
    _keep(store, "x" * _LARGE)
    before = apsw.memory_used()
    for number in range(20):
        with store.read("default"):
            _keep(store, f"number {number}")
        with store.write("default"):
            _read(store)
    assert apsw.memory_used() - before < 10 * _LESS_THAN_A_DATABASE  # of forty


def test_a_full_database_says_so_and_stays_as_it_was(store):
    _keep(store, "first")
    with store._connections.writing() as connection:
        pages = connection.pragma("page_count")
        connection.pragma("max_page_count", pages + 5)
    with pytest.raises(StoreFull, match="1 GiB in memory; nothing was changed"):
        _keep(store, "x" * _LARGE)
    assert _read(store) == ["first"]


def test_another_process_is_told_to_open_its_own(store, monkeypatch):
    monkeypatch.setattr(os, "getpid", lambda: -1)
    for call in (store.read, store.write):
        with pytest.raises(StoreUnavailable, match="open another one"), call("default"):
            pass
    monkeypatch.undo()
    assert _read(store) == []


def test_no_file_is_written_and_none_is_left(folders):
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        tacit.remember("The API speaks gRPC", key="api.protocol")
        with tacit.turn(session="s", history=[], text="What does the API speak?") as turn:
            turn.commit("It speaks gRPC. We moved it to port 8443.")
        tacit.search("gRPC")
        assert _files(folders) == []
        notes = folders / "notes"
        notes.mkdir()
        (notes / "a.md").write_text("# Ports\n\nThe API listens on port 8443.\n")
        tacit.documents.add(notes)
        tacit.documents.index()
        prompt = tacit.grounding.prompt("What do the docs say about ports?", context="c")
        prompt.commit("8443")
        tacit.erase(tacit.list()[0].id)
        assert _files(folders / "here") == _files(folders / "home") == []
    assert [each.name for each in _files(folders)] == ["a.md"]
    assert list((folders / "temporary").iterdir()) == []


_NEVER_CLOSED = """
import sys
from tacit import Tacit
tacit = Tacit.open(":memory:", embedder="none")
tacit.grounding.prompt("Which port?", context="c").commit("8443")
print([name for name in sys.modules if name.startswith("tacit.testing")])
"""


def test_a_program_that_does_not_close_it_leaves_no_file_and_loads_nothing_of_tests(folders):
    command = [sys.executable, "-c", _NEVER_CLOSED]
    ran = subprocess.run(command, capture_output=True, check=True, text=True)
    assert ran.stdout == "[]\n"
    assert _files(folders) == []
    assert list((folders / "temporary").iterdir()) == []


def test_commands_can_name_it_and_leave_no_file(folders, run):
    assert run("remember", "The API speaks gRPC", db=":memory:").code == 0
    assert run("remember", "The API speaks gRPC", db=":memory:").out.startswith("created")
    assert _files(folders) == []
