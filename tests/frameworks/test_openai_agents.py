"""Memory in runs of OpenAI's Agents SDK, with its scripted model."""

import asyncio
import logging
from dataclasses import replace

import pytest
from agents import (
    Agent,
    ModelSettings,
    RunConfig,
    RunHooks,
    Runner,
    SQLiteSession,
    function_tool,
    set_tracing_disabled,
)
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call

from tacit import AsyncTacit, InvalidInput
from tacit.integrations.openai_agents import TacitMemory
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


@pytest.fixture(autouse=True, scope="module")
def _no_traces():
    set_tracing_disabled(True)


@pytest.fixture
def tacit():
    with remembering() as found:
        yield found


@pytest.fixture
def memory(tacit):
    return TacitMemory(tacit, user="ann")


@pytest.fixture
def chat():
    found = SQLiteSession("s1")
    yield found
    found.close()


@function_tool
def look(place: str) -> str:
    """Look for something."""
    return f"nothing in {place}"


LOOKING = [function_call("look", {"place": "the log"}, call_id="c1")]


def scripted(*replies):
    return ScriptedModel(
        [[assistant_message(each)] if isinstance(each, str) else each for each in replies]
    )


def run(agent, said, **options):
    return asyncio.run(Runner.run(agent, said, **options))


def items_of(call):
    return [dict(each) for each in call.input]


def texts_of(items):
    return [str(each.get("content") or "") for each in items]


def test_a_block_is_an_item_behind_the_users_and_not_in_the_session(memory, chat):
    model = scripted(REPLY)
    ran = run(Agent("helper", model=model), ASKED, **memory.options(session=chat))
    said, block = items_of(model.first_call)
    assert said == {"role": "user", "content": ASKED}
    assert block["role"] == "developer"
    assert JWT in block["content"][0]["text"]
    assert ran.final_output == REPLY
    assert blocks_in(texts_of(ran.to_input_list())) == []
    kept = asyncio.run(chat.get_items())
    assert [each["role"] for each in kept] == ["user", "assistant"]
    assert blocks_in(texts_of(kept)) == []


def test_the_next_turn_replays_the_block_where_it_was(memory, tacit, chat):
    model = scripted(REPLY, REPLY_NEXT)
    agent = Agent("helper", model=model)
    run(agent, ASKED, **memory.options(session=chat))
    run(agent, ASKED_NEXT, **memory.options(session=chat))
    before, after = map(items_of, model.calls)
    assert after[:2] == before
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_history_without_a_session_is_found_again(memory, tacit):
    model = scripted(REPLY, REPLY_NEXT)
    agent = Agent("helper", model=model)
    first = run(agent, ASKED, **memory.options())
    history = [*first.to_input_list(), {"role": "user", "content": ASKED_NEXT}]
    run(agent, history, **memory.options())
    before, after = map(items_of, model.calls)
    assert after[:2] == before
    (session,) = {each.session for each in tacit.turns.list()}
    assert turns_of(tacit, session) == [1, 2]


def test_a_loop_of_tools_is_one_turn_with_one_block(memory, tacit, chat):
    model = scripted(LOOKING, REPLY)
    run(Agent("helper", model=model, tools=[look]), ASKED, **memory.options(session=chat))
    first, looped = map(items_of, model.calls)
    assert looped[:2] == first
    assert [each["type"] for each in looped[2:]] == ["function_call", "function_call_output"]
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_run_that_ends_with_the_answer_of_a_tool_is_recorded(memory, tacit, chat):
    agent = Agent(
        "helper", model=scripted(LOOKING), tools=[look], tool_use_behavior="stop_on_first_tool"
    )
    run(agent, ASKED, **memory.options(session=chat))
    assert turns_of(tacit, "s1") == [1]


