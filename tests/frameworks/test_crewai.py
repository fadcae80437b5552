"""Memory in crews and agents of CrewAI, with a model that needs no network."""

import asyncio
import logging
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false")
os.environ.update(OTEL_SDK_DISABLED="true", CREWAI_TESTING="true")

from crewai import Agent, BaseLLM, Crew, Task
from crewai.hooks import (
    clear_before_llm_call_hooks,
    register_before_llm_call_hook,
)
from crewai.tools import tool
from pydantic import PrivateAttr

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.crewai import TacitMemory
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


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


@pytest.fixture
def memory(tacit):
    return TacitMemory(tacit, user="ann")


class Script(BaseLLM):
    """A model that replies in turn, and keeps what it was sent; an error is raised."""

    _replies: list = PrivateAttr(default_factory=list)
    _requests: list = PrivateAttr(default_factory=list)
    _calls_tools: bool = PrivateAttr(default=False)

    @classmethod
    def of(cls, *replies, calls_tools=False):
        found = cls(model="fake")
        found._replies = list(replies)
        found._calls_tools = calls_tools
        return found

    def call(self, messages, tools=None, **more):
        asked = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
        self._invoke_before_llm_call_hooks(asked, more.get("from_agent"))
        self._requests.append([dict(each) for each in asked])
        said = self._replies.pop(0)
        if isinstance(said, Exception):
            raise said
        if not isinstance(said, str):
            return said
        if self._effective_stream():
            for word in said.split(" "):
                self._emit_stream_chunk_event(f"{word} ", more.get("from_task"))
        return self._invoke_after_llm_call_hooks(asked, said, more.get("from_agent"))

    async def acall(self, messages, tools=None, **more):
        return self.call(messages, tools, **more)

    def supports_function_calling(self):
        return self._calls_tools

    def supports_stop_words(self):
        return False

    def get_context_window_size(self):
        return 100_000


@tool
def look(place: str) -> str:
    """Look for something."""
    return f"nothing in {place}"


ACTING = 'Thought: I look.\nAction: look\nAction Input: {"place": "the log"}'
CALLING = [
    {
        "id": "c1",
        "type": "function",
        "function": {"name": "look", "arguments": '{"place": "the log"}'},
    }
]
FINAL = f"Thought: I know.\nFinal Answer: {REPLY}"


def agent_of(model, **more):
    about = {"role": "helper", "goal": "help", "backstory": "You help."}
    return Agent(**about, llm=model, verbose=False, **more)


def crew_of(model, *asked, **more):
    helper = agent_of(model, **more)
    tasks = [Task(description=each, expected_output="a text", agent=helper) for each in asked]
    return Crew(agents=[helper], tasks=tasks, verbose=False)


def texts_of(messages):
    return [each["content"] for each in messages if isinstance(each.get("content"), str)]


def test_a_block_is_in_the_request_and_taken_out_again(memory, tacit):
    model = Script.of(FINAL)
    crew = crew_of(model, ASKED)
    with memory.hooks(session="s1"):
        assert crew.kickoff().raw == REPLY
    asked = model._requests[0][-1]["content"]
    assert ASKED in asked
    assert JWT in asked
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_the_messages_of_the_program_are_left_as_they_were(memory):
    model = Script.of(REPLY, REPLY_NEXT)
    messages = [{"role": "user", "content": ASKED}]
    with memory.hooks(session="s1"):
        model.call(messages)
    assert messages == [{"role": "user", "content": ASKED}]
    messages += [{"role": "assistant", "content": REPLY}, {"role": "user", "content": ASKED_NEXT}]
    kept = [dict(each) for each in messages]
    with memory.hooks(session="s1"):
        model.call(messages)
    assert messages == kept


def test_the_next_turn_replays_the_block_where_it_was(memory, tacit):
    model = Script.of(REPLY, REPLY_NEXT)
    said = [{"role": "user", "content": ASKED}]
    with memory.hooks(session="s1"):
        model.call(said)
        said += [{"role": "assistant", "content": REPLY}, {"role": "user", "content": ASKED_NEXT}]
        model.call(said)
    before, after = map(texts_of, model._requests)
    assert after[0] == before[0]
    assert len(blocks_in(after)) == 1
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


