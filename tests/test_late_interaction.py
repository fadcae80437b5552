"""Late interaction: candidates are scored by their tokens, by whose they are, and without any."""

import numpy as np
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import TacitError
from tacit.core.vectors import EmbeddingModel
from tacit.embedding import registry
from tacit.embedding.embedder import QueryTokens
from tacit.settings.config import Config
from tacit.settings.search import LateInteraction, SearchSettings
from tacit.testing.embedder import HashedTokens

SAID = ["The ferry to Skye was late", "Ann paid for the tickets", "Bob forgot his umbrella"]


class Plain:
    """An embedder that makes no tokens, such as that of an endpoint."""

    def __init__(self):
        self._fake = FakeEmbedder()
        self.model = self._fake.model

    def embed(self, texts):
        return self._fake.embed(texts)

    def embed_query(self, text):
        return self._fake.embed_query(text)


class Local(HashedTokens):
    """Stands for the local model: only its tokens are asked for."""

    model = EmbeddingModel("local", 4, "1")
    asked = 0

    def embed_query(self, text):
        return np.ones(4, np.float32) / 2

    def embed_query_tokens(self, text):
        self.asked += 1
        return super().embed_query_tokens(text)


class Broken(Local):
    """A local model that cannot be run."""

    def embed_query_tokens(self, text) -> QueryTokens:
        raise TacitError("the local model is not there; run tacit model pull")


@pytest.fixture
def local(monkeypatch):
    model = Local()
    monkeypatch.setitem(registry._shared, "minilm", model)
    return model


def _filled(house, embedder, late_interaction="auto"):
    config = Config(search=SearchSettings(late_interaction=LateInteraction(late_interaction)))
    tacit = Tacit(house.store, "w", embedder=embedder, clock=house.clock, config=config)
    tacit.memories.remember_all(SAID)
    tacit.archive.embed_missing()
    return tacit


def _parts(result):
    return {hit.memory.content: dict(hit.parts) for hit in result.hits}


def test_a_hit_is_scored_by_its_tokens_instead_of_its_vector(house):
    found = _filled(house, FakeEmbedder()).search("who paid for the tickets?")
    best = found.hits[0]
    assert best.memory.content == "Ann paid for the tickets"
    assert best.parts["tokens"] > 0 == best.parts["dense"]
    assert best.score == pytest.approx(sum(best.parts.values()))
    assert found.notes == ()


def test_what_has_no_tokens_yet_is_ranked_by_its_vector_and_counted(house):
    tacit = _filled(house, Plain())
    result = Tacit(house.store, "w", embedder=FakeEmbedder(), clock=house.clock).search("tickets")
    assert result.hits[0].memory.content == "Ann paid for the tickets"
    assert result.hits[0].parts["dense"] > 0 == result.hits[0].parts["tokens"]
    assert result.notes == (
        "tokens: 3 of 3 candidates have none yet and are ranked by their vectors",
    )
    assert result.degraded == ()
    assert tacit.search("tickets").notes == ()


def test_off_ranks_by_vectors_alone(house):
    tacit = _filled(house, FakeEmbedder())
    result = tacit.search("who paid for the tickets?", late_interaction="off")
    assert not any(parts["tokens"] for parts in _parts(result).values())
    assert result.hits[0].parts["dense"] > 0
    assert result.notes == ()


def test_a_common_word_decides_nothing_where_a_rare_one_is_asked_for(house):
    tacit = Tacit(house.store, "w", embedder=FakeEmbedder(), clock=house.clock)
    tacit.memories.remember_all([f"The cat number {n} sleeps" for n in range(30)])
    tacit.remember("A dog barks")
    tacit.archive.embed_missing()
    assert tacit.search("the number of the dog").hits[0].memory.content == "A dog barks"


def test_a_query_is_embedded_once_for_its_vector_and_its_tokens(house):
    class Counting(FakeEmbedder):
        asked = 0

        def embed_query_tokens(self, text):
            self.asked += 1
            return FakeEmbedder().embed_query_tokens(text)

        def embed_query(self, text):
            raise AssertionError("asked for the vector alone")

    embedder = Counting()
    tacit = _filled(house, embedder)
    tacit.warm()
    embedder.asked = 0
    tacit.search("who paid?")
    tacit.search("who paid?")
    assert embedder.asked == 1


def test_local_takes_the_tokens_of_the_local_model_beside_another_embedder(house, local):
    tacit = _filled(house, Plain(), "local")
    tacit.warm()
    local.asked = 0
    result = tacit.search("who paid for the tickets?")
    assert result.hits[0].parts["tokens"] > 0
    assert (result.notes, result.degraded) == ((), ())
    tacit.search("who paid for the tickets?")
    assert local.asked == 1
    assert set(tacit.workspace.stats().counts.vectors) == {"fake (32, 1)"}
    assert set(tacit.workspace.stats().counts.token_codes) == {"hashed-words (256, 1)"}


def test_auto_takes_no_tokens_beside_an_embedder_that_makes_none(house, local):
    tacit = _filled(house, Plain())
    result = tacit.search("who paid for the tickets?")
    assert result.hits[0].parts["tokens"] == 0 < result.hits[0].parts["dense"]
    assert (result.notes, local.asked, tacit.workspace.stats().counts.token_codes) == ((), 0, {})


def test_a_local_model_that_fails_costs_the_tokens_and_not_the_vectors(house, local, monkeypatch):
    tacit = _filled(house, Plain(), "local")
    monkeypatch.setitem(registry._shared, "minilm", Broken())
    result = tacit.search("who paid for the tickets?")
    assert result.degraded == ("tokens: the local model is not there; run tacit model pull",)
    assert result.hits[0].parts["dense"] > 0
    assert result.hits[0].memory.content == "Ann paid for the tickets"
    monkeypatch.setitem(registry._shared, "minilm", Local())
    assert tacit.search("who paid for the tickets?").degraded == ()
