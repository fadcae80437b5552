"""Memory in the Claude Agent SDK: a transport stands for Claude Code, which comes at the end."""

import asyncio
import json
import logging
import os
from pathlib import Path

import claude_agent_sdk
import pytest
from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    ResultMessage,
    StreamEvent,
    Transport,
    query,
)

from tacit import AsyncTacit, InvalidInput, identify
from tacit.integrations.claude_agent import TacitMemory
from tests.clis.fake_api import Answer, FakeApi, Overloaded
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
def memory(tacit):
    return TacitMemory(tacit, user="ann")


class Failure:
    """A call of the model that fails, so that no reply comes and no Stop is reported."""


class Overload:
    """A call of the model that Claude Code repeats, without asking its hooks again."""


class ClaudeCode(Transport):
    """What Claude Code does with hooks: it keeps the transcript, and adds what they tell it.

    A reply may be a list: of calls of tools, then the text. With `streams` its words come first,
    as with `include_partial_messages`.
    """

    def __init__(self, *replies, session="s1", compacts_before=(), streams=False):
        self.replies = list(replies)
        self.streams = streams
        self.session = session
        self.transcript = []
        self.requests = []
        self.asked = 0
        self.compacts_before = compacts_before
        self.told = asyncio.Queue()
        self.answers = {}
        self.hooks = {}

    async def connect(self):
        self.working = None

    async def write(self, data):
        message = json.loads(data)
        if message["type"] == "control_request":
            self.hooks = message["request"].get("hooks") or {}
            response = {"subtype": "success", "request_id": message["request_id"], "response": {}}
            await self.told.put({"type": "control_response", "response": response})
        elif message["type"] == "control_response":
            response = message["response"]
            self.answers.pop(response["request_id"]).set_result(response)
        else:
            self.working = asyncio.create_task(self._answer(message["message"]["content"]))

    async def read_messages(self):
        while (message := await self.told.get()) is not None:
            yield message

    async def close(self):
        await self.told.put(None)

    def is_ready(self):
        return True

    async def end_input(self):
        await self.told.put(None)

    async def _answer(self, prompt):
        self.asked += 1
        if self.asked in self.compacts_before:
            await self._run_hooks("PreCompact", trigger="manual", custom_instructions=None)
            self.transcript = ["a summary"]
        outputs = await self._run_hooks("UserPromptSubmit", prompt=prompt)
        added = [each["hookSpecificOutput"]["additionalContext"] for each in outputs if each]
        self.transcript += [prompt, *added]
        said = self.replies.pop(0)
        for step in said if isinstance(said, list) else [said]:
            self.requests.append(list(self.transcript))
            if isinstance(step, str):
                await self._stream(step)
                self.transcript.append(step)
        if not isinstance(step, Failure):
            await self._run_hooks("Stop", stop_hook_active=False, last_assistant_message=step)
        await self.told.put(self._result(step))

    async def _stream(self, said):
        for word in said.split(" ") if self.streams else ():
            delta = {"type": "text_delta", "text": f"{word} "}
            event = {"type": "content_block_delta", "index": 0, "delta": delta}
            named = {"type": "stream_event", "uuid": "u", "session_id": self.session}
            await self.told.put({**named, "event": event})

    async def _run_hooks(self, event, **told):
        names = {"session_id": self.session, "hook_event_name": event, "cwd": "/"}
        ids = [id for each in self.hooks.get(event, ()) for id in each["hookCallbackIds"]]
        return [await self._call_hook(id, {**names, "transcript_path": "", **told}) for id in ids]

    async def _call_hook(self, id, told):
        request = f"r{len(self.answers)}-{id}"
        answer = self.answers[request] = asyncio.get_running_loop().create_future()
        asked = {"subtype": "hook_callback", "callback_id": id, "input": told, "tool_use_id": None}
        await self.told.put({"type": "control_request", "request_id": request, "request": asked})
        response = await answer
        assert response["subtype"] == "success", response
        return response["response"]

    def _result(self, said):
        is_error = isinstance(said, Failure)
        return {
            "type": "result",
            "subtype": "error_during_execution" if is_error else "success",
            "duration_ms": 1,
            "duration_api_ms": 1,
            "is_error": is_error,
            "num_turns": 1,
            "session_id": self.session,
            "result": None if is_error else said,
        }


def talk(code, options, *said):
    """Say something in one conversation after the other; returns the results."""

    async def run():
        results = []
        async with ClaudeSDKClient(options, transport=code) as client:
            for each in said:
                await client.query(each)
                results += [
                    message.result
                    async for message in client.receive_response()
                    if isinstance(message, ResultMessage)
                ]
        return results

    return asyncio.run(run())


