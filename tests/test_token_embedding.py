"""Vectors of tokens: by the real model, by any embedder, and by none."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder
from tacit.core.errors import EmbedderFailed
from tacit.embedding.embedder import (
    QueryTokens,
    TextInContext,
    embed_query_tokens,
    embed_tokens,
    token_model_of,
)
from tacit.embedding.minilm.embedder import MiniLM, open_session
from tacit.embedding.minilm.model_files import ENGLISH, SEVEN_LANGUAGES, ModelCache
from tacit.embedding.minilm.tokenizer import MiniLMTokenizer
from tacit.embedding.registry import LazyEmbedder, shared_embedder
from tacit.embedding.token_codes import pack_tokens, score_tokens
from tests.properties import examples

SENTENCES = [
    "The cat sits on the mat",
    "We chose JWT over session tokens for the API",
    "",
    "Deploys happen on Tuesdays and never on a Friday afternoon, whatever anybody says",
    "漢字 and кириллица",
]


@pytest.fixture(scope="module")
def minilm():
    return MiniLM.open()


# The network


def test_the_vector_of_a_text_is_to_the_bit_what_the_network_makes_without_token_states(
    minilm, tmp_path
):
    cache = ModelCache.of_user()
    graph = onnx.load(cache.graph(SEVEN_LANGUAGES))
    (states,) = (each for each in graph.graph.output if each.name == "token_states")
    graph.graph.output.remove(states)
    onnx.save(graph, tmp_path / "plain.onnx")
    tokenizer = MiniLMTokenizer.load(cache.tokenizer(SEVEN_LANGUAGES))
    plain = MiniLM(SEVEN_LANGUAGES, open_session(tmp_path / "plain.onnx", threads=1), tokenizer)
    texts = [f"{sentence} {'and more ' * (7 * n % 30)}" for n, sentence in enumerate(SENTENCES * 5)]
    np.testing.assert_array_equal(minilm.embed(texts), plain.embed(texts))
    for text in texts:
        expected = plain.embed_query(text)
        np.testing.assert_array_equal(minilm.embed_query(text), expected)
        np.testing.assert_array_equal(minilm.embed_query_tokens(text).vector, expected)


def test_token_vectors_are_named_apart_from_vectors_of_texts(minilm):
    assert minilm.token_model == SEVEN_LANGUAGES.token_model
    english = ENGLISH.token_model
    assert (english.name, english.dims) == ("all-MiniLM-L6-v2-tokens", 256)
    assert english.revision == "53aa5117-int8-v1-components-v1"


@pytest.mark.parametrize("model", [SEVEN_LANGUAGES, ENGLISH], ids=lambda model: model.name)
def test_the_components_are_orthogonal(model):
    components = model.token_components()
    assert components.shape == (384, model.token_model.dims)
    products = components.T @ components
    np.testing.assert_allclose(products, np.eye(256), atol=2e-3)


@pytest.mark.slow
def test_the_components_can_be_made_of_any_texts(tmp_path):
    texts, made = tmp_path / "texts.json", tmp_path / "components.npy"
    texts.write_text(json.dumps(SENTENCES * 2))
    command = [sys.executable, "-m", "tools.token_components", "--texts", texts, "--out", made]
    subprocess.run(command, cwd=Path(__file__).parents[1], check=True)
    matrix = np.load(made)
    assert (matrix.dtype, matrix.shape) == (np.float16, (384, 256))
    products = matrix.astype(np.float32).T @ matrix.astype(np.float32)
    np.testing.assert_allclose(products, np.eye(256), atol=2e-3)


# Texts


def test_every_own_token_has_a_unit_vector(minilm):
    model, rows = embed_tokens(minilm, [TextInContext(text) for text in SENTENCES])
    assert model == SEVEN_LANGUAGES.token_model
    assert [len(each) for each in rows][:3] == [6, 11, 0]
    for each in rows:
        assert each.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(each, axis=1), 1, atol=1e-5)


def test_nothing_gives_no_tokens(minilm):
    assert minilm.embed_tokens([]) == []


def test_tokens_of_the_context_are_not_kept(minilm):
    before = ("Ann: I bought a violin in Cremona.", "Ben: Was it expensive?")
    (alone,) = minilm.embed_tokens([TextInContext("Ann: It was.")])
    (behind,) = minilm.embed_tokens([TextInContext("Ann: It was.", before)])
    assert alone.shape == behind.shape
    assert not np.allclose(alone, behind, atol=0.1)


def test_a_text_behind_its_context_is_found_by_what_it_speaks_of(minilm):
    text, before = "It has four strings and I play it daily.", ("I bought a violin in Cremona.",)
    made = minilm.embed_tokens([TextInContext(text), TextInContext(text, before)])
    query = minilm.embed_query_tokens("violin")
    alone, behind = score_tokens(query.tokens, [1.0] * len(query.words), [*map(pack_tokens, made)])
    assert behind > alone + 0.05


def test_only_the_end_of_the_context_counts(minilm):
    near = ("near " * 120,)
    first, second = minilm.embed_tokens(
        [TextInContext("It was.", ("far away", *near)), TextInContext("It was.", near)]
    )
    np.testing.assert_array_equal(first, second)


def test_the_longest_text_and_context_fit_the_network(minilm):
    (rows,) = minilm.embed_tokens([TextInContext("word " * 4_000, ("before " * 4_000,) * 3)])
    assert rows.shape == (254, 256)


def test_texts_of_all_lengths_keep_their_order(minilm):
    texts = [
        TextInContext(f"{sentence} {'and more ' * (7 * n % 30)}", tuple(SENTENCES[: n % 3]))
        for n, sentence in enumerate(SENTENCES * 4)
    ]
    together = minilm.embed_tokens(texts)
    for text, rows in zip(texts, together, strict=True):
        (alone,) = minilm.embed_tokens([text])
        assert alone.shape == rows.shape
        assert (alone * rows).sum(axis=1).mean() > 0.9 if len(rows) else True


# Queries


def test_a_query_has_its_vector_its_tokens_and_their_words(minilm):
    found = embed_query_tokens(minilm, "Where's Ann's Überraschungsparty?")
    np.testing.assert_array_equal(
        found.vector, minilm.embed_query("Where's Ann's Überraschungsparty?")
    )
    assert found.tokens.shape == (len(found.words), 256)
    np.testing.assert_allclose(np.linalg.norm(found.tokens, axis=1), 1, atol=1e-5)
    assert found.words[:6] == ("where", "", "s", "ann", "", "s")
    assert set(found.words[6:-1]) == {"überraschungsparty"}
    assert found.words[-1] == ""


def test_a_long_query_has_the_tokens_of_its_rarest_words(minilm):
    filler = "well you know I was just thinking about it and so on and so on, as one does, and "
    found = minilm.embed_query_tokens(filler * 12 + "which database does billing use? " + filler)
    assert len(found.words) == len(found.tokens) == 64
    assert {"database", "billing"} <= set(found.words)


def test_a_query_without_words_has_no_tokens(minilm):
    found = minilm.embed_query_tokens("")
    assert (found.tokens.shape, found.words) == ((0, 256), ())


@settings(max_examples=examples(10, 50))
@given(st.text(st.characters(), max_size=300))
def test_any_text_has_tokens_and_every_word_stands_in_it(minilm, text):
    (rows,) = minilm.embed_tokens([TextInContext(text, (text, text))])
    assert np.isfinite(rows).all()
    found = embed_query_tokens(minilm, text)
    assert len(found.words) == len(found.tokens)
    assert all(word in text.lower() for word in found.words)


def test_what_means_the_same_scores_above_what_does_not(minilm):
    texts = ["A feline rests on a rug", "Quarterly revenue grew by 4%"]
    codes = [pack_tokens(each) for each in minilm.embed_tokens([*map(TextInContext, texts)])]
    query = minilm.embed_query_tokens("Where does the cat sit?")
    weights = [float(bool(word)) for word in query.words]
    near, far = score_tokens(query.tokens, weights, codes)
    assert near > far + 0.1


# Any embedder


class _Plain:
    """An embedder of somebody's own, without tokens."""

    model = FakeEmbedder().model

    def embed(self, texts):
        return FakeEmbedder().embed(texts)

    def embed_query(self, text):
        return FakeEmbedder().embed_query(text)


