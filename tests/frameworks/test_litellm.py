"""Memory in LiteLLM, with a provider of its own that needs no network."""

import asyncio
import logging
import os
from types import SimpleNamespace

import pytest

os.environ.update(LITELLM_LOCAL_MODEL_COST_MAP="True")

import litellm
from litellm import CustomLLM, ModelResponse

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.litellm import TacitLogger
from tests.frameworks.agent_memory import (
    ASKED,
    ASKED_NEXT,
    JWT,
    REPLY,
    REPLY_NEXT,
    blocks_in,
    closed_tacit,
    remembering,
    run_sample,
    said_in,
    samples_of,
    turns_of,
)

pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.episodes,
    pytest.mark.filterwarnings("ignore"),
]


class Script(CustomLLM):
    """A provider that replies in turn, and keeps what it was sent; an error is raised."""

    def __init__(self):
        super().__init__()
        self.replies = []
        self.requests = []

    def completion(self, *args, messages, model_response=None, **more):
        self.requests.append([dict(each) for each in messages])
        said = self.replies.pop(0)
        if isinstance(said, Exception):
            raise said
        message = {"role": "assistant", **(said if isinstance(said, dict) else {"content": said})}
        return ModelResponse(choices=[{"message": message, "finish_reason": "stop"}])

    async def acompletion(self, *args, **more):
        return self.completion(*args, **more)

    def streaming(self, *args, messages, **more):
        self.requests.append([dict(each) for each in messages])
        words = self.replies.pop(0).split(" ")
        for place, word in enumerate(words):
            is_last = place == len(words) - 1
            yield {
                "text": word if is_last else f"{word} ",
                "is_finished": is_last,
                "finish_reason": "stop" if is_last else "",
                "index": 0,
                "tool_use": None,
                "usage": None,
            }

    async def astreaming(self, *args, **more):
        for each in self.streaming(*args, **more):
            yield each


@pytest.fixture
def script(monkeypatch):
    found = Script()
    monkeypatch.setattr(
        litellm, "custom_provider_map", [{"provider": "script", "custom_handler": found}]
    )
    litellm.utils.custom_llm_setup()
    yield found
    litellm.logging_callback_manager._reset_all_callbacks()


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


def register(*args, **names):
    logger = TacitLogger(*args, **names)
    litellm.callbacks = [logger]
    return logger


async def settle():
    """Wait until LiteLLM has called what it calls beside a response."""
    from litellm.litellm_core_utils.logging_worker import GLOBAL_LOGGING_WORKER

    def is_pending(task):
        return task is not asyncio.current_task() and "_worker_loop" not in repr(task.get_coro())

    await GLOBAL_LOGGING_WORKER.flush()
    while any(map(is_pending, asyncio.all_tasks())):
        await asyncio.sleep(0.01)
        await GLOBAL_LOGGING_WORKER.flush()


def ask(messages, **more):
    async def run():
        try:
            return await litellm.acompletion(model="script/fake", messages=messages, **more)
        finally:
            await settle()

    return asyncio.run(run())


def user(text):
    return {"role": "user", "content": text}


def assistant(text):
    return {"role": "assistant", "content": text}


def texts_of(messages):
    found = []
    for each in messages:
        content = each.get("content") or []
        found += [content] if isinstance(content, str) else [part["text"] for part in content]
    return found


CALLING = {
    "content": None,
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    ],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "nothing"}


def test_a_block_is_in_the_request_and_not_in_the_history(tacit, script):
    register(tacit, user="ann", session="s1")
    script.replies = [REPLY]
    messages = [user(ASKED)]
    assert ask(messages).choices[0].message.content == REPLY
    said, block = texts_of(script.requests[0])
    assert said == ASKED
    assert JWT in block
    assert messages == [user(ASKED)]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_the_next_turn_replays_the_block_where_it_was(tacit, script):
    register(tacit, user="ann", session="s1")
    script.replies = [REPLY, REPLY_NEXT]
    ask([user(ASKED)])
    ask([user(ASKED), assistant(REPLY), user(ASKED_NEXT)])
    before, after = map(texts_of, script.requests)
    assert after[:2] == before
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_loop_of_tools_is_one_turn_with_one_block(tacit, script):
    register(tacit, user="ann", session="s1")
    script.replies = [CALLING, REPLY]
    called = ask([user(ASKED)]).choices[0].message
    assert turns_of(tacit, "s1") == []
    ask([user(ASKED), called.model_dump(), RESULT])
    first, looped = map(texts_of, script.requests)
    assert looped[:2] == first
    assert len(blocks_in(looped)) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_call_that_failed_is_taken_up_by_the_next(tacit, script):
    register(tacit, user="ann", session="s1")
    script.replies = [ConnectionError("gone"), REPLY]
    with pytest.raises(litellm.APIConnectionError):
        ask([user(ASKED)])
    assert turns_of(tacit, "s1") == []
    ask([user(ASKED)])
    failed, again = map(texts_of, script.requests)
    assert again == failed
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_retry_of_litellm_has_the_block_once(tacit, script):
    register(tacit, user="ann", session="s1")
    script.replies = [ConnectionError("gone"), REPLY, REPLY_NEXT]
    ask([user(ASKED)], num_retries=1)  # LiteLLM calls back for no reply to a retry of its own
    ask([user(ASKED), assistant(REPLY), user(ASKED_NEXT)])
    failed, again, after = map(texts_of, script.requests)
    assert again == failed
    assert len(blocks_in(after)) == 1
    assert turns_of(tacit, "s1") == [1, 2]


