"""Whose words a turn holds: an agent's are learned as an agent's, unless it speaks for users."""

from dataclasses import replace

import pytest

from tacit import Tacit
from tacit.api.background import BackgroundLearning
from tacit.core.keys import issue_key
from tests.fake_llm import fake_llm, note, notes
from tests.serving import served
from tests.support import START

TABS = "I always use tabs for indentation"
OF_A_PERSON = ("user", "trusted", False)
OF_AN_AGENT = ("agent", "unverified", False)


@pytest.fixture(autouse=True)
def _nobody_reads_unasked(monkeypatch):
    """What was said waits until somebody asks for it."""
    monkeypatch.setattr(BackgroundLearning, "heard", lambda _: None)


@pytest.fixture
def house():
    with served() as house:
        yield house


def _turn(house, headers, text=TABS, **more):
    asked = {"session": "s1", "text": text, **more}
    begun = house.client.post("/v1/turns", json=asked, headers=headers)
    assert begun.status_code == 201, begun.text
    path = f"/v1/turns/{begun.json()['id']}/commit"
    house.client.post(path, json={"reply": "Well."}, headers=headers)


def _grounded(house, headers, text=TABS, path="/v1/ground", **more):
    begun = house.client.post(path, json={"text": text, **more}, headers=headers)
    assert begun.status_code == 201, begun.text
    path = f"/v1/ground/{begun.json()['id']}/commit"
    house.client.post(path, json={"reply": "Well."}, headers=headers)


def _prompted(house, headers, text=TABS, **more):
    _grounded(house, headers, text, "/v1/prompt", **more)


def _learned(tacit):
    """Whose words the one memory is, and in whose name it was written."""
    tacit.learn()
    (memory,) = tacit.list()
    (written,) = tacit.memories.history(memory.id)
    return (str(memory.source), str(memory.trust), memory.explicit), str(written.by)


SAYING = pytest.mark.parametrize("say", [_turn, _grounded, _prompted])


@SAYING
def test_what_an_agents_key_sends_is_no_persons_word(house, say):
    say(house, house.key("write", agent="coder"))
    assert _learned(house.tacit) == (OF_AN_AGENT, "agent")


@SAYING
def test_an_agent_that_speaks_for_users_passes_on_a_persons_word(house, say):
    say(house, house.key("write", agent="app", speaks_for_users=True))
    assert _learned(house.tacit) == (OF_A_PERSON, "system")


@SAYING
def test_a_key_without_an_agent_passes_on_a_persons_word(house, say):
    say(house, house.key("write"))
    assert _learned(house.tacit) == (OF_A_PERSON, "system")


@SAYING
def test_who_speaks_for_users_may_say_that_the_words_are_an_agents(house, say):
    say(house, house.key("write", agent="app", speaks_for_users=True), by="agent")
    assert _learned(house.tacit) == (OF_AN_AGENT, "agent")


@pytest.mark.parametrize("path", ["/v1/turns", "/v1/turns/preview", "/v1/ground", "/v1/prompt"])
def test_an_agents_key_cannot_claim_that_its_words_are_a_persons(house, path):
    coder = house.key("write", agent="coder")
    asked = {"text": TABS, "by": "user"}
    if "turns" in path:
        asked["session"] = "s1"
    answer = house.client.post(path, json=asked, headers=coder)
    assert answer.status_code == 403
    assert "--speaks-for-users" in answer.json()["detail"]


def test_an_agents_key_from_before_the_upgrade_keeps_speaking_and_gets_no_more(house):
    key, token = issue_key("old", "write", workspace=None, agent="app", at=START)
    before = replace(key, speaks_for_users=True, speaks_by_upgrade=True)
    house.tacit._context.store.keys().add(before)
    headers = {"Authorization": f"Bearer {token}"}
    _turn(house, headers)
    assert _learned(house.tacit) == (OF_A_PERSON, "system")
    asked = {"content": "We ship on Tuesdays", "by": "user"}
    assert house.client.post("/v1/memories", json=asked, headers=headers).status_code == 403


def test_an_agent_that_speaks_for_users_remembers_as_a_user_where_it_says_so(house):
    app = house.key("write", agent="app", speaks_for_users=True)
    own = house.client.post("/v1/memories", json={"content": "a note"}, headers=app).json()
    relayed = {"content": "I live in Oslo", "by": "user"}
    theirs = house.client.post("/v1/memories", json=relayed, headers=app).json()
    told = [(each["memory"]["source"], each["memory"]["explicit"]) for each in (own, theirs)]
    assert told == [("agent", False), ("user", True)]
    for by in ("operator", "system"):
        asked = {"content": "x", "by": by}
        assert house.client.post("/v1/memories", json=asked, headers=app).status_code == 403


def test_the_client_sends_whose_words_they_are(house, monkeypatch):
    sent = []
    with Tacit.connect("http://127.0.0.1:9", "") as tacit:
        monkeypatch.setattr(
            type(tacit._connection), "write", lambda _, path, body, **__: sent.append(body)
        )
        with pytest.raises(AttributeError):
            tacit.turn(session="s1", text=TABS, by="agent")
        tacit.ground(TABS, by="agent")
    assert [body["by"] for body in sent] == ["agent", "agent"]


@pytest.fixture
def tacit(house):
    return house.tacit


def _say(tacit, text, by="user"):
    with tacit.turn(session="s1", text=text, by=by) as turn:
        turn.commit("Well.")
    return tacit.learn()


def test_an_agents_words_replace_no_persons_words(tacit):
    _say(tacit, "We always deploy on Fridays.")
    _say(tacit, "We always deploy on Mondays now, no longer on Fridays.", by="agent")
    _say(tacit, "We always deploy on Fridays at noon with two reviewers.", by="agent")
    persons = [each for each in tacit.list(state=None) if each.source == "user"]
    assert [each.superseded_by for each in persons] == [None]


def test_what_a_person_said_first_stays_trusted_when_an_agent_repeats_it(tacit):
    _say(tacit, TABS)
    _say(tacit, TABS, by="agent")
    assert [(str(each.source), str(each.trust)) for each in tacit.list()] == [("user", "trusted")]


_SAID = {
    "The harbour office opens at seven": "user",
    "The lighthouse shop closes at nine": "agent",
}


def test_a_model_reads_an_agents_words_apart_from_a_persons(tmp_path):
    def answer(asked):
        return notes(*(note(said, said) for said in _SAID if said in asked.prompt))

    with fake_llm(answer) as llm:
        config = tmp_path / "tacit.toml"
        config.write_text(f'[writing]\nllm_model = "m"\nllm_base_url = "{llm.url}"\n')
        with served(config=config) as house:
            for text, by in _SAID.items():
                with house.tacit.turn(session="s1", text=text, by=by) as turn:
                    turn.commit("Well.")
            house.tacit.end_session("s1")
            house.tacit.learn()
            told = {each.content: str(each.source) for each in house.tacit.list()}
    assert told == _SAID
    assert not any(all(said in each.prompt for said in _SAID) for each in llm.asked)
