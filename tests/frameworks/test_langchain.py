"""Memory in agents of LangChain, with a model of its own that needs no network."""

import asyncio
import logging
from dataclasses import dataclass
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRetryMiddleware
from langchain.agents.structured_output import ToolStrategy
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
)
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, Field

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.langchain import TacitMiddleware
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
from tests.frameworks.message_objects import BE_BRIEF, CHECKS, Conversation, check_stream

pytestmark = pytest.mark.frameworks

THREAD = {"configurable": {"thread_id": "s1"}}
CALL = AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": "c1"}])


class Script(FakeMessagesListChatModel):
    """A model that replies in turn, and keeps what it was sent; an error is raised."""

    responses: list[Any]
    seen: list[Any] = Field(default_factory=list)

    def __init__(self, *replies):
        super().__init__(responses=list(replies))

    def bind_tools(self, tools, **kwargs):
        return self

    def _next(self, messages):
        self.seen.append(list(messages))
        reply = self.responses.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, AIMessage) else AIMessage(reply)

    def _generate(self, messages, *args, **kwargs):
        self.responses.insert(0, self._next(messages))
        self.i = 0
        found = super()._generate(messages)
        del self.responses[0]
        return found

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        for word in self._next(messages).text.split(" "):
            chunk = ChatGenerationChunk(message=AIMessageChunk(f"{word} "))
            if run_manager:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk


@tool
def look() -> str:
    """Look into the code."""
    return "no sessions here"


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


def agent_of(model, *middleware, **options):
    return create_agent(
        model, [look], middleware=middleware, checkpointer=InMemorySaver(), **options
    )


def ask(agent, text=ASKED, config=THREAD, **options):
    return agent.invoke({"messages": [HumanMessage(text)]}, config, **options)


def texts_in(messages):
    return [
        part if isinstance(part, str) else part["text"]
        for message in messages
        for part in ([message.content] if isinstance(message.content, str) else message.content)
    ]


def test_a_block_is_in_the_call_of_the_model_and_not_in_the_checkpoint(tacit):
    model = Script(REPLY)
    agent = agent_of(model, TacitMiddleware(tacit, user="ann"), system_prompt="Be brief.")
    result = ask(agent)
    assert len(model.seen) == 1
    system, said, block = texts_in(model.seen[0])
    assert (system, said) == ("Be brief.", ASKED)
    assert JWT in block
    assert [each.content for each in result["messages"]] == [ASKED, REPLY]
    saved = agent.get_state(THREAD).values["messages"]
    assert [each.content for each in saved] == [ASKED, REPLY]


def test_a_later_turn_replays_the_block_where_it_was(tacit):
    model = Script(REPLY, REPLY_NEXT)
    agent = agent_of(model, TacitMiddleware(tacit, user="ann"))
    ask(agent)
    ask(agent, ASKED_NEXT)
    first, second = model.seen
    assert second[0] == first[0]
    assert len(blocks_in(texts_in(second[:1]))) == 1
    assert turns_of(tacit, "s1") == [1, 2]


def test_a_tool_loop_is_one_turn_with_one_block(tacit):
    model = Script(CALL, REPLY)
    ask(agent_of(model, TacitMiddleware(tacit, user="ann")))
    first, second = model.seen
    assert second[:1] == first
    assert len(blocks_in(texts_in(second))) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


@pytest.mark.parametrize("is_outside", [True, False])
def test_a_retry_is_sent_the_same_and_is_recorded_once(tacit, is_outside):
    model = Script(ConnectionError("gone"), REPLY)
    retries = ModelRetryMiddleware(max_retries=1, initial_delay=0, on_failure="error")
    memory = TacitMiddleware(tacit, user="ann")
    ask(agent_of(model, *([retries, memory] if is_outside else [memory, retries])))
    first, second = model.seen
    assert second == first
    assert len(blocks_in(texts_in(second))) == 1
    assert turns_of(tacit, "s1") == [1]


def test_a_call_that_failed_is_no_turn_until_it_is_asked_again(tacit):
    model = Script(ConnectionError("gone"), REPLY)
    agent = agent_of(model, TacitMiddleware(tacit, user="ann"))
    with pytest.raises(ConnectionError):
        ask(agent)
    assert turns_of(tacit, "s1") == []
    agent.invoke(None, THREAD)
    assert model.seen[0] == model.seen[1]
    assert turns_of(tacit, "s1") == [1]


def test_memory_that_cannot_answer_leaves_the_agent_as_it_is(caplog):
    model = Script(REPLY)
    with caplog.at_level(logging.WARNING, "tacit.calls"):
        result = ask(agent_of(model, TacitMiddleware(closed_tacit(), user="ann")))
    assert result["messages"][-1].content == REPLY
    assert texts_in(model.seen[0]) == [ASKED]
    assert "memory was left out" in caplog.text


def test_async_agents_have_the_same(tacit):
    model = Script(CALL, REPLY, REPLY_NEXT)

    async def talk():
        agent = agent_of(model, TacitMiddleware(AsyncTacit(tacit), user="ann"))
        await agent.ainvoke({"messages": [HumanMessage(ASKED)]}, THREAD)
        return await agent.ainvoke({"messages": [HumanMessage(ASKED_NEXT)]}, THREAD)

    result = asyncio.run(talk())
    assert blocks_in(texts_in(result["messages"])) == []
    assert model.seen[1][:1] == model.seen[2][:1] == model.seen[0]
    assert JWT in blocks_in(texts_in(model.seen[0]))[0]
    assert turns_of(tacit, "s1") == [1, 2]


