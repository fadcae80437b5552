"""The proxy when memory or the provider is slow, and what cannot be written back."""

import threading

import pytest

from tacit.proxy import exchange, memory
from tests.proxying import Answer, chat_answer, proxied

JWT = "We chose JWT over session tokens for the API"
ASKED = "Why did we choose JWT for the API?"
ANN = {"Tacit-User": "ann"}


def user(text):
    return {"role": "user", "content": text}


@pytest.fixture
def proxy(tmp_path):
    with proxied(tmp_path=tmp_path) as found:
        found.tacit.remember(JWT, type="decision", scope_id="ann")
        yield found


def test_late_memory_lets_the_request_pass_unchanged_and_is_recorded_as_it_was_shown(
    proxy, monkeypatch
):
    answered = threading.Event()
    settings = memory.ConversationReplay.settings

    def settings_in_no_hurry(self, agent):
        return {**settings(self, agent), "deadline_ms": 60_000}

    begin = memory.ConversationReplay.begin

    def begin_late(self, asked, overrides):
        turn = begin(self, asked, overrides)
        answered.wait(30)
        return turn

    monkeypatch.setattr(memory.ConversationReplay, "settings", settings_in_no_hurry)
    monkeypatch.setattr(memory.ConversationReplay, "begin", begin_late)
    monkeypatch.setattr(exchange, "GRACE_SECONDS", 0.2)
    response = proxy.chat([user(ASKED)], headers={**ANN, "Tacit-Session": "s1"})
    answered.set()
    assert response.headers["tacit-memory"] == "late"
    assert proxy.provider.last.json["messages"] == [user(ASKED)]
    proxy.settle()
    (receipt,) = proxy.tacit.turns.list(session="s1")
    assert not receipt.injected
    assert receipt.block is None
    assert proxy.tacit.sessions.list()[0].turns == 1


def test_a_provider_that_says_nothing_is_given_up_in_its_own_words(tmp_path):
    with proxied(tmp_path=tmp_path, settings="first_byte_seconds = 1.0") as proxy:
        waits = threading.Event()
        proxy.provider.say(Answer(b"{}", holds=waits))
        answered = proxy.chat([user("hello")])
        waits.set()
        assert answered.status_code == 504
        assert "did not answer within 1 seconds" in answered.json()["error"]["message"]


def test_a_stream_that_pauses_too_long_is_broken_off(tmp_path):
    with proxied(tmp_path=tmp_path, settings="idle_seconds = 1.0") as proxy:
        waits = threading.Event()
        pieces = chat_answer("It was because", stream=True).pieces
        proxy.provider.say(Answer(pieces, waits=waits))
        with pytest.raises(Exception, match=r"incomplete|closed"):
            proxy.chat([user("hello")], stream=True)
        waits.set()


def test_more_requests_than_may_be_under_way_are_refused(tmp_path):
    with proxied(tmp_path=tmp_path, settings="concurrent_requests = 1") as proxy:
        waits = threading.Event()
        pieces = chat_answer("It was because", stream=True).pieces
        proxy.provider.say(Answer(pieces, waits=waits))
        body = {"model": "fake", "messages": [user("hello")], "stream": True}
        with (
            proxy.client() as client,
            client.stream("POST", "/openai/v1/chat/completions", json=body) as first,
        ):
            passing = first.iter_bytes()  # as long as it is there, the response is not closed
            next(passing)
            refused = proxy.messages([user("hello")])
            waits.set()
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "1"
        assert refused.json()["error"]["type"] == "overloaded_error"


def test_a_body_that_is_too_large_is_refused_by_name_of_its_limit(tmp_path):
    with proxied(tmp_path=tmp_path, settings="max_body_mb = 1") as proxy:
        answered = proxy.messages([user("x" * 1_100_000)])
        assert answered.status_code == 413
        assert answered.json()["error"]["type"] == "request_too_large"
        assert "max_body_mb" in answered.json()["error"]["message"]


@pytest.mark.parametrize("number", ["NaN", "1e999", "-Infinity"])
def test_numbers_that_json_does_not_have_pass_as_they_came(proxy, number):
    body = f'{{"messages":[{{"role":"user","content":"{ASKED}"}}],"top_p":{number}}}'.encode()
    with proxy.client(**ANN) as client:
        assert client.post("/openai/v1/chat/completions", content=body).status_code == 200
    assert proxy.provider.last.body == body


def test_a_header_that_names_the_session_for_others_too_is_forwarded(tmp_path):
    with proxied(tmp_path=tmp_path, settings='session_header = "X-Chat"') as proxy:
        proxy.chat([user("My sister Ada lives in Graz")], headers={"X-Chat": "c7"})
        proxy.settle()
        assert proxy.provider.last.headers["x-chat"] == "c7"
        assert [each.id for each in proxy.tacit.sessions.list()] == ["c7"]


def test_a_key_of_an_agent_serves_a_known_client_as_that_agent(proxy):
    _, token = proxy.tacit.keys.add("bot", "write", workspace="default", agent="helper")
    headers = {"Tacit-Key": token, "x-claude-code-session-id": "abc"}
    proxy.messages([user(ASKED)], tools=[{"name": "x"}], headers=headers)
    proxy.settle()
    assert proxy.tacit.turns.list()[0].agent == "helper"
    other = proxy.chat([user(ASKED)], headers={"Tacit-Key": token, "Tacit-Agent": "other"})
    assert other.status_code == 403


def test_a_key_that_may_only_read_is_refused(proxy):
    _, token = proxy.tacit.keys.add("reader", "read", workspace="default")
    refused = proxy.messages([user(ASKED)], headers={"Tacit-Key": token})
    assert refused.status_code == 403
    assert refused.json()["error"]["type"] == "permission_error"
