"""The memory cache: each memory is read once, in batches that the server accepts."""

import asyncio

import pytest

from tacit import InvalidInput, Tacit
from tacit.ui.api_calls import MemoryCache
from tests.support import say

GONE = "01890a5d-ac96-874b-bcce-b302099a8057"


class Server:
    """A memory that takes so many ids at once, and notes what it was asked for."""

    def __init__(self, tacit, most):
        self.asked = []
        self.memories = self.episodes = self
        self._tacit, self._most = tacit, most

    def get_all(self, ids):
        self.asked.append(list(ids))
        if len(ids) > self._most:
            raise InvalidInput("ids", f"at most {self._most} at once")
        return self._tacit.memories.get_all(ids)

    def get(self, id):
        self.asked.append(id)
        return self._tacit.episodes.get(id)


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


@pytest.fixture
def ids(tacit):
    return [
        each.id for each in tacit.memories.remember_all(f"shelf {number}" for number in range(5))
    ]


def test_what_is_known_or_known_to_be_gone_is_not_asked_for_again(tacit, ids):
    tacit.forget(ids[0])
    server = Server(tacit, most=1_000)
    words = MemoryCache(server)
    asyncio.run(words.load(ids[:3]))
    asyncio.run(words.load([ids[3], *ids, ids[3]]))
    asyncio.run(words.load(ids))
    assert server.asked == [ids[:3], ids[3:]]
    assert words.known == {id: tacit.get(id) for id in ids[1:]}
    words.clear()
    tacit.restore(ids[0])
    asyncio.run(words.load(ids[:1]))
    assert words.known.keys() == {ids[0]}


@pytest.mark.episodes
def test_what_was_said_is_read_once_beside_memories_and_is_gone_when_forgotten(tacit, ids):
    say(tacit, "the boiler makes a noise like a kettle")
    say(tacit, "the tenants of the attic keep bees", session="s2")
    bees, boiler = tacit.episodes.list()
    tacit.episodes.forget(boiler.id)
    server = Server(tacit, most=1_000)
    words = MemoryCache(server)
    for _ in range(2):
        asyncio.run(words.load([bees.id, ids[0], boiler.id, GONE]))
    assert sorted(map(str, server.asked)) == sorted(map(str, [bees.id, boiler.id, GONE, ids[:1]]))
    assert words.known_episodes == {bees.id: bees}
    named = [words.words_of(id) for id in (bees.id, ids[0], boiler.id, GONE)]
    assert named == [bees.text, "shelf 0", None, None]


@pytest.mark.parametrize("most", [1, 2])
def test_a_server_that_takes_few_ids_at_once_is_asked_more_often(tacit, ids, most):
    words = MemoryCache(Server(tacit, most))
    asyncio.run(words.load(ids))
    assert list(words.known) == ids


def test_a_server_that_takes_none_is_not_asked_for_ever(tacit, ids):
    with pytest.raises(InvalidInput):
        asyncio.run(MemoryCache(Server(tacit, 0)).load(ids))
