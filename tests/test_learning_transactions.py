"""While what was learned is written, nothing waits for the local model."""

from contextlib import contextmanager
from threading import get_ident

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.settings.config import Config
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tests.support import FixedPairReader, HandClock

WHO = {"user": "ana", "contextual_min_score": 0.0}


class _WatchedStore(SqliteInMemoryStore):
    """Knows which threads write."""

    def __init__(self, *made):
        super().__init__(*made)
        self.writing = set()

    @contextmanager
    def write(self, workspace):
        with super().write(workspace) as unit:
            self.writing.add(get_ident())
            try:
                yield unit
            finally:
                self.writing.discard(get_ident())


class _WatchedReader(FixedPairReader):
    """Refuses to read for a thread that writes."""

    def __init__(self, store, likelihood):
        super().__init__(likelihood)
        self.store, self.read = store, set()

    def read_pairs(self, pairs):
        assert get_ident() not in self.store.writing
        self.read |= {*pairs}
        return super().read_pairs(pairs)


@pytest.fixture
def store():
    return _WatchedStore.open()


@pytest.fixture
def reader(store, monkeypatch):
    made = _WatchedReader(store, 0.97)
    made.use(monkeypatch)
    return made


@pytest.fixture
def tacit(store, reader):
    with Tacit(
        store, "default", embedder=FakeEmbedder(), clock=HandClock(), config=Config()
    ) as opened:
        yield opened


def _say(tacit, text):
    tacit.turn(session="s", text=text, history=[], **WHO).commit("Noted.")
    return tacit.learn()


def test_a_memory_that_was_shown_and_is_not_among_the_nearest(tacit, reader):
    shown = "I play the cello with Ben, Carla, Dilip and Esra in a trio that rehearses in Porto"
    tacit.remember(shown, scope="user", scope_id="ana")
    _say(tacit, "Which cello do I play?")
    for number in range(30):
        tacit.remember(f"Friend {number} gave up the cello", scope="user", scope_id="ana")
    (lesson,) = _say(tacit, "As you know, I gave up the cello.").lessons
    assert (shown, lesson.content) in reader.read
    assert lesson.verdict == "learned"


def test_statements_that_are_learned_together(tacit, reader):
    said = "Our office with the big garden is in Porto. Our office with the big garden is in Faro."
    lessons = _say(tacit, said).lessons
    assert tuple(each.content for each in lessons) in reader.read
    assert lessons[1].superseded == (lessons[0].memory,)