def test_a_run_that_failed_is_taken_up_by_the_next(memory, tacit):
    model = ScriptedModel(
        [ModelStep.raise_error(ConnectionError("gone")), [assistant_message(REPLY)]]
    )
    agent = Agent("helper", model=model)
    with pytest.raises(ConnectionError):
        run(agent, ASKED, **memory.options(session="s1"))
    assert turns_of(tacit, "s1") == []
    run(agent, ASKED, **memory.options(session="s1"))
    failed, again = map(items_of, model.calls)
    assert again == failed
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_call_that_the_sdk_repeats_has_the_same_block(memory, tacit):
    from agents import ModelRetrySettings, retry_policies
    from agents.retry import ModelRetryAdvice

    advice = ModelRetryAdvice(suggested=True, replay_safety="safe")
    failing = ModelStep.raise_error(ConnectionError("gone"), retry_advice=advice)
    model = ScriptedModel([failing, [assistant_message(REPLY)]])
    retry = ModelRetrySettings(
        max_retries=1, backoff={"initial_delay": 0.0}, policy=retry_policies.provider_suggested()
    )
    agent = Agent("helper", model=model, model_settings=ModelSettings(retry=retry))
    run(agent, ASKED, **memory.options(session="s1"))
    failed, again = map(items_of, model.calls)
    assert again == failed
    assert turns_of(tacit, "s1") == [1]


def test_programs_that_are_not_async_have_the_same(memory, tacit):
    model = scripted(REPLY)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    Runner.run_sync(Agent("helper", model=model), ASKED, **memory.options(session="s1"))
    loop.close()
    asyncio.set_event_loop(None)
    assert len(items_of(model.first_call)) == 2
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_an_async_tacit_does_as_well(tacit):
    model = scripted(REPLY)
    memory = TacitMemory(AsyncTacit(tacit), user="ann", session="s1")
    run(Agent("helper", model=model), ASKED, **memory.options())
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_stream_is_passed_on_and_recorded(memory, tacit, chat):
    model = scripted(LOOKING, REPLY)
    agent = Agent("helper", model=model, tools=[look])

    async def talk():
        ran = Runner.run_streamed(agent, ASKED, **memory.options(session=chat))
        return ran, [event async for event in ran.stream_events()]

    ran, events = asyncio.run(talk())
    assert ran.final_output == REPLY
    assert any(event.type == "raw_response_event" for event in events)
    first, looped = map(items_of, model.calls)
    assert looped[:2] == first
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_handoff_is_part_of_the_turn(memory, tacit, chat):
    model = scripted([function_call("transfer_to_expert", "{}", call_id="h1")], REPLY)
    expert = Agent("expert", model=model)
    run(Agent("front", model=model, handoffs=[expert]), ASKED, **memory.options(session=chat))
    first, handed = map(items_of, model.calls)
    assert handed[:2] == first
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_an_agent_that_is_a_tool_is_asked_without_memory(memory, tacit, chat):
    inner = scripted("No sessions.")
    expert = Agent("expert", model=inner).as_tool("ask_expert", "Asks an expert.")
    outer = scripted([function_call("ask_expert", {"input": ASKED}, call_id="c1")], REPLY)
    run(Agent("front", model=outer, tools=[expert]), ASKED, **memory.options(session=chat))
    assert items_of(inner.first_call) == [{"role": "user", "content": ASKED}]
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


# Conversations that the provider keeps


def kept_model(*replies):
    """A model whose responses have ids; the provider keeps what was said."""
    steps = [[assistant_message(each)] if isinstance(each, str) else each for each in replies]
    return ScriptedModel(
        [ModelStep(output=each, response_id=f"r{place}") for place, each in enumerate(steps, 1)]
    )


