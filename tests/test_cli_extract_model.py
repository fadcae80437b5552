"""`tacit extract --with-model`: what a model adds to what the rules found, and what is refused."""

import json

import pytest

from tests.fake_llm import fake_llm, note, notes

RULED = "I prefer tea to coffee."
TOLD = "Marguerite waters the ferns."
SAID = f"{RULED} {TOLD}"
ANSWER = notes(
    note("The user prefers tea to coffee", RULED, type="preference"),
    note("The ferns are watered by Marguerite", TOLD, confidence=0.5),
    note("The user owns a boat in Hull", "I own a boat in Hull"),
    note("Should the ferns be watered?", TOLD),
)


@pytest.fixture
def llm(tmp_path, monkeypatch):
    with fake_llm(ANSWER, tokens=77) as llm:
        file = tmp_path / "tacit.toml"
        file.write_text(f'[writing]\nllm_model = "small"\nllm_base_url = "{llm.url}"\n')
        monkeypatch.setenv("TACIT_CONFIG", str(file))
        monkeypatch.setenv("TACIT_EMBEDDER", "none")
        yield llm


def test_what_the_model_adds_stands_beside_what_the_rules_found(run, llm):
    shown = run("extract", SAID, "--with-model")
    assert shown.code == 0, shown.err
    rules, model = shown.out.split("The model would add")
    assert "tea to coffee" in rules
    added, refused = model.split("Refused of what the model noted")
    assert "The ferns are watered by Marguerite" in added
    assert "not sure enough: min_confidence is 0.7" in added
    assert "prefers tea" not in added
    assert "nobody said the words that it names" in refused
    assert "a question, a request, a remark or noise" in refused
    assert "small took 77 tokens" in refused
    assert len(llm.asked) == 1


def test_as_json_each_finding_says_whether_the_rules_found_it_too(run, llm):
    told = json.loads(run("extract", SAID, "--with-model", "--json").out)
    found = [(each["content"], each["found_by_rules"]) for each in told["model"]["findings"]]
    assert found == [
        ("The user prefers tea to coffee", True),
        ("The ferns are watered by Marguerite", False),
    ]
    assert [each["verdict"] for each in told["model"]["refused"]] == ["unfounded", "empty"]
    assert (told["model"]["tokens"], told["model"]["problem"]) == (77, None)
    assert json.loads(run("extract", SAID, "--json").out)["model"] is None


def test_secrets_are_not_sent(run, llm):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert run("extract", f"{TOLD} The token is {token}.", "--with-model").code == 0
    assert token not in llm.asked[0].prompt


def test_an_answer_that_cannot_be_used_is_told(run, llm):
    llm.answer = lambda asked: "nothing to note"
    shown = run("extract", SAID, "--with-model")
    assert "The model's answer could not be used: answer: is no JSON" in shown.err


def test_without_a_model_it_says_how_to_set_one_up(run, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("TACIT_CONFIG", raising=False)
    refused = run("extract", SAID, "--with-model")
    assert (refused.code, "tacit settings llm openai" in refused.err) == (2, True)
