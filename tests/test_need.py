"""Whether a message needs what is remembered: what hardly does gets nothing that was found."""

from dataclasses import replace

import numpy as np
import pytest

from tacit import Tacit
from tacit.embedding.minilm.model_files import (
    AUTHORSHIP_WEIGHTS,
    ENGLISH,
    EXCHANGE_WEIGHTS,
    FITTED_TO,
    LANGUAGES,
    PAIR_UPDATES,
    SEVEN_LANGUAGES,
    STATEMENT_WEIGHTS,
    file_sha256,
)
from tacit.search.need import NEED_WEIGHTS, weigh_vector
from tacit.search.query_embedding import EmbeddedQuery
from tacit.testing import FakeEmbedder

WHO = {"user": "ana"}

MEMORIES = (
    "I keep three hives of bees behind the house",
    "My daughter Frida is allergic to hazelnuts",
    "We renovate the kitchen in October",
    "The dentist is Dr. Novak, in Elm Street",
    "I train for a half marathon in spring",
    "Our cat is called Biscuit and is fourteen years old",
)


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="minilm") as opened:
        opened.warm()
        for content in MEMORIES:
            opened.remember(content, **WHO)
        opened.archive.embed_missing()
        yield opened


def _ask(tacit, text, **settings):
    return tacit.preview(session="later", text=text, history=[], **WHO, **settings)


@pytest.mark.encodes
@pytest.mark.parametrize(
    "text",
    [
        "Which cats live longest?",
        "How many kilometres does a marathon have?",
        "Tell me a joke about cats",
        "What is the difference between hazelnuts and almonds?",
    ],
)
def test_what_anybody_could_ask_gets_nothing_although_a_memory_resembles_it(tacit, text):
    prepared = _ask(tacit, text)
    assert prepared.block is None
    notes = {each.note for each in prepared.receipt.candidates if each.fate == "below_floor"}
    assert "the message needs nothing that is remembered" in notes


@pytest.mark.encodes
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("How many hives do I have?", "three hives"),
        ("What must I not put into Frida's cake?", "hazelnuts"),
        ("When does our kitchen get done?", "October"),
        ("How old is our cat by now?", "fourteen"),
    ],
)
def test_what_only_memory_can_answer_gets_it(tacit, text, shown):
    assert shown in _ask(tacit, text).block


@pytest.mark.encodes
def test_the_setting_says_how_likely_a_message_must_need_memory(tacit):
    asked = "How many hives do I have?"
    assert _ask(tacit, asked, least_need=1.0).block is None
    assert "three hives" in _ask(tacit, asked, least_need=0.0).block


@pytest.mark.encodes
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Something nice for Frida, without hazelnuts", "hazelnuts"),
        ("Three hives of bees behind the house, as Melanie said", "three hives"),
    ],
    ids=["a name that a line has", "another name, and a line beyond doubt"],
)
def test_a_message_with_a_name_gets_what_it_is_about_however_little_it_needs(tacit, text, shown):
    assert shown in _ask(tacit, text, least_need=1.0).block
    without_names = text.replace("Frida", "her").replace("Melanie", "she")
    assert _ask(tacit, without_names, least_need=1.0).block is None


@pytest.mark.encodes
def test_what_is_pinned_comes_with_messages_that_need_nothing(tacit):
    tacit.remember("Answer in British English", pinned=True, type="preference", **WHO)
    prepared = _ask(tacit, "Tell me a joke about cats", least_need=1.0)
    assert "British English" in prepared.block
    assert "Biscuit" not in prepared.block


@pytest.mark.encodes
def test_nothing_is_left_out_for_it_in_a_script_that_the_local_model_cannot_read(tacit):
    tacit.remember("我女儿对榛子过敏", **WHO)
    tacit.archive.embed_missing()
    assert "榛子" in _ask(tacit, "榛子过敏的是谁？", least_need=1.0).block


@pytest.mark.parametrize("embedder", ["none", FakeEmbedder()], ids=["words", "another embedder"])
def test_nothing_is_left_out_for_it_without_the_local_model(embedder):
    with Tacit.open(":memory:", embedder=embedder) as tacit:
        tacit.remember(MEMORIES[0], **WHO)
        shown = _ask(tacit, "three hives of bees behind the house?", least_need=1.0)
        assert "three hives" in shown.block


@pytest.mark.parametrize(
    ("weights", "model"),
    [
        (NEED_WEIGHTS, SEVEN_LANGUAGES.model.revision),
        (AUTHORSHIP_WEIGHTS, LANGUAGES.sha256),
        (EXCHANGE_WEIGHTS, LANGUAGES.sha256),
        (STATEMENT_WEIGHTS, file_sha256(PAIR_UPDATES)),
    ],
    ids=["need", "authorship", "exchange", "worth"],
)
def test_weights_are_fitted_to_the_model_that_the_package_has(weights, model):
    with np.load(weights) as fitted:
        assert str(fitted[FITTED_TO]) == model


def test_need_is_estimated_with_vectors_of_the_models_that_its_weights_are_for_alone():
    query = EmbeddedQuery(np.full(384, 0.05), np.full(384, 0.05))
    assert weigh_vector(query, SEVEN_LANGUAGES.model) is not None
    assert weigh_vector(query, ENGLISH.model) is not None
    assert weigh_vector(query, replace(SEVEN_LANGUAGES.model, revision="taught anew")) is None