def test_a_kept_conversation_is_shown_a_block_once(memory, tacit):
    model = kept_model(REPLY, REPLY_NEXT)
    agent = Agent("helper", model=model)
    for said in (ASKED, ASKED_NEXT):
        ran = run(agent, said, **memory.options(conversation_id="conv_1"))
        assert blocks_in(texts_of(ran.to_input_list())) == []
    first, second = map(items_of, model.calls)
    assert [each.conversation_id for each in model.calls] == ["conv_1", "conv_1"]
    assert first[0] == {"role": "user", "content": ASKED}
    assert JWT in first[1]["content"][0]["text"]
    assert second[0] == {"role": "user", "content": ASKED_NEXT}
    assert not any(JWT in each for each in texts_of(second))
    (session,) = {each.session for each in tacit.turns.list()}
    assert turns_of(tacit, session) == [1, 2]
    assert said_in(tacit, session) == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_runs_that_continue_a_response_are_one_session(memory, tacit):
    model = kept_model(LOOKING, REPLY, REPLY_NEXT)
    agent = Agent("helper", model=model, tools=[look])
    ran = run(agent, ASKED, **memory.options(auto_previous_response_id=True))
    assert ran.last_response_id == "r2"
    run(agent, ASKED_NEXT, **memory.options(previous_response_id=ran.last_response_id))
    first, looped, after = map(items_of, model.calls)
    assert [each.previous_response_id for each in model.calls] == [None, "r1", "r2"]
    assert len(first) == 2
    assert [each["type"] for each in looped] == ["function_call_output"]
    assert after[0] == {"role": "user", "content": ASKED_NEXT}
    assert not any(JWT in each for each in texts_of([*looped, *after]))
    (session,) = {each.session for each in tacit.turns.list()}
    assert turns_of(tacit, session) == [1, 2]
    assert said_in(tacit, session) == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_a_kept_conversation_may_have_a_name_and_a_stream(memory, tacit):
    model = kept_model(LOOKING, REPLY)
    agent = Agent("helper", model=model, tools=[look])

    async def talk():
        options = memory.options(session="s1", auto_previous_response_id=True)
        ran = Runner.run_streamed(agent, ASKED, **options)
        return [event async for event in ran.stream_events()]

    asyncio.run(talk())
    first, looped = map(items_of, model.calls)
    assert (len(first), len(looped)) == (2, 1)
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_kept_conversation_that_failed_is_shown_its_block_again(memory, tacit):
    model = ScriptedModel(
        [
            ModelStep.raise_error(ConnectionError("gone")),
            ModelStep(output=[assistant_message(REPLY)], response_id="r1"),
        ]
    )
    agent = Agent("helper", model=model)
    with pytest.raises(ConnectionError):
        run(agent, ASKED, **memory.options(conversation_id="conv_2"))
    run(agent, ASKED, **memory.options(conversation_id="conv_2"))
    failed, again = map(items_of, model.calls)
    assert again == failed
    assert len(again) == 2
    (session,) = {each.session for each in tacit.turns.list()}
    assert said_in(tacit, session) == [ASKED, REPLY]


class Watching(RunHooks):
    def __init__(self):
        self.seen = []

    async def on_agent_start(self, context, agent):
        self.seen.append("agent starts")

    async def on_llm_start(self, context, agent, system_prompt, input_items):
        self.seen.append("call starts")

    async def on_llm_end(self, context, agent, response):
        self.seen.append("call ends")

    async def on_tool_start(self, context, agent, tool):
        self.seen.append(tool.name)

    async def on_agent_end(self, context, agent, output):
        self.seen.append("agent ends")


def test_the_programs_own_filter_and_hooks_stay_in_use(memory, tacit):
    def be_brief(data):
        return replace(data.model_data, instructions="Be brief.")

    model, hooks = scripted(LOOKING, REPLY), Watching()
    config = RunConfig(call_model_input_filter=be_brief, workflow_name="answers")
    options = memory.options(session="s1", run_config=config, hooks=hooks)
    assert options["run_config"].workflow_name == "answers"
    run(Agent("helper", model=model, tools=[look]), ASKED, **options)
    assert model.first_call.system_instructions == "Be brief."
    assert len(items_of(model.first_call)) == 2
    call = ["call starts", "call ends"]
    assert hooks.seen == ["agent starts", *call, "look", *call, "agent ends"]


def test_one_memory_serves_many_people_at_once(tacit):
    model = ScriptedModel([[assistant_message(REPLY)] for _ in range(4)])
    agent, memory = Agent("helper", model=model), TacitMemory(tacit)

    async def talk():
        whose = [("ann", f"s{number}") for number in range(3)] + [("ben", "s3")]
        runs = (
            Runner.run(agent, ASKED, **memory.options(session=session, user=user))
            for user, session in whose
        )
        await asyncio.gather(*runs)

    asyncio.run(talk())
    assert sorted(len(items_of(call)) for call in model.calls) == [1, 2, 2, 2]
    assert [turns_of(tacit, f"s{number}") for number in range(4)] == [[1]] * 4


def test_broken_memory_stops_no_run(caplog, chat):
    model = scripted(REPLY)
    memory = TacitMemory(closed_tacit(), user="ann")
    with caplog.at_level(logging.WARNING):
        ran = run(Agent("helper", model=model), ASKED, **memory.options(session=chat))
    assert ran.final_output == REPLY
    assert items_of(model.first_call) == [{"role": "user", "content": ASKED}]
    assert [each.name for each in caplog.records].count("tacit.calls") == 1


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        TacitMemory(tacit, user="")


@pytest.mark.parametrize(("code", "shown"), samples_of("openai-agents"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    assert run_sample(code) == shown
