"""Memory in agents of Microsoft's Agent Framework, with a client that needs no network."""

import asyncio
import logging

import pytest
from agent_framework import (
    Agent,
    AgentMiddleware,
    AgentSession,
    BaseChatClient,
    ChatMiddleware,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
)

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.agent_framework import TacitProvider
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

pytestmark = [pytest.mark.frameworks, pytest.mark.episodes]


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


@pytest.fixture
def provider(tacit):
    return TacitProvider(tacit, user="ann")


class Script(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """A client that replies in turn, and keeps what it was sent; an error is raised."""

    def __init__(self, *replies):
        super().__init__()
        self.replies = list(replies)
        self.requests = []

    def _inner_get_response(self, *, messages, stream, options, **kwargs):
        self.requests.append(list(messages))
        said = self.replies.pop(0)
        return self._stream(said) if stream else self._reply(said)

    async def _reply(self, said):
        if isinstance(said, Exception):
            raise said
        return ChatResponse(messages=[Message("assistant", [said])])

    def _stream(self, said):
        async def updates():
            parts = [f"{word} " for word in said.split(" ")] if isinstance(said, str) else [said]
            for part in parts:
                content = Content.from_text(part) if isinstance(part, str) else part
                yield ChatResponseUpdate(role="assistant", contents=[content])

        return ResponseStream(updates(), finalizer=ChatResponse.from_updates)


def look(place: str) -> str:
    """Look for something."""
    return f"nothing in {place}"


LOOKING = Content.from_function_call("c1", "look", arguments='{"place": "the log"}')


def run(agent, *said, session=None):
    async def talk():
        return [await agent.run(each, session=session) for each in said]

    return asyncio.run(talk())


def texts_of(messages):
    return [part.text for each in messages for part in each.contents if part.type == "text"]


def kept_in(session):
    return [
        message
        for state in session.state.values()
        if isinstance(state, dict)
        for message in state.get("messages", ())
    ]


def test_a_block_is_in_the_request_and_not_in_the_session(provider):
    client, session = Script(REPLY), AgentSession(session_id="s1")
    (ran,) = run(Agent(client=client, context_providers=[provider]), ASKED, session=session)
    said, block = texts_of(client.requests[0])
    assert said == ASKED
    assert JWT in block
    assert ran.text == REPLY
    assert texts_of(kept_in(session)) == [ASKED, REPLY]


def test_the_next_turn_replays_the_block_where_it_was(provider, tacit):
    client, session = Script(REPLY, REPLY_NEXT), AgentSession(session_id="s1")
    agent = Agent(client=client, context_providers=[provider])
    run(agent, ASKED, ASKED_NEXT, session=session)
    before, after = map(texts_of, client.requests)
    assert after[:2] == before
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_loop_of_tools_is_one_turn_with_one_block(provider, tacit):
    client, session = Script(LOOKING, REPLY), AgentSession(session_id="s1")
    agent = Agent(client=client, context_providers=[provider], tools=[look])
    run(agent, ASKED, session=session)
    first, looped = client.requests
    assert texts_of(looped)[:2] == texts_of(first)
    assert len(blocks_in(texts_of(looped))) == 1
    assert [str(each.role) for each in looped] == ["user", "assistant", "tool"]
    assert blocks_in(texts_of(kept_in(session))) == []
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_run_that_failed_is_taken_up_by_the_next(provider, tacit):
    client = Script(ConnectionError("gone"), REPLY)
    agent = Agent(client=client, context_providers=[provider])
    with pytest.raises(ConnectionError):
        run(agent, ASKED, session=AgentSession(session_id="s1"))
    assert turns_of(tacit, "s1") == []
    run(agent, ASKED, session=AgentSession(session_id="s1"))
    failed, again = map(texts_of, client.requests)
    assert again == failed
    assert said_in(tacit, "s1") == [ASKED, REPLY]


class RetryRun(AgentMiddleware):
    """Runs an agent again after an error."""

    async def process(self, context, call_next):
        await again_after_an_error(call_next)


class RetryCall(ChatMiddleware):
    """Calls a model again after an error."""

    async def process(self, context, call_next):
        await again_after_an_error(call_next)


async def again_after_an_error(call):
    try:
        await call()
    except ConnectionError:
        await call()


@pytest.mark.parametrize("retry", [RetryRun, RetryCall])
def test_another_attempt_has_the_same_block(provider, tacit, retry):
    client, session = Script(ConnectionError("gone"), REPLY), AgentSession(session_id="s1")
    agent = Agent(client=client, context_providers=[provider], middleware=[retry()])
    (ran,) = run(agent, ASKED, session=session)
    failed, again = map(texts_of, client.requests)
    assert again == failed
    assert len(blocks_in(again)) == 1
    assert ran.text == REPLY
    assert texts_of(kept_in(session)) == [ASKED, REPLY]
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


@pytest.mark.parametrize("replies", [(REPLY,), (LOOKING, REPLY)])
def test_a_stream_is_passed_on_and_recorded(provider, tacit, replies):
    client, session = Script(*replies), AgentSession(session_id="s1")
    agent = Agent(client=client, context_providers=[provider], tools=[look])

    async def talk():
        return [update.text async for update in agent.run(ASKED, stream=True, session=session)]

    assert "".join(asyncio.run(talk())).strip() == REPLY
    assert JWT in texts_of(client.requests[-1])[1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_an_async_tacit_does_as_well(tacit):
    client = Script(REPLY)
    provider = TacitProvider(AsyncTacit(tacit), user="ann", session="s1")
    run(Agent(client=client, context_providers=[provider]), ASKED)
    assert JWT in texts_of(client.requests[0])[1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_one_agent_serves_many_people_at_once(tacit):
    client = Script(*[REPLY] * 4)
    agent = Agent(client=client, context_providers=[TacitProvider(tacit)])

    async def ask(user, session):
        with identify(user=user):
            await agent.run(ASKED, session=AgentSession(session_id=session))

    async def talk():
        whose = [("ann", "s0"), ("ben", "s1"), ("ann", "s2"), ("ben", "s3")]
        await asyncio.gather(*(ask(user, session) for user, session in whose))

    asyncio.run(talk())
    assert sorted(len(texts_of(request)) for request in client.requests) == [1, 1, 2, 2]
    assert [turns_of(tacit, f"s{number}") for number in range(4)] == [[1]] * 4


def test_an_agent_that_is_a_tool_is_asked_without_memory(provider, tacit):
    inner = Script("No sessions.")
    expert = Agent(client=inner, name="expert", description="Knows.").as_tool()
    asking = Content.from_function_call("c1", expert.name, arguments=f'{{"task": "{ASKED}"}}')
    client, session = Script(asking, REPLY), AgentSession(session_id="s1")
    agent = Agent(client=client, context_providers=[provider], tools=[expert])
    run(agent, ASKED, session=session)
    assert blocks_in(texts_of(inner.requests[0])) == []
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_conversation_that_the_service_keeps_is_left_alone(provider, tacit):
    client = Script(REPLY)
    session = AgentSession(session_id="s1", service_session_id="kept-1")
    run(Agent(client=client, context_providers=[provider]), ASKED, session=session)
    assert texts_of(client.requests[0]) == [ASKED]
    assert not tacit.turns.list()


def test_broken_memory_stops_no_run(caplog):
    client, session = Script(REPLY), AgentSession(session_id="s1")
    provider = TacitProvider(closed_tacit(), user="ann")
    with caplog.at_level(logging.WARNING):
        (ran,) = run(Agent(client=client, context_providers=[provider]), ASKED, session=session)
    assert ran.text == REPLY
    assert texts_of(client.requests[0]) == [ASKED]
    assert [each.name for each in caplog.records].count("tacit.calls") == 1


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        TacitProvider(tacit, user="")


@pytest.mark.parametrize(("code", "shown"), samples_of("agent-framework"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    assert run_sample(code) == shown
