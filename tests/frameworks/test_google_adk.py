"""Memory in agents of Google's Agent Development Kit, with a model that needs no network."""

import asyncio
import logging
from contextlib import aclosing

import pytest
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.apps import App
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins import ReflectAndRetryModelPlugin
from google.adk.runners import InMemoryRunner
from google.adk.tools import load_memory
from google.adk.tools.agent_tool import AgentTool
from google.adk.workflow import RetryConfig
from google.genai.types import Content, FinishReason, FunctionCall, FunctionResponse, Part

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.google_adk import TacitMemoryService, TacitPlugin
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
from tests.frameworks.message_objects import CHECKS, Conversation

pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.episodes,
    pytest.mark.filterwarnings("default::DeprecationWarning"),  # the kit warns of its own
]


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


class Script(BaseLlm):
    """A model that replies in turn, and keeps what it was sent; an error is raised."""

    model: str = "script"
    replies: list
    requests: list

    async def generate_content_async(self, llm_request, stream=False):
        self.requests.append(list(llm_request.contents))
        said = self.replies.pop(0)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, LlmResponse):
            yield said
            return
        if stream and isinstance(said, str):
            for word in said.split(" "):
                yield LlmResponse(content=content("model", f"{word} "), partial=True)
        part = Part(text=said) if isinstance(said, str) else Part(function_call=said)
        yield LlmResponse(content=Content(role="model", parts=[part]))


def scripted(*replies):
    return Script(replies=list(replies), requests=[])


def content(role, text):
    return Content(role=role, parts=[Part(text=text)])


def look(place: str) -> str:
    """Look for something."""
    return f"nothing in {place}"


LOOKING = FunctionCall(id="c1", name="look", args={"place": "the log"})


class Chat:
    """A session of the kit, with the agent that is asked in it."""

    def __init__(self, agent, *plugins, user="ann", session="s1", memory=None):
        self.runner = InMemoryRunner(app=App(name="app", root_agent=agent, plugins=list(plugins)))
        if memory is not None:
            self.runner.memory_service = memory
        self.user, self.session = user, session

    async def ask_async(self, said, mode=StreamingMode.NONE):
        service, whose = self.runner.session_service, {"app_name": "app", "user_id": self.user}
        if await service.get_session(**whose, session_id=self.session) is None:
            await service.create_session(**whose, session_id=self.session)
        events = self.runner.run_async(
            user_id=self.user,
            session_id=self.session,
            new_message=content("user", said),
            run_config=RunConfig(streaming_mode=mode),
        )
        async with aclosing(events):
            return [event async for event in events]

    def ask(self, said, **options):
        return asyncio.run(self.ask_async(said, **options))

    def kept(self):
        whose = {"app_name": "app", "user_id": self.user, "session_id": self.session}
        return asyncio.run(self.runner.session_service.get_session(**whose))


def helper(model, **options):
    return LlmAgent(name="helper", model=model, **options)


def texts_of(contents):
    return [part.text or "" for each in contents for part in each.parts]


def test_a_block_is_in_the_request_and_not_in_the_session(tacit):
    model = scripted(REPLY)
    chat = Chat(helper(model), TacitPlugin(tacit))
    events = chat.ask(ASKED)
    (request,) = model.requests
    said, block = texts_of(request)
    assert said == ASKED
    assert JWT in block
    assert events[-1].content.parts[0].text == REPLY
    assert texts_of(event.content for event in chat.kept().events) == [ASKED, REPLY]


