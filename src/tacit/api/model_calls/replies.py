"""What the reply of a model holds, as messages of a framework or responses of an SDK tell it."""

from typing import Any

from tacit.api.model_calls.formats.format import ModelReply, ModelRequest, text_or_none
from tacit.core.messages import (
    calls_beside_content,
    field_of,
    parts_of,
    text_of,
    to_messages,
)

_UNFINISHED = "pause_turn"


def read_messages(reply: Any) -> ModelReply:
    """Read a reply: a text, a message, a response, or a list of them or of chunks.

    Tools that the provider calls itself are no calls for the program.
    """
    messages = to_messages(reply, "assistant", ())
    return ModelReply(
        text="".join(text_of(message) for message in messages),
        calls=tuple(id for message in messages for id in _awaited_calls(message)),
        is_complete=bool(messages),
        goes_on=field_of(reply, "stop_reason") == _UNFINISHED,
        id=text_or_none(field_of(reply, "response_id")),
    )


def describe_exchange(api: str, asked: ModelRequest, reply: ModelReply) -> str:
    """What a receipt says of a call: the API, the model, and how the provider's cache served it."""
    said = f"{api}, {asked.model}" if asked.model else api
    if reply.cached_tokens is not None and reply.input_tokens is not None:
        cached, all_of = f"{reply.cached_tokens:,}", f"{reply.input_tokens:,}"
        said += f"; the provider had {cached} of {all_of} input tokens in its cache"
    return said


def _awaited_calls(message: object) -> list[str]:
    """The ids of the calls that the program has to answer."""
    inside = [part for part in parts_of(message) if field_of(part, "type") == "tool_use"]
    beside = [call.id for call in calls_beside_content(message) if call.id is not None]
    return [*(str(field_of(part, "id")) for part in inside), *beside]
