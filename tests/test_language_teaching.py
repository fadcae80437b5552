"""The commands of `tools.languages` on a few lines: they run, and write what the package reads."""

import json
import lzma
import sys

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tools.languages import __main__ as commands

from tacit.embedding.minilm.languages import PIECES, WORDS, read_pieces, teach
from tacit.embedding.minilm.model_files import TOKENIZER, WIDTH

ENGLISH = ["The cat sleeps on the roof.", "Where is the key?", "My sister plants tomatoes."]
GERMAN = ["Die Katze schläft auf dem Dach.", "Wo liegt der Schlüssel?", "Meine Schwester pflanzt."]
QUERIES = ["where is my order", "play some music"]


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A folder with the published tokenizer, the texts and nothing else, where commands are run."""
    letters = "abcdefghijklmnopqrstuvwxyzäöüß?."
    pieces = [*letters, *(f"##{each}" for each in letters), "the", "is", "where", "cat", "key"]
    marks = {"[UNK]": 100, "[CLS]": 101, "[SEP]": 102}
    vocabulary = {f"[unused{number}]": number for number in range(103)}
    vocabulary = {name: place for name, place in vocabulary.items() if place < 100} | marks
    vocabulary |= {each: 103 + place for place, each in enumerate(pieces)}
    published = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    published.normalizer = BertNormalizer(strip_accents=False)
    published.pre_tokenizer = BertPreTokenizer()
    (tmp_path / "model").mkdir()
    published.save(str(tmp_path / "model" / TOKENIZER.name))
    rows = [
        f"deu\ttat\t{english}\t{foreign}"
        for english, foreign in zip(ENGLISH, GERMAN, strict=True)
        for _ in range(4)
    ]
    with lzma.open(tmp_path / "pairs.tsv.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join(rows))
    (tmp_path / "english").mkdir()
    (tmp_path / "english" / "bank.csv").write_text(f"text,category\n{QUERIES[0]},order\n")
    queries = {"train": [[QUERIES[1], "music"]]}
    (tmp_path / "english" / "queries.json").write_text(json.dumps(queries))
    written = {"en": ["I keep bees"], "de": ["Ich halte Bienen im Garten"]}
    monkeypatch.setattr(commands, "read_written", lambda language: written.get(language, []))
    return tmp_path


def _run(monkeypatch, command, *given):
    monkeypatch.setattr(sys, "argv", ["languages", command, *map(str, given)])
    commands.main()


def _prepare(monkeypatch, build):
    texts = ("--tatoeba", build / "pairs.tsv.xz", "--english", build / "english")
    _run(monkeypatch, "prepare", build / "built", *texts, "--model", build / "model")
    return (build / "built" / commands.PIECES).read_text("utf-8").split("\n")


def test_new_pieces_are_learned_from_words_that_english_does_not_use(build, monkeypatch):
    pieces = _prepare(monkeypatch, build)
    assert {"katze", "schlüssel"} <= set(pieces)
    assert {"cat", "where", "sister"}.isdisjoint(pieces)
    english = (build / "built" / commands.TEXTS).read_text("utf-8").split("\n")
    assert set(english) == {*QUERIES, "I keep bees"}


def _write(monkeypatch, build, words):
    (build / "words.txt").write_text("\n".join(words), "utf-8")
    given = (build / "update.npz", "--model", build / "model", "--words", build / "words.txt")
    _run(monkeypatch, "write", build / "built", *given)
    return build / "update.npz"


def test_the_file_of_the_package_leaves_out_pieces_that_english_words_have(build, monkeypatch):
    pieces = _prepare(monkeypatch, build)
    rows = np.random.default_rng(1).standard_normal((len(pieces), WIDTH))
    layer = {"encoder.layer.0.bias": np.arange(3.0), WORDS: rows}
    np.savez(build / "built" / commands.LEARNED, **layer)
    written = _write(monkeypatch, build, ["katzenauge", "katze"])
    kept = read_pieces(written)
    assert set(kept) == set(pieces) - {"katze"}
    published = {WORDS: np.zeros((2, WIDTH)), "encoder.layer.0.bias": np.zeros(3)}
    taught = teach(published, written)
    assert taught["encoder.layer.0.bias"].tolist() == [0, 1, 2]
    own = [rows[place] for place, each in enumerate(pieces) if each in kept]
    np.testing.assert_allclose(taught[WORDS][2:], own, atol=0.05)


def test_a_tiny_network_is_taught_from_the_texts_to_the_file(build, monkeypatch):
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tools.languages import batches, network

    size = Tokenizer.from_file(str(build / "model" / TOKENIZER.name)).get_vocab_size()

    def make_network(_):
        torch.manual_seed(1)
        tiny = transformers.BertConfig(
            vocab_size=size, hidden_size=WIDTH, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=8,
        )  # fmt: skip
        return transformers.BertModel(tiny, add_pooling_layer=False).requires_grad_(False)

    monkeypatch.setattr(network, "load_bert", make_network)
    monkeypatch.setattr(batches, "PAIRS", 4)
    monkeypatch.setattr(batches, "QUESTIONS", 4)
    monkeypatch.setattr(commands, "_WORKERS", 1)
    pieces = _prepare(monkeypatch, build)
    given = ("--model", build / "model", "--set", "seconds=2")
    _run(monkeypatch, "train", build / "built", *given)
    begun = dict(make_network(None).named_parameters())
    with np.load(build / "built" / commands.LEARNED) as learned:
        assert learned[WORDS].shape == (len(pieces), WIDTH)
        changed = {
            name: np.abs(learned[name] - begun[name].numpy()).max()
            for name in learned.files
            if name != WORDS
        }
    assert changed.keys() == {name for name in begun if name.startswith("encoder.")}
    assert changed["encoder.layer.0.intermediate.dense.weight"] > 0
    update = _write(monkeypatch, build, [])
    with np.load(update) as file:
        assert PIECES in file.files
    assert read_pieces(update) == pieces
