"""Messages: every shape that callers hold is read alike, kept as it is, and never changed."""

import copy
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import InvalidInput
from tacit.core.messages import (
    Message,
    assistant_message,
    check_history,
    content_of,
    is_assistant,
    is_human,
    replace_content,
    role_of,
    text_of,
    to_messages,
    user_message,
)

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBOR"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "42"}


class Model:
    """Copies itself the way pydantic models do, and cannot be changed otherwise."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __setattr__(self, name, value):
        raise AttributeError(name)

    def model_copy(self, *, update):
        return Model(**{**vars(self), **update})


@dataclass
class Turned:
    role: str
    content: object
    name: str = "ada"


def _shapes(role, content):
    return [
        {"role": role, "content": content},
        Model(role=role, content=content, refusal=None),
        SimpleNamespace(role=role, content=content),
        Turned(role, content),
        Message(role, content),
    ]


@pytest.mark.parametrize("message", _shapes("user", "hi"), ids=lambda each: type(each).__name__)
def test_role_content_and_text_are_read_from_every_shape(message):
    assert (role_of(message), content_of(message), text_of(message)) == ("user", "hi", "hi")
    assert is_human(message)
    assert not is_assistant(message)


def test_the_text_of_a_message_is_its_text_parts_one_below_the_other():
    parts = [
        {"type": "text", "text": "one"},
        IMAGE,
        "two",
        {"type": "input_text", "text": "three"},
        Model(type="output_text", text="four"),
        {"type": "tool_use", "id": "t1", "name": "add", "input": {"text": "no"}},
        {"type": "document", "text": "no"},
        {"type": "text", "text": None},
        RESULT,
    ]
    assert text_of({"role": "user", "content": parts}) == "one\ntwo\nthree\nfour"


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "tool_calls": [{"id": "t1"}]},
        {"role": "assistant", "content": None},
        {"role": "user", "content": [RESULT]},
        {"role": "user", "content": [IMAGE]},
        {"role": "user", "content": 5},
    ],
)
def test_what_holds_no_text_gives_none(message):
    assert text_of(message) == ""


@pytest.mark.parametrize(
    ("message", "human"),
    [
        ({"role": "user", "content": [IMAGE]}, True),
        ({"role": "user", "content": [RESULT, {"type": "text", "text": "and now?"}]}, True),
        ({"role": "user", "content": [RESULT, RESULT]}, False),
        ({"role": "user", "content": [Model(type="tool_result", content="42")]}, False),
        ({"role": "user", "content": ""}, False),
        ({"role": "user", "content": [{"type": "text", "text": ""}]}, False),
        ({"role": "user", "content": []}, False),
        ({"role": "user"}, False),
        ({"role": "tool", "content": "42", "tool_call_id": "t1"}, False),
        ({"role": "system", "content": "Be brief"}, False),
        ({"role": "assistant", "content": "hi"}, False),
    ],
)
def test_a_person_speaks_where_a_user_message_holds_more_than_tool_results(message, human):
    assert is_human(message) is human


def test_the_assistant_is_told_by_its_role():
    assert is_assistant(Model(role="assistant", content=None))


@pytest.mark.parametrize("entry", ["hi", None, 5, {"content": "hi"}, {"role": 5}, {"role": ""}])
def test_what_is_no_message_is_refused_with_its_position_and_what_is_right(entry):
    with pytest.raises(InvalidInput, match=r"history\[1\]: .* is not a message; pass a dict"):
        check_history([{"role": "user", "content": "hi"}, entry])
    with pytest.raises(InvalidInput, match="history: expected a message"):
        role_of(entry)


@pytest.mark.parametrize("history", ["hi", b"hi", None, {"role": "user", "content": "hi"}])
def test_a_history_that_is_no_list_is_refused(history):
    with pytest.raises(InvalidInput, match="history: expected a list of messages"):
        check_history(history)


def test_a_checked_history_has_the_same_objects():
    history = (*_shapes("user", "hi"), {"role": "assistant", "tool_calls": []})
    kept = check_history(history)
    assert kept is not history
    assert all(one is other for one, other in zip(kept, history, strict=True))


def test_a_new_message_takes_the_shape_of_the_history():
    ours = [Message("user", "hi")]
    assert user_message("x", ours) == Message("user", "x")
    assert assistant_message("x", ours) == Message("assistant", "x")
    for like in ([], [{"role": "user", "content": "hi"}], [*ours, {"role": "user"}]):
        assert user_message("x", like) == {"role": "user", "content": "x"}
        assert assistant_message("x", like) == {"role": "assistant", "content": "x"}


def test_text_becomes_a_message_and_messages_stay():
    said = Model(role="assistant", content="hi")
    assert to_messages("hi", "user", []) == [{"role": "user", "content": "hi"}]
    assert to_messages(said, "assistant", []) == [said]
    several = to_messages(("a", said), "user", [Message("user", "x")])
    assert several == [Message("user", "a"), said]
    assert to_messages([], "user", []) == []


@pytest.mark.parametrize("spoken", [None, 5, b"hi", {"text": "hi"}, ["hi", None]])
def test_what_nobody_can_say_is_refused_under_the_name_that_callers_know(spoken):
    with pytest.raises(InvalidInput, match=r"text: give text, a message .* list of these"):
        to_messages(spoken, "user", [])
    with pytest.raises(InvalidInput, match="reply: "):
        to_messages(spoken, "assistant", [])


@pytest.mark.parametrize("message", _shapes("user", "hi"), ids=lambda each: type(each).__name__)
def test_other_content_goes_into_a_copy_of_the_same_shape(message):
    changed = replace_content(message, "bye")
    assert type(changed) is type(message)
    assert (role_of(changed), content_of(changed)) == ("user", "bye")
    assert content_of(message) == "hi"


def test_a_copy_keeps_what_else_a_message_has():
    message = {"role": "user", "name": "ada", "content": "hi", "x": 1}
    assert list(replace_content(message, "bye").items()) == [
        ("role", "user"),
        ("name", "ada"),
        ("content", "bye"),
        ("x", 1),
    ]
    assert replace_content(Turned("user", "hi", "bob"), "bye").name == "bob"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(content=JSON | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": JSON})))
def test_any_content_is_read_and_none_is_changed(content):
    message = {"role": "user", "content": content}
    before = copy.deepcopy(message)
    assert isinstance(text_of(message), str)
    assert is_human(message) or text_of(message).strip("\n") == ""
    assert message == before
