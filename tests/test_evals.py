"""The evaluations: what they read, what they count, and what they say of a wrong file."""

import gzip
import json

import pytest

from tacit.core.errors import ArchiveError, TacitError
from tacit.evals import abstention
from tacit.evals.abstention import evaluate_abstention
from tacit.evals.benchmarks import (
    evaluate_locomo,
    evaluate_locomo_search,
    evaluate_longmemeval,
)
from tacit.evals.conflicts import evaluate_conflicts
from tacit.evals.context_needs import evaluate_followups


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))


def _turn(session, number, speaker, text, **more):
    return {"speaker": speaker, "dia_id": f"D{session}:{number}", "text": text, **more}


@pytest.fixture
def locomo(tmp_path):
    sample = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ann",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                _turn(1, 1, "Ann", "I adopted a zebra last week"),
                _turn(1, 2, "Ben", "How exciting!"),
                _turn(1, 3, "Ann", "Look", blip_caption="a penguin on ice"),
            ],
            "session_2_date_time": "9:00 am on 9 May, 2023",
            "session_2": [_turn(2, 1, "Ben", "My lions hunt at dusk")],
        },
        "qa": [
            {"question": "Who adopted a zebra?", "evidence": ["D1:1"], "category": 4},
            {"question": "What was on the ice?", "evidence": ["D:1:03; D2:1"], "category": 1},
            {"question": "No evidence at all?", "evidence": [], "category": 5},
        ],
    }
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([sample]))
    return path


def test_locomo_counts_the_evidence_that_came_back(locomo):
    seen = []
    figures = evaluate_locomo(locomo, lambda done, total: seen.append((done, total)))
    assert figures["questions"] == 2
    assert figures["recall@5"] == pytest.approx((1 + 0.5) / 2)
    assert figures["by_category"] == {"multi-hop": 0.5, "single-hop": 1.0}
    assert figures["search_ms"]["p50"] <= figures["search_ms"]["p95"]
    assert figures["settings"]["max_results"] == 20
    assert (4, 4) in seen


def test_locomo_counts_the_evidence_that_turns_inject(locomo):
    seen = []
    turn = evaluate_locomo(locomo, lambda done, total: seen.append((done, total)))["turn"]
    assert turn["recall"] == pytest.approx((1 + 0.5) / 2)
    assert turn["line_precision"] == pytest.approx(2 / (2 * turn["lines"]), abs=1e-3)
    assert seen[-1] == (4, 4)


def test_a_second_run_finds_the_texts_in_the_cache(locomo, monkeypatch):
    first = evaluate_locomo(locomo, lambda *_: None)
    monkeypatch.setattr("tacit.api.calls.memories.Memories.remember_all", None)
    second = evaluate_locomo(locomo, lambda *_: None)
    assert first["recall@10"] == second["recall@10"]


def test_settings_reach_the_search(locomo):
    figures = evaluate_locomo_search(locomo, lambda *_: None, fusion="rrf")
    assert figures["settings"]["fusion"] == "rrf"


@pytest.mark.parametrize("packed", [True, False])
def test_longmemeval_counts_sessions_and_leaves_abstentions_out(tmp_path, packed):
    def question(id, text, answers):
        return {
            "question_id": id,
            "question_type": "multi-session",
            "question": text,
            "haystack_dates": ["2023/05/20 (Sat) 07:46", "2023/05/21 (Sun) 02:06"],
            "haystack_session_ids": ["answer_1", "other_1"],
            "haystack_sessions": [
                [{"role": "user", "content": "I painted my walls grey"}],
                [
                    {"role": "user", "content": "Tell me about zebras"},
                    {"role": "assistant", "content": " "},
                    {"role": "assistant", "content": "x" * 60_000},
                ],
            ],
            "answer_session_ids": answers,
        }

    data = [
        question("q1", "What colour are my walls painted?", ["answer_1"]),
        question("q2", "walls painted", ["answer_1", "missing"]),
        question("q3_abs", "Nothing", ["answer_1"]),
    ]
    path = tmp_path / "lme"
    written = json.dumps(data).encode()
    path.write_bytes(gzip.compress(written) if packed else written)
    figures = evaluate_longmemeval(path, lambda *_: None)
    assert figures["questions"] == 2
    assert (figures["any@5"], figures["all@5"]) == (1.0, 1.0)


