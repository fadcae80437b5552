"""New messages, in the shape of the history that they join."""

from collections.abc import Sequence

from tacit.core.errors import InvalidInput
from tacit.core.messages.message import Message
from tacit.core.messages.replies import reply_message
from tacit.core.messages.shape import check_message, is_message

_FIELDS = {"user": "text", "assistant": "reply"}


def user_message(text: str, like: Sequence[object]) -> object:
    """What a user says, in the shape of a history."""
    return _message("user", text, like)


def assistant_message(text: str, like: Sequence[object]) -> object:
    """What the assistant says, in the shape of a history."""
    return _message("assistant", text, like)


def as_messages(spoken: object, role: str, like: Sequence[object]) -> list[object]:
    """The messages that a text, a message or a list of these stands for.

    Messages stay as they are; of what an SDK answered, that is kept which a request takes back.
    """
    several = spoken if isinstance(spoken, list | tuple) else (spoken,)
    told = map(reply_message, several) if role == "assistant" else several
    return [_as_message(each, role, like) for each in told]


def _as_message(spoken: object, role: str, like: Sequence[object]) -> object:
    if role != "assistant":  # what a model replied is kept as well as it can be
        check_message(_FIELDS.get(role, role), spoken)
    if isinstance(spoken, str):
        return _message(role, spoken, like)
    if is_message(spoken):
        return spoken
    expected = "give text, a message with a role and content, or a list of these"
    raise InvalidInput(_FIELDS.get(role, role), f"{expected}, not {type(spoken).__name__}")


def _message(role: str, text: str, like: Sequence[object]) -> object:
    if like and all(isinstance(each, Message) for each in like):
        return Message(role, text)
    return {"role": role, "content": text}
