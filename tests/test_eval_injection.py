"""The evaluation of what turns inject: its sets, what it counts, and what it refuses."""

import json

import pytest

from tacit.core.errors import ArchiveError
from tacit.core.kinds import MemoryType
from tacit.evals.corpus import SetHalf
from tacit.evals.injection import PROMPT_GROUPS, QUESTION_GROUPS, evaluate_injection, load_stores

_ZEBRA = "The zebra is called Marty and lives in the stable."
_KAYAK = "My kayak is painted turquoise."


def _store():
    exchange = {"user": "Where does the zebra live?", "assistant": "In the stable."}
    return {
        "format": "injection 1",
        "id": "zoo",
        "about": "somebody with a zebra",
        "asked": "2026-05-20T09:00:00+00:00",
        "memories": [
            {"n": 1, "type": "fact", "content": _ZEBRA, "key": "zebra.name", "said": "2026-05-01"},
            {"n": 2, "type": "fact", "content": _KAYAK, "key": None},
        ],
        "prompts": {"talk": ["thanks"], "general": ["Which zebra is called Marty?"], "other": []},
        "questions": [
            {"text": "What is the zebra called?", "kind": "near", "right": [1], "also": []},
            {"text": "Which colour has my boat?", "kind": "far", "right": [2], "also": [1]},
        ],
        "openers": [exchange],
        "followups": [{"context": [exchange], "text": "and its name?", "right": [1], "also": []}],
        "standalone": [{"context": [exchange], "text": "thanks a lot", "right": []}],
    }


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "stores.json"
    path.write_text(json.dumps(_store()))
    return path


def _evaluate(path):
    return evaluate_injection(path, lambda *_: None)


def test_false_injection_and_recall_are_counted_by_keys_and_situation(path):
    seen = []
    figures = evaluate_injection(path, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (figures["messages"], figures["messages"]) == (20, 20)
    fresh = figures["situations"]["plain, fresh"]
    assert (fresh["false_injection_talk"], fresh["false_injection_general"]) == (0, 1)
    assert (fresh["recall_near"], fresh["recall_far"], fresh["recall"]) == (1, 0, 0.5)
    assert (fresh["lines"], fresh["line_precision"]) == (0.5, 1)
    assert set(figures["situations"]) == {
        f"{keys}, {situation}"
        for keys in ("plain", "keyed")
        for situation in ("fresh", "conversation")
    }


def test_what_the_conversation_shows_counts_for_recall(path):
    conversation = _evaluate(path)["situations"]["plain, conversation"]
    assert conversation["recall_near"] == 1
    assert conversation["followup_recall"] == 1
    assert conversation["standalone_silent"] == 1


def test_each_miss_is_told_with_the_numbers_of_its_memories(path):
    misses = _evaluate(path)["misses"]
    first = next(miss for miss in misses if miss["group"] == "far")
    assert (first["text"], first["right"], first["useful"]) == (
        "Which colour has my boat?",
        [2],
        [1, 2],
    )
    assert any(miss["group"] == "general" and miss["lines"] == [1] for miss in misses)


def test_standing_lines_count_for_recall_alone(path, monkeypatch):
    monkeypatch.setattr("tacit.evals.corpus._STANDING", "contextual")
    fresh = _evaluate(path)["situations"]["plain, fresh"]
    assert (fresh["false_injection"], fresh["lines"]) == (0, 0)
    assert (fresh["recall_near"], fresh["standing_lines"]) == (1, 0.5)
    assert fresh["standing_lines_general"] == 1


def test_several_stores_are_asked_one_by_one(tmp_path):
    path = tmp_path / "two.json"
    path.write_text(json.dumps({"stores": [_store(), _store() | {"id": "second"}]}))
    figures = _evaluate(path)
    assert figures["stores"] == 2
    assert figures["by_store"]["zoo"] == figures["by_store"]["second"]


@pytest.mark.parametrize("content", ["no json", "[]", "{}", '{"stores": [{"id": 1}]}'])
def test_another_file_is_refused_with_its_name(tmp_path, content):
    path = tmp_path / "wrong.json"
    path.write_text(content)
    with pytest.raises(ArchiveError, match=r"wrong\.json"):
        _evaluate(path)


def test_the_command_prints_a_column_for_each_situation(run, path):
    printed = run("eval", "injection", "--data", path)
    assert printed.code == 0
    assert "line precision" in printed.out
    assert "keyed, fresh" in printed.out
    figures = json.loads(run("eval", "injection", "--data", path, "--json").out)
    assert figures["by_store"].keys() == {"zoo"}


@pytest.mark.parametrize("half", SetHalf)
def test_our_sets_name_memories_that_exist(half):
    stores = load_stores(half)
    assert len({store["id"] for store in stores}) == 4
    for store in stores:
        numbers = {memory["n"] for memory in store["memories"]}
        assert len(numbers) == len({memory["content"] for memory in store["memories"]}) >= 45
        assert {memory["type"] for memory in store["memories"]} <= set(MemoryType)
        assert all(len(store["prompts"][group]) == 14 for group in PROMPT_GROUPS)
        assert [question["kind"] for question in store["questions"]].count("far") == 11
        assert {question["kind"] for question in store["questions"]} == set(QUESTION_GROUPS)
        for entry in store["questions"] + store["followups"]:
            assert entry["right"]
            assert numbers.issuperset(entry["right"] + entry["also"])
            assert not set(entry["right"]) & set(entry["also"])
