"""Objects of the SDKs and of frameworks go through every call and come back, from a server too."""

import copy
import sys
from dataclasses import dataclass, field
from types import ModuleType

import pytest
from anthropic.types import Message as AnthropicMessage
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from tacit import INJECTION_BLOCK_PREFIX, FakeEmbedder, Tacit
from tests.proxying import chat_answer, messages_answer, responses_answer
from tests.serving import running

JWT = "We chose JWT over session tokens for the API"
ASKED = "Why did we choose JWT for the API?"
REPLY = "Because the API has no state."
CALLS = [("c1", "look", {"place": "the log"})]


@pytest.fixture(params=["library", "server"])
def tacit(request, tmp_path):
    if request.param == "library":
        with Tacit.open(":memory:", embedder=FakeEmbedder()) as found:
            found.remember(JWT, type="decision", user="ann")
            yield found
        return
    with running(tmp_path / "memory.db") as server, Tacit.connect(server.url) as found:
        found.remember(JWT, type="decision", user="ann")
        yield found


def user(content):
    return {"role": "user", "content": content}


def _chat():
    def reply(*args, **more):
        return ChatCompletion.model_validate_json(chat_answer(*args, **more).body)

    answer = {"role": "tool", "tool_call_id": "c1", "content": "nothing"}
    looked, told = (each.choices[0].message for each in (reply(calls=CALLS), reply("Nothing.")))
    return [user("Look at this."), looked, answer, told], reply(REPLY)


def _responses():
    def reply(*args, **more):
        return Response.model_validate_json(responses_answer(*args, **more).body)

    answer = {"type": "function_call_output", "call_id": "c1", "output": "nothing"}
    looked, told = reply(calls=CALLS).output, reply("Nothing.").output
    asked = {"type": "message", **user("Look at this.")}
    return [asked, *looked, answer, *told], reply(REPLY)


def _messages():
    def reply(*args, **more):
        return AnthropicMessage.model_validate_json(messages_answer(*args, **more).body)

    answer = {"type": "tool_result", "tool_use_id": "c1", "content": "nothing"}
    looked = {"role": "assistant", "content": reply("", calls=CALLS, thinking="Hm.").content}
    return [user("Look at this."), looked, user([answer]), reply("Nothing.")], reply(REPLY)


SDKS = pytest.mark.parametrize("sdk", [_chat, _responses, _messages])


def _assert_given(messages, given):
    """The given objects are among the messages, the same ones and in their order."""
    found = [each for each in messages if any(each is one for one in given)]
    assert [id(each) for each in found] == [id(each) for each in given]


@SDKS
def test_a_turn_gives_back_the_objects_of_an_sdk(tacit, sdk):
    history, reply = sdk()
    before, said = copy.deepcopy(history), user(ASKED)
    with tacit.turn(session="s", user="ann", text=said, history=history) as turn:
        _assert_given(turn.messages, [*history, said])
        assert str(turn.messages).count(INJECTION_BLOCK_PREFIX) == 1
        turn.commit(reply)
    _assert_given(turn.history, [*history, said])
    assert REPLY in str(turn.history[-1])
    assert isinstance(turn.history[-1], dict)
    with tacit.turn(session="s", user="ann", text="And why?", history=turn.history) as later:
        _assert_given(later.messages, [*history, said])
        later.commit(REPLY)
    assert later.history[-2:] == [user("And why?"), {"role": "assistant", "content": REPLY}]
    assert history == before


@SDKS
def test_a_compaction_gives_back_the_objects_of_an_sdk(tacit, sdk):
    history, _ = sdk()
    given = [*history, user(ASKED), {"role": "assistant", "content": REPLY}]
    done = tacit.compact(session="s", history=given, level="aggressive")
    assert done.dropped > 0
    _assert_given(done.messages, given[done.dropped :])
    whole = tacit.compact(session="s", history=history, level="none")
    _assert_given(whole.messages, history)


@SDKS
def test_a_prompt_is_grounded_for_the_reply_of_an_sdk(tacit, sdk):
    with tacit.ground(user(ASKED), user="ann", context="c") as grounding:
        assert JWT in grounding.user
        grounding.commit(sdk()[1])
    with tacit.ground("And why?", user="ann", context="c") as later:
        assert REPLY in later.user


# A framework that keeps instructions in the first message of a person


@dataclass
class SystemPromptPart:
    content: object
    part_kind: str = "system-prompt"


@dataclass
class UserPromptPart:
    content: object
    part_kind: str = "user-prompt"


@dataclass
class TextPart:
    content: str
    part_kind: str = "text"


@dataclass
class ModelRequest:
    parts: list = field(default_factory=list)
    kind: str = "request"


@dataclass
class ModelResponse:
    parts: list = field(default_factory=list)
    kind: str = "response"


@dataclass
class ImageUrl:
    url: str
    kind: str = "image-url"


@pytest.fixture
def pydantic_ai(monkeypatch):
    module = ModuleType("pydantic_ai.messages")
    for kind in (SystemPromptPart, UserPromptPart, TextPart, ModelRequest, ModelResponse):
        monkeypatch.setattr(kind, "__module__", module.__name__)
        setattr(module, kind.__name__, kind)
    monkeypatch.setitem(sys.modules, module.__name__, module)


def _conversation(asked):
    told = [ModelResponse([TextPart(text)]) for text in ("Nothing.", REPLY)]
    first = ModelRequest([SystemPromptPart("Be brief."), UserPromptPart(asked)])
    return [first, told[0], ModelRequest([UserPromptPart(ASKED)]), told[1]]


def test_instructions_stay_when_the_message_that_they_are_in_goes(tacit, pydantic_ai):
    history = _conversation("Look at this.")
    done = tacit.compact(session="s", history=history, level="background")
    assert done.messages[0] == ModelRequest([SystemPromptPart("Be brief.")])
    assert type(done.messages[1]) is ModelRequest
    assert "Look at this." not in str(done.messages)
    _assert_given(done.messages, history[2:])
    whole = tacit.compact(session="s", history=history, level="none")
    assert len(whole.messages) == len(history)
    _assert_given(whole.messages, history)


def test_a_message_whose_block_goes_keeps_its_files(tacit, pydantic_ai):
    image, history = ImageUrl("http://127.0.0.1/a.png"), _conversation("Look at this.")
    with tacit.turn(session="s", user="ann", text=ASKED) as turn:
        block = turn.block
        turn.commit(REPLY)
    tacit.sessions.clear("s")
    history[0].parts[1].content = ["Look at this.", image, block]
    with tacit.turn(session="s", user="ann", text=ASKED, history=history) as later:
        (sent,) = (each for each in later.messages if image.url in str(each))
        later.commit(REPLY)
    assert sent.parts[-1].content == ["Look at this.", image]
    assert sent.parts[0] == SystemPromptPart("Be brief.")