def test_a_stream_is_passed_on_and_recorded(tacit, script):
    register(tacit, user="ann", session="s1")
    script.replies = [REPLY]

    async def run():
        asked = {"model": "script/fake", "messages": [user(ASKED)], "stream": True}
        told = [
            chunk.choices[0].delta.content or ""
            async for chunk in await litellm.acompletion(**asked)
        ]
        await settle()
        return "".join(told)

    assert asyncio.run(run()) == REPLY
    assert JWT in texts_of(script.requests[0])[1]
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


@pytest.mark.parametrize("stream", [False, True])
def test_sync_programs_have_a_completion_of_their_own(tacit, script, stream):
    memory = TacitLogger(tacit, user="ann", session="s1")
    script.replies = [REPLY]
    messages = [user(ASKED)]
    response = memory.completion(model="script/fake", messages=messages, stream=stream)
    if stream:
        told = [chunk.choices[0].delta.content or "" for chunk in response]
    else:
        told = [response.choices[0].message.content]
    assert "".join(told) == REPLY
    assert JWT in texts_of(script.requests[0])[1]
    assert messages == [user(ASKED)]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_an_async_tacit_and_models_that_take_texts_alone(tacit, script):
    register(AsyncTacit(tacit), user="ann", session="s1", keeps_text=True)
    script.replies = [REPLY]
    ask([user(ASKED)])
    (said,) = texts_of(script.requests[0])
    assert said.startswith(ASKED)
    assert JWT in said


def test_a_conversation_without_a_session_is_found_again(tacit, script):
    register(tacit, user="ann")
    script.replies = [REPLY, REPLY_NEXT]
    ask([user(ASKED)])
    ask([user(ASKED), assistant(REPLY), user(ASKED_NEXT)])
    before, after = map(texts_of, script.requests)
    assert after[:2] == before
    (session,) = {each.session for each in tacit.turns.list()}
    assert turns_of(tacit, session) == [1, 2]


def test_a_call_names_its_user_and_its_session(tacit, script):
    register(tacit)
    script.replies = [REPLY] * 4
    ask([user(ASKED)], user="ann", litellm_session_id="s1")
    ask([user(ASKED)], user="ann", metadata={"session_id": "s2"})
    ask([user(ASKED)], user="ben")
    with identify(user="ann", session="s3"):
        ask([user(ASKED)], user="ben", litellm_session_id="s4")
    assert [len(texts_of(each)) for each in script.requests] == [2, 2, 1, 2]
    assert [turns_of(tacit, f"s{number}") for number in range(1, 5)] == [[1], [1], [1], []]


def test_other_names_can_be_found(tacit, script):
    register(tacit, find_names=lambda data, key: {"user": data["metadata"]["person"]})
    script.replies = [REPLY, REPLY]
    ask([user(ASKED)], metadata={"person": "ann"})
    ask([user(ASKED)])
    assert [len(texts_of(each)) for each in script.requests] == [2, 1]


# The proxy: its hook comes before the call, which is then made with what the hook returned


def ask_proxy(logger, data, **key):
    async def run():
        owner = SimpleNamespace(**{"user_id": None, "end_user_id": None, **key})
        placed = await logger.async_pre_call_hook(owner, None, data, "acompletion")
        response = await litellm.acompletion(**placed)
        await settle()
        return response

    return asyncio.run(run())


def request(id, **more):
    return {"model": "script/fake", "messages": [user(ASKED)], "litellm_call_id": id, **more}


def test_the_proxy_has_each_block_once(tacit, script):
    logger = register(tacit)
    script.replies = [REPLY]
    ask_proxy(logger, request("a", litellm_session_id="s1"), user_id="ann")
    assert len(blocks_in(texts_of(script.requests[0]))) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_key_of_a_user_reads_no_memories_of_another(tacit, script):
    logger = register(tacit)
    script.replies = [REPLY] * 4
    ask_proxy(logger, request("a", user="ann"), user_id="ben")
    ask_proxy(logger, request("b", user="ann"), user_id="ben", end_user_id="ann")
    ask_proxy(logger, request("c", user="ann"), user_id="default_user_id", end_user_id="ann")
    ask_proxy(logger, request("d", user="ann"), user_id="ann")
    assert [len(blocks_in(texts_of(each))) for each in script.requests] == [0, 0, 1, 1]


def test_what_is_no_chat_is_left_alone(tacit):
    logger, data = TacitLogger(tacit, user="ann"), {"input": [ASKED], "model": "fake"}
    asked = asyncio.run(logger.async_pre_call_hook(None, None, data, "embeddings"))
    assert asked is data
    assert not tacit.turns.list()


def test_broken_memory_stops_no_call(script, caplog):
    register(closed_tacit(), user="ann", session="s1")
    script.replies = [REPLY]
    with caplog.at_level(logging.WARNING):
        assert ask([user(ASKED)]).choices[0].message.content == REPLY
    assert texts_of(script.requests[0]) == [ASKED]
    assert [each.name for each in caplog.records].count("tacit.calls") == 1


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        TacitLogger(tacit, user="")


@pytest.mark.parametrize(("code", "shown"), samples_of("litellm"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    try:
        assert run_sample(code) == shown
    finally:
        litellm.logging_callback_manager._reset_all_callbacks()
