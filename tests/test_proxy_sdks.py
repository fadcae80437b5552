"""The SDKs of OpenAI and Anthropic through the proxy: all as without it, but for the blocks."""

import asyncio
import json
import socket
import threading
from dataclasses import replace
from urllib.parse import urlsplit

import anthropic
import openai
import pytest
from pydantic import BaseModel
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.proxying import (
    THOUGHT_SIGNATURE,
    Answer,
    chat_answer,
    messages_answer,
    proxied,
    responses_answer,
)
from tests.sdk_clients import (
    ASKED,
    CALL_MODES,
    JWT,
    Pair,
    blocks_in,
    settled,
)

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4"
    "2mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
CALLS = [("call_1", "look", {"place": "api/auth.py"}), ("call_2", "look", {"place": "docs"})]
PLACE = {
    "type": "object",
    "properties": {"place": {"type": "string"}},
    "required": ["place"],
    "additionalProperties": False,
}
THOUGHT = "The API has no state, so the tokens carry it."


class Reason(BaseModel):
    because: str
    is_final: bool


REASON = Reason(because="The API has no state", is_final=True)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    with proxied(tmp_path=tmp_path_factory.mktemp("proxy")) as found:
        found.tacit.remember(JWT, type="decision", scope_id="ann")
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


@pytest.fixture
def openai_pair(proxy, is_async, streams):
    return Pair(proxy, "openai", is_async, streams)


@pytest.fixture
def anthropic_pair(proxy, is_async, streams):
    return Pair(proxy, "anthropic", is_async, streams)


def user(content):
    return {"role": "user", "content": content}


def assert_replayed(sent):
    """Each request has the same single block, which holds the memory."""
    shown = [blocks_in(each.json) for each in sent]
    assert len(shown[0]) == 1
    assert JWT in shown[0][0]
    assert all(each == shown[0] for each in shown)


# Chat completions


def test_a_tool_loop_of_chat_completions_is_as_without_a_proxy(openai_pair, streams):
    function = {"name": "look", "parameters": PLACE, "strict": True}
    tools = [{"type": "function", "function": function}]
    instructions = {"role": "system", "content": "Be brief."}

    async def talk(sdk):
        history = [instructions, user(ASKED)]
        asked = {"tools": tools, "parallel_tool_calls": True, "temperature": 0.25}
        called = await sdk.chat(messages=history, **asked)
        history.append(called)
        history += [
            {"role": "tool", "tool_call_id": each.id, "content": "no sessions here"}
            for each in called.tool_calls
        ]
        history += [await sdk.chat(messages=history, **asked), user("Fine, and the expiry?")]
        await sdk.chat(messages=history, **asked)

    sent = openai_pair.compare(
        talk,
        chat_answer("Let me look.", calls=CALLS, stream=streams),
        chat_answer("Because the API has no state.", stream=streams),
        chat_answer("A day.", stream=streams),
    )
    assert_replayed(sent)
    assert {each.turn for each in openai_pair.receipts} == {1, 2}
    assert len({each.session for each in openai_pair.receipts}) == 1


def test_an_image_in_a_chat_stays_where_it_is(openai_pair, streams):
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}}
    parts = [{"type": "text", "text": ASKED}, image]

    async def talk(sdk):
        await sdk.chat(messages=[user(parts)])

    (sent,) = openai_pair.compare(talk, chat_answer("It shows why.", stream=streams))
    assert sent.json["messages"][0]["content"][:2] == parts
    assert_replayed([sent])


def test_a_structured_chat_completion_is_parsed(proxy, is_async):
    async def talk(sdk):
        asked = {"model": "fake", "messages": [user(ASKED)], "response_format": Reason}
        done = await sdk.call(sdk.client.chat.completions.parse, **asked)
        assert done.choices[0].message.parsed == REASON

    pair = Pair(proxy, "openai", is_async)
    assert_replayed(pair.compare(talk, chat_answer(REASON.model_dump_json())))


def test_a_structured_chat_completion_is_parsed_from_a_stream(proxy, is_async):
    async def talk(sdk):
        message = await sdk.chat(messages=[user(ASKED)], response_format=Reason)
        assert message.parsed == REASON

    pair = Pair(proxy, "openai", is_async, streams=True)
    assert_replayed(pair.compare(talk, chat_answer(REASON.model_dump_json(), stream=True)))


def test_chunks_come_one_by_one_with_the_usage_that_was_asked_for(proxy, is_async):
    async def talk(sdk):
        await sdk.iterate(
            sdk.client.chat.completions.create,
            model="fake",
            messages=[user(ASKED)],
            stream_options={"include_usage": True},
        )
        assert sdk.returned[-1][2]["usage"]["prompt_tokens"] == 20

    assert_replayed(Pair(proxy, "openai", is_async).compare(talk))