@pytest.mark.parametrize("call", [ACTING, CALLING])
def test_a_loop_of_tools_is_one_turn_with_one_block(memory, tacit, call):
    model = Script.of(call, FINAL, calls_tools=call is CALLING)
    crew = crew_of(model, ASKED, tools=[look])
    with memory.hooks(session="s1"):
        assert crew.kickoff().raw.endswith(REPLY)
    first, looped = map(texts_of, model._requests)
    assert looped[: len(first)] == first
    assert len(blocks_in(looped)) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_call_that_failed_is_taken_up_by_the_next(memory, tacit):
    model = Script.of(ConnectionError("gone"), REPLY)
    messages = [{"role": "user", "content": ASKED}]
    with memory.hooks(session="s1"):
        with pytest.raises(ConnectionError):
            model.call(messages)
        assert turns_of(tacit, "s1") == []
        model.call(messages)
    failed, again = map(texts_of, model._requests)
    assert again == failed
    assert messages == [{"role": "user", "content": ASKED}]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_another_attempt_of_an_agent_has_the_same_block(memory, tacit):
    model = Script.of(ConnectionError("gone"), ACTING, ConnectionError("gone"), FINAL)
    crew = crew_of(model, ASKED, tools=[look], max_retry_limit=2)
    with memory.hooks(session="s1"):
        assert crew.kickoff().raw == REPLY
    failed, again, _, last = map(texts_of, model._requests)
    assert failed == again == last
    assert len(blocks_in(failed)) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_stream_is_passed_on_and_recorded(memory, tacit):
    model = Script.of(ACTING, FINAL)
    crew = crew_of(model, ASKED, tools=[look])
    crew.stream = True
    with memory.hooks(session="s1"):
        streamed = crew.kickoff()
        pieces = [each.content for each in streamed]
    assert "".join(pieces).endswith(f"{FINAL} ")
    assert streamed.result.raw == REPLY
    assert [len(blocks_in(texts_of(each))) for each in model._requests] == [1, 1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_an_async_stream_is_passed_on_and_recorded(memory, tacit):
    model = Script.of(FINAL)
    crew = crew_of(model, ASKED)
    crew.stream = True

    async def run():
        with memory.hooks(session="s1"):
            return [each.content async for each in await crew.akickoff()]

    assert "".join(asyncio.run(run())) == f"{FINAL} "
    assert JWT in model._requests[0][-1]["content"]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_stream_of_a_model_is_passed_on_and_recorded(memory, tacit):
    model, messages = Script.of(REPLY), [{"role": "user", "content": ASKED}]
    with memory.hooks(session="s1"):
        frames = list(model.stream_events(messages))
    assert len(frames) > 2
    assert JWT in model._requests[0][-1]["content"]
    assert messages == [{"role": "user", "content": ASKED}]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_each_task_of_a_crew_is_a_turn(memory, tacit):
    model = Script.of(FINAL, f"Final Answer: {REPLY_NEXT}")
    with memory.hooks(session="s1"):
        crew_of(model, ASKED, ASKED_NEXT).kickoff()
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_an_agent_without_a_crew_has_memory(memory, tacit):
    model = Script.of(ACTING, FINAL)
    with memory.hooks(session="s1"):
        assert agent_of(model, tools=[look]).kickoff(ASKED).raw == REPLY
    first, looped = map(texts_of, model._requests)
    assert JWT in "".join(first)
    assert len(blocks_in(looped)) == 1
    assert turns_of(tacit, "s1") == [1]


def test_what_an_agent_delegates_is_no_persons_word(memory, tacit):
    delegating = (
        "Thought: The other knows.\nAction: delegate_work_to_coworker\n"
        'Action Input: {"task": "Say why JWT", "context": "the API", "coworker": "expert"}'
    )
    model, other = Script.of(delegating, FINAL), Script.of("Final Answer: It has no state.")
    asking = agent_of(model, allow_delegation=True)
    expert = Agent(role="expert", goal="know", backstory="You know.", llm=other)
    task = Task(description=ASKED, expected_output="a text", agent=asking)
    with memory.hooks(session="s1"):
        Crew(agents=[asking, expert], tasks=[task]).kickoff()
    assert len(other._requests) == 1
    assert blocks_in(texts_of(other._requests[0])) == []
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


@pytest.mark.parametrize("kickoff", ["kickoff_async", "akickoff"])
def test_async_programs_have_the_same(tacit, kickoff):
    model = Script.of(FINAL)
    memory = TacitMemory(AsyncTacit(tacit), user="ann")

    async def run():
        with memory.hooks(session="s1"):
            return await getattr(crew_of(model, ASKED), kickoff)()

    assert asyncio.run(run()).raw == REPLY
    assert JWT in model._requests[0][-1]["content"]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_many_people_are_served_at_once(tacit):
    memory = TacitMemory(tacit)

    def ask(number):
        model, user = Script.of(FINAL), ("ann", "ben")[number % 2]
        with memory.hooks(user=user, session=f"s{number}"):
            crew_of(model, ASKED).kickoff()
        return len(blocks_in(texts_of(model._requests[0])))

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, range(4))) == [1, 0, 1, 0]
    assert [turns_of(tacit, f"s{number}") for number in range(4)] == [[1]] * 4


def test_users_are_named_by_the_context(tacit):
    model = Script.of(REPLY)
    with identify(user="ann", session="s1"), TacitMemory(tacit).hooks():
        model.call(ASKED)
    assert len(blocks_in(texts_of(model._requests[0]))) == 1


def test_other_hooks_and_what_is_outside_stay_as_they_are(memory):
    seen = []
    register_before_llm_call_hook(lambda context: seen.append(len(context.messages)))
    model = Script.of(REPLY, REPLY)
    try:
        with memory.hooks(session="s1"):
            model.call(ASKED)
        model.call(ASKED)
    finally:
        clear_before_llm_call_hooks()
    assert seen == [1, 1]
    assert [len(blocks_in(texts_of(each))) for each in model._requests] == [1, 0]


def test_broken_memory_stops_no_run(caplog):
    model = Script.of(FINAL)
    with caplog.at_level(logging.WARNING), TacitMemory(closed_tacit(), user="ann").hooks():
        assert crew_of(model, ASKED).kickoff().raw == REPLY
    assert blocks_in(texts_of(model._requests[0])) == []
    assert [each.name for each in caplog.records].count("tacit.calls") == 1


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        TacitMemory(tacit, user="")
    with pytest.raises(InvalidInput), TacitMemory(tacit).hooks(user=""):
        pass


@pytest.mark.parametrize(("code", "shown"), samples_of("crewai"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    assert run_sample(code) == shown