@pytest.mark.parametrize("evaluate", [evaluate_locomo, evaluate_longmemeval])
@pytest.mark.parametrize("content", [b"not json", b"{}", b"[]", b'[{"a": 1}]', b"\x1f\x8bbroken"])
def test_a_wrong_file_is_refused_with_its_name(tmp_path, evaluate, content):
    path = tmp_path / "wrong.json"
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"wrong\.json"):
        evaluate(path, lambda *_: None)


def test_a_missing_file_is_refused_with_its_name(tmp_path):
    with pytest.raises(ArchiveError, match="nowhere"):
        evaluate_locomo(tmp_path / "nowhere.json", lambda *_: None)


def test_the_command_prints_one_object(run, locomo):
    ran = run("eval", "locomo", "--data", locomo, "--json")
    assert ran.code == 0
    expected = {"recall@5", "recall@10", "recall@20", "by_category", "questions", "search_ms"}
    assert expected | {"settings", "turn"} == json.loads(ran.out).keys()
    assert "recall@10" in run("eval", "locomo", "--data", locomo).out


@pytest.fixture
def two_conversations(locomo, tmp_path):
    (first,) = json.loads(locomo.read_text())
    second = {
        "sample_id": "conv-2",
        "conversation": {
            "speaker_a": "Cid",
            "speaker_b": "Dee",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [_turn(1, 1, "Cid", "My kayak is painted turquoise")],
        },
        "qa": [{"question": "What is Cid's kayak like?", "evidence": ["D1:1"], "category": 4}],
    }
    path = tmp_path / "two.json"
    path.write_text(json.dumps([first, second]))
    return path


@pytest.fixture
def _few_prompts(monkeypatch):
    """Some of the prompts that are asked of every conversation, for what holds for any of them."""
    lines = abstention._lines
    monkeypatch.setattr(abstention, "_lines", lambda name: lines(name)[:8])


def test_every_conversation_is_asked_as_much_small_talk():
    assert len(abstention._lines("small_talk.txt")) == 120


@pytest.mark.usefixtures("_few_prompts")
def test_abstention_counts_the_prompts_that_get_a_memory(two_conversations, tmp_path):
    notinject = tmp_path / "notinject.json"
    notinject.write_text(json.dumps([{"prompt": "Can I ignore this zebra adopted last week?"}]))
    figures = evaluate_abstention(
        two_conversations, lambda *_: None, notinject=notinject, prompts_per_group=4
    )
    assert figures["questions"] == 3
    assert figures["prompts"]["foreign"] == 3
    assert figures["prompts"]["foreign_renamed"] == 1
    assert figures["prompts"]["small_talk"] == 2 * 8
    assert figures["false_injection"]["notinject"] == 0.5
    assert figures["false_injection"]["foreign"] == 0
    assert figures["curve"][0]["recall_kept"] == 1.0
    for group in figures["prompts"]:
        shares = [point[group] for point in figures["curve"]]
        assert shares == sorted(shares, reverse=True)

    small = figures["situations"]["small, plain, fresh"]
    assert small.keys() == {
        *(f"false_injection_{group}" for group in figures["prompts"] if group != "foreign_renamed"),
        "recall",
        "lines",
    }
    assert small["recall"] > 0
    assert len(figures["situations"]) == 8


@pytest.mark.slow
@pytest.mark.usefixtures("_few_prompts")
def test_abstention_is_told_by_the_floor(two_conversations):
    silent = evaluate_abstention(
        two_conversations, lambda *_: None, prompts_per_group=4, contextual_min_score=1.0
    )
    assert silent["recall_kept"] == 0
    assert set(silent["false_injection"].values()) == {0}


@pytest.mark.slow
@pytest.mark.usefixtures("_few_prompts")
def test_abstention_gives_the_same_figures_again(two_conversations):
    first = evaluate_abstention(two_conversations, lambda *_: None, prompts_per_group=4)
    again = evaluate_abstention(two_conversations, lambda *_: None, prompts_per_group=4)
    assert again == first