# Responses


def test_a_tool_loop_of_responses_is_as_without_a_proxy(openai_pair, streams):
    tools = [{"type": "function", "name": "look", "parameters": PLACE, "strict": True}]

    async def talk(sdk):
        items = [user(ASKED)]
        asked = {"tools": tools, "include": ["reasoning.encrypted_content"], "store": False}
        called = await sdk.respond(input=items, instructions="Be brief.", **asked)
        items += called.output
        items += [
            {"type": "function_call_output", "call_id": each.call_id, "output": "no sessions"}
            for each in called.output
            if each.type == "function_call"
        ]
        items += (await sdk.respond(input=items, **asked)).output
        await sdk.respond(input=[*items, user("Fine, and the expiry?")], **asked)

    sent = openai_pair.compare(
        talk,
        responses_answer("Let me look.", calls=CALLS, stream=streams, thinking=THOUGHT),
        responses_answer("Because the API has no state.", stream=streams),
        responses_answer("A day.", stream=streams),
    )
    assert_replayed(sent)
    thoughts = [each for each in sent[1].json["input"] if each.get("type") == "reasoning"]
    assert [each["encrypted_content"] for each in thoughts] == [THOUGHT_SIGNATURE]


def test_a_text_as_the_input_of_a_response_becomes_an_item_before_its_block(openai_pair, streams):
    async def talk(sdk):
        await sdk.respond(input=ASKED)

    assert_replayed(openai_pair.compare(talk, responses_answer("Why not.", stream=streams)))


def test_an_image_in_a_response_stays_where_it_is(openai_pair, streams):
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"}
    parts = [{"type": "input_text", "text": ASKED}, image]

    async def talk(sdk):
        await sdk.respond(input=[user(parts)])

    sent = openai_pair.compare(talk, responses_answer("It shows why.", stream=streams))
    assert sent[0].json["input"][0]["content"] == parts
    assert_replayed(sent)


def test_a_conversation_that_the_provider_keeps_has_its_block_once(openai_pair, streams):
    number = openai_pair.project

    async def talk(sdk):
        first = await sdk.respond(input=ASKED)
        second = await sdk.respond(input="And why not sessions?", previous_response_id=first.id)
        await sdk.respond(input=ASKED, previous_response_id=second.id)

    sent = openai_pair.compare(
        talk,
        *(
            responses_answer(f"Answer {n}.", id=f"resp_{number}_{n}", stream=streams)
            for n in range(3)
        ),
    )
    assert_replayed(sent[:1])
    assert [blocks_in(each.json) for each in sent[1:]] == [[], []]
    assert sent[2].json["previous_response_id"] == f"resp_{number}_1"


def test_a_structured_response_is_parsed(proxy, is_async):
    async def talk(sdk):
        asked = {"model": "fake", "input": ASKED, "text_format": Reason}
        done = await sdk.call(sdk.client.responses.parse, **asked)
        assert done.output_parsed == REASON

    pair = Pair(proxy, "openai", is_async)
    assert_replayed(pair.compare(talk, responses_answer(REASON.model_dump_json())))


def test_a_structured_response_is_parsed_from_a_stream(proxy, is_async):
    async def talk(sdk):
        done = await sdk.respond(input=ASKED, text_format=Reason)
        assert done.output_parsed == REASON

    pair = Pair(proxy, "openai", is_async, streams=True)
    assert_replayed(pair.compare(talk, responses_answer(REASON.model_dump_json(), stream=True)))


def test_events_of_a_response_come_one_by_one(proxy, is_async):
    async def talk(sdk):
        await sdk.iterate(sdk.client.responses.create, model="fake", input=ASKED)
        assert sdk.returned[-1][0] == "ResponseCompletedEvent"

    assert_replayed(Pair(proxy, "openai", is_async).compare(talk))


def test_the_tokens_of_a_response_are_counted_with_its_block(proxy, is_async):
    async def talk(sdk):
        counted = sdk.client.responses.input_tokens.count
        assert (await sdk.call(counted, model="fake", input=ASKED)).input_tokens == 42
        await sdk.respond(input=ASKED)

    pair = Pair(proxy, "openai", is_async, names_session=True)
    assert_replayed(pair.compare(talk))


def test_calls_that_memory_has_no_part_in_pass(proxy, is_async):
    async def talk(sdk):
        await sdk.call(sdk.client.models.list)
        await sdk.call(
            sdk.client.embeddings.create, model="fake", input="JWT", encoding_format="float"
        )

    vector = {"object": "embedding", "index": 0, "embedding": [0.1, -2e-05]}
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    found = {"object": "list", "model": "fake", "data": [vector], "usage": usage}
    pair = Pair(proxy, "openai", is_async)
    sent = pair.compare(talk, Answer(b'{"object":"list","data":[]}'), Answer(_json(found)))
    assert blocks_in(sent[1].json) == []