def test_the_next_turn_replays_the_block_where_it_was(tacit):
    model = scripted(REPLY, REPLY_NEXT)
    chat = Chat(helper(model), TacitPlugin(tacit))
    for said in (ASKED, ASKED_NEXT):
        chat.ask(said)
    before, after = model.requests
    assert after[0] == before[0]
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_loop_of_tools_is_one_turn_with_one_block(tacit):
    model = scripted(LOOKING, REPLY)
    Chat(helper(model, tools=[look]), TacitPlugin(tacit)).ask(ASKED)
    first, looped = model.requests
    assert looped[0] == first[0]
    assert len(blocks_in(texts_of(looped))) == 1
    assert looped[2].parts[0].function_response.name == "look"
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_run_that_failed_is_taken_up_by_the_next(tacit):
    model = scripted(ConnectionError("gone"), REPLY)
    plugin = TacitPlugin(tacit)
    with pytest.raises(ConnectionError):
        Chat(helper(model), plugin).ask(ASKED)
    assert turns_of(tacit, "s1") == []
    Chat(helper(model), plugin).ask(ASKED)
    failed, again = model.requests
    assert again == failed
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_another_attempt_of_an_agent_has_the_same_block(tacit):
    model = scripted(ConnectionError("gone"), LOOKING, ConnectionError("gone"), REPLY)
    attempts = RetryConfig(max_attempts=3, initial_delay=0)
    Chat(helper(model, tools=[look], retry_config=attempts), TacitPlugin(tacit)).ask(ASKED)
    failed, again, *later = model.requests
    assert again == failed
    assert [len(blocks_in(texts_of(each))) for each in later] == [1, 1]
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_response_that_the_kit_asks_for_again_is_part_of_the_turn(tacit, is_first):
    malformed = LlmResponse(
        error_code="MALFORMED_FUNCTION_CALL", finish_reason=FinishReason.MALFORMED_FUNCTION_CALL
    )
    model = scripted(malformed, REPLY)
    plugins = [TacitPlugin(tacit), ReflectAndRetryModelPlugin(max_retries=1)]
    Chat(helper(model), *(plugins if is_first else reversed(plugins))).ask(ASKED)
    first, again = model.requests
    assert again[0] == first[0]
    assert len(blocks_in(texts_of(again))) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_stream_is_passed_on_and_recorded_once(tacit):
    model = scripted(REPLY)
    events = Chat(helper(model), TacitPlugin(tacit)).ask(ASKED, mode=StreamingMode.SSE)
    assert len(events) > 2
    assert JWT in texts_of(model.requests[0])[1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_program_that_stops_at_the_final_event_is_recorded(tacit):
    chat = Chat(helper(scripted(REPLY)), TacitPlugin(AsyncTacit(tacit)))

    async def stop_early():
        await chat.runner.session_service.create_session(
            app_name="app", user_id="ann", session_id="s1"
        )
        asked = {"user_id": "ann", "session_id": "s1", "new_message": content("user", ASKED)}
        async with aclosing(chat.runner.run_async(**asked)) as events:
            async for event in events:
                if event.is_final_response():
                    break

    asyncio.run(stop_early())
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_an_agent_that_takes_over_is_part_of_the_turn(tacit):
    taking = FunctionCall(name="transfer_to_agent", args={"agent_name": "expert"})
    model = scripted(taking, REPLY)
    expert = LlmAgent(name="expert", model=model, description="Knows.")
    Chat(helper(model, sub_agents=[expert]), TacitPlugin(tacit)).ask(ASKED)
    first, taken = model.requests
    assert taken[0] == first[0]
    assert len(blocks_in(texts_of(taken))) == 1
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_what_agents_tell_each_other_is_nobodys_word(tacit):
    model = scripted("It may be the state.", REPLY)
    agents = [LlmAgent(name=name, model=model) for name in ("one", "two")]
    Chat(SequentialAgent(name="both", sub_agents=agents), TacitPlugin(tacit)).ask(ASKED)
    first, second = model.requests
    assert second[0] == first[0]
    assert turns_of(tacit, "s1") == [1]
    assert len(blocks_in(texts_of(second))) == 1


def test_an_agent_that_is_a_tool_is_asked_without_memory(tacit):
    inner = scripted("No sessions.")
    expert = AgentTool(LlmAgent(name="expert", model=inner))
    asking = FunctionCall(name="expert", args={"request": ASKED})
    outer = scripted(asking, REPLY, REPLY_NEXT)
    chat = Chat(helper(outer, tools=[expert]), TacitPlugin(tacit))
    chat.ask(ASKED)
    chat.ask(ASKED_NEXT)
    assert blocks_in(texts_of(inner.requests[0])) == []
    assert {each.session for each in tacit.turns.list()} == {"s1"}
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_users_of_one_application_are_kept_apart(tacit):
    model, plugin = scripted(*[REPLY] * 4), TacitPlugin(tacit)

    async def talk():
        whose = [("ann", "s0"), ("ben", "s1"), ("ann", "s2"), ("ben", "s3")]
        chats = [Chat(helper(model), plugin, user=user, session=id) for user, id in whose]
        await asyncio.gather(*(chat.ask_async(ASKED) for chat in chats))

    asyncio.run(talk())
    assert sorted(len(texts_of(request)) for request in model.requests) == [1, 1, 2, 2]
    assert [turns_of(tacit, f"s{number}") for number in range(4)] == [[1]] * 4


def test_names_of_the_program_count_before_those_of_the_kit(tacit):
    model = scripted(REPLY, REPLY)
    Chat(helper(model), TacitPlugin(tacit, user="ann", session="own"), user="u1").ask(ASKED)
    chat = Chat(helper(model), TacitPlugin(tacit), user="u1")
    with identify(user="ann", session="mine"):
        chat.ask(ASKED)
    assert [len(texts_of(request)) for request in model.requests] == [2, 2]
    assert turns_of(tacit, "own") == turns_of(tacit, "mine") == [1]


def test_broken_memory_stops_no_run(caplog):
    model = scripted(REPLY)
    with caplog.at_level(logging.WARNING):
        events = Chat(helper(model), TacitPlugin(closed_tacit())).ask(ASKED)
    assert events[-1].content.parts[0].text == REPLY
    assert texts_of(model.requests[0]) == [ASKED]
    assert [each.name for each in caplog.records].count("tacit.calls") == 1


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        TacitPlugin(tacit, user="")


# The memory service


def search(service, query, user="ann"):
    found = asyncio.run(service.search_memory(app_name="app", user_id=user, query=query))
    return [each.content.parts[0].text for each in found.memories]


def test_a_session_is_recorded_once_however_often_it_is_added(tacit):
    chat = Chat(helper(scripted(REPLY, REPLY_NEXT)))
    for said in (ASKED, ASKED_NEXT):
        chat.ask(said)
    service = TacitMemoryService(tacit)
    for _ in range(2):
        asyncio.run(service.add_session_to_memory(chat.kept()))
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]
    assert turns_of(tacit, "s1") == [1, 2]


