"""`tacit.wrap`: the same clients of the SDKs, with memory in every model call."""

import asyncio
import inspect
import json
import threading
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field

import anthropic
import httpx
import httpx2
import openai
import pytest
from pydantic import BaseModel

from tacit import AsyncTacit, FakeEmbedder, InvalidInput, Tacit, identify
from tests.proxying import (
    Answer,
    Received,
    chat_answer,
    messages_answer,
    responses_answer,
    usual_answer,
)
from tests.sdk_clients import CALL_MODES, blocks_in

JWT = "We chose JWT over session tokens for the API"
ASKED = "Why did we choose JWT for the API?"
REPLY = "Because the API has no state."
USER = {"role": "user", "content": ASKED}
TOOL = {"name": "look", "parameters": {"type": "object", "properties": {}}}


@dataclass
class Provider:
    """A provider that a client's own transport reaches: it keeps what came, and answers."""

    received: list[Received] = field(default_factory=list)
    answers: deque = field(default_factory=deque)

    def __call__(self, request):
        headers = dict(request.headers)
        asked = Received(request.method, request.url.path, "", headers, request.content)
        self.received.append(asked)
        answer = self.answers.popleft() if self.answers else usual_answer(asked, REPLY)
        if isinstance(answer, Exception):
            raise answer
        kind = "text/event-stream" if answer.is_stream else "application/json"
        return httpx2.Response(
            answer.status,
            headers={"content-type": kind, **answer.headers},
            stream=_Pieces(answer),
        )

    def blocks(self):
        return [blocks_in(each.json) for each in self.received]


