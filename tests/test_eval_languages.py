"""The evaluation of languages: what is found in the language it was told in, and in others."""

import json

import pytest

from tacit.evals.corpus import SetHalf, load_entries
from tacit.evals.languages import evaluate_languages

ENTRIES = [
    {
        "id": "home",
        "message": {"en": "we live in Hamburg now", "de": "wir wohnen jetzt in Hamburg"},
        "question": {"en": "which town do we live in?", "de": "in welcher Stadt wohnen wir?"},
    },
    {
        "id": "cake",
        "message": {"en": "the cake needs forty minutes", "de": "der Kuchen braucht 40 Minuten"},
        "question": {"en": "how long do I bake the cake?", "de": "wie lange backt der Kuchen?"},
    },
]
OTHERS = [
    {
        "id": f"note {number}",
        "message": {"en": f"shelf {number} is for jam", "de": f"Regal {number} ist für Marmelade"},
        "question": {"en": f"what is on shelf {number}?", "de": f"was steht in Regal {number}?"},
    }
    for number in range(1, 9)
]


@pytest.fixture
def told(tmp_path):
    path = tmp_path / "languages.jsonl"
    path.write_text("\n".join(map(json.dumps, [*ENTRIES, *OTHERS])), "utf-8")
    return path


def test_messages_are_found_in_their_own_language_and_across(told, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    figures = evaluate_languages(told, lambda *_: None)
    assert figures["questions"] == len(ENTRIES) + len(OTHERS)
    assert set(figures["told_and_asked"]) == set(figures["same_language"]) == {"de", "en"}
    missed = {each.split(":")[0] for each in figures["failures"]}
    assert missed.isdisjoint({"home", "cake"})


def test_without_a_model_words_alone_find_little_across(told, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    figures = evaluate_languages(told, lambda *_: None)
    assert "cake: told in de, asked in en" in figures["failures"]


@pytest.mark.parametrize("half", SetHalf)
def test_each_entry_of_the_set_is_told_and_asked_in_four_languages(half):
    for entry in load_entries("languages", half):
        assert set(entry["message"]) == set(entry["question"]) == {"de", "en", "es", "fr"}


def test_no_message_of_the_set_is_trained_on():
    from tools.languages.corpus import read_written

    held = {
        text
        for half in SetHalf
        for entry in load_entries("languages", half)
        for kind in ("message", "question")
        for text in entry[kind].values()
    }
    for language in ("en", "de", "es", "fr"):
        assert held.isdisjoint(read_written(language))