# Messages


def test_a_tool_loop_of_messages_is_as_without_a_proxy(anthropic_pair, streams):
    tools = [{"name": "look", "description": "Look at a file", "input_schema": PLACE}]
    cached = {"cache_control": {"type": "ephemeral"}}
    asked = {
        "system": [{"type": "text", "text": "Be brief.", **cached}],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "max_tokens": 2000,
        "tools": tools,
    }

    async def talk(sdk):
        history = [user([{"type": "text", "text": ASKED, **cached}])]
        called = await sdk.message(messages=history, **asked)
        found = [
            {"type": "tool_result", "tool_use_id": each.id, "content": "no sessions"}
            for each in called.content
            if each.type == "tool_use"
        ]
        history += [{"role": "assistant", "content": called.content}, user(found)]
        said = await sdk.message(messages=history, **asked)
        history += [{"role": said.role, "content": said.content}, user("Fine, and the expiry?")]
        await sdk.message(messages=history, **asked)

    sent = anthropic_pair.compare(
        talk,
        messages_answer("Let me look.", calls=CALLS, stream=streams, thinking=THOUGHT),
        messages_answer("Because it has no state.", stream=streams, thinking=THOUGHT),
        messages_answer("A day.", stream=streams),
    )
    assert_replayed(sent)
    thought = sent[-1].json["messages"][1]["content"][0]
    assert thought == {"type": "thinking", "thinking": THOUGHT, "signature": THOUGHT_SIGNATURE}


def test_an_image_for_anthropic_stays_where_it_is(anthropic_pair, streams):
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    parts = [{"type": "image", "source": source}, {"type": "text", "text": ASKED}]

    async def talk(sdk):
        await sdk.message(messages=[user(parts)])

    sent = anthropic_pair.compare(talk, messages_answer("It shows why.", stream=streams))
    assert sent[0].json["messages"][0]["content"][:2] == parts
    assert_replayed(sent)


def test_a_structured_message_is_parsed(proxy, is_async):
    async def talk(sdk):
        asked = {"model": "fake", "max_tokens": 100, "messages": [user(ASKED)]}
        done = await sdk.call(sdk.client.messages.parse, output_format=Reason, **asked)
        assert done.parsed_output == REASON

    pair = Pair(proxy, "anthropic", is_async)
    assert_replayed(pair.compare(talk, messages_answer(REASON.model_dump_json())))


def test_a_structured_message_is_parsed_from_a_stream(proxy, is_async):
    async def talk(sdk):
        done = await sdk.message(messages=[user(ASKED)], output_format=Reason)
        assert done.parsed_output == REASON

    pair = Pair(proxy, "anthropic", is_async, streams=True)
    assert_replayed(pair.compare(talk, messages_answer(REASON.model_dump_json(), stream=True)))


def test_events_of_a_message_come_one_by_one(proxy, is_async):
    async def talk(sdk):
        asked = {"model": "fake", "max_tokens": 100, "messages": [user(ASKED)]}
        await sdk.iterate(sdk.client.messages.create, **asked)
        assert sdk.returned[-1][0] == "RawMessageStopEvent"

    assert_replayed(Pair(proxy, "anthropic", is_async, names_session=True).compare(talk))


def test_the_tokens_of_a_message_are_counted_with_its_block(proxy, is_async):
    async def talk(sdk):
        asked = {"model": "fake", "messages": [user(ASKED)]}
        assert (await sdk.call(sdk.client.messages.count_tokens, **asked)).input_tokens == 42
        await sdk.message(messages=[user(ASKED)])

    pair = Pair(proxy, "anthropic", is_async, names_session=True)
    assert_replayed(pair.compare(talk))


# Failures


def _ask_of(api):
    """A function that asks once, by the API of this name."""

    def ask(sdk):
        if api == "chat":
            return sdk.client.chat.completions.create, {"messages": [user(ASKED)]}
        if api == "responses":
            return sdk.client.responses.create, {"input": ASKED}
        return sdk.client.messages.create, {"messages": [user(ASKED)], "max_tokens": 100}

    def with_model(sdk, **more):
        function, asked = ask(sdk)
        return function, {"model": "fake", **asked, **more}

    return with_model


APIS = [
    ("openai", "chat", chat_answer),
    ("openai", "responses", responses_answer),
    ("anthropic", "messages", messages_answer),
]
each_api = pytest.mark.parametrize(("name", "api", "answer"), APIS, ids=[a for _, a, _ in APIS])


