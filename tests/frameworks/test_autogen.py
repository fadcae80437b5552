"""Memory in agents of AutoGen, with a client that needs no network."""

import asyncio
import logging

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import ModelClientStreamingChunkEvent
from autogen_core import FunctionCall
from autogen_core.memory import ListMemory, MemoryContent, MemoryMimeType
from autogen_core.model_context import (
    BufferedChatCompletionContext,
    UnboundedChatCompletionContext,
)
from autogen_core.models import (
    AssistantMessage,
    CreateResult,
    ModelInfo,
    RequestUsage,
    SystemMessage,
    UserMessage,
)
from autogen_ext.models.replay import ReplayChatCompletionClient

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.autogen import TacitContext, TacitMemory
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

INFO = ModelInfo(
    vision=False,
    function_calling=True,
    json_output=False,
    family="unknown",
    structured_output=False,
    multiple_system_messages=True,
)


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


@pytest.fixture
def context(tacit):
    return TacitContext(tacit, user="ann", session="s1")


class Script(ReplayChatCompletionClient):
    """A client that replies in turn, and keeps what it was sent; an error is raised."""

    def __init__(self, *replies):
        super().__init__([each for each in replies if not isinstance(each, Exception)], INFO)
        self.errors = [each if isinstance(each, Exception) else None for each in replies]
        self.requests = []

    def _keep(self, messages):
        self.requests.append([each.model_copy(deep=True) for each in messages])
        error = self.errors.pop(0)
        if error is not None:
            raise error

    async def create(self, messages, **more):
        self._keep(messages)
        return await super().create(messages, **more)

    async def create_stream(self, messages, **more):
        self._keep(messages)
        async for each in super().create_stream(messages, **more):
            yield each


LOOKING = CreateResult(
    finish_reason="function_calls",
    content=[FunctionCall(id="c1", name="look", arguments='{"place": "the log"}')],
    usage=RequestUsage(prompt_tokens=1, completion_tokens=1),
    cached=False,
)


async def look(place: str) -> str:
    """Look for something."""
    return f"nothing in {place}"


def agent_of(client, **more):
    return AssistantAgent("helper", client, system_message="Be brief.", **more)


def run(agent, *said):
    async def talk():
        return [(await agent.run(task=each)).messages[-1].content for each in said]

    return asyncio.run(talk())


def texts_of(messages):
    return [each.content for each in messages if isinstance(each.content, str)][1:]


def kept_in(context):
    return [each.content for each in asyncio.run(context.messages.get_messages())]


