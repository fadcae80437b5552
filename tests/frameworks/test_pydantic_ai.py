"""Memory in agents of Pydantic-AI, with a model of its own that needs no network."""

import asyncio
import logging

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import RetryModelRequest
from pydantic_ai.messages import (
    ImageUrl,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturn,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.pydantic_ai import TacitMemory
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
from tests.frameworks.message_objects import BE_BRIEF, CHECKS, Conversation

pytestmark = [pytest.mark.frameworks, pytest.mark.episodes]


@pytest.fixture(autouse=True)
def _loop():
    """`run_sync` closes no loop."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    loop.close()
    asyncio.set_event_loop(None)


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


@pytest.fixture
def memory(tacit):
    return TacitMemory(tacit, user="ann", session="s1")


class Script:
    """A model that replies in turn, and keeps what it was sent; an error is raised."""

    def __init__(self, *replies):
        self._replies = iter(replies)
        self.requests = []

    def reply(self, messages, info):
        self.requests.append(list(messages))
        said = next(self._replies)
        if isinstance(said, Exception):
            raise said
        return ModelResponse(parts=[TextPart(said) if isinstance(said, str) else said])

    async def stream(self, messages, info):
        self.requests.append(list(messages))
        for word in next(self._replies).split(" "):
            yield f"{word} "

    def model(self):
        return FunctionModel(self.reply, stream_function=self.stream)


def texts_in(messages):
    """What was sent to a model, or stands in a history."""
    return [
        part if isinstance(part, str) else str(part)
        for message in messages
        for each in message.parts
        for part in (each.content if isinstance(getattr(each, "content", None), list) else [each])
    ]


def look(place: str) -> str:
    return f"nothing in {place}"


LOOKING = ToolCallPart("look", {"place": "the log"}, tool_call_id="c1")


def test_a_block_is_in_the_request_and_not_in_the_history(memory):
    script = Script(REPLY)
    ran = Agent(script.model(), capabilities=[memory]).run_sync(ASKED)
    (request,) = script.requests
    said, block = request[0].parts[0].content
    assert said == ASKED
    assert JWT in block
    assert ran.output == REPLY
    assert ran.all_messages()[0].parts[0].content == ASKED
    assert blocks_in(texts_in(ran.all_messages())) == []
    assert blocks_in([ran.all_messages_json().decode()]) == []


def test_instructions_stand_before_it_as_they_are(memory):
    script = Script(REPLY)
    agent = Agent(
        script.model(), capabilities=[memory], system_prompt="Be brief.", instructions="Be kind."
    )
    agent.run_sync(ASKED)
    (request,) = script.requests[0]
    assert [part.part_kind for part in request.parts] == ["system-prompt", "user-prompt"]
    assert request.instructions == "Be kind."
    assert JWT in request.parts[1].content[1]


def test_the_next_turn_replays_the_block_where_it_was(memory, tacit):
    script = Script(REPLY, REPLY_NEXT)
    agent = Agent(script.model(), capabilities=[memory])
    first = agent.run_sync(ASKED)
    agent.run_sync(ASKED_NEXT, message_history=first.all_messages())
    before, after = script.requests
    assert after[0].parts[0].content == before[0].parts[0].content
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_loop_of_tools_is_one_turn_with_one_block(memory, tacit):
    script = Script(LOOKING, REPLY)
    agent = Agent(script.model(), capabilities=[memory], tools=[look])
    ran = agent.run_sync(ASKED)
    first, looped = script.requests
    assert looped[0].parts[0].content == first[0].parts[0].content
    assert len(blocks_in(texts_in(looped))) == 1
    assert isinstance(looped[2].parts[0], ToolReturnPart)
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]
    assert blocks_in(texts_in(ran.all_messages())) == []


def test_of_replies_that_the_program_refused_none_is_recorded(memory, tacit):
    script = Script("No idea.", REPLY)
    agent = Agent(script.model(), capabilities=[memory])

    @agent.output_validator
    def check(said: str) -> str:
        if said == "No idea.":
            raise ModelRetry("Look it up.")
        return said

    agent.run_sync(ASKED)
    first, again = script.requests
    assert again[0].parts[0].content == first[0].parts[0].content
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


class OneMoreAttempt(AbstractCapability):
    async def on_model_request_error(self, ctx, *, request_context, error):
        raise RetryModelRequest(ctx.model)


def test_another_attempt_has_the_same_block(memory, tacit):
    script = Script(ConnectionError("gone"), REPLY)
    Agent(script.model(), capabilities=[memory, OneMoreAttempt()]).run_sync(ASKED)
    first, again = script.requests
    assert again[0].parts[0].content == first[0].parts[0].content
    assert turns_of(tacit, "s1") == [1]


def test_a_run_that_failed_is_taken_up_by_the_next(memory, tacit):
    script = Script(ConnectionError("gone"), REPLY)
    agent = Agent(script.model(), capabilities=[memory])
    with pytest.raises(ConnectionError):
        agent.run_sync(ASKED)
    assert turns_of(tacit, "s1") == []
    agent.run_sync(ASKED)
    first, again = script.requests
    assert again[0].parts[0].content == first[0].parts[0].content
    assert turns_of(tacit, "s1") == [1]


def test_async_programs_have_the_same(tacit):
    script = Script(REPLY)
    memory = TacitMemory(AsyncTacit(tacit), user="ann", session="s1")
    asyncio.run(Agent(script.model(), capabilities=[memory]).run(ASKED))
    assert JWT in script.requests[0][0].parts[0].content[1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_stream_is_passed_on_and_recorded(memory, tacit):
    script = Script(REPLY)
    agent = Agent(script.model(), capabilities=[memory])

    async def talk():
        async with agent.run_stream(ASKED) as ran:
            return [text async for text in ran.stream_text(delta=True, debounce_by=None)]

    assert "".join(asyncio.run(talk())).strip() == REPLY
    assert JWT in script.requests[0][0].parts[0].content[1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


class Answer(BaseModel):
    reason: str


def test_an_output_that_is_no_text_ends_the_turn(memory, tacit):
    script = Script(ToolCallPart("final_result", {"reason": "no state"}))
    ran = Agent(script.model(), capabilities=[memory], output_type=Answer).run_sync(ASKED)
    assert ran.output == Answer(reason="no state")
    assert turns_of(tacit, "s1") == [1]


def test_the_conversation_of_the_framework_is_the_session(tacit):
    script = Script(REPLY, REPLY_NEXT, REPLY)
    agent = Agent(script.model(), capabilities=[TacitMemory(tacit, user="ann")])
    first = agent.run_sync(ASKED, conversation_id="chat-7")
    agent.run_sync(ASKED_NEXT, message_history=first.all_messages())
    agent.run_sync(ASKED)
    assert turns_of(tacit, "chat-7") == [1, 2]


def test_one_agent_serves_many_people(tacit):
    script = Script(REPLY, REPLY)
    agent = Agent(script.model(), capabilities=[TacitMemory(tacit)])
    for name in ("ben", "ann"):
        with identify(user=name, session=f"of-{name}"):
            agent.run_sync(ASKED)
    of_ben, of_ann = script.requests
    assert blocks_in(texts_in(of_ben)) == []
    assert JWT in of_ann[0].parts[0].content[1]
    assert turns_of(tacit, "of-ann") == [1]


def test_runs_beside_each_other_are_kept_apart(tacit):
    script = Script(*[REPLY] * 4)
    agent = Agent(script.model(), capabilities=[TacitMemory(tacit, user="ann")])

    async def talk():
        runs = (agent.run(ASKED, conversation_id=f"chat-{number}") for number in range(4))
        await asyncio.gather(*runs)

    asyncio.run(talk())
    for number in range(4):
        assert said_in(tacit, f"chat-{number}") == [ASKED, REPLY]


def test_broken_memory_stops_no_run(caplog):
    script = Script(REPLY)
    memory = TacitMemory(closed_tacit(), user="ann", session="s1")
    with caplog.at_level(logging.WARNING):
        ran = Agent(script.model(), capabilities=[memory]).run_sync(ASKED)
    assert ran.output == REPLY
    assert script.requests == [[ran.all_messages()[0]]]
    assert [each.name for each in caplog.records].count("tacit.calls") == 1


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        TacitMemory(tacit, user="")


def test_what_tools_return_beside_a_result_is_nobodys_word(memory, tacit):
    script = Script(LOOKING, REPLY)
    history = [ModelRequest(parts=[UserPromptPart(ASKED)])]
    agent = Agent(script.model(), capabilities=[memory])

    @agent.tool_plain(name="look")
    def look_and_show(place: str) -> ToolReturn:
        return ToolReturn(return_value="found", content="We chose opaque tokens.")

    agent.run_sync(message_history=history)
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def conversation():
    asked = UserPromptPart(["Look at this.", ImageUrl("http://127.0.0.1/a.png")])
    return Conversation(
        history=[
            ModelRequest(parts=[SystemPromptPart(BE_BRIEF), asked]),
            ModelResponse(parts=[ThinkingPart("Hm."), LOOKING]),
            ModelRequest(parts=[ToolReturnPart("look", "nothing", tool_call_id="c1")]),
            ModelResponse(parts=[TextPart("No sessions.")]),
        ],
        said=ModelRequest(parts=[UserPromptPart(ASKED)]),
        reply=ModelResponse(parts=[ThinkingPart("Hm."), TextPart(REPLY)]),
        kinds=(ModelRequest, ModelResponse),
        send=ModelMessagesTypeAdapter.dump_json,
    )


@pytest.mark.parametrize("check", CHECKS)
def test_messages_of_pydantic_ai_go_through_every_call_and_come_back(tacit, check):
    check(tacit, conversation())


@pytest.mark.parametrize(("code", "shown"), samples_of("pydantic-ai"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    assert run_sample(code) == shown
