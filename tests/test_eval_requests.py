"""The evaluation of requests: what turns inject in each language, in two of them, and across."""

import json

import pytest

from tacit.core.errors import ArchiveError
from tacit.evals.requests import evaluate_requests, load_requests

_TAUGHT = ["en", "de", "fr", "es", "it", "pt", "nl"]
_OTHERS = ["pl", "tr", "ru", "zh", "ja"]


def _set():
    return {
        "format": "requests 1",
        "taught": ["en", "de"],
        "languages": {
            "en": {
                "memories": {
                    "kayak": "My kayak is painted turquoise.",
                    "zebra": "The zebra is called Marty and lives in the stable.",
                    "answers": "Please always answer me in bullet points.",
                },
                "relevant": {
                    "kayak": "Which colour is my kayak painted?",
                    "answers": "How do lighthouses work?",
                },
                "irrelevant": {"zebras": "Which zebra is called Marty?", "talk": "thanks a lot"},
            },
            "de": {
                "memories": {
                    "kayak": "Mein Kajak ist türkis lackiert.",
                    "zebra": "Das Zebra heißt Marty und wohnt im Stall.",
                    "answers": "Antworte mir bitte immer in Stichpunkten.",
                },
                "relevant": {
                    "kayak": "In welcher Farbe ist mein Kajak lackiert?",
                    "answers": "Wie funktionieren Leuchttürme?",
                },
                "irrelevant": {"zebras": "Welches Zebra heißt Marty?", "talk": "vielen Dank"},
            },
            "fi": {
                "memories": {
                    "kayak": "Kajakkini on maalattu turkoosiksi.",
                    "zebra": "Seepran nimi on Marty ja se asuu tallissa.",
                    "answers": "Vastaa minulle aina luettelona.",
                },
                "relevant": {"kayak": "Minkä väriseksi kajakkini on maalattu?"},
                "irrelevant": {"talk": "kiitos paljon"},
            },
        },
    }


def _evaluate(tmp_path, data, progress=lambda *_: None):
    path = tmp_path / "requests.json"
    path.write_text(json.dumps(data), "utf-8")
    return evaluate_requests(path, progress)


@pytest.fixture
def by_words(monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")


def test_requests_are_counted_by_language_and_store(tmp_path, by_words):
    seen = []
    figures = _evaluate(tmp_path, _set(), lambda done, total: seen.append((done, total)))
    assert seen[-1] == (11, 11)
    assert figures["requests"] == 3 * (4 + 4 + 2) + 2 * 2
    english = figures["languages"]["en"]
    for kind in ("one language", "two languages"):
        assert (english[f"{kind}: irrelevant"], english[f"{kind}: relevant"]) == (1, 1)
    assert set(figures["summary"]) == {"taught", "others"}
    taught = figures["summary"]["taught"]
    assert taught["one language: recall"] == taught["one language: false injection"] == 0.5
    assert taught["two languages: recall of its own"] == 0.5
    assert figures["across"] == {"en": {"de": 0}, "de": {"en": 0}}


def test_standing_rules_answer_and_are_no_lines_of_irrelevant_requests(tmp_path, by_words):
    data = _set()
    data["languages"]["en"]["irrelevant"] = {"giraffe": "How tall can a giraffe get?"}
    figures = _evaluate(tmp_path, data)
    assert figures["languages"]["en"]["one language: relevant"] == 1
    assert figures["languages"]["en"]["one language, said: relevant"] == 2
    assert figures["languages"]["en"]["one language, said: irrelevant"] == 0
    assert figures["summary"]["taught"]["one language, said: recall by standing rules alone"] == 0.5


def test_failures_name_the_request_its_languages_and_what_it_got(tmp_path, by_words):
    failures = _evaluate(tmp_path, _set())["failures"]
    assert "irrelevant zebras: one language, asked in en, told in en, got zebra" in failures
    assert "relevant kayak: across, asked in de, told in en, got nothing" in failures


def test_with_the_model_requests_are_answered_across(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    assert _evaluate(tmp_path, _set())["across"]["en"]["de"] > 0


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("taught"),
        lambda data: data["taught"].append("sv"),
        lambda data: data["languages"]["de"]["memories"].pop("zebra"),
        lambda data: data["languages"]["de"]["relevant"].update(giraffe="Wo ist die Giraffe?"),
        lambda data: data["languages"]["fi"].pop("irrelevant"),
    ],
)
def test_another_file_is_refused(tmp_path, change):
    data = _set()
    change(data)
    with pytest.raises(ArchiveError, match="is not a file of requests"):
        _evaluate(tmp_path, data)


def test_the_set_has_the_same_facts_and_requests_in_twelve_languages():
    requests = load_requests()
    assert list(requests.languages) == _TAUGHT + _OTHERS
    assert requests.taught == _TAUGHT
    english = requests.languages["en"]
    assert [len(english[part]) for part in ("memories", "relevant", "irrelevant")] == [10, 8, 5]
    for language in requests.languages.values():
        for part, texts in english.items():
            assert list(language[part]) == list(texts)
            assert len(set(language[part].values())) == len(texts)


def test_half_of_the_relevant_requests_are_across_in_two_languages():
    english = load_requests().languages["en"]
    others = list(english["memories"])[1::2]
    assert sum(name in others for name in english["relevant"]) == len(english["relevant"]) / 2


def test_no_text_of_the_set_is_trained_on():
    from tools.languages.corpus import read_written

    languages = load_requests().languages
    for name in ("en", "de", "es", "fr"):
        texts = {text for part in languages[name].values() for text in part.values()}
        assert texts.isdisjoint(read_written(name))