def streamed(code, options, said):
    """The text that came while it was written."""

    async def run():
        passed = query(prompt=said, options=options, transport=code)
        return [each async for each in passed if isinstance(each, StreamEvent)]

    deltas = [each.event.get("delta", {}) for each in asyncio.run(run())]
    return "".join(each.get("text", "") for each in deltas)


def test_a_block_is_context_of_the_prompt(memory, tacit):
    code = ClaudeCode(REPLY)
    assert talk(code, memory.options(), ASKED) == [REPLY]
    said, block = code.requests[0]
    assert said == ASKED
    assert JWT in block
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_the_next_turn_has_the_block_in_the_transcript_and_gets_no_other(memory, tacit):
    code = ClaudeCode(REPLY, REPLY_NEXT)
    talk(code, memory.options(), ASKED, ASKED_NEXT)
    before, after = code.requests
    assert after == [*before, REPLY, ASKED_NEXT]
    assert turns_of(tacit, "s1") == [1, 2]
    assert said_in(tacit, "s1") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


def test_what_was_said_before_helps_to_understand_what_is_said_now(memory, tacit, monkeypatch):
    asked, begin = [], tacit.turns.begin
    monkeypatch.setattr(tacit.turns, "begin", lambda **told: asked.append(told) or begin(**told))
    talk(ClaudeCode(REPLY, REPLY_NEXT), memory.options(), ASKED, ASKED_NEXT)
    first, second = ([each["content"] for each in told["context"]] for told in asked)
    assert first == []
    assert second == [ASKED, REPLY]


def test_a_loop_of_tools_is_one_turn_with_one_block(memory, tacit):
    code = ClaudeCode(["look", REPLY])
    talk(code, memory.options(), ASKED)
    first, looped = code.requests
    assert looped == [*first, "look"]
    assert len(blocks_in(looped)) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_after_a_compaction_the_next_prompt_has_the_block_again(memory, tacit):
    code = ClaudeCode(REPLY, REPLY_NEXT, REPLY_NEXT, compacts_before=[2])
    talk(code, memory.options(), ASKED, ASKED_NEXT, "Who chose the JWT for the API?")
    assert [len(blocks_in(each)) for each in code.requests] == [1, 1, 1]
    assert code.requests[1][0] == "a summary"
    assert turns_of(tacit, "s1") == [1, 2, 3]


def test_after_a_compaction_within_a_turn_the_next_prompt_has_the_block_again(memory):
    hooks = {event: each[-1].hooks[0] for event, each in memory.options().hooks.items()}

    async def run():
        event = {"session_id": "s1"}
        first = await hooks["UserPromptSubmit"]({**event, "prompt": ASKED}, None, {})
        await hooks["PreCompact"]({**event, "trigger": "auto"}, None, {})
        await hooks["Stop"]({**event, "last_assistant_message": REPLY}, None, {})
        again = await hooks["UserPromptSubmit"]({**event, "prompt": ASKED_NEXT}, None, {})
        return first, again

    told = [each["hookSpecificOutput"]["additionalContext"] for each in asyncio.run(run())]
    assert len(blocks_in(told)) == 2


def test_a_prompt_that_failed_stays_in_the_transcript_with_its_block(memory, tacit):
    code = ClaudeCode(Failure(), REPLY)
    talk(code, memory.options(), ASKED, ASKED)
    assert len(blocks_in(code.requests[-1])) == 1
    assert said_in(tacit, "s1")[-2:] == [ASKED, REPLY]


def test_a_call_that_claude_code_repeats_is_part_of_the_turn(memory, tacit):
    code = ClaudeCode([Overload(), REPLY])
    assert talk(code, memory.options(), ASKED) == [REPLY]
    refused, again = code.requests
    assert again == refused
    assert len(blocks_in(again)) == 1
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_stream_is_passed_on_and_recorded(memory, tacit):
    code = ClaudeCode(["look", REPLY], streams=True)
    options = memory.options(ClaudeAgentOptions(include_partial_messages=True))
    assert streamed(code, options, ASKED).endswith(f"{REPLY} ")
    assert [len(blocks_in(each)) for each in code.requests] == [1, 1]
    assert turns_of(tacit, "s1") == [1]
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_a_conversation_goes_on_in_another_process(memory, tacit):
    code = ClaudeCode(REPLY)
    talk(code, memory.options(), ASKED)
    resumed = ClaudeCode(REPLY_NEXT)
    resumed.transcript = code.transcript
    talk(resumed, TacitMemory(tacit, user="ann").options(), ASKED_NEXT)
    assert len(blocks_in(resumed.requests[0])) == 1
    assert turns_of(tacit, "s1") == [1, 2]


def test_a_query_has_memory_too(memory, tacit):
    code = ClaudeCode(REPLY)

    async def run():
        return [
            each async for each in query(prompt=ASKED, options=memory.options(), transport=code)
        ]

    assert asyncio.run(run())[-1].result == REPLY
    assert len(blocks_in(code.requests[0])) == 1
    assert said_in(tacit, "s1") == [ASKED, REPLY]


