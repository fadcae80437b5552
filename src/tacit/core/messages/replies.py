"""What an SDK answers, as the message that its API takes back in the next request.

A response says more than a request may: ids, usage, why it stopped, and fields without a value,
which APIs refuse. Messages that carry nothing of that are left as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.core.messages.shape import field_of, to_plain_data

_MARKS = ("stop_reason", "usage", "refusal", "annotations", "function_call")
"""Names that are in every response of Anthropic's or OpenAI's SDK, and seldom in a message."""

_MESSAGE = ("role", "content", "name", "refusal", "audio", "tool_calls", "function_call")
_INSTEAD_OF_CONTENT = ("content", "audio", "tool_calls", "function_call")
"""With none of these a message is refused."""

_OUTPUT_ITEM = ("id", "type", "role", "status", "phase", "content")
_OUTPUT_PARTS = ("output_text", "refusal")
_PARTS: Mapping[str, Sequence[str]] = {
    "text": ("type", "text", "citations", "cache_control"),
    "thinking": ("type", "thinking", "signature"),
    "redacted_thinking": ("type", "data"),
    "tool_use": ("type", "id", "name", "input", "caller", "toolset_name", "cache_control"),
    "server_tool_use": ("type", "id", "name", "input", "caller", "cache_control"),
    "mcp_tool_use": ("type", "id", "name", "input", "server_name", "cache_control"),
    "output_text": ("type", "text", "annotations"),
    "refusal": ("type", "refusal"),
}
"""What a request may say of each kind of part; of other kinds, all that has a value."""

_RESPONSE_ONLY = ("file_id",)
"""What only the citations of a response say."""


def reply_message(reply: object) -> object:
    """A reply as a request takes it: of a whole completion, the message of its first choice."""
    choices = field_of(reply, "choices")
    if field_of(reply, "role") is None and isinstance(choices, list | tuple) and choices:
        reply = field_of(choices[0], "message")
    if _is_output_item(reply):
        return _with_values(reply, _OUTPUT_ITEM)
    if field_of(reply, "role") is None or not any(_has(reply, name) for name in _MARKS):
        return reply
    message = _with_values(reply, _MESSAGE)
    if isinstance(message.get("audio"), dict):
        message["audio"] = {"id": message["audio"].get("id")}
    stands_alone = any(name in message for name in _INSTEAD_OF_CONTENT)
    return message if stands_alone else {"content": "", **message}


def _is_output_item(reply: object) -> bool:
    """Whether it is a message among the output of OpenAI's Responses API."""
    content = field_of(reply, "content")
    if field_of(reply, "type") != "message" or not isinstance(content, list | tuple):
        return False
    return any(field_of(part, "type") in _OUTPUT_PARTS for part in content)


def _has(reply: object, name: str) -> bool:
    return name in reply if isinstance(reply, Mapping) else hasattr(reply, name)


def _with_values(reply: object, names: Sequence[str]) -> dict[str, Any]:
    """The named fields that have a value, as plain data."""
    found = ((name, field_of(reply, name)) for name in names)
    return {name: _sent(name, value) for name, value in found if value is not None}


def _sent(name: str, value: object) -> Any:
    if name == "content" and isinstance(value, list | tuple):
        return [_part(each) for each in value]
    return _plain(value)


def _part(part: object) -> Any:
    """A part of the content; what a tool is given stays as it is, null or not."""
    names = _PARTS.get(str(field_of(part, "type")))
    if isinstance(part, str) or names is None:
        return _plain(part)
    found = ((name, field_of(part, name)) for name in names)
    return {
        name: value if name == "input" else _plain(value)
        for name, value in found
        if value is not None
    }


def _plain(value: object) -> Any:
    return to_plain_data(value, lambda name: name not in _RESPONSE_ONLY and name[:1] != "_")