def test_a_block_is_in_the_request_and_not_in_the_state(context, tacit):
    client = Script(REPLY)
    agent = agent_of(client, model_context=context)
    assert run(agent, ASKED) == [REPLY]
    (said,) = texts_of(client.requests[0])
    assert said.startswith(ASKED)
    assert JWT in said
    assert kept_in(context) == [ASKED, REPLY]
    assert JWT not in str(asyncio.run(agent.save_state()))
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_the_next_turn_replays_the_block_where_it_was(context, tacit):
    client = Script(REPLY, REPLY_NEXT)
    run(agent_of(client, model_context=context), ASKED, ASKED_NEXT)
    before, after = map(texts_of, client.requests)
    assert after == [*before, REPLY, ASKED_NEXT]
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_loop_of_tools_is_one_turn_with_one_block(context, tacit):
    client = Script(LOOKING, REPLY)
    agent = agent_of(client, model_context=context, tools=[look], reflect_on_tool_use=True)
    assert run(agent, ASKED) == [REPLY]
    first, looped = client.requests
    assert looped[:2] == first
    assert len(blocks_in(texts_of(looped))) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_run_that_failed_is_taken_up_by_the_next(tacit):
    client = Script(ConnectionError("gone"), REPLY)
    for _ in range(2):
        context = TacitContext(tacit, user="ann", session="s1")
        agent = agent_of(client, model_context=context)
        if not client.requests:
            with pytest.raises(ConnectionError):
                run(agent, ASKED)
            assert turns_of(tacit, "s1") == []
        else:
            run(agent, ASKED)
    failed, again = client.requests
    assert again == failed
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_run_without_a_new_task_asks_again_with_the_same_block(context, tacit):
    client = Script(ConnectionError("gone"), REPLY)
    agent = agent_of(client, model_context=context)
    with pytest.raises(ConnectionError):
        run(agent, ASKED)
    assert run(agent, None) == [REPLY]
    failed, again = client.requests
    assert again == failed
    assert len(blocks_in(texts_of(again))) == 1
    assert kept_in(context) == [ASKED, REPLY]
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_stream_is_passed_on_and_recorded(context, tacit):
    client = Script(REPLY)
    agent = agent_of(client, model_context=context, model_client_stream=True)

    async def talk():
        return [
            each.content
            async for each in agent.run_stream(task=ASKED)
            if isinstance(each, ModelClientStreamingChunkEvent)
        ]

    assert "".join(asyncio.run(talk())) == REPLY
    assert JWT in texts_of(client.requests[0])[0]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_an_async_tacit_does_as_well(tacit):
    client = Script(REPLY)
    context = TacitContext(AsyncTacit(tacit), user="ann", session="s1")
    run(agent_of(client, model_context=context), ASKED)
    assert JWT in texts_of(client.requests[0])[0]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_saved_conversation_goes_on_in_another_process(tacit):
    first = agent_of(Script(REPLY), model_context=TacitContext(tacit, user="ann"))
    run(first, ASKED)
    client = Script(REPLY_NEXT)
    second = agent_of(client, model_context=TacitContext(tacit, user="ann"))
    asyncio.run(second.load_state(asyncio.run(first.save_state())))
    run(second, ASKED_NEXT)
    assert len(blocks_in(texts_of(client.requests[0]))) == 1
    (session,) = {each.session for each in tacit.turns.list()}
    assert turns_of(tacit, session) == [1, 2]


def test_the_limits_of_another_context_hold(tacit):
    inner = BufferedChatCompletionContext(buffer_size=1)
    context = TacitContext(tacit, user="ann", session="s1", messages=inner)
    client = Script(REPLY, REPLY_NEXT)
    run(agent_of(client, model_context=context), ASKED, ASKED_NEXT)
    assert [len(texts_of(each)) for each in client.requests] == [1, 1]
    assert JWT in texts_of(client.requests[1])[0]


def test_what_other_agents_say_is_nobodys_word(context, tacit):
    async def talk():
        await context.add_message(UserMessage(content=ASKED, source="user"))
        await context.add_message(UserMessage(content="We chose JWT today.", source="critic"))
        return await context.get_messages()

    said, other = asyncio.run(talk())
    assert JWT in said.content
    assert other.content == "We chose JWT today."
    assert "We chose JWT today." not in said_in(tacit, "s1")


def test_users_are_kept_apart(tacit):
    clients = [Script(REPLY), Script(REPLY)]
    for name, client in zip(("ann", "ben"), clients, strict=True):
        with identify(user=name, session=f"of-{name}"):
            run(agent_of(client, model_context=TacitContext(tacit)), ASKED)
    shown = [len(blocks_in(texts_of(each.requests[0]))) for each in clients]
    assert shown == [1, 0]


def test_a_reset_forgets_the_conversation(context):
    agent = agent_of(Script(REPLY), model_context=context)
    run(agent, ASKED)

    async def reset():
        from autogen_core import CancellationToken

        await agent.on_reset(CancellationToken())

    asyncio.run(reset())
    assert kept_in(context) == []


def test_broken_memory_stops_no_run(caplog):
    client = Script(REPLY, REPLY)
    context = TacitContext(closed_tacit(), user="ann", session="s1")
    with caplog.at_level(logging.WARNING):
        assert run(agent_of(client, model_context=context), ASKED) == [REPLY]
        assert [each.name for each in caplog.records].count("tacit.calls") == 1
        memory = TacitMemory(closed_tacit(), user="ann", session="s1")
        assert run(agent_of(client, memory=[memory]), ASKED) == [REPLY]
        asyncio.run(memory.close())
    assert [texts_of(each) for each in client.requests] == [[ASKED], [ASKED]]
    assert "tacit.turn" in {each.name for each in caplog.records}


