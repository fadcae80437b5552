"""kill -9 at random moments: what was acknowledged is there, and everything agrees."""

import json
import os
import random
import time

import pytest

from tacit import FakeEmbedder
from tacit.core.kinds import Action
from tacit.language.terms import extract_index_terms, pack_term_codes
from tacit.store.query import Query
from tacit.store.sqlite.store import SqliteStore
from tests import crash_writer
from tests.forking import ForkedProcess
from tests.support import START

_LONGEST_SECONDS = 0.2
_EVERYTHING_EVERY = 10
"""So often all that was ever written is read; after the other kills only what came last."""


def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path):
    _kill_writers(tmp_path / "memory.db", times=6)


@pytest.mark.crash
def test_nothing_acknowledged_is_lost_by_two_hundred_kills(tmp_path):
    _kill_writers(tmp_path / "memory.db", times=200)


def _kill_writers(path, times):
    """Kill one writer after the other at random moments, its start included, and check."""
    moments = random.Random(times)
    acknowledged = {}
    for number in range(1, times + 1):
        written = _write_until_killed(path, f"writer{number}", moments)
        acknowledged |= written
        if number % _EVERYTHING_EVERY == 0 or number == times:
            _check(path, acknowledged)
        else:
            _check_that_it_opens_with(path, written)
    assert len(acknowledged) > times


def _write_until_killed(path, name, moments):
    writer = ForkedProcess(crash_writer.write, str(path), name, environment=dict(os.environ))
    with writer.output:
        first = writer.output.readline() if moments.random() < 0.8 else ""
        time.sleep(moments.random() * _LONGEST_SECONDS)
        writer.kill()
        output = first + writer.output.read()
    writer.wait(30)
    whole = output[: output.rfind("\n") + 1]
    return {id: content for line in whole.splitlines() for id, content in json.loads(line)}


def _check_that_it_opens_with(path, written):
    """Open without help; what the last writer was told is there."""
    store = SqliteStore.open(path)
    with store.read("default") as unit:
        found = unit.memories.get(written)
    assert {id: memory.content for id, memory in found.items()} == written
    store.close()


def _check(path, acknowledged):
    """Open without help; text, terms, vectors and audit must tell the same story."""
    model = FakeEmbedder().model
    store = SqliteStore.open(path)
    with store.read("default") as unit:
        memories = _everything(unit)
        contents = {memory.id: memory.content for memory in memories}
        assert {id: contents.get(id) for id in acknowledged} == acknowledged
        assert unit.vectors.missing(model, 10) == []
        assert unit.counts(START).indexed == len(memories)
        for memory in random.Random(len(memories)).sample(memories, min(40, len(memories))):
            _check_one(unit, model, memory)
    store.close()


def _everything(unit):
    memories, last = [], None
    while page := unit.memories.find(_query(last)):
        memories += page
        last = page[-1].id
    return memories


def _query(after):
    return Query(now=START, state=None, sort="created", limit=1_000, after=after)


def _check_one(unit, model, memory):
    assert unit.texts.of([memory.id]) == {
        memory.id: pack_term_codes(extract_index_terms(memory.content))
    }
    expected = FakeEmbedder().embed([memory.content])[0]
    stored = unit.vectors.get([memory.id], model)[memory.id]
    assert stored == pytest.approx(expected, abs=1e-3)
    rows = unit.audit.of(memory.id)
    assert rows[0].action is Action.INSERT
    assert len(rows) == (2 if "corrected" in memory.content else 1)
