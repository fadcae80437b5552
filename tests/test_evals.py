"""The evaluations: what they read, what they count, and what they say of a wrong file."""

import gzip
import json

import pytest

from tacit.errors import ArchiveError
from tacit.evals import evaluate_locomo, evaluate_longmemeval


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
    assert seen[-1] == (4, 4)


def test_a_second_run_finds_the_texts_in_the_cache(locomo, monkeypatch):
    first = evaluate_locomo(locomo, lambda *_: None)
    monkeypatch.setattr("tacit.engine.Tacit.remember_all", None)
    second = evaluate_locomo(locomo, lambda *_: None)
    assert first["recall@10"] == second["recall@10"]


def test_settings_reach_the_search(locomo):
    figures = evaluate_locomo(locomo, lambda *_: None, fusion="rrf")
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
    assert expected | {"settings"} == json.loads(ran.out).keys()
    assert "recall@10" in run("eval", "locomo", "--data", locomo).out
