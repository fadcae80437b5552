"""What an SDK answered goes into the history as its API takes it back."""

import json
from types import SimpleNamespace

import pytest

from tacit import Tacit

INPUT = {"path": "a.py", "line": None}
CALL = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}


class Model(SimpleNamespace):
    """An object as SDKs make them: fields to read, and a way to be dumped."""

    def model_dump(self, **_):
        return _dumped(vars(self))


def _dumped(value):
    if isinstance(value, SimpleNamespace):
        return _dumped(vars(value))
    if isinstance(value, dict):
        return {name: _dumped(each) for name, each in value.items()}
    return [_dumped(each) for each in value] if isinstance(value, list) else value


def _modelled(value):
    if isinstance(value, dict):
        return Model(**{name: _modelled(each) for name, each in value.items()})
    return [_modelled(each) for each in value] if isinstance(value, list) else value


def _chat(**fields):
    empty = dict.fromkeys(("content", "refusal", "audio", "function_call", "tool_calls"))
    return {**empty, "annotations": [], "role": "assistant", **fields}


def _completion(**fields):
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None, "message": _chat(**fields)}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt",
        "choices": [choice],
        "usage": {"total_tokens": 2},
        "system_fingerprint": None,
    }


def _anthropic(*content):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": list(content),
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1},
        "container": None,
    }


THINKING = {"type": "thinking", "thinking": "hm", "signature": "s"}
CITATION = {"type": "char_location", "cited_text": "x", "document_index": 0}
CITED = {**CITATION, "file_id": "f1", "document_title": None}
OUTPUT = {"type": "output_text", "text": "hi", "annotations": []}
ITEM = {"id": "msg_2", "type": "message", "role": "assistant", "status": "completed"}

REPLIES = {
    "a completion": (_completion(content="hi"), {"content": "hi"}),
    "its message": (_chat(content="hi"), {"content": "hi"}),
    "a call of a tool": (_completion(tool_calls=[CALL]), {"tool_calls": [CALL]}),
    "a refusal": (_chat(refusal="I cannot"), {"content": "", "refusal": "I cannot"}),
    "speech": (_chat(audio={"id": "a1", "data": "…", "expires_at": 1}), {"audio": {"id": "a1"}}),
    "nothing": (_chat(), {"content": ""}),
    "Anthropic's text": (
        _anthropic({"type": "text", "text": "hi", "citations": None}),
        {"content": [{"type": "text", "text": "hi"}]},
    ),
    "Anthropic's citations": (
        _anthropic({"type": "text", "text": "hi", "citations": [CITED]}),
        {"content": [{"type": "text", "text": "hi", "citations": [CITATION]}]},
    ),
    "Anthropic's thinking": (_anthropic(THINKING), {"content": [THINKING]}),
    "an item of output": (
        {**ITEM, "content": [{**OUTPUT, "logprobs": None}]},
        {**ITEM, "content": [OUTPUT]},
    ),
}


@pytest.fixture(scope="module")
def tacit():
    with Tacit.open(":memory:", embedder="none") as tacit:
        yield tacit


def _history_after(tacit, reply):
    turn = tacit.turn(session="s", text="What is in a.py?")
    turn.commit(reply)
    return turn.history


@pytest.mark.parametrize("shape", [_modelled, dict], ids=["object", "dump"])
@pytest.mark.parametrize("name", REPLIES)
def test_only_what_a_request_takes_goes_into_the_history(tacit, name, shape):
    told, expected = REPLIES[name]
    last = _history_after(tacit, shape(told))[-1]
    assert json.loads(json.dumps(last)) == {"role": "assistant", **expected}


def test_what_a_tool_is_given_stays_as_it_is(tacit):
    use = Model(type="tool_use", id="t1", name="read", input=INPUT, caller=None)
    reply = Model(role="assistant", content=[use], stop_reason="tool_use", usage=Model(), id="m")
    part = {"type": "tool_use", "id": "t1", "name": "read", "input": INPUT}
    assert _history_after(tacit, reply)[-1] == {"role": "assistant", "content": [part]}


def test_several_messages_of_a_turn_with_tools_are_each_taken(tacit):
    result = {"role": "tool", "tool_call_id": "c1", "content": "x = 1"}
    replies = [_modelled(_chat(tool_calls=[CALL])), result, _modelled(_completion(content="One."))]
    assert _history_after(tacit, replies)[-3:] == [
        {"role": "assistant", "tool_calls": [CALL]},
        result,
        {"role": "assistant", "content": "One."},
    ]


@pytest.mark.parametrize(
    "reply",
    [
        {"role": "assistant", "content": "hi", "id": "ours", "cost": None},
        SimpleNamespace(role="assistant", content="hi", id="ours"),
    ],
)
def test_a_message_of_the_callers_own_stays_the_same_object(tacit, reply):
    assert _history_after(tacit, reply)[-1] is reply


def test_what_a_response_says_is_learned_and_logged_like_text(tacit):
    id = tacit.ground("Which port?", context="c").receipt.id
    tacit.commit_turn(id, _modelled(_anthropic({"type": "text", "text": "It is 8080."})))
    again = tacit.ground("Which port was it?", context="c")
    assert "Assistant: It is 8080." in again.user
