"""The evaluation of supersession: what it counts, what it reads, and what it lists."""

import gzip
import json

import pytest

from tacit.core.errors import ArchiveError
from tacit.evals.supersession import evaluate_supersession


def _pair(id, kind, old, new, lang="en"):
    is_so = kind == "update"
    return {"id": id, "kind": kind, "old": old, "new": new, "replaces": is_so, "lang": lang}


def _write(path, *pairs):
    path.write_text("\n".join(map(json.dumps, pairs)))
    return path


def _write_facts(path, texts, *groups):
    facts = [{"i": i, "text": text, "rel": "x"} for i, text in enumerate(texts)]
    listed = [{"versions": [{"i": i} for i in group], "current_i": max(group)} for group in groups]
    content = [{"facts": facts, "conflict_groups": listed}]
    path.write_bytes(gzip.compress(json.dumps(content).encode()))
    return path


@pytest.fixture
def pairs(tmp_path):
    return _write(
        tmp_path / "pairs.jsonl",
        _pair("p1", "update", "I live in Oslo", "I live in Bergen"),
        _pair("p2", "update", "Ich rauche", "Ich rauche nicht mehr", "de"),
        _pair("p3", "update", "The sky was grey", "Look how the weather has turned"),
        _pair("p4", "addition", "User has a cat", "User also has a dog"),
        _pair("p5", "lookalike", "Ann is 30", "Ben is 40"),
        _pair("p6", "lookalike", "Max retries is 3", "max retries is 5"),
    )


def test_what_is_right_is_counted_for_each_kind_and_language(pairs):
    seen = []
    figures = evaluate_supersession(pairs, lambda done, total: seen.append((done, total)))
    assert figures["precision"] == figures["recall"] == pytest.approx(2 / 3)
    assert (figures["pairs"], figures["by_claims"]) == (6, 1.0)
    assert figures["update"] == {"replaced": pytest.approx(2 / 3), "pairs": 3}
    assert figures["addition"] == {"replaced": 0, "pairs": 1}
    assert figures["de"] == {"precision": 1, "recall": 1, "listed": 0, "pairs": 1}
    assert figures["listed"] == pytest.approx(1 / 3)
    missed, wrong = figures["failures"]
    assert missed.startswith("p3 missed (they are about two things, 0.00): ")
    assert wrong.startswith("p6 wrong (one attribute has two values, 1.00): ")
    assert seen[-1] == (6, 6)


def test_the_time_of_a_comparison_with_others_is_measured(pairs):
    times = evaluate_supersession(pairs, lambda *_: None)["compare_ms"]
    assert 0 < times["p50"] <= times["p95"]


def test_the_model_is_asked_unless_there_is_none(tmp_path, monkeypatch):
    """A correction in words that no rule knows, and facts like it."""
    old, new = "I play the cello", "I gave up the cello, what else is good for my hands?"
    pairs = _write(tmp_path / "talk.jsonl", _pair("p1", "update", old, new))
    facts = _write_facts(tmp_path / "facts.json.gz", [old, "Ann likes tea.", new], (0, 2))
    by_rules = evaluate_supersession(pairs, lambda *_: None, facts=facts)
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    by_model = evaluate_supersession(pairs, lambda *_: None, facts=facts)
    assert (by_rules["recall"], by_model["recall"]) == (0.0, 1.0)
    assert (by_rules["facts"]["recall"], by_model["facts"]["recall"]) == (0.0, 1.0)


def test_facts_are_taken_in_one_after_the_other(pairs, tmp_path):
    texts = [
        "The capital of Zamunda is Foo.",
        "Ann likes tea.",
        "The capital of Zamunda is Bar.",
        "The mayor of Foo is Ann.",
        "The mayor of Foo is Ben.",
    ]
    path = _write_facts(tmp_path / "facts.json.gz", texts, (0, 2))
    figures = evaluate_supersession(pairs, lambda *_: None, facts=path)["facts"]
    assert figures == {"precision": 0.5, "precision_parsed": 0.5, "recall": 1.0, "replaced": 2}


@pytest.mark.parametrize("content", ["not json", '{"id": 1}', "[1]"])
def test_a_wrong_set_is_refused_with_its_name(tmp_path, pairs, content):
    path = tmp_path / "wrong.jsonl"
    path.write_text(content)
    with pytest.raises(ArchiveError, match=r"wrong\.jsonl"):
        evaluate_supersession(path, lambda *_: None)
    with pytest.raises(ArchiveError, match=r"wrong\.jsonl"):
        evaluate_supersession(pairs, lambda *_: None, facts=path)


def test_a_file_without_facts_is_refused(tmp_path, pairs):
    path = tmp_path / "empty.json"
    path.write_text("[]")
    with pytest.raises(ArchiveError, match=r"empty\.json"):
        evaluate_supersession(pairs, lambda *_: None, facts=path)


def test_the_command_lists_the_figures_and_the_failures_of_a_file(run, pairs):
    ran = run("eval", "supersession", "--data", pairs)
    assert ran.code == 0
    assert "update replaced" in ran.out
    assert "p3 missed" in ran.out
    refused = run("eval", "conflicts", "--data", pairs, "--facts", pairs)
    assert refused.code != 0
    assert "--facts" in refused.err


def test_without_a_file_each_set_of_ours_has_its_own_figures(run):
    ran = run("eval", "supersession", "--json")
    figures = json.loads(ran.out)
    assert list(figures) == ["pairs", "talk_pairs", "siblings", "lives"]
    lives = figures.pop("lives")
    assert lives["statements"] == 320
    assert lives["wrongly_replaced"] <= 0.05
    for each in figures.values():
        assert each.keys() >= {"precision", "recall", "listed", "pairs", "compare_ms"}
        assert each.keys() >= {"en", "de", "fr", "es"}
    assert figures["siblings"]["listed"] <= 0.02
    assert figures["siblings"]["sibling_room"] == {"replaced": 0, "pairs": 5}


def test_failures_on_a_held_out_half_are_listed_only_when_asked_for(run, monkeypatch):
    entry = _pair("p1", "update", "The sky was grey", "Look how the weather has turned")
    entry["statements"] = ["I live in Porto", "I live in Faro", "I play the cello"]
    monkeypatch.setattr("tacit.evals.supersession.load_entries", lambda name, half: [entry])
    printed = run("eval", "supersession").out
    assert "talk pairs" in printed
    assert "p1 missed" not in printed
    assert run("eval", "supersession", "--failures").out.count("p1 missed") == 3
    figures = json.loads(run("eval", "supersession", "--failures", "--json").out)
    assert len(figures["failures"]) == 3
    assert figures["lives"] == {"statements": 3, "wrongly_replaced": pytest.approx(1 / 3)}
