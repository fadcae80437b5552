"""An embedder that is anybody's code and fails in any way: words are kept all the same."""

import io

import numpy as np
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import EmbedderFailed
from tests.support import HandClock

KEPT = (
    "zinc is kept in shed one",
    "copper is kept in shed two",
    "iron comes by ship",
    "tin is sold by Ann",
)


class Faulty(FakeEmbedder):
    """An embedder that is well until it gets a fault."""

    fault = None

    @property
    def model(self):
        if self.fault == "its model":
            raise RuntimeError("no model")
        return self._model

    @model.setter
    def model(self, model):
        self._model = model

    def embed(self, texts):
        rows = [list(each) for each in super().embed(texts)]
        match self.fault:
            case BaseException() as error:
                raise error
            case "one too few":
                return rows[:-1]
            case "none":
                return None
            case "short":
                return [row[:-1] for row in rows]
            case "ragged":
                return [row[: -1 - number] for number, row in enumerate(rows)]
            case "nan":
                return [[float("nan"), *row[1:]] for row in rows]
            case "huge":
                return np.full((len(rows), 32), 1e9)
            case "words":
                return [["a"] * 32 for _ in rows]
        return rows

    def embed_query(self, text):
        return self.embed([text])[0]


FAULTS = (
    ValueError("too long"),
    OSError("the socket is gone"),
    MemoryError(),
    "its model",
    "one too few",
    "none",
    "short",
    "ragged",
    "nan",
    "huge",
    "words",
)


@pytest.fixture
def embedder():
    return Faulty()


@pytest.fixture
def tacit(embedder):
    with Tacit.open(":memory:", embedder=embedder, clock=HandClock()) as tacit:
        yield tacit


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_no_write_fails_with_its_embedder_and_vectors_are_made_later(
    tacit, embedder, fault, caplog
):
    edited = tacit.remember("lead is heavy").id
    forgotten = tacit.remember("salt is white").id
    tacit.forget(forgotten)
    embedder.fault = fault
    written = [tacit.remember(KEPT[0]), *tacit.memories.remember_all(list(KEPT[1:]))]
    changed = tacit.edit(edited, content="lead is soft").memory
    restored = tacit.restore(forgotten).memory
    tacit.archive.import_from(io.BytesIO(b"gold is yellow\n"), name="notes.txt")
    said = {"session": "s", "text": "I prefer tabs over spaces in Go code."}
    tacit.turn(**said).commit("I see.")
    learned = tacit.learn().lessons
    tacit.upkeep()
    assert "kept without vectors" in caplog.text
    assert [each.memory.content for each in written] == list(KEPT)
    assert (changed.content, restored.forgotten) == ("lead is soft", False)
    assert len(learned) == 1
    found = tacit.search("zinc in the shed")
    assert found.hits[0].memory.content == KEPT[0]
    assert any(each.startswith("vectors:") for each in found.degraded)
    embedder.fault = None
    assert tacit.archive.embed_missing().vectors >= len(KEPT)
    assert tacit.search("zinc in the shed").degraded == ()


def test_one_vector_that_is_none_costs_the_others_nothing(tacit, embedder, monkeypatch):
    def embed(texts):
        return [
            (np.nan,) * 32 if "copper" in each else row
            for each, row in zip(texts, made(texts), strict=True)
        ]

    made = FakeEmbedder().embed
    monkeypatch.setattr(embedder, "embed", embed)
    tacit.memories.remember_all(list(KEPT))
    assert sum(tacit.workspace.stats().counts.vectors.values()) == len(KEPT) - 1
    with pytest.raises(EmbedderFailed, match="not 32 finite numbers"):
        tacit.archive.embed_missing()


def test_whoever_interrupts_an_embedder_is_heard(tacit, embedder):
    embedder.fault = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        tacit.remember(KEPT[0])
    embedder.fault = None
    assert tacit.list() == []


def test_filling_in_says_what_the_embedder_did(tacit, embedder):
    embedder.fault = ValueError("too long")
    tacit.remember(KEPT[0])
    with pytest.raises(EmbedderFailed, match=r"the embedder failed \(ValueError: too long\)"):
        tacit.archive.embed_missing()
