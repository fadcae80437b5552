"""An embedder that is opened when it is first needed."""

import subprocess
import sys

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import InvalidInput, ModelUnavailable
from tacit.embedding.minilm.pair_reader import MiniLMPairReader, SharedPairReader
from tacit.embedding.registry import LazyEmbedder, shared_embedder


def test_it_is_opened_once_and_only_when_needed():
    opened = []

    def open_it():
        opened.append(1)
        return FakeEmbedder()

    lazy = LazyEmbedder(open_it)
    assert opened == []
    assert lazy.model == FakeEmbedder().model
    assert lazy.embed(["x"]) == FakeEmbedder().embed(["x"])
    assert lazy.embed_query("x") == FakeEmbedder().embed_query("x")
    assert opened == [1]


def test_one_that_cannot_be_opened_is_not_tried_at_every_call(house):
    tries = []

    def fail():
        tries.append(1)
        raise ModelUnavailable("no source has it")

    tacit = Tacit(house.store, "w", embedder=LazyEmbedder(fail), clock=house.clock)
    for n in range(3):
        tacit.remember(f"zebra {n}")
    result = tacit.search("zebra")
    assert len(result.hits) == 3
    assert result.degraded == ("vectors: no source has it",)
    assert tries == [1]


def test_a_reader_of_pairs_that_cannot_be_opened_is_not_tried_at_every_call(monkeypatch):
    tries = []

    def fail(*given):
        tries.append(1)
        raise ModelUnavailable("no source has it")

    monkeypatch.setattr(MiniLMPairReader, "load", fail)
    monkeypatch.setattr("tacit.embedding.minilm.provision.rebuild_model", fail)
    reader = SharedPairReader()
    for _ in range(3):
        with pytest.raises(ModelUnavailable):
            reader.read_pairs([("a", "b")])
    assert len(tries) == 2  # once to load it, once to build it


def test_naming_the_model_does_not_load_it():
    program = (
        "import sys; from tacit.embedding.registry import shared_embedder;"
        "shared_embedder('minilm').model;"
        "print('onnxruntime' in sys.modules, 'tokenizers' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False False\n"


def test_those_who_name_the_same_share_it():
    assert shared_embedder("minilm") is shared_embedder("minilm")
    assert shared_embedder("none") is None


@pytest.mark.parametrize("name", ["gpt", "http://host/v1", "ftp://x#y"])
def test_an_unknown_name_is_refused_at_open(name):
    with pytest.raises(InvalidInput, match="embedder"):
        Tacit.open(":memory:", embedder=name)


def test_the_real_model_finds_by_meaning_what_shares_no_word(tmp_path):
    with Tacit.open(tmp_path / "x.db", embedder="minilm") as tacit:
        tacit.memories.remember_all(
            [
                "The feline rested on the rug all afternoon",
                "Quarterly revenue grew by nine percent",
                "Our database backups run at midnight",
            ]
        )
        result = tacit.search("a cat asleep upon a carpet")
    assert result.degraded == ()
    assert result.hits[0].memory.content.startswith("The feline")
    assert "text" not in result.hits[0].sources


def test_another_model_is_noticed_at_open_and_said_once(tmp_path, caplog):
    path = tmp_path / "x.db"
    with Tacit.open(path, embedder=FakeEmbedder()) as tacit:
        tacit.remember("zebra")
    assert caplog.records == []
    with Tacit.open(path, embedder="minilm"):
        pass
    (record,) = caplog.records
    assert "searched by the vectors of fake (1), and this is minilm-7" in record.message
    assert "tacit embed" in record.message