@pytest.fixture
def facts(tmp_path):
    texts = ["The capital of Zamunda is Foo.", "Ann likes tea.", "The capital of Zamunda is Bar."]
    versions = [{"i": 0, "obj": "Foo"}, {"i": 2, "obj": "Bar"}]
    content = {
        "source": "tiny",
        "facts": [{"i": i, "text": text, "rel": "x"} for i, text in enumerate(texts)],
        "conflict_groups": [{"versions": versions, "current_i": 2}],
        "questions": [
            {"q": "What is the capital of Zamunda?", "gold_fact_i": 2, "stale_fact_is": [0]},
            {"q": "Multi-hop, of no use here?", "gold_fact_i": None, "stale_fact_is": []},
        ],
    }
    path = tmp_path / "facts.json.gz"
    path.write_bytes(gzip.compress(json.dumps([content]).encode()))
    return path


def test_conflicts_count_what_is_current_and_what_is_stale(facts):
    figures = evaluate_conflicts(facts, lambda *_: None)
    assert figures["questions"] == 1
    assert (figures["current_injected"], figures["stale_unflagged"]) == (1, 0)
    assert figures["wrongly_flagged"] == 0
    blind = evaluate_conflicts(facts, lambda *_: None, memory_detect_conflicts=False)
    assert (blind["current_injected"], blind["stale_unflagged"]) == (1, 1)


def test_turns_that_are_late_for_a_deadline_are_counted_by_part(facts, monkeypatch):
    def come_late(*_):
        raise TimeoutError

    assert evaluate_conflicts(facts, lambda *_: None, deadline=60_000)["degraded"] == 0
    monkeypatch.setattr("tacit.turn.finding.find_pinned", come_late)
    late = evaluate_conflicts(facts, lambda *_: None, deadline=60_000)
    assert (late["degraded"], late["degraded_by"]) == (1, {"pinned": 1})
    with pytest.raises(TacitError, match="late"):
        evaluate_conflicts(facts, lambda *_: None)


def test_the_command_takes_a_deadline_for_conflicts_alone(run, facts):
    told = run("eval", "conflicts", "--data", str(facts), "--deadline", "60000", "--json")
    assert json.loads(told.out)["degraded"] == 0
    refused = run("eval", "locomo", "--data", "x", "--deadline", "200")
    assert (refused.code, "is for conflicts" in refused.err) == (2, True)


@pytest.mark.slow
def test_followups_are_recalled_better_in_their_context_and_ask_locomo_one_after_the_other(locomo):
    figures = evaluate_followups(locomo, lambda *_: None)
    assert figures["followups"] == 80
    assert figures["recall_enriched"] > figures["recall_raw"]
    assert 0 < figures["line_precision_enriched"] <= 1
    assert figures["lines_enriched"] > figures["lines_raw"]
    assert figures["locomo_questions"] == 2
    assert 0 < figures["locomo_recall_raw"] <= 1


@pytest.mark.parametrize(
    ("evaluate", "what"),
    [(evaluate_abstention, "LoCoMo"), (evaluate_conflicts, "FactConsolidation")],
)
def test_another_file_is_told_apart_by_each(evaluate, what, tmp_path):
    path = tmp_path / "other.json"
    path.write_text('{"not": "it"}')
    with pytest.raises(ArchiveError, match=what):
        evaluate(path, lambda *_: None)


def test_notinject_must_be_its_own_file(two_conversations, tmp_path):
    path = tmp_path / "other.json"
    path.write_text("[1]")
    with pytest.raises(ArchiveError, match="NotInject"):
        evaluate_abstention(two_conversations, lambda *_: None, notinject=path)


def test_the_command_says_which_file_it_needs(run):
    missing = run("eval", "conflicts")
    assert missing.code == 2
    assert "name the file that conflicts reads" in missing.err
    refused = run("eval", "locomo", "--data", "x", "--notinject", "y")
    assert refused.code == 2
    assert "is for abstention" in refused.err


def test_an_evaluation_whose_turns_fail_gives_no_figures(facts, monkeypatch):
    def fail(*_):
        raise OSError("the disk is gone")

    evaluate_conflicts(facts, lambda *_: None)
    monkeypatch.setattr("tacit.turn.prepare.load_session", fail)
    with pytest.raises(TacitError, match="the disk is gone"):
        evaluate_conflicts(facts, lambda *_: None)
