"""The default embedder, with the real model."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.embedding.minilm.embedder import MiniLM
from tacit.embedding.minilm.model_files import ENGLISH, LANGUAGES, LANGUAGES_FILE, file_sha256
from tests.properties import examples

SENTENCES = [
    "The cat sits on the mat",
    "We chose JWT over session tokens for the API",
    "Ann moved to Lisbon in March because of her sister",
    "",
    "Deploys happen on Tuesdays and never on a Friday afternoon, whatever anybody says",
    "漢字 and кириллица",
    "def main() -> None: ...",
]


@pytest.fixture(scope="module")
def minilm():
    return MiniLM.open()


def test_vectors_have_unit_length_and_the_width_of_the_model(minilm):
    vectors = minilm.embed(SENTENCES)
    assert vectors.shape == (len(SENTENCES), minilm.model.dims)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_the_model_is_named_with_its_revision(minilm):
    assert (minilm.model.name, minilm.model.dims) == ("minilm-7", 384)
    assert minilm.model.revision == f"{LANGUAGES.sha256[:8]}-int8-v1"
    english = MiniLM.open(model=ENGLISH).model
    assert (english.name, english.revision) == ("all-MiniLM-L6-v2", "53aa5117-int8-v1")


def test_what_was_learned_of_languages_is_the_file_that_the_revision_names():
    assert file_sha256(LANGUAGES_FILE) == LANGUAGES.sha256


@pytest.mark.parametrize(
    ("said", "asked", "other"),
    [
        ("Wir wohnen jetzt in Hamburg", "where do we live?", "The cake needs forty minutes"),
        ("My sister is a nurse", "que fait ma sœur dans la vie ?", "Il pleut depuis mardi"),
        ("Trabajo en una panadería", "Wo arbeite ich?", "El gato duerme en el sofá"),
        ("Il mio cane si chiama Argo", "what is my dog called?", "Domani piove a Torino"),
        ("Eu sou alérgico a amendoim", "which allergy do I have?", "O comboio parte às nove"),
        ("Ik speel cello in een kwartet", "which instrument do I play?", "De fiets is kapot"),
    ],
)
def test_what_was_said_in_one_language_is_found_in_another(minilm, said, asked, other):
    about, beside = minilm.embed([said, other])
    question = minilm.embed_query(asked)
    assert question @ about > question @ beside + 0.1


def test_english_stays_what_it_was(minilm):
    english = MiniLM.open(model=ENGLISH)
    for sentence in (SENTENCES[0], SENTENCES[1], SENTENCES[2], SENTENCES[4]):
        assert minilm.embed_query(sentence) @ english.embed_query(sentence) > 0.95


def test_what_means_the_same_is_nearer_than_what_does_not(minilm):
    cat, feline, revenue = minilm.embed(
        ["The cat sits on the mat", "A feline rests on a rug", "Quarterly revenue grew by 4%"]
    )
    assert cat @ feline > 0.5 > 0.2 > cat @ revenue


def test_nothing_gives_nothing(minilm):
    assert minilm.embed([]).shape == (0, 384)


def test_a_batch_keeps_its_order_and_the_sense_of_every_vector(minilm):
    # Not more than that: eight bits are scaled for all texts of a batch together.
    texts = [f"{sentence} {'and more ' * (7 * n % 30)}" for n, sentence in enumerate(SENTENCES * 5)]
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    assert (alone * minilm.embed(texts)).sum(axis=1).min() > 0.95


def test_threads_share_it(minilm):
    texts = SENTENCES * 4
    expected = [minilm.embed([text])[0] for text in texts]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(minilm.embed_query, texts))
    np.testing.assert_array_equal(found, expected)


def test_the_end_of_a_very_long_text_does_not_count(minilm):
    long = "word " * 300
    first, second = minilm.embed([long, long + "something else entirely"])
    np.testing.assert_array_equal(first, second)


def test_a_short_query_is_embedded_like_a_text(minilm):
    for sentence in SENTENCES:
        np.testing.assert_array_equal(minilm.embed_query(sentence), minilm.embed([sentence])[0])


def test_a_long_query_is_still_about_what_it_asks(minilm):
    filler = "well you know I was just thinking about it and so on and so on, as one does, and "
    query = filler * 12 + "which database does billing use, PostgreSQL or MySQL? " + filler * 12
    about, other = minilm.embed(
        ["Billing runs on the PostgreSQL database", "Ann's dog likes the beach"]
    )
    asked = minilm.embed_query(query)
    assert asked @ about > asked @ other + 0.3
    assert asked @ about > minilm.embed([query])[0] @ about


@settings(max_examples=examples(10, 50))
@given(st.text(st.characters(), max_size=300))
def test_any_text_has_a_vector(minilm, text):
    for vector in (minilm.embed([text])[0], minilm.embed_query(text)):
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("text", ["\x00", "\x07\x1b[31m", "\ud800", "a\udfffb", "\u200b", "[MASK]"])
def test_control_characters_and_lone_surrogates_have_a_vector(minilm, text):
    assert np.isfinite(minilm.embed([text, text * 5_000])).all()
    assert np.isfinite(minilm.embed_query(text * 5_000)).all()


@pytest.mark.slow
def test_a_process_that_ends_while_the_model_loads_ends_well():
    program = (
        "import threading\n"
        "from tacit.embedding.minilm.embedder import MiniLM\n"
        "threading.Thread(target=MiniLM.open, daemon=True).start()\n"
        "import time; time.sleep({pause})\n"
    )
    for pause in (0.0, 0.05, 0.1, 0.2):
        ran = subprocess.run(
            [sys.executable, "-c", program.format(pause=pause)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
