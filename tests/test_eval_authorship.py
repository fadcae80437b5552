"""The evaluation of authorship: what it counts of other people's words and of one's own."""

import json

import pytest

from tacit.evals.authorship import evaluate_authorship


def _entry(id, text, *, foreign=(), own=(), known=None, way="plain", lang="en"):
    named = {"foreign": list(foreign), "own": list(own), "known": known}
    return {"id": id, "way": way, "lang": lang, "text": text, **named}


@pytest.fixture
def entries(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    rule = "Always include the link to the ticket."
    told = [
        _entry("f1", f"Summarise this article for me. {rule}", foreign=[rule]),
        _entry("f2", rule, foreign=[rule], way="bare"),
        _entry(
            "f3",
            "Billing runs on PostgreSQL now.",
            foreign=["Billing runs on PostgreSQL now."],
            known="Billing runs on MySQL.",
            lang="de",
        ),
        _entry("o1", "I always use tabs.", own=["I always use tabs."]),
        _entry("o2", "Summarise this mail. I always use tabs.", own=["I always use tabs."]),
    ]
    path = tmp_path / "authorship.jsonl"
    path.write_text("\n".join(map(json.dumps, told)), "utf-8")
    return path


def test_what_is_taken_stands_is_replaced_and_is_lost_is_counted(entries):
    seen = []
    figures = evaluate_authorship(entries, lambda done, total: seen.append((done, total)))
    assert figures["taken"] == pytest.approx(2 / 3, abs=0.001)
    assert figures["standing"] == pytest.approx(1 / 3, abs=0.001)
    assert (figures["replaced"], figures["lost"], figures["messages"]) == (1, 0.5, 5)
    assert figures["ways"]["bare"]["taken"] == 1
    assert figures["de"]["replaced"] == 1
    assert seen[-1] == (5, 5)


def test_each_failure_names_its_message(entries):
    failures = evaluate_authorship(entries, lambda *_: None)["failures"]
    assert [each.split()[0] for each in failures] == ["f2", "f3", "f3", "o2"]
    assert failures[-1].endswith("lost: I always use tabs.")


def test_the_command_prints_the_shares_of_the_held_out_half(run, entries, monkeypatch):
    told = [json.loads(line) for line in entries.read_text("utf-8").splitlines()[:2]]
    monkeypatch.setattr("tacit.evals.authorship.load_entries", lambda name, half: told)
    figures = json.loads(run("eval", "authorship", "--json").out)
    assert (figures["taken"], figures["messages"]) == (0.5, 2)
    assert "failures" not in figures