def test_an_async_tacit_does_as_well(tacit):
    code = ClaudeCode(REPLY)
    talk(code, TacitMemory(AsyncTacit(tacit), user="ann", session="mine").options(), ASKED)
    assert JWT in code.requests[0][1]
    assert said_in(tacit, "mine") == [ASKED, REPLY]


def test_hooks_and_options_of_the_program_stay(memory):
    seen = []

    async def own(event, tool, context):
        seen.append(event["prompt"])
        return {}

    given = ClaudeAgentOptions(
        model="fake", hooks={"UserPromptSubmit": [HookMatcher(hooks=[own], timeout=5)]}
    )
    options = memory.options(given)
    code = ClaudeCode(REPLY)
    talk(code, options, ASKED)
    assert seen == [ASKED]
    assert options.model == "fake"
    assert len(blocks_in(code.requests[0])) == 1
    assert len(given.hooks["UserPromptSubmit"]) == 1


def test_users_are_kept_apart(tacit):
    memory = TacitMemory(tacit)
    of_ann, of_ben, of_cleo = (ClaudeCode(REPLY, session=f"of-{name}") for name in ("a", "b", "c"))
    talk(of_ann, memory.options(user="ann"), ASKED)
    talk(of_ben, memory.options(user="ben"), ASKED)
    with identify(user="ann"):
        talk(of_cleo, memory.options(), ASKED)
    assert [len(each.requests[0]) for each in (of_ann, of_ben, of_cleo)] == [2, 1, 2]


def test_broken_memory_stops_no_prompt(caplog):
    code = ClaudeCode(REPLY, REPLY_NEXT, compacts_before=[2])
    memory = TacitMemory(closed_tacit(), user="ann")
    with caplog.at_level(logging.WARNING):
        assert talk(code, memory.options(), ASKED, ASKED_NEXT) == [REPLY, REPLY_NEXT]
    assert code.requests[0] == [ASKED]
    assert [each.name for each in caplog.records].count("tacit.calls") == 1


def test_names_that_cannot_be_are_refused_at_once(tacit):
    with pytest.raises(InvalidInput):
        TacitMemory(tacit, user="")
    with pytest.raises(InvalidInput):
        TacitMemory(tacit).options(user="")


# The program that the SDK brings along


_BUNDLED = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"


needs_claude_code = pytest.mark.skipif(
    not _BUNDLED.exists(), reason="this wheel of the SDK brings no Claude Code"
)


def real_options(api, folder, **more):
    environment = {
        "ANTHROPIC_BASE_URL": api.url,
        "ANTHROPIC_API_KEY": "k",
        "CLAUDE_CONFIG_DIR": str(folder),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
    }
    return ClaudeAgentOptions(cwd=folder, env=environment, model="claude-sonnet-4-5", **more)


@needs_claude_code
def test_the_real_claude_code_calls_the_hooks(memory, tacit, tmp_path):
    answers = iter([Answer(REPLY), Answer(REPLY_NEXT)])
    with FakeApi(lambda request: next(answers)) as api:
        options = memory.options(real_options(api, tmp_path), session="real")
        assert talk(None, options, ASKED, ASKED_NEXT) == [REPLY, REPLY_NEXT]
        first, second = [each for each in api.requests if each.offers_tools]
    assert first.text.count(JWT) == second.text.count(JWT) == 1
    assert said_in(tacit, "real") == [ASKED, REPLY, ASKED_NEXT, REPLY_NEXT]


@needs_claude_code
def test_the_real_claude_code_tries_again_and_streams(memory, tacit, tmp_path):
    refused = []

    def answer(request):
        if request.offers_tools and not refused:
            refused.append(request)
            raise Overloaded
        return Answer(REPLY)

    with FakeApi(answer) as api:
        given = real_options(api, tmp_path, include_partial_messages=True)
        assert streamed(None, memory.options(given, session="real"), ASKED) == REPLY
        again = [each for each in api.requests if each.offers_tools][-1]
    assert again is not refused[0]
    assert again.body["messages"] == refused[0].body["messages"]
    assert again.text.count(JWT) == 1
    assert turns_of(tacit, "real") == [1]
    assert said_in(tacit, "real") == [ASKED, REPLY]


@pytest.mark.parametrize(("code", "shown"), samples_of("claude-agent"))
def test_the_sample_of_the_page_prints_what_it_shows(code, shown, monkeypatch):
    monkeypatch.setenv("TACIT_EMBEDDER", "none")
    monkeypatch.setenv("TACIT_MEMORY_INJECTION_DEADLINE_MS", "20000")
    assert run_sample(code) == shown
