"""Processes search and write while another model takes over, and its fill is killed again."""

import contextlib
import json
import os
import time

import pytest

from tacit.core.vectors import TextVectors
from tacit.language.terms import extract_index_terms
from tacit.store.backends import open_store
from tacit.store.generations import put_vectors, serving_model
from tests import generation_worker
from tests.forking import ForkedProcess
from tests.generation_worker import NEW, OLD, text_of
from tests.postgres_server import new_database
from tests.support import CountedIds, make_memory

_USERS, _PAGE, _PATIENCE = 4, 1_000, 180.0
_CALM = {
    "TACIT_SEARCH_LATE_INTERACTION": "off",
    "TACIT_SEARCH_EMBEDDING_TIMEOUT_MS": "60000",
    "TACIT_POSTGRES_POOL_TIMEOUT_MS": "120000",
}
"""Nobody is late on a busy machine, neither a vector nor a writer who waits for others."""


def _place(backend, folder):
    if backend == "sqlite":
        return str(folder / "memory.db")
    return new_database(f"switch_{folder.name}")


@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
@pytest.mark.crash
def test_a_switch_under_load_with_kills_mixes_and_loses_nothing(backend, tmp_path, monkeypatch):
    _switch(_place(backend, tmp_path), tmp_path, monkeypatch, texts=20_000, kills=10)


@pytest.mark.slow
def test_a_switch_is_seen_by_other_processes(tmp_path, monkeypatch):
    _switch(_place("sqlite", tmp_path), tmp_path, monkeypatch, texts=300, kills=2)


def _switch(place, folder, monkeypatch, *, texts, kills):
    for name, value in _CALM.items():
        monkeypatch.setenv(name, value)
    _prepare(place, texts)
    stop = folder / "stop"
    names = [f"user{number}" for number in range(_USERS)]
    users = [_start(generation_worker.use, place, name, str(stop), texts) for name in names]
    store = open_store(place)
    with contextlib.ExitStack() as ending:
        ending.callback(store.close)
        for user in users:
            ending.callback(_end, user)
        _wait_for_old_model(generation_worker.ready_file(str(stop), name) for name in names)
        for number in range(kills):
            _kill_fill(store, place, most=texts - texts * (number + 1) // (kills + 2))
            with store.read("default") as unit:
                assert serving_model(unit) == OLD.model
        filler = _start(generation_worker.fill, place)
        _finish(filler)
        stop.touch()
        reports = [json.loads(_finish(user)) for user in users]
        _check(store, place, texts, reports)


def _prepare(place, texts):
    """Texts with the vectors of the old model, written as an import does, many at once."""
    new_id, store = CountedIds(), open_store(place)
    for start in range(0, texts, _PAGE):
        contents = [text_of(number) for number in range(start, min(start + _PAGE, texts))]
        with store.write("default") as unit:
            for content, vector in zip(contents, OLD.embed(contents), strict=True):
                memory = make_memory(content, new_id())
                unit.memories.insert(memory)
                unit.texts.put(memory.id, extract_index_terms(content))
                put_vectors(unit, memory.id, TextVectors(OLD.model, vector))
    store.close()


def _wait_for_old_model(ready):
    """Wait until the old model has answered a search of every process."""
    end = time.monotonic() + _PATIENCE
    for file in ready:
        while not file.exists():
            assert time.monotonic() < end, f"{file.name} is not there"
            time.sleep(0.1)


def _start(work, *given):
    return ForkedProcess(work, *given, environment=dict(os.environ))


def _kill_fill(store, place, most):
    """Let a fill go on until at most so many texts lack a vector, and kill it."""
    filler = _start(generation_worker.fill, place)
    end = time.monotonic() + _PATIENCE
    while _lacking(store) > most:
        assert filler.poll() is None, filler.output.read()
        assert time.monotonic() < end, "the fill does not get on"
        time.sleep(0.1)
    _end(filler)


def _end(process):
    """End a process that a failed test has left."""
    process.kill()
    process.wait(30)
    process.output.close()


def _lacking(store):
    with store.read("default") as unit:
        return unit.vectors.lacking(NEW.model)


def _finish(process):
    """The last line of a process that ends by itself and without an error."""
    with process.output:
        written = process.output.read()
    assert process.wait(_PATIENCE) == 0, written
    return written.splitlines()[-1] if written else ""


def _check(store, place, texts, reports):
    assert [wrong for each in reports for wrong in each["wrong"]] == []
    assert all(sum(each["models"][name] for each in reports) for name in ("1", "2"))
    written = {id: text for each in reports for id, text in each["written"].items()}
    assert len(written) >= _USERS
    generation_worker.fill(place)
    with store.read("default") as unit:
        assert serving_model(unit) == NEW.model
        assert unit.vectors.missing(NEW.model, 1) == []
        assert unit.vectors.lacking(OLD.model) <= len(written)
        kept = unit.memories.get(list(written))
        assert {id: memory.content for id, memory in kept.items()} == written
        assert unit.vectors.lacking(NEW.model) == 0
        held = unit.vectors.get(list(written), NEW.model)
        total = sum(unit.counts(next(iter(kept.values())).created_at).by_state.values())
    assert total == texts + len(written)
    for id, text in list(written.items())[:50]:
        assert list(held[id]) == pytest.approx(NEW.embed([text])[0], abs=1e-3)