def test_names_that_cannot_be_are_refused_at_once(tacit):
    for kind in (TacitContext, TacitMemory):
        with pytest.raises(InvalidInput):
            kind(tacit, user="")


# AutoGen's protocol of memories


def test_a_memory_adds_each_block_once_to_the_context(tacit):
    memory = TacitMemory(tacit, user="ann", session="s1")
    client = Script(REPLY, REPLY_NEXT)
    run(agent_of(client, memory=[memory]), ASKED, ASKED_NEXT)
    before, after = map(texts_of, client.requests)
    assert before[0] == ASKED
    assert JWT in before[1]
    assert after == [*before, REPLY, ASKED_NEXT]
    asyncio.run(memory.close())
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_memory_is_at_home_beside_a_loop_of_tools_and_other_memories(tacit):
    memory, other = TacitMemory(tacit, user="ann", session="s1"), ListMemory()
    asyncio.run(other.add(MemoryContent(content="Be kind", mime_type=MemoryMimeType.TEXT)))
    client = Script(LOOKING, REPLY)
    more = {"memory": [memory, other], "tools": [look], "reflect_on_tool_use": True}
    run(agent_of(client, **more), ASKED)
    asyncio.run(memory.close())
    assert len(blocks_in(texts_of(client.requests[-1]))) == 1
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_block_that_the_context_has_dropped_comes_again(tacit):
    memory = TacitMemory(tacit, user="ann", session="s1")
    context = BufferedChatCompletionContext(buffer_size=2)
    client = Script(REPLY, REPLY_NEXT)
    run(agent_of(client, memory=[memory], model_context=context), ASKED, ASKED_NEXT)
    assert [len(blocks_in(texts_of(each))) for each in client.requests] == [1, 1]


def test_a_run_that_failed_keeps_the_block_in_its_context(tacit):
    memory = TacitMemory(tacit, user="ann", session="s1")
    client = Script(ConnectionError("gone"), REPLY)
    agent = agent_of(client, memory=[memory])
    with pytest.raises(ConnectionError):
        run(agent, ASKED)
    run(agent, ASKED)
    asyncio.run(memory.close())
    assert len(blocks_in(texts_of(client.requests[-1]))) == 1
    assert said_in(tacit, "s1")[-2:] == [ASKED, REPLY]


def test_a_memory_leaves_a_context_alone_that_has_memory(context, tacit):
    client = Script(REPLY)
    memory = TacitMemory(tacit, user="ann", session="s1")
    run(agent_of(client, model_context=context, memory=[memory]), ASKED)
    assert len(blocks_in(texts_of(client.requests[0]))) == 1
    assert turns_of(tacit, "s1") == [1]


def test_a_memory_is_asked_and_told(tacit):
    memory = TacitMemory(tacit, user="ann")

    async def talk():
        await memory.add(MemoryContent(content="Ann likes dates", mime_type="text/plain"))
        found = await memory.query("What does Ann like, dates?")
        await memory.clear()
        asked = MemoryContent(content="Why JWT for the API?", mime_type="text/plain")
        return found.results, (await memory.query(asked)).results

    liked, chosen = asyncio.run(talk())
    assert liked[0].content == "Ann likes dates"
    assert JWT in [each.content for each in chosen]
    assert set(liked[0].metadata) == {"id", "score"}
    assert tacit.count() == 2
    assert asyncio.run(TacitMemory(tacit, user="ben").query("JWT")).results == []


def test_a_memory_of_bytes_is_refused(tacit):
    content = MemoryContent(content=b"0", mime_type=MemoryMimeType.BINARY)
    with pytest.raises(InvalidInput, match="no text"):
        asyncio.run(TacitMemory(tacit).add(content))


def test_system_messages_and_replies_are_no_questions(tacit):
    async def talk():
        context = UnboundedChatCompletionContext()
        await context.add_message(SystemMessage(content=ASKED))
        await context.add_message(AssistantMessage(content=ASKED, source="helper"))
        return await TacitMemory(tacit, user="ann").update_context(context)

    assert asyncio.run(talk()).memories.results == []
    assert not tacit.turns.list()


@pytest.mark.parametrize(("code", "shown"), samples_of("autogen"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    assert run_sample(code) == shown
