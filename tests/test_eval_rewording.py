"""The facts of the conflicts evaluation in other words."""

import json
from collections import Counter
from itertools import pairwise

import pytest

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.evals.conflicts import evaluate_conflicts
from tacit.evals.rewording import Wording, reword_fact

_RELATIONS = [
    "author",
    "born_city",
    "broadcaster",
    "capital",
    "chairperson",
    "chief executive officer",
    "child",
    "citizen",
    "continent",
    "created_country",
    "creator",
    "developer",
    "died_city",
    "director",
    "educated",
    "employer",
    "famous_for",
    "founded_city",
    "founder",
    "head coach",
    "head_of_gov",
    "head_of_state",
    "hq_city",
    "language",
    "music",
    "official_language",
    "orig_lang",
    "performer",
    "position",
    "producer",
    "religion",
    "speaks",
    "sport",
    "spouse",
    "work_city",
]


def _fact(relation, subject="Zamunda", value="Foo", i=0):
    text = f"The {relation} of {subject} is {value}."
    return {"i": i, "text": text, "subj": subject, "rel": relation, "obj": value}


@pytest.fixture
def facts(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))
    content = {
        "source": "tiny",
        "facts": [
            _fact("capital"),
            {"i": 1, "text": "Ann likes tea.", "subj": None, "rel": None, "obj": None},
            _fact("capital", value="Bar", i=2),
        ],
        "conflict_groups": [{"versions": [{"i": 0}, {"i": 2}], "current_i": 2}],
        "questions": [
            {"q": "What is the capital of Zamunda?", "gold_fact_i": 2, "stale_fact_is": [0]}
        ],
    }
    path = tmp_path / "facts.json"
    path.write_text(json.dumps([content]))
    return path


def _stored(folder):
    """The texts of each store that an evaluation left."""
    for path in folder.glob("*.db"):
        with Tacit.open(path, "tiny", embedder="none") as tacit:
            yield {memory.content for memory in tacit.list()}


@pytest.mark.parametrize("relation", _RELATIONS)
def test_every_relation_has_two_other_wordings(relation):
    fact = _fact(relation)
    texts = {reword_fact(fact, each) for each in (Wording.FIRST, Wording.SECOND)}
    assert len(texts - {fact["text"]}) == 2
    assert all(text.count("Zamunda") == text.count("Foo") == 1 for text in texts)
    assert all(text.endswith(".") and "{" not in text for text in texts)


def test_no_two_relations_share_a_wording():
    wordings = (Wording.FIRST, Wording.SECOND)
    texts = {reword_fact(_fact(each), wording) for each in _RELATIONS for wording in wordings}
    assert len(texts) == 2 * len(_RELATIONS)


@pytest.mark.parametrize("wording", Wording)
def test_a_fact_that_the_data_could_not_parse_stays_as_it_is(wording):
    fact = {"i": 0, "text": "Ann likes tea.", "subj": None, "rel": None, "obj": None}
    assert reword_fact(fact, wording) == "Ann likes tea."


def test_the_original_wording_is_that_of_the_data():
    assert reword_fact(_fact("capital"), Wording.ORIGINAL) == "The capital of Zamunda is Foo."
    assert reword_fact(_fact("unheard of"), Wording.ORIGINAL).startswith("The unheard of")


def test_a_name_that_ends_in_a_full_stop_gets_no_second_one():
    told = reword_fact(_fact("employer", "Ann", "Foo Inc."), Wording.FIRST)
    assert told == "Ann works for Foo Inc."


def test_mixed_wordings_are_stable_and_in_equal_parts():
    chosen = Counter()
    for number in range(300):
        fact = _fact("capital", f"Land {number}", f"City {number}")
        mixed = reword_fact(fact, Wording.MIXED)
        assert reword_fact(dict(fact), Wording.MIXED) == mixed
        (wording,) = (each for each in list(Wording)[:3] if reword_fact(fact, each) == mixed)
        chosen[wording] += 1
    assert set(chosen) == {Wording.ORIGINAL, Wording.FIRST, Wording.SECOND}
    assert min(chosen.values()) > 70


def test_mixed_wordings_are_the_same_in_every_process():
    texts = [reword_fact(_fact("capital", value=value), Wording.MIXED) for value in ("Foo", "Bar")]
    assert texts == ["Zamunda is governed from Foo.", "Bar serves as the capital city of Zamunda."]


def test_two_versions_of_a_fact_are_often_mixed_from_different_wordings():
    def template(value):
        return reword_fact(_fact("capital", value=value), Wording.MIXED).replace(value, "")

    templates = [template(f"City{number}") for number in range(301)]
    different = sum(old != new for old, new in pairwise(templates))
    assert 150 < different < 250


def test_each_wording_is_measured_in_a_store_of_its_own(facts, tmp_path):
    for wording in (Wording.ORIGINAL, Wording.FIRST):
        figures = evaluate_conflicts(facts, lambda *_: None, wording=wording)
        assert (figures["questions"], figures["facts_in_no_group"]) == (1, 0)
    stores = sorted(map(sorted, _stored(tmp_path / "cache" / "evals")))
    assert stores == [
        [
            "Ann likes tea.",
            "Bar serves as the capital city of Zamunda.",
            "Foo serves as the capital city of Zamunda.",
        ],
        ["Ann likes tea.", "The capital of Zamunda is Bar.", "The capital of Zamunda is Foo."],
    ]


def test_without_a_wording_the_facts_are_those_of_the_file(facts, tmp_path):
    evaluate_conflicts(facts, lambda *_: None)
    (texts,) = _stored(tmp_path / "cache" / "evals")
    assert texts == {each["text"] for each in json.loads(facts.read_text())[0]["facts"]}


def test_a_relation_without_another_wording_is_named(facts):
    content = json.loads(facts.read_text())
    content[0]["facts"][0]["rel"] = "mascot"
    facts.write_text(json.dumps(content))
    with pytest.raises(ArchiveError, match="no other wording for the relation 'mascot'"):
        evaluate_conflicts(facts, lambda *_: None, wording=Wording.SECOND)


def test_the_command_takes_a_wording_for_conflicts_alone(run, facts):
    told = run("eval", "conflicts", "--data", str(facts), "--wording", "second", "--json")
    assert json.loads(told.out)["questions"] == 1
    refused = run("eval", "locomo", "--data", "x", "--wording", "second")
    assert refused.code == 2
    assert "is for conflicts" in refused.err