@each_api
def test_errors_of_the_provider_are_raised_as_without_a_proxy(proxy, is_async, name, api, answer):
    ask = _ask_of(api)
    refusals = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error"}

    async def talk(sdk):
        for status in refusals:
            function, asked = ask(sdk)
            error = await sdk.fail(function, **asked)
            assert (error.status_code, error.request_id) == (status, f"req_{status}")

    def refusal(status, type):
        told = {"type": "error", "error": {"type": type, "message": f"no: {status}", "code": None}}
        names = {"x-request-id": f"req_{status}", "request-id": f"req_{status}"}
        return Answer(_json(told), status=status, headers=names)

    answers = [refusal(*each) for each in refusals.items()]
    sent = Pair(proxy, name, is_async).compare(talk, *answers)
    assert_replayed(sent)


@each_api
def test_a_request_that_is_sent_again_has_the_same_bytes_and_is_one_turn(
    proxy, is_async, name, api, answer
):
    ask = _ask_of(api)

    async def talk(sdk):
        function, asked = ask(sdk)
        await sdk.call(function, **asked)

    wait = {"retry-after": "1", "retry-after-ms": "2"}
    pair = Pair(proxy, name, is_async)
    first, second = pair.compare(talk, Answer(b"{}", status=429, headers=wait), answer("Yes."))
    assert first.body == second.body
    assert_replayed([first, second])
    retries = [each.headers["x-stainless-retry-count"] for each in (first, second)]
    assert retries == ["0", "1"]
    assert [each.turn for each in pair.receipts] == [1]


@each_api
def test_a_stream_that_breaks_off_raises_the_same_and_leaves_the_session_whole(
    proxy, is_async, name, api, answer
):
    ask = _ask_of(api)

    async def fail(sdk):
        async def read():
            function, asked = ask(sdk, stream=True)
            stream = await settled(function(**asked))
            if hasattr(stream, "__aiter__"):
                async for event in stream:
                    sdk.note(event)
            else:
                for event in stream:
                    sdk.note(event)

        await sdk.fail(read)

    pair = Pair(proxy, name, is_async)
    (before,) = pair.compare(fail, Answer(answer("It was", stream=True).pieces[:3], breaks=True))
    assert not pair.receipts

    async def again(sdk):
        function, asked = ask(sdk)
        await sdk.call(function, **asked)

    (after,) = pair.compare(again, answer("Yes."))
    assert_replayed([before, after])
    assert len(pair.receipts) == 1


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_a_task_that_is_cancelled_in_a_stream_leaves_the_session_whole(proxy, name):
    pair, waits = Pair(proxy, name, is_async=True), threading.Event()
    answer = chat_answer if name == "openai" else messages_answer
    ask = _ask_of("chat" if name == "openai" else "messages")
    begun = asyncio.Event()

    async def read(sdk):
        function, asked = ask(sdk, stream=True)
        async for _ in await function(**asked):
            begun.set()

    async def cancel(sdk):
        task = asyncio.create_task(read(sdk))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    proxy.provider.say(replace(answer("It was because", stream=True), waits=waits))
    pair.run(cancel)
    waits.set()
    assert not pair.receipts
    before = proxy.provider.last

    async def again(sdk):
        function, asked = ask(sdk)
        await sdk.call(function, **asked)

    (after,) = pair.compare(again, answer("Yes."))
    assert_replayed([before, after])
    assert len(pair.receipts) == 1


def test_an_error_of_the_proxy_is_one_that_the_sdk_knows(proxy, is_async):
    raised = []

    async def fail(sdk):
        function, asked = _ask_of("chat" if hasattr(sdk.client, "chat") else "messages")(sdk)
        raised.append(await sdk.fail(function, **asked))

    for name in ("openai", "anthropic"):
        Pair(proxy, name, is_async).run(fail, **{"Tacit-Memory": "maybe"})
    assert [type(each) for each in raised] == [openai.BadRequestError, anthropic.BadRequestError]
    assert all("on, off, observe" in str(each) for each in raised)


# WebSockets


@pytest.mark.parametrize("path", ["/openai/v1/responses", "/anthropic/v1/messages"])
def test_an_upgrade_to_a_websocket_is_refused_before_it_reaches_the_provider(proxy, path):
    before, place = len(proxy.provider.received), urlsplit(proxy.url)
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {place.netloc}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    with socket.create_connection((place.hostname, place.port), timeout=60) as line:
        line.sendall(("\r\n".join([*lines, "", ""])).encode())
        assert line.recv(65_536).startswith(b"HTTP/1.1 426 ")
    assert len(proxy.provider.received) == before


def test_a_websocket_client_learns_that_it_has_to_use_http(proxy):
    url = proxy.url.replace("http:", "ws:")
    with pytest.raises(InvalidStatus) as refused, connect(f"{url}/openai/v1/responses", proxy=None):
        pass
    assert refused.value.response.status_code == 426


def _json(value):
    return json.dumps(value).encode()