@dataclass
class _Pieces(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    answer: Answer

    def __iter__(self):
        yield from self.answer.pieces
        if self.answer.breaks:
            raise httpx2.ReadError("gone")

    async def __aiter__(self):
        for piece in self:
            yield piece


KINDS = {
    "chat": (openai.OpenAI, openai.AsyncOpenAI, chat_answer),
    "responses": (openai.OpenAI, openai.AsyncOpenAI, responses_answer),
    "messages": (anthropic.Anthropic, anthropic.AsyncAnthropic, messages_answer),
}


@dataclass
class Talk:
    """A program that speaks one API, plain or async, whole or in a stream."""

    kind: str
    is_async: bool
    streams: bool
    provider: Provider = field(default_factory=Provider)

    def __post_init__(self):
        sync, asynchronous, self.answer = KINDS[self.kind]
        transport = httpx2.MockTransport(self.provider)
        http = (httpx2.AsyncClient if self.is_async else httpx2.Client)(transport=transport)
        made = asynchronous if self.is_async else sync
        self.client = made(
            api_key="k", base_url="https://provider.test/v1", http_client=http, max_retries=0
        )

    def wrap(self, tacit, **names):
        self.client = tacit.wrap(self.client, **names)

    def ask(self, messages, **more):
        """Send messages; the text of the reply."""
        if self.is_async:
            return asyncio.run(self._ask_async(messages, more))
        made = self._create()(**self._arguments(messages, more))
        if self.streams:
            return "".join(map(self._text_of_event, made))
        return self._text(made)

    async def _ask_async(self, messages, more):
        made = await self._create()(**self._arguments(messages, more))
        if self.streams:
            return "".join([self._text_of_event(each) async for each in made])
        return self._text(made)

    def _create(self):
        return {
            "chat": lambda: self.client.chat.completions.create,
            "responses": lambda: self.client.responses.create,
            "messages": lambda: self.client.messages.create,
        }[self.kind]()

    def _arguments(self, messages, more):
        named = "input" if self.kind == "responses" else "messages"
        limit = {"max_tokens": 50} if self.kind == "messages" else {}
        return {"model": "fake", named: messages, **limit, "stream": self.streams, **more}

    def _text_of_event(self, event):
        if self.kind == "chat":
            return (event.choices[0].delta.content or "") if event.choices else ""
        if self.kind == "responses":
            return event.delta if event.type == "response.output_text.delta" else ""
        is_text = event.type == "content_block_delta" and event.delta.type == "text_delta"
        return event.delta.text if is_text else ""

    def _text(self, made):
        if self.kind == "chat":
            return made.choices[0].message.content or ""
        if self.kind == "responses":
            return made.output_text
        return "".join(part.text for part in made.content if part.type == "text")

    def say(self, *texts, calls=()):
        for text in texts:
            self.provider.answers.append(self.answer(text, calls=calls, stream=self.streams))

    def loop(self):
        """The messages of a call of a tool and of its result."""
        if self.kind == "chat":
            call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
            return [
                {"role": "assistant", "content": "Let me look.", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c1", "content": "no sessions here"},
            ]
        if self.kind == "responses":
            return [
                {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c1", "output": "no sessions here"},
            ]
        use = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
        result = {"type": "tool_result", "tool_use_id": "c1", "content": "no sessions here"}
        return [
            {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, use]},
            {"role": "user", "content": [result]},
        ]


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as found:
        found.remember(JWT, type="decision", scope_id="ann")
        yield found


@pytest.fixture(params=CALL_MODES)
def mode(request):
    return request.param


@pytest.fixture
def is_async(mode):
    return mode.is_async


@pytest.fixture
def streams(mode):
    return mode.streams


@pytest.fixture(params=list(KINDS))
def talk(request, is_async, streams):
    return Talk(request.param, is_async, streams)


def turns(tacit, session="s1"):
    return [each.turn for each in reversed(tacit.turns.list(session=session))]


# What every kind of client must do


def test_memory_is_injected_before_the_call_and_the_reply_recorded_once(talk, tacit):
    own = talk.client
    talk.wrap(tacit, user="ann", session="s1")
    messages = [dict(USER)]
    assert type(talk.client) is type(own)
    assert talk.ask(messages) == REPLY
    ((block,),) = talk.provider.blocks()
    assert JWT in block
    assert messages == [USER]
    assert turns(tacit) == [1]


def test_a_tool_loop_has_the_identical_block_and_is_one_turn(talk, tacit):
    talk.wrap(tacit, user="ann", session="s1")
    talk.say("Let me look.", calls=[("c1", "look")])
    talk.ask([USER])
    assert turns(tacit) == []
    talk.ask([USER, *talk.loop()])
    first, second = talk.provider.received
    entries = "input" if talk.kind == "responses" else "messages"
    assert second.json[entries][: len(first.json[entries])] == first.json[entries]
    assert second.json[entries][len(first.json[entries]) :] == talk.loop()
    assert turns(tacit) == [1]


def test_the_next_turn_replays_the_block_of_the_turn_before(talk, tacit):
    talk.wrap(tacit, user="ann", session="s1")
    said = {"role": "assistant", "content": REPLY}
    talk.ask([USER])
    talk.ask([USER, said, {"role": "user", "content": "Fine, and the expiry of a JWT?"}])
    (before,), after = talk.provider.blocks()
    assert after[0] == before
    assert turns(tacit) == [1, 2]


def test_a_retry_after_an_error_has_the_identical_request(talk, tacit):
    talk.client = talk.client.copy(max_retries=1)
    talk.wrap(tacit, user="ann", session="s1")
    talk.provider.answers.append(Answer(b"{}", status=503, headers={"retry-after-ms": "1"}))
    assert talk.ask([USER]) == REPLY
    first, second = talk.provider.received
    assert first.body == second.body
    assert turns(tacit) == [1]


def test_a_call_that_fails_raises_as_without_memory_and_records_nothing(talk, tacit):
    talk.wrap(tacit, user="ann", session="s1")
    talk.provider.answers += [Answer(b'{"error": {"message": "no"}}', status=400)] * 2
    errors = (openai.BadRequestError, anthropic.BadRequestError)
    with pytest.raises(errors):
        talk.ask([USER])
    assert turns(tacit) == []
    talk.client = talk.client.with_options(max_retries=0)
    with pytest.raises(errors):
        talk.ask([USER])
    talk.ask([USER])
    assert len({each.body for each in talk.provider.received}) == 1
    assert turns(tacit) == [1]


def test_no_connection_raises_as_without_memory(talk, tacit):
    talk.wrap(tacit, user="ann")
    talk.provider.answers.append(httpx2.ConnectError("nobody there"))
    with pytest.raises((openai.APIConnectionError, anthropic.APIConnectionError)):
        talk.ask([USER])
    assert tacit.sessions.list() == []


def test_a_client_without_a_session_finds_its_conversation_again(talk, tacit):
    talk.wrap(tacit, user="ann")
    said = {"role": "assistant", "content": REPLY}
    talk.ask([USER])
    talk.ask([USER, said, {"role": "user", "content": "Fine, and the expiry of a JWT?"}])
    (before,), after = talk.provider.blocks()
    assert after[0] == before
    (session,) = {each.session for each in tacit.turns.list()}
    assert turns(tacit, session) == [1, 2]


def test_the_client_that_was_wrapped_stays_as_it_is(talk, tacit):
    own = talk.client
    talk.wrap(tacit, user="ann")
    wrapped, talk.client = talk.client, own
    assert talk.ask([USER]) == REPLY
    assert talk.provider.blocks() == [[]]
    assert wrapped.max_retries == own.max_retries
    assert wrapped.base_url == own.base_url


def test_broken_memory_stops_no_call(talk, tmp_path):
    with Tacit.open(tmp_path / "memory.db", embedder=FakeEmbedder()) as tacit:
        talk.wrap(tacit, user="ann", session="s1")
    assert talk.ask([USER]) == REPLY
    assert talk.provider.blocks() == [[]]


# What programs do with clients


class Reason(BaseModel):
    because: str


@contextmanager
def speaking_to(kind, tacit, **names):
    talk = Talk(kind, is_async=False, streams=False)
    talk.wrap(tacit, **{"user": "ann", "session": "s1", **names})
    with talk.client:
        yield talk


def test_structured_replies_are_parsed(tacit):
    with speaking_to("chat", tacit) as talk:
        talk.say('{"because": "no state"}')
        done = talk.client.chat.completions.parse(
            model="fake", messages=[USER], response_format=Reason
        )
    assert done.choices[0].message.parsed == Reason(because="no state")
    with speaking_to("responses", tacit, session="s2") as talk:
        talk.say('{"because": "no state"}')
        parsed = talk.client.responses.parse(model="fake", input=ASKED, text_format=Reason)
    assert parsed.output_parsed == Reason(because="no state")
    assert len(talk.provider.blocks()[0]) == 1
    assert turns(tacit) == turns(tacit, "s2") == [1]


def test_raw_and_streamed_responses_pass_byte_for_byte(tacit):
    with speaking_to("chat", tacit) as talk:
        answer = chat_answer(REPLY)
        talk.provider.answers += [answer, answer]
        raw = talk.client.chat.completions.with_raw_response
        made = raw.create(model="fake", messages=[USER])
        assert made.content == answer.pieces[0]
        assert json.loads(made.http_response.request.content)["messages"] == [USER]
        streamed = talk.client.chat.completions.with_streaming_response
        with streamed.create(model="fake", messages=[USER]) as passed:
            assert b"".join(passed.iter_bytes()) == answer.pieces[0]
    assert turns(tacit) == [1]


def test_the_helper_for_streams_of_anthropic_has_memory(tacit):
    with speaking_to("messages", tacit) as talk:
        talk.provider.answers.append(messages_answer(REPLY, stream=True))
        asked = {"model": "fake", "max_tokens": 50, "messages": [USER]}
        with talk.client.messages.stream(**asked) as stream:
            assert stream.get_final_text() == REPLY
    assert len(talk.provider.blocks()[0]) == 1
    assert turns(tacit) == [1]


def test_tokens_are_counted_with_the_block_and_no_turn_begins(tacit):
    with speaking_to("messages", tacit) as talk:
        counted = talk.client.messages.count_tokens(model="fake", messages=[USER])
        assert counted.input_tokens == 42
        talk.ask([USER])
    (one,), (other,) = talk.provider.blocks()
    assert one == other
    assert turns(tacit) == [1]


def test_a_conversation_that_the_provider_keeps_is_found_by_its_response(tacit):
    with speaking_to("responses", tacit, session=None) as talk:
        talk.client.responses.create(model="fake", input=ASKED)
        more = {"previous_response_id": "resp_1", "input": "And the expiry of a JWT?"}
        talk.client.responses.create(model="fake", **more)
    assert len({each.session for each in tacit.turns.list()}) == 1
    assert {each.turn for each in tacit.turns.list()} == {1, 2}


KEPT = {
    "responses": ({}, {"previous_response_id": "resp_1"}),
    "messages": (
        {"thread": {"type": "create"}},
        {"thread": {"type": "continue", "previous_message_id": "msg_1"}},
    ),
}


@pytest.mark.parametrize("kind", list(KEPT))
@pytest.mark.parametrize("session", [None, "s1"])
def test_a_tool_loop_in_a_conversation_that_the_provider_keeps_is_one_turn(tacit, kind, session):
    talk = Talk(kind, is_async=False, streams=False)
    talk.wrap(tacit, user="ann", session=session)
    begun, continued = KEPT[kind]
    talk.say("", calls=[("c1", "look")])
    talk.ask([USER], extra_body=begun)
    talk.say(REPLY)
    talk.ask(talk.loop()[1:], extra_body=continued)
    assert [each.turn for each in tacit.turns.list()] == [1]
    talk.say("A day.")
    talk.ask([{"role": "user", "content": "And the expiry of a JWT?"}], extra_body=continued)
    assert [len(each) for each in talk.provider.blocks()] == [1, 0, 0]
    (named,) = {each.session for each in tacit.turns.list()}
    assert turns(tacit, named) == [1, 2]


def test_a_compressed_reply_is_read(tacit):
    import gzip

    with speaking_to("chat", tacit) as talk:
        body = gzip.compress(chat_answer(REPLY).pieces[0])
        talk.provider.answers.append(Answer(body, headers={"content-encoding": "gzip"}))
        streamed = talk.client.chat.completions.with_streaming_response
        with streamed.create(model="fake", messages=[USER]) as passed:
            assert json.loads(passed.read())["choices"][0]["message"]["content"] == REPLY
    assert turns(tacit) == [1]


def test_a_stream_that_breaks_off_is_left_to_the_retry(tacit):
    talk = Talk("chat", is_async=False, streams=True)
    talk.wrap(tacit, user="ann", session="s1")
    pieces = chat_answer(REPLY, stream=True).pieces[:2]
    talk.provider.answers.append(Answer(pieces, breaks=True))
    with pytest.raises((httpx2.ReadError, openai.APIConnectionError)):
        talk.ask([USER])
    assert turns(tacit) == []
    assert talk.ask([USER]) == REPLY
    first, second = talk.provider.received
    assert first.body == second.body
    assert turns(tacit) == [1]


def test_hooks_and_headers_of_the_users_http_client_stay_in_use(tacit):
    seen = []
    provider = Provider()
    http = httpx2.Client(
        transport=httpx2.MockTransport(provider),
        headers={"x-own": "1"},
        event_hooks={"request": [lambda request: seen.append(request.url.path)]},
    )
    client = tacit.wrap(openai.OpenAI(api_key="k", http_client=http), user="ann", session="s1")
    client.models.list()
    client.chat.completions.create(model="fake", messages=[USER])
    assert seen == ["/v1/models", "/v1/chat/completions"]
    assert [each.headers["x-own"] for each in provider.received] == ["1", "1"]
    (asked,) = provider.received[1:]
    assert int(asked.headers["content-length"]) == len(asked.body)
    client.close()
    assert http.is_closed


def test_a_deployment_at_azure_is_known(tacit):
    provider = Provider()
    client = openai.AzureOpenAI(
        api_key="k",
        api_version="2026-01-01",
        azure_endpoint="https://own.test",
        http_client=httpx2.Client(transport=httpx2.MockTransport(provider)),
    )
    made = tacit.wrap(client, user="ann", session="s1").chat.completions
    made.create(model="fake", messages=[USER])
    assert len(provider.blocks()[0]) == 1


def test_wrapping_again_says_other_names(tacit):
    with speaking_to("chat", tacit) as talk:
        again = tacit.wrap(talk.client, user="ben", session="s2")
        again.chat.completions.create(model="fake", messages=[USER])
        assert talk.provider.blocks() == [[]]
        assert turns(tacit, "s2") == [1]
        assert turns(tacit) == []


# Whose call it is


def test_two_users_are_kept_apart_in_threads(tacit):
    tacit.remember("Ben likes opaque tokens for the API", type="preference", scope_id="ben")
    talk = Talk("chat", is_async=False, streams=False)
    talk.wrap(tacit)
    asked = {"role": "user", "content": "Which tokens are for the API, JWT or opaque?"}
    both = threading.Barrier(2)

    def speak(name):
        with identify(user=name, session=f"of-{name}"):
            both.wait(30)
            talk.ask([{**asked, "name": name}])

    threads = [threading.Thread(target=speak, args=(name,)) for name in ("ann", "ben")]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    assert_kept_apart(talk.provider)


def test_two_users_are_kept_apart_in_tasks(tacit):
    tacit.remember("Ben likes opaque tokens for the API", type="preference", scope_id="ben")
    talk = Talk("chat", is_async=True, streams=False)
    remembers = AsyncTacit(tacit)
    client = remembers.wrap(talk.client)
    asked = {"role": "user", "content": "Which tokens are for the API, JWT or opaque?"}

    async def speak(name):
        with identify(user=name, session=f"of-{name}"):
            await asyncio.sleep(0)
            messages = [{**asked, "name": name}]
            await client.chat.completions.create(model="fake", messages=messages)

    async def speak_together():
        await asyncio.gather(speak("ann"), speak("ben"))

    asyncio.run(speak_together())
    assert_kept_apart(talk.provider)


def assert_kept_apart(provider):
    shown = {each.json["messages"][0]["name"]: blocks_in(each.json) for each in provider.received}
    assert JWT in "".join(shown["ann"])
    assert "Ben likes" not in "".join(shown["ann"])
    assert "Ben likes" in "".join(shown["ben"])
    assert JWT not in "".join(shown["ben"])


# Refused


@pytest.mark.parametrize("client", [None, "openai", openai], ids=["none", "name", "module"])
def test_what_is_no_client_is_refused(tacit, client):
    with pytest.raises(InvalidInput, match=r"client: .* cannot be wrapped: pass a client"):
        tacit.wrap(client)


def test_an_sdk_on_httpx_is_refused_with_the_version_that_is_needed(tacit):
    client = openai.OpenAI(api_key="k", http_client=httpx.Client())
    with client, pytest.raises(InvalidInput, match="install openai 3 or newer, on httpx2"):
        tacit.wrap(client)


def test_a_client_that_signs_its_requests_is_refused(tacit):
    signing = type("Signing", (openai.OpenAI,), {"__module__": "openai.lib.bedrock"})
    with pytest.raises(InvalidInput, match="signs its requests"):
        tacit.wrap(signing(api_key="k"))


def test_a_request_that_is_signed_goes_out_as_it_is(tacit, caplog):
    with speaking_to("chat", tacit) as talk:
        signed = talk.client.copy(default_headers={"Authorization": "AWS4-HMAC-SHA256 of it"})
        for _ in range(2):
            signed.chat.completions.create(model="fake", messages=[USER])
    assert talk.provider.blocks() == [[], []]
    (warning,) = [each.message for each in caplog.records if each.name == "tacit.calls"]
    assert "signed request" in warning


def test_wrapping_is_no_coroutine():
    assert not inspect.iscoroutinefunction(AsyncTacit.wrap)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("chat", "chat completions, fake; the provider had 12 of 20 input tokens in its cache"),
        ("responses", "responses, fake; the provider had 12 of 20 input tokens in its cache"),
        ("messages", "messages, fake; the provider had 15 of 20 input tokens in its cache"),
    ],
)
def test_the_receipt_names_the_model_and_what_the_provider_had_in_its_cache(kind, said):
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        talk = Talk(kind, is_async=False, streams=False)
        talk.wrap(tacit, session="s1")
        talk.ask([USER])
        (receipt,) = tacit.turns.list(session="s1")
        assert f"wrapped client: {said}" in receipt.notes
