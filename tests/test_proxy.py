"""The proxy: memory in requests to a provider, and nothing else changed."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX
from tests.proxying import (
    Answer,
    chat_answer,
    messages_answer,
    pages_of,
    proxied,
    responses_answer,
)

JWT = "We chose JWT over session tokens for the API"
ASKED = "Why did we choose JWT for the API?"
ANN = {"Tacit-User": "ann"}


@pytest.fixture
def proxy(tmp_path):
    with proxied(tmp_path=tmp_path) as found:
        found.tacit.remember(JWT, type="decision", scope_id="ann")
        yield found


def blocks_in(message):
    """The blocks among the parts of a message."""
    content = message["content"]
    parts = content if isinstance(content, list) else [{"text": content}]
    return [part["text"] for part in parts if part["text"].startswith(INJECTION_BLOCK_PREFIX)]


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def test_a_chat_request_reaches_the_provider_with_the_memory_behind_what_was_asked(proxy):
    answered = proxy.chat([{"role": "system", "content": "be kind"}, user(ASKED)], headers=ANN)
    assert answered.json()["choices"][0]["message"]["content"] == "Understood."
    assert answered.headers["tacit-memory"] == "injected"
    system, asked = proxy.provider.last.json["messages"]
    assert system == {"role": "system", "content": "be kind"}
    assert asked["content"][0] == {"type": "text", "text": ASKED}
    assert JWT in blocks_in(asked)[0]


def test_a_message_for_anthropic_gets_the_block_as_its_last_part(proxy):
    parts = [{"type": "text", "text": ASKED, "cache_control": {"type": "ephemeral"}}]
    proxy.messages([{"role": "user", "content": parts}], headers=ANN)
    (asked,) = proxy.provider.last.json["messages"]
    assert asked["content"][0] == parts[0]
    assert list(asked["content"][1]) == ["type", "text"]
    assert JWT in asked["content"][1]["text"]


def test_a_request_for_responses_gets_the_block_as_an_item_of_the_developer(proxy):
    proxy.responses(ASKED, headers=ANN)
    asked, block = proxy.provider.last.json["input"]
    assert asked["role"] == "user"
    assert block["role"] == "developer"
    assert JWT in block["content"][0]["text"]


def test_blocks_stand_at_the_same_place_byte_for_byte_in_every_later_request(proxy):
    history = [user(ASKED)]
    proxy.chat(history, headers=ANN)
    first = proxy.provider.last.json["messages"][0]
    for question in ("And what about sessions?", "Fine, and the expiry?"):
        proxy.settle()
        history += [assistant("Understood."), user(question)]
        proxy.chat(history, headers=ANN)
        assert proxy.provider.last.json["messages"][0] == first
    proxy.settle()
    assert len(proxy.tacit.sessions.list()) == 1
    assert proxy.tacit.sessions.list()[0].turns == 3


def test_a_text_stays_a_text_where_the_server_behind_refuses_lists(tmp_path):
    with proxied(tmp_path=tmp_path, settings="keep_text = true") as proxy:
        proxy.tacit.remember(JWT, type="decision", scope_id="ann")
        proxy.chat([user(ASKED)], headers=ANN)
        (asked,) = proxy.provider.last.json["messages"]
        assert asked["content"].startswith(f"{ASKED}\n\n{INJECTION_BLOCK_PREFIX}")


def test_requests_that_memory_has_no_part_in_pass_as_they_came(proxy):
    with proxy.client(Authorization="Bearer sk-1") as client:
        client.post("/openai/v1/embeddings?x=1&y=%20", content=b'{"input" : [1.0]}')
        got = proxy.provider.last
        assert (got.path, got.query, got.body) == (
            "/v1/embeddings",
            "x=1&y=%20",
            b'{"input" : [1.0]}',
        )
        assert got.headers["authorization"] == "Bearer sk-1"
        assert client.get("/openai/v1/models").json()["path"] == "/v1/models"
        assert client.delete("/openai/v1/files/a%2Fb").status_code == 200


def test_a_request_that_needs_no_memory_passes_byte_for_byte(proxy):
    body = b'{ "messages": [{"role":"user","content":"thanks"}], "model":"m", "t": 1.50 }'
    with proxy.client(**ANN) as client:
        answered = client.post("/openai/v1/chat/completions", content=body)
    assert proxy.provider.last.body == body
    assert answered.headers["tacit-memory"] == "nothing"


def test_what_the_provider_cannot_read_is_left_to_the_provider_to_refuse(proxy):
    proxy.provider.say(Answer(b'{"error":{"message":"bad"}}', status=400))
    with proxy.client(**ANN) as client:
        answered = client.post("/openai/v1/chat/completions", content=b"no json")
    assert (answered.status_code, answered.content) == (400, b'{"error":{"message":"bad"}}')
    assert proxy.provider.last.body == b"no json"


def test_headers_of_ours_and_of_the_connection_stay_behind(proxy):
    proxy.chat([user(ASKED)], headers={**ANN, "Authorization": "Bearer sk", "X-Custom": "1"})
    sent = proxy.provider.last.headers
    assert not [name for name in sent if name.startswith("tacit")]
    assert sent["x-custom"] == "1"
    assert sent["authorization"] == "Bearer sk"
    assert sent["accept-encoding"] == "identity"


# Turns


def test_a_tool_loop_recalls_once_and_its_last_reply_ends_the_turn(proxy):
    proxy.provider.say(chat_answer("Looking.", calls=[("call_1", "look")]))
    history = [user(ASKED)]
    reply = proxy.chat(history, headers=ANN).json()["choices"][0]["message"]
    first = proxy.provider.last.json["messages"][0]
    proxy.settle()
    assert not proxy.tacit.turns.list()
    history += [reply, {"role": "tool", "tool_call_id": "call_1", "content": "found"}]
    answered = proxy.chat(history, headers=ANN)
    proxy.settle()
    assert answered.headers["tacit-memory"] == "replayed"
    assert proxy.provider.last.json["messages"] == [first, *history[1:]]
    (receipt,) = proxy.tacit.turns.list()
    assert receipt.turn == 1
    assert "proxy: chat completions, fake; the provider had 12 of 20" in receipt.notes[-1]


def test_a_retry_sends_the_same_bytes_and_is_one_turn(proxy):
    proxy.provider.say(Answer(b'{"error":{}}', status=429, headers={"retry-after": "1"}))
    named = {**ANN, "Tacit-Session": "s1"}
    refused = proxy.chat([user(ASKED)], headers=named)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    before = proxy.provider.last.body
    proxy.chat([user(ASKED)], headers=named)
    proxy.settle()
    assert proxy.provider.last.body == before
    assert len(proxy.tacit.turns.list()) == 1


def test_titles_prewarming_and_compaction_recall_nothing(proxy):
    proxy.chat([user("### Task:\nGenerate a title about the API and JWT")], headers=ANN)
    proxy.chat([user(ASKED)], headers=ANN, prompt_cache_options={"prewarm": True})
    metadata = json.dumps({"request_kind": "compact"})
    codex = {**ANN, "x-codex-turn-metadata": metadata, "thread-id": "t1"}
    proxy.responses(ASKED, headers=codex)
    proxy.settle()
    assert not any(JWT in each.body.decode() for each in proxy.provider.received)
    assert not proxy.tacit.sessions.list()


def test_counting_tokens_counts_what_a_turn_would_add_and_begins_none(proxy):
    with proxy.client(**ANN, **{"Tacit-Session": "s1"}) as client:
        body = {"model": "fake", "messages": [user(ASKED)]}
        client.post("/anthropic/v1/messages/count_tokens", json=body)
        counted = proxy.provider.last.json["messages"]
        assert not proxy.tacit.sessions.list()
        client.post("/anthropic/v1/messages", json={**body, "max_tokens": 9})
    assert proxy.provider.last.json["messages"] == counted


def test_a_conversation_that_the_provider_keeps_gets_each_block_once(proxy):
    proxy.provider.say(responses_answer("Yes.", id="resp_7"))
    proxy.responses(ASKED, headers=ANN)
    proxy.settle()
    proxy.responses("And why not sessions?", previous_response_id="resp_7", headers=ANN)
    proxy.settle()
    assert JWT not in proxy.provider.last.body.decode()
    (session,) = proxy.tacit.sessions.list()
    assert session.turns == 2


def test_a_reply_is_learned_with_what_was_said(proxy):
    proxy.chat([user("My sister Ada lives in Graz")], headers=ANN, stream=True)
    proxy.settle()
    proxy.tacit.learn()
    assert [each.content for each in proxy.tacit.list(user="ann") if "Graz" in each.content]


@pytest.mark.parametrize(
    ("send", "answer"),
    [
        ("chat", chat_answer("Because of it.", stream=True)),
        ("messages", messages_answer("Because of it.", stream=True)),
        ("responses", responses_answer("Because of it.", stream=True)),
    ],
)
def test_streams_pass_byte_for_byte_and_end_their_turn(proxy, send, answer):
    proxy.provider.say(answer)
    asked = ASKED if send == "responses" else [user(ASKED)]
    answered = getattr(proxy, send)(asked, headers=ANN, stream=True)
    proxy.settle()
    assert answered.content == b"".join(answer.pieces)
    assert len(proxy.tacit.turns.list()) == 1


def test_a_stream_that_breaks_off_leaves_the_turn_to_the_next_one(proxy):
    whole = chat_answer("It was because", stream=True)
    proxy.provider.say(Answer(whole.pieces[:3], breaks=True))
    named = {**ANN, "Tacit-Session": "s1"}
    with pytest.raises(Exception, match=r"incomplete|closed|protocol"):
        proxy.chat([user(ASKED)], headers=named, stream=True)
    first = proxy.provider.last.json["messages"][0]
    proxy.settle()
    assert not proxy.tacit.turns.list()
    proxy.chat([user(ASKED), assistant("It was"), user("and the expiry?")], headers=named)
    proxy.settle()
    assert proxy.provider.last.json["messages"][0] == first
    assert [each.turn for each in proxy.tacit.turns.list(session="s1")] == [2, 1]


@pytest.mark.parametrize(
    ("send", "answer", "failure"),
    [
        (
            "chat",
            chat_answer,
            b'data: {"error": {"message": "overloaded", "type": "server_error"}}\n\n'
            b"data: [DONE]\n\n",
        ),
        (
            "messages",
            messages_answer,
            b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error"}}\n\n',
        ),
        (
            "responses",
            responses_answer,
            b'event: error\ndata: {"type": "error", "code": "server_error"}\n\n',
        ),
    ],
)
def test_a_stream_with_an_error_in_it_is_no_reply_and_the_retry_is_the_same_turn(
    proxy, send, answer, failure
):
    asked, named = ASKED if send == "responses" else [user(ASKED)], {**ANN, "Tacit-Session": "s1"}
    proxy.provider.say(Answer([*answer("It was because", stream=True).pieces[:3], failure]))
    broken = getattr(proxy, send)(asked, headers=named, stream=True)
    assert broken.content.endswith(failure)
    proxy.settle()
    assert not proxy.tacit.turns.list()
    first = proxy.provider.last
    getattr(proxy, send)(asked, headers=named, stream=True)
    proxy.settle()
    assert proxy.provider.last.body == first.body
    assert [each.turn for each in proxy.tacit.turns.list(session="s1")] == [1]


def test_a_client_that_hangs_up_leaves_its_turn_to_the_next_request(proxy):
    named = {**ANN, "Tacit-Session": "s1"}
    waits = threading.Event()
    proxy.provider.say(Answer(chat_answer("It was because", stream=True).pieces, waits=waits))
    body = {"model": "fake", "messages": [user(ASKED)], "stream": True}
    with (
        proxy.client(**named) as client,
        client.stream("POST", "/openai/v1/chat/completions", json=body) as answered,
    ):
        next(answered.iter_bytes())
    waits.set()
    proxy.settle()
    first = proxy.provider.last.json["messages"][0]
    assert blocks_in(first)
    proxy.chat([user(ASKED), assistant("It was"), user("and the expiry?")], headers=named)
    proxy.settle()
    assert proxy.provider.last.json["messages"][0] == first
    assert [each.turn for each in proxy.tacit.turns.list(session="s1")] == [2, 1]


def test_a_client_that_hangs_up_ends_the_request_to_the_provider(proxy):
    waits = threading.Event()
    whole = chat_answer("It was because", stream=True)
    proxy.provider.say(Answer(whole.pieces, waits=waits))
    body = {"model": "fake", "messages": [user(ASKED)], "stream": True}
    with (
        proxy.client(**ANN) as client,
        client.stream("POST", "/openai/v1/chat/completions", json=body) as answered,
    ):
        next(answered.iter_bytes())
    proxy.settle()
    waits.set()
    assert not proxy.tacit.turns.list()


# Sessions


def test_a_conversation_is_found_again_by_its_first_exchange(proxy):
    for greeting in ("hello there", "good morning to you"):
        proxy.chat([user(greeting)], headers=ANN)
        proxy.settle()
        proxy.chat([user(greeting), assistant("Understood."), user(ASKED)], headers=ANN)
        proxy.settle()
    assert sorted(each.turns for each in proxy.tacit.sessions.list()) == [2, 2]


def test_the_instructions_do_not_tell_conversations_apart(proxy):
    proxy.chat([{"role": "system", "content": "It is Monday"}, user(ASKED)], headers=ANN)
    first = proxy.provider.last.json["messages"][1]
    proxy.settle()
    later = [user(ASKED), assistant("Understood."), user("and the expiry?")]
    proxy.chat([{"role": "system", "content": "It is Tuesday"}, *later], headers=ANN)
    assert proxy.provider.last.json["messages"][1] == first


def test_conversations_that_begin_alike_are_kept_apart_once_that_is_seen(proxy):
    for _ in range(2):
        proxy.chat([user(ASKED)], headers=ANN)
        proxy.settle()
    begun = [user(ASKED), assistant("Understood.")]
    answered = proxy.chat([*begun, user("Tell me about JWT and the API")], headers=ANN)
    proxy.settle()
    assert JWT not in proxy.provider.last.body.decode()
    assert answered.headers["tacit-memory"] == "nothing"
    begun += [user("Tell me about JWT and the API"), assistant("Understood.")]
    proxy.chat([*begun, user("So why did we choose JWT?")], headers=ANN)
    assert JWT in proxy.provider.last.body.decode()


def test_users_are_kept_apart_although_they_say_the_same(proxy):
    proxy.chat([user(ASKED)], headers=ANN)
    proxy.settle()
    begun = [user(ASKED), assistant("Understood."), user("and the expiry of JWT?")]
    proxy.chat(begun, headers={"Tacit-User": "bob"})
    assert JWT not in proxy.provider.last.body.decode()


def test_path_and_headers_name_user_project_and_session(proxy):
    proxy.tacit.remember("The shop API uses JWT", scope="project", scope_id="shop")
    proxy.chat([user(ASKED)], path="/u/ann/p/shop/s/s%201/openai")
    assert "The shop API uses JWT" in proxy.provider.last.body.decode()
    assert JWT in proxy.provider.last.body.decode()
    proxy.settle()
    assert [each.id for each in proxy.tacit.sessions.list()] == ["s 1"]


@pytest.mark.parametrize(
    "headers",
    [
        {"x-openwebui-user-id": "ann", "x-openwebui-chat-id": "c1"},
        {"x-sm-user-id": "ann", "x-sm-conversation-id": "c1"},
        {"Tacit-User": "ann", "x-acme-session-id": "c1"},
        {"Tacit-User": "ann", "x-litellm-trace-id": "c1"},
    ],
)
def test_the_headers_of_known_clients_name_the_conversation(proxy, headers):
    proxy.chat([user(ASKED)], headers=headers)
    proxy.settle()
    assert JWT in proxy.provider.last.body.decode()
    assert [each.id for each in proxy.tacit.sessions.list()] == ["c1"]


def test_the_user_in_the_body_is_the_user(proxy):
    proxy.chat([user(ASKED)], user="ann")
    assert JWT in proxy.provider.last.body.decode()
    proxy.messages([user(ASKED)], metadata={"user_id": "ann"})
    assert JWT in proxy.provider.last.body.decode()


def test_a_session_that_hooks_serve_is_left_to_them(proxy):
    with proxy.tacit.turn(session="abc", text="What about JWT?", history=None) as turn:
        turn.commit("ok")
    headers = {"x-claude-code-session-id": "abc"}
    answered = proxy.messages([user(ASKED)], tools=[{"name": "x"}], headers=headers)
    assert answered.headers["tacit-memory"] == "hooks"
    assert proxy.tacit.sessions.list()[0].turns == 1


def test_agents_of_one_coding_session_have_conversations_of_their_own(proxy):
    headers = {"x-claude-code-session-id": "abc", **ANN}
    tools = [{"name": "x"}]
    proxy.messages([user(ASKED)], tools=tools, headers=headers)
    first = proxy.provider.last.json["messages"][0]
    proxy.settle()
    proxy.messages([user("Look for JWT in the API")], tools=tools, headers=headers)
    proxy.settle()
    proxy.messages(
        [user(ASKED), assistant("Understood."), user("and the expiry?")],
        tools=tools,
        headers=headers,
    )
    assert proxy.provider.last.json["messages"][0] == first


# Modes and failures


def test_a_header_switches_memory_off_or_lets_it_only_observe(proxy):
    off = proxy.chat([user(ASKED)], headers={**ANN, "Tacit-Memory": "off"})
    proxy.settle()
    assert off.headers["tacit-memory"] == "off"
    assert not proxy.tacit.sessions.list()
    watched = proxy.chat([user(ASKED)], headers={**ANN, "Tacit-Memory": "observe"})
    proxy.settle()
    assert watched.headers["tacit-memory"] == "observed"
    assert JWT not in proxy.provider.last.body.decode()
    assert proxy.tacit.sessions.list()[0].turns == 1
    wrong = proxy.chat([user(ASKED)], headers={**ANN, "Tacit-Memory": "maybe"})
    assert wrong.status_code == 400
    assert "on, off, observe" in wrong.json()["error"]["message"]


def test_a_broken_memory_lets_the_request_pass_and_says_so(proxy, monkeypatch):
    def fail(*_, **__):
        raise OSError("the disk is gone")

    monkeypatch.setattr(proxy.tacit._context.store, "read", fail)
    answered = proxy.chat([user(ASKED)], headers=ANN)
    assert answered.status_code == 200
    assert answered.headers["tacit-memory"] == "failed"
    assert proxy.provider.last.json["messages"] == [user(ASKED)]


def test_errors_of_the_proxy_have_the_form_of_the_provider(proxy):
    both = {"x-forwarded-for": "", "Tacit-Memory": "maybe"}
    openai = proxy.chat([user(ASKED)], headers=both).json()
    assert openai["error"]["type"] == "invalid_request_error"
    anthropic = proxy.messages([user(ASKED)], headers=both).json()
    assert anthropic["type"] == "error"
    assert anthropic["error"]["type"] == "invalid_request_error"


def test_a_provider_that_cannot_be_reached_is_named(tmp_path):
    with proxied(tmp_path=tmp_path) as proxy:
        proxy.app._options = proxy.app._options.__class__(upstream="http://127.0.0.1:9")
        answered = proxy.chat([user(ASKED)], path="")
        assert answered.status_code == 502
        assert "127.0.0.1:9 could not be reached" in answered.json()["error"]["message"]


class _OneAnswer(BaseHTTPRequestHandler):
    """A provider that closes a connection it kept open, just when the next request comes."""

    protocol_version = "HTTP/1.1"
    has_answered = False

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        if self.has_answered:
            self.close_connection = True
            return
        self.has_answered = True
        answer = chat_answer("Understood.").pieces[0]
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        """Say nothing."""


def test_a_kept_connection_that_the_provider_has_closed_costs_no_request(tmp_path):
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), _OneAnswer) as provider,
        proxied(tmp_path=tmp_path) as proxy,
    ):
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        upstream = f"http://127.0.0.1:{provider.server_port}"
        proxy.app._options = proxy.app._options.__class__(upstream=upstream)
        for _ in range(3):
            assert proxy.chat([user(ASKED)], path="").status_code == 200
        provider.shutdown()


def test_with_keys_callers_need_one_in_a_header_of_its_own(proxy):
    _, token = proxy.tacit.keys.add("app", "write", workspace="default", user="ann")
    refused = proxy.chat([user(ASKED)], headers={"Authorization": "Bearer sk-provider"})
    assert refused.status_code == 401
    assert "Tacit-Key" in refused.json()["error"]["message"]
    headers = {"Tacit-Key": token, "Authorization": "Bearer sk-provider"}
    assert proxy.chat([user(ASKED)], headers=headers).status_code == 200
    assert JWT in proxy.provider.last.body.decode()
    assert token not in json.dumps(proxy.provider.last.headers)
    other = proxy.chat([user(ASKED)], headers={**headers, "Tacit-User": "bob"})
    assert other.status_code == 403


def test_a_single_provider_is_at_the_root_and_the_api_beside_it(tmp_path):
    with proxied(tmp_path=tmp_path, single=True, user="ann") as proxy:
        proxy.tacit.remember(JWT, type="decision", scope_id="ann")
        proxy.chat([user(ASKED)], path="")
        assert JWT in proxy.provider.last.body.decode()
        proxy.messages([user(ASKED)], path="")
        assert proxy.provider.last.path == "/v1/messages"
        with proxy.client() as client:
            assert client.get(f"{pages_of(proxy.url)}/v1/status").status_code == 200
            assert client.head("/").status_code == 200
            assert proxy.provider.last.method == "HEAD"


def test_the_root_of_the_own_pages_says_what_is_proxied_and_where_to_look(tmp_path):
    with proxied(tmp_path=tmp_path, single=True) as proxy, proxy.client() as client:
        told = client.get("/_tacit/").json()
        assert (told["upstream"], told["memory"]) == (proxy.provider.url, "on")
        assert told["OPENAI_BASE_URL"] == f"{proxy.url}/v1"
        assert told["web UI"] == f"tacit ui --url {pages_of(proxy.url)}"
        page = client.get("/_tacit", headers={"accept": "text/html,*/*"})
        assert page.headers["content-type"].startswith("text/html")
        assert f"tacit ui --url {pages_of(proxy.url)}" in page.text
        assert client.get("/_tacit/", headers={"host": "evil.example"}).status_code == 421
        assert not proxy.provider.received


def test_the_root_of_the_own_pages_tells_callers_without_a_key_that_they_need_one(tmp_path):
    with proxied(tmp_path=tmp_path, single=True) as proxy, proxy.client() as client:
        _, token = proxy.tacit.keys.add("app", "write", workspace="default")
        told = client.get("/_tacit/").json()
        assert "Tacit-Key" in told["keys"]
        assert proxy.provider.url not in told.values()
        known = client.get("/_tacit/", headers={"Tacit-Key": token}).json()
        assert known["upstream"] == proxy.provider.url