def test_an_embedder_without_tokens_says_so():
    for embedder in (_Plain(), LazyEmbedder(_Plain)):
        assert token_model_of(embedder) is None
        with pytest.raises(EmbedderFailed, match="makes no vectors of tokens"):
            embed_tokens(embedder, [TextInContext("x")])
        with pytest.raises(EmbedderFailed, match="makes no vectors of tokens"):
            embed_query_tokens(embedder, "x")


def test_a_lazy_embedder_passes_tokens_on():
    lazy, fake = LazyEmbedder(FakeEmbedder), FakeEmbedder()
    assert token_model_of(lazy) == fake.token_model
    np.testing.assert_array_equal(
        embed_tokens(lazy, [TextInContext("a zebra")])[1],
        fake.embed_tokens([TextInContext("a zebra")]),
    )
    assert embed_query_tokens(lazy, "A zebra?").words == ("a", "zebra")


def test_naming_the_model_of_tokens_does_not_load_it():
    program = (
        "import sys; from tacit.embedding.registry import shared_embedder;"
        "print(shared_embedder('minilm').token_model.dims, 'onnxruntime' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "256 False\n"
    assert token_model_of(shared_embedder("minilm")) == SEVEN_LANGUAGES.token_model


class _Faulty(FakeEmbedder):
    """Makes of tokens what it is told to."""

    def __init__(self, rows=None, query=None):
        super().__init__()
        self._rows, self._query = rows, query

    def embed_tokens(self, texts):
        return self._rows(super().embed_tokens(texts))

    def embed_query_tokens(self, text):
        return self._query(super().embed_query_tokens(text))


def test_tokens_that_cannot_be_used_are_left_out():
    texts = [TextInContext("one zebra"), TextInContext("two")]
    for spoil in (lambda row: row[:, :-1], lambda row: row * np.nan, lambda row: row[0]):
        embedder = _Faulty(rows=lambda rows, spoil=spoil: [spoil(rows[0]), rows[1]])
        _, (spoiled, kept) = embed_tokens(embedder, texts)
        assert spoiled is None
        assert kept.shape == (1, 256)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (lambda rows: rows[:-1], "made tokens of 1 of 2 texts"),
        (lambda _: None, r"the embedder failed \(TypeError"),
        (lambda _: [["words"], ["words"]], r"the embedder failed \(ValueError"),
        (lambda rows: 1 / 0, r"the embedder failed \(ZeroDivisionError"),
    ],
)
def test_whatever_goes_wrong_with_tokens_of_texts_is_one_error(rows, said):
    with pytest.raises(EmbedderFailed, match=said):
        embed_tokens(_Faulty(rows=rows), [TextInContext("one"), TextInContext("two")])


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (lambda _: None, r"the embedder failed \(AttributeError"),
        (
            lambda made: QueryTokens(made.vector[1:], made.tokens, made.words),
            "not 32 finite numbers",
        ),
        (lambda made: QueryTokens(made.vector, made.tokens[:, 1:], made.words), "for each token"),
        (lambda made: QueryTokens(made.vector, made.tokens, made.words[1:]), "for each token"),
    ],
)
def test_whatever_goes_wrong_with_tokens_of_a_query_is_one_error(query, said):
    with pytest.raises(EmbedderFailed, match=said):
        embed_query_tokens(_Faulty(query=query), "one zebra")


# The fake


def test_the_fake_embedder_finds_the_same_word_and_nothing_else():
    fake = FakeEmbedder()
    texts = ["A striped zebra", "a lion", "Zebra!"]
    codes = [pack_tokens(each) for each in fake.embed_tokens([*map(TextInContext, texts)])]
    query = fake.embed_query_tokens("zebra")
    assert tuple(query.vector) == pytest.approx(fake.embed_query("zebra"))
    first, other, last = score_tokens(query.tokens, [1.0], codes)
    assert first == last == pytest.approx(1)
    assert other < 0.4
    assert all(re.fullmatch(r"\w+", word) for word in query.words)
