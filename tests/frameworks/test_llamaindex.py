"""Memory in agents and chat engines of LlamaIndex, with a model that needs no network."""

import asyncio
import logging

import pytest
from llama_index.core.agent.workflow import FunctionAgent, ReActAgent
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    ImageBlock,
    TextBlock,
    ToolCallBlock,
)
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms.mock import MockFunctionCallingLLM, MockLLM
from llama_index.core.memory import ChatMemoryBuffer

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.llamaindex import TacitMemory
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

pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.episodes,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of what a workflow does itself
]


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


@pytest.fixture
def memory(tacit):
    return TacitMemory.of(tacit, user="ann", session="s1")


class Script:
    """A model that replies in turn, and keeps what it was sent; an error is raised."""

    def __init__(self, *replies):
        self._replies = iter(replies)
        self.requests = []
        self.model = MockFunctionCallingLLM()
        self.model.response_generator = self.reply

    def reply(self, messages, **options):
        self.requests.append(list(messages))
        said = next(self._replies)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, str):
            return ChatMessage(role="assistant", content=said)
        return ChatMessage(role="assistant", blocks=[said])


def user(text):
    return ChatMessage(role="user", content=text)


def assistant(text):
    return ChatMessage(role="assistant", content=text)


def texts_of(messages):
    return [block.text for each in messages for block in each.blocks if block.block_type == "text"]


def look(place: str) -> str:
    """Look for something."""
    return f"nothing in {place}"


LOOKING = ToolCallBlock(tool_call_id="c1", tool_name="look", tool_kwargs={"place": "the log"})


def engine_of(script, memory):
    return SimpleChatEngine.from_defaults(llm=script.model, memory=memory)


def ask(agent, said, memory):
    async def run():
        return await agent.run(said, memory=memory)

    return asyncio.run(run())


def test_a_block_is_in_what_the_model_reads_and_not_in_what_is_kept(memory):
    script = Script(REPLY)
    assert engine_of(script, memory).chat(ASKED).response == REPLY
    said, block = texts_of(script.requests[0])
    assert said == ASKED
    assert JWT in block
    assert texts_of(memory.get_all()) == [ASKED, REPLY]
    assert texts_of(memory.messages.get_all()) == [ASKED, REPLY]


def test_the_next_turn_replays_the_block_where_it_was(memory, tacit):
    script = Script(REPLY, REPLY_NEXT)
    engine = engine_of(script, memory)
    for said in (ASKED, ASKED_NEXT):
        engine.chat(said)
    before, after = script.requests
    assert after[0] == before[0]
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_who_reads_again_finds_the_same_block(memory, tacit):
    memory.put(user(ASKED))
    first = memory.get()
    assert memory.get(input=ASKED) == first
    assert len(blocks_in(texts_of(first))) == 1
    memory.put(assistant(REPLY))
    assert memory.get()[0] == first[0]
    assert turns_of(tacit, "s1") == [1]


def test_a_loop_of_tools_is_one_turn_with_one_block(memory, tacit):
    script = Script(LOOKING, REPLY)
    agent = FunctionAgent(tools=[look], llm=script.model, streaming=False)
    assert str(ask(agent, ASKED, memory)) == REPLY
    first, looped = script.requests
    assert looped[0] == first[0]
    assert len(blocks_in(texts_of(looped))) == 1
    assert [each.role.value for each in memory.get_all()] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert blocks_in(texts_of(memory.get_all())) == []
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


ACTING = 'Thought: I look.\nAction: look\nAction Input: {"place": "the log"}'