def test_what_the_plugin_has_recorded_is_not_recorded_again(tacit):
    chat = Chat(helper(scripted(REPLY)), TacitPlugin(tacit))
    chat.ask(ASKED)
    asyncio.run(TacitMemoryService(tacit).add_session_to_memory(chat.kept()))
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_search_finds_memories_and_what_was_said_of_this_user_alone(tacit):
    service = TacitMemoryService(AsyncTacit(tacit))
    entry = MemoryEntry(content=content("user", "The API speaks JSON"))
    asyncio.run(service.add_memory(app_name="app", user_id="ann", memories=[entry]))
    assert search(service, "Which tokens has the API?")[0] == JWT
    assert "The API speaks JSON" in search(service, "Does the API speak JSON?")
    assert search(service, "Which tokens has the API?", user="ben") == []


def test_agents_search_by_the_tool_of_the_kit(tacit):
    looking = FunctionCall(name="load_memory", args={"query": "JWT for the API"})
    model = scripted(looking, REPLY)
    agent = helper(model, tools=[load_memory])
    Chat(agent, memory=TacitMemoryService(tacit)).ask(ASKED)
    answer = model.requests[1][-1].parts[0].function_response
    assert JWT in str(answer.response)


def conversation():
    image = Part.from_bytes(data=b"x", mime_type="image/png")
    thought = Part(text="Hm.", thought=True)
    looked = FunctionResponse(id="c1", name="look", response={"result": "nothing"})
    return Conversation(
        history=[
            Content(role="user", parts=[Part(text="Look at this."), image]),
            Content(role="model", parts=[thought, Part(function_call=LOOKING)]),
            Content(role="user", parts=[Part(function_response=looked)]),
            content("model", "No sessions."),
        ],
        said=content("user", ASKED),
        reply=content("model", REPLY),
        kinds=Content,
        send=lambda contents: LlmRequest(contents=contents),
    )


@pytest.mark.parametrize("check", CHECKS)
def test_messages_of_the_kit_go_through_every_call_and_come_back(tacit, check):
    check(tacit, conversation())


@pytest.mark.parametrize(("code", "shown"), samples_of("google-adk"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    assert run_sample(code) == shown