def test_a_streamed_reply_is_recorded_whole(tacit):
    model = Script(REPLY)
    agent = agent_of(model, TacitMiddleware(tacit, user="ann"))
    stream = agent.stream({"messages": [HumanMessage(ASKED)]}, THREAD, stream_mode="messages")
    pieces = [chunk.text for chunk, _ in stream]
    assert len(pieces) > 2
    assert len(blocks_in(texts_in(model.seen[0]))) == 1
    assert [each.strip() for each in said_in(tacit, "s1")] == [ASKED, REPLY]


def test_an_async_stream_is_recorded_whole(tacit):
    model = Script(REPLY)

    async def talk():
        agent = agent_of(model, TacitMiddleware(tacit, user="ann"))
        stream = agent.astream({"messages": [HumanMessage(ASKED)]}, THREAD, stream_mode="messages")
        return [chunk.text async for chunk, _ in stream]

    assert len(asyncio.run(talk())) > 2
    assert [each.strip() for each in said_in(tacit, "s1")] == [ASKED, REPLY]


def test_a_structured_answer_ends_the_turn(tacit):
    class Reason(BaseModel):
        reason: str

    answer = {"name": "Reason", "args": {"reason": "no state"}, "id": "c1"}
    model = Script(AIMessage("", tool_calls=[answer]))
    agent = agent_of(
        model, TacitMiddleware(tacit, user="ann"), response_format=ToolStrategy(Reason)
    )
    assert ask(agent)["structured_response"] == Reason(reason="no state")
    assert turns_of(tacit, "s1") == [1]


@dataclass
class Context:
    user_id: str


@pytest.mark.parametrize("context", [Context("ann"), {"user": "ann"}])
def test_the_user_is_told_by_the_runtime_context(tacit, context):
    model = Script(REPLY)
    agent = agent_of(model, TacitMiddleware(tacit, user="bob"), context_schema=type(context))
    ask(agent, context=context)
    assert JWT in blocks_in(texts_in(model.seen[0]))[0]


def test_the_user_and_the_session_are_told_by_the_conversation(tacit):
    model = Script(REPLY, REPLY)
    agent = agent_of(model, TacitMiddleware(tacit))
    with identify(user="ann", session="office"):
        ask(agent)
    assert JWT in blocks_in(texts_in(model.seen[0]))[0]
    assert turns_of(tacit, "office") == [1]
    ask(agent, config={"configurable": {"thread_id": "s2"}})
    assert blocks_in(texts_in(model.seen[1])) == []


def test_a_session_that_is_named_counts_before_the_thread(tacit):
    ask(agent_of(Script(REPLY), TacitMiddleware(tacit, user="ann", session="office")))
    assert turns_of(tacit, "office") == [1]
    assert turns_of(tacit, "s1") == []


def test_an_agent_without_threads_finds_its_conversation_by_what_was_said(tacit):
    model = Script(REPLY, REPLY_NEXT)
    agent = create_agent(model, [], middleware=[TacitMiddleware(tacit, user="ann")])
    history = agent.invoke({"messages": [HumanMessage(ASKED)]})["messages"]
    agent.invoke({"messages": [*history, HumanMessage(ASKED_NEXT)]})
    first, second = model.seen
    assert second[0].content == first[0].content
    assert len({each.session for each in tacit.turns.list()}) == 1


def test_a_model_that_takes_no_parts_is_sent_a_text(tacit):
    model = Script(REPLY)
    ask(agent_of(model, TacitMiddleware(tacit, user="ann", keeps_text=True)))
    (text,) = texts_in(model.seen[0])
    assert text.startswith(f"{ASKED}\n\n")
    assert JWT in text


def test_a_bad_name_is_refused_at_once(tacit):
    with pytest.raises(InvalidInput, match="user"):
        TacitMiddleware(tacit, user=" ")


IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def conversation():
    usage = {"input_tokens": 9, "output_tokens": 3, "total_tokens": 12}
    return Conversation(
        history=[
            SystemMessage(BE_BRIEF),
            HumanMessage([{"type": "text", "text": "Look at this."}, IMAGE], id="m1"),
            CALL,
            ToolMessage("no sessions here", tool_call_id="c1"),
            AIMessage("No sessions.", response_metadata={"model": "fake"}, usage_metadata=usage),
        ],
        said=HumanMessage(ASKED, id="m2"),
        reply=AIMessage(REPLY, id="m3", usage_metadata=usage),
        kinds=BaseMessage,
        send=convert_to_openai_messages,
        chunks=[AIMessageChunk("Because the API "), AIMessageChunk("has no state.")],
    )


@pytest.mark.parametrize("check", [*CHECKS, check_stream])
def test_messages_of_langchain_go_through_every_call_and_come_back(tacit, check):
    check(tacit, conversation())


@pytest.mark.parametrize(("code", "shown"), samples_of("langchain"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown):
    assert run_sample(code) == shown