@pytest.mark.parametrize("before", [[], [ACTING], ["Thought: I look.\nAction: none"], [""]])
def test_of_an_agent_that_reasons_in_texts_the_answer_is_recorded(memory, tacit, before):
    script = Script(
        *before, f"Thought: I know.\nAnswer: {REPLY}", f"Thought: Easy.\nAnswer: {REPLY_NEXT}"
    )
    agent = ReActAgent(tools=[look], llm=script.model, streaming=False)
    assert str(ask(agent, ASKED, memory)) == REPLY
    assert str(ask(agent, ASKED_NEXT, memory)) == REPLY_NEXT
    blocks = [blocks_in(texts_of(each)) for each in script.requests]
    assert blocks == [blocks[0]] * len(script.requests)
    assert len(blocks[0]) == 1
    assert blocks_in(texts_of(memory.get_all())) == []
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_an_agent_goes_on_with_a_conversation(memory, tacit):
    script = Script(REPLY, REPLY_NEXT)
    agent = FunctionAgent(llm=script.model, system_prompt="Be brief.")
    for said in (ASKED, ASKED_NEXT):
        ask(agent, said, memory)
    before, after = script.requests
    assert after[:2] == before
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_run_that_failed_is_taken_up_by_the_next(memory, tacit):
    script = Script(ConnectionError("gone"), REPLY)
    engine = engine_of(script, memory)
    with pytest.raises(ConnectionError):
        engine.chat(ASKED)
    assert turns_of(tacit, "s1") == []
    memory.set(memory.get_all()[:-1])
    engine.chat(ASKED)
    failed, again = script.requests
    assert again == failed
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_async_programs_have_the_same(tacit):
    script = Script(REPLY)
    memory = TacitMemory.of(AsyncTacit(tacit), user="ann", session="s1")
    asyncio.run(engine_of(script, memory).achat(ASKED))
    assert JWT in texts_of(script.requests[0])[1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_stream_is_passed_on_and_recorded(memory, tacit):
    script = Script(REPLY)
    streamed = engine_of(script, memory).stream_chat(ASKED)
    assert "".join(streamed.response_gen) == REPLY
    assert JWT in texts_of(script.requests[0])[1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_conversation_without_a_session_is_found_again(tacit):
    script = Script(REPLY, REPLY_NEXT)
    first = TacitMemory.of(tacit, user="ann")
    engine_of(script, first).chat(ASKED)
    kept = ChatMemoryBuffer.from_defaults(chat_history=first.get_all())
    engine_of(script, TacitMemory.of(tacit, user="ann", messages=kept)).chat(ASKED_NEXT)
    before, after = script.requests
    assert after[0] == before[0]
    (session,) = {each.session for each in tacit.turns.list()}
    assert turns_of(tacit, session) == [1, 2]


def test_users_are_kept_apart(tacit):
    script = Script(REPLY, REPLY)
    for name in ("ann", "ben"):
        with identify(user=name, session=f"of-{name}"):
            engine_of(script, TacitMemory.of(tacit)).chat(ASKED)
    assert [len(texts_of(request)) for request in script.requests] == [2, 1]


def test_broken_memory_stops_no_run(caplog):
    script = Script(REPLY)
    memory = TacitMemory.of(closed_tacit(), user="ann", session="s1")
    with caplog.at_level(logging.WARNING):
        assert engine_of(script, memory).chat(ASKED).response == REPLY
    assert texts_of(script.requests[0]) == [ASKED]
    assert [each.name for each in caplog.records].count("tacit.calls") == 1


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        TacitMemory.from_defaults(tacit=tacit, user="")


# The contract of a memory


def test_it_keeps_what_a_memory_of_llamaindex_keeps(memory):
    plain = ChatMemoryBuffer.from_defaults()
    for each in (memory, plain):
        each.put(user("Hello"))
        each.put_messages([assistant("Hi!"), user("Bye")])
    assert memory.get_all() == plain.get_all()
    for each in (memory, plain):
        each.set([user("Again")])
    assert memory.get_all() == plain.get_all()
    for each in (memory, plain):
        each.reset()
    assert memory.get_all() == plain.get_all() == memory.get() == []


def test_it_keeps_the_same_for_async_programs(memory):
    async def talk(each):
        await each.aput(user("Hello"))
        await each.aput_messages([assistant("Hi!"), user("Bye")])
        put = await each.aget_all()
        await each.aset([user("Again")])
        replaced = await each.aget_all()
        await each.areset()
        return put, replaced, await each.aget_all()

    assert asyncio.run(talk(memory)) == asyncio.run(talk(ChatMemoryBuffer.from_defaults()))


def conversation():
    chunks = [("Because the API ", "Because the API "), (REPLY, "has no state.")]
    image = ImageBlock(url="http://127.0.0.1/a.png")
    answered = {"tool_call_id": "c1"}
    return Conversation(
        history=[
            ChatMessage(role="system", content=BE_BRIEF),
            ChatMessage(role="user", blocks=[TextBlock(text="Look at this."), image]),
            ChatMessage(role="assistant", blocks=[LOOKING]),
            ChatMessage(role="tool", content="nothing", additional_kwargs=answered),
            assistant("No sessions."),
        ],
        said=user(ASKED),
        reply=assistant(REPLY),
        kinds=ChatMessage,
        send=MockLLM().chat,
        chunks=[ChatResponse(message=assistant(text), delta=delta) for text, delta in chunks],
    )


@pytest.mark.parametrize("check", [*CHECKS, check_stream])
def test_messages_of_llamaindex_go_through_every_call_and_come_back(tacit, check):
    check(tacit, conversation())


@pytest.mark.parametrize(("code", "shown"), samples_of("llamaindex"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    assert run_sample(code) == shown
