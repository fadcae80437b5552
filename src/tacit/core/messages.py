"""Messages as callers hold them: the shapes of OpenAI and Anthropic, SDK objects, and our own.

Every message has a role and mostly content. The content is text or a list of parts: texts, media,
tool calls and their results.
"""

import copy
import dataclasses
import json
from collections.abc import AsyncIterable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.foreign_messages import (
    SeenMessage,
    note_given,
    read_foreign_message,
    read_foreign_messages,
)
from tacit.core.json_checks import check_json
from tacit.core.reply_chunks import ReplyChunks


@dataclass(frozen=True, slots=True)
class Message:
    """A message in Tacit's own shape: who speaks, and the text."""

    role: str
    content: str


# Messages of any shape: role and content.


_EXPECTED = "pass a dict with role and content, or a message of an SDK or a framework"


def field_of(thing: object, name: str) -> object:
    """The value of a dict's key or an object's attribute, or None."""
    if isinstance(thing, Mapping):
        return thing.get(name)
    return getattr(thing, name, None)


def to_plain_data(value: object, keeps: Callable[[str], bool]) -> Any:
    """Convert SDK objects to dicts without empty fields; `keeps` says which fields stay."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list | tuple):
        return [to_plain_data(each, keeps) for each in value]
    fields = value if isinstance(value, Mapping) else getattr(value, "__dict__", None)
    if fields is None:
        return value
    return {
        str(name): to_plain_data(each, keeps)
        for name, each in fields.items()
        if each is not None and keeps(str(name))
    }


def is_message(thing: object) -> bool:
    """Whether an object has a role."""
    role = field_of(thing, "role")
    return isinstance(role, str) and role != ""


def role_of(message: object) -> str:
    """The role of a message."""
    role = field_of(message, "role")
    if not isinstance(role, str) or not role:
        raise InvalidInput("history", f"expected a message, not {_describe(message)}; {_EXPECTED}")
    return role


def content_of(message: object) -> object:
    """The content of a message, unchanged; None if it has none."""
    return field_of(message, "content")


def check_history(history: object, field: str = "history") -> list[object]:
    """Check that a history consists of messages; those of frameworks are read as dicts.

    `field` is the argument that it was passed as.
    """
    if isinstance(history, str | bytes) or not isinstance(history, Sequence):
        raise InvalidInput(field, f"expected a list of messages, not {type(history).__name__}")
    messages = read_foreign_messages(history)
    for position, entry in enumerate(messages):
        if not is_message(entry):
            problem = f"{_describe(entry)} is not a message"
            raise InvalidInput(f"{field}[{position}]", f"{problem}; {_EXPECTED}")
        check_message(f"{field}.{position}", entry)
    return messages


def check_message(field: str, message: object) -> None:
    """Refuse a message, or the text of one, that no request could carry.

    Of an object only the content is checked.
    """
    if isinstance(message, Mapping | str):
        check_json(field, message)
    else:
        check_json(f"{field}.content", content_of(message))


def replace_content(message: object, content: object) -> object:
    """A copy of a message, in the same shape, with other content."""
    if isinstance(message, SeenMessage):
        return message.with_content(content)
    if isinstance(message, Mapping):
        return {**message, "content": content}
    if hasattr(message, "model_copy"):
        return message.model_copy(update={"content": content})
    if dataclasses.is_dataclass(message) and not isinstance(message, type):
        return dataclasses.replace(message, content=content)
    twin: Any = copy.copy(message)
    twin.content = content
    return twin


def _describe(thing: object) -> str:
    kind = type(thing).__name__
    return "a dict without a role" if isinstance(thing, Mapping) else f"{kind!r}"


# Parts of the content.


_TEXTS = ("text", "input_text", "output_text")


def parts_of(message: object) -> Sequence[object]:
    """The content as parts: a string is one part, a list is its entries, anything else none."""
    content = content_of(message)
    if isinstance(content, str):
        return (content,)
    return content if isinstance(content, list | tuple) else ()


def text_of_part(part: object) -> str | None:
    """The text of a part, or None if it is no text."""
    if isinstance(part, str):
        return part
    text = field_of(part, "text") if field_of(part, "type") in _TEXTS else None
    return text if isinstance(text, str) else None


def is_tool_result(part: object) -> bool:
    """Whether a part is the result of a tool."""
    return field_of(part, "type") == "tool_result"


def text_of(message: object) -> str:
    """The texts of a message, one below the other; images, tool calls and results give none."""
    texts = (text_of_part(part) for part in parts_of(message))
    return "\n".join(text for text in texts if text is not None)


# Speakers.


def is_human(message: object) -> bool:
    """Whether a person speaks: the role is user, and it holds more than tool results."""
    return role_of(message) == "user" and any(
        not is_tool_result(part) and text_of_part(part) != "" for part in parts_of(message)
    )


def is_assistant(message: object) -> bool:
    """Whether the assistant speaks."""
    return role_of(message) == "assistant"


# Parts that are not plain text: images, documents, the thoughts and refusals of a model.


_IMAGES = ("image", "image_url", "input_image")
_THOUGHTS = ("thinking", "redacted_thinking", "reasoning")


def media_placeholder(part: object) -> str:
    """A text in place of a part, such as `[image]`; empty for the model's thoughts."""
    type = field_of(part, "type")
    if type in _THOUGHTS:
        return ""
    if type == "refusal":
        return text_of_media(part) or ""
    return "[image]" if type in _IMAGES else "[document]"


def text_of_media(part: object) -> str | None:
    """The text in such a part: thoughts, a refusal, or a document in plain text."""
    type, source = field_of(part, "type"), field_of(part, "source")
    if type == "document" and field_of(source, "type") == "text":
        text = field_of(source, "data")
    elif type in (*_THOUGHTS, "refusal"):
        text = field_of(part, "data" if type == "redacted_thinking" else str(type))
    else:
        text = None
    return text if isinstance(text, str) else None


# Tool calls and their results.


_CALL_TYPES = ("tool_use", "server_tool_use", "mcp_tool_use")
_TOOL_ROLES = ("tool", "function")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool with its arguments; without an id, the next message answers it."""

    id: str | None
    name: str
    arguments: object


def call_of_part(part: object) -> ToolCall | None:
    """The tool call in a part, or None."""
    if isinstance(part, str) or field_of(part, "type") not in _CALL_TYPES:
        return None
    return _call(part, part, "input")


def calls_beside_content(message: object) -> list[ToolCall]:
    """The tool calls that a message has beside its content."""
    listed = field_of(message, "tool_calls")
    calls = [_listed_call(entry) for entry in listed] if isinstance(listed, list | tuple) else []
    single = field_of(message, "function_call")
    return calls if single is None else [*calls, _call(None, single, "arguments")]


def calls_of(message: object) -> list[ToolCall]:
    """Every tool call of a message: those in its content, then those beside it."""
    inside = (call_of_part(part) for part in parts_of(message))
    return [*(call for call in inside if call is not None), *calls_beside_content(message)]


def is_tool_answer(message: object) -> bool:
    """Whether a whole message is the result of a tool."""
    return role_of(message) in _TOOL_ROLES


def answered_call_ids(message: object) -> list[str | None]:
    """The ids of the calls that a message answers; None for an answer without an id."""
    if is_tool_answer(message):
        return [_text_or_none(field_of(message, "tool_call_id"))]
    results = (part for part in parts_of(message) if is_tool_result(part))
    return [_text_or_none(field_of(part, "tool_use_id")) for part in results]


def to_compact_text(value: object) -> str:
    """A value as text: a string unchanged, None as empty text, anything else as compact JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_fields)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def _listed_call(entry: object) -> ToolCall:
    custom = field_of(entry, "custom")
    if custom is not None:
        return _call(entry, custom, "input")
    return _call(entry, field_of(entry, "function"), "arguments")


def _call(entry: object, named: object, arguments: str) -> ToolCall:
    id, name = _text_or_none(field_of(entry, "id")), _text_or_none(field_of(named, "name"))
    return ToolCall(id, name or "", field_of(named, arguments))


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _fields(value: object) -> object:
    return getattr(value, "__dict__", None) or repr(value)


# New messages, in the shape of the history that they join.


_FIELDS = {"user": "text", "assistant": "reply"}


def user_message(text: str, like: Sequence[object]) -> object:
    """A user message in the shape of a history."""
    return _message("user", text, like)


def assistant_message(text: str, like: Sequence[object]) -> object:
    """An assistant message in the shape of a history."""
    return _message("assistant", text, like)


def to_messages(spoken: object, role: str, like: Sequence[object]) -> list[object]:
    """Turn a text, a message or a list of these into messages.

    Messages stay unchanged; responses of SDKs lose the fields that requests must not have. A reply
    may also be a list of the chunks that it came in, texts or what SDKs yield.
    """
    several = list(spoken) if isinstance(spoken, list | tuple) else [spoken]
    told = _to_replies(several) if role == "assistant" else note_given(several, like)
    return [_as_message(read_foreign_message(each), role, like) for each in told]


def _to_replies(several: Sequence[object]) -> list[object]:
    """The messages of a reply: of whole responses, or of the chunks that one came in."""
    if several and all(isinstance(each, str) for each in several):
        return ["".join(map(str, several))]
    chunks = ReplyChunks()
    if several and not any(map(_is_whole, several)) and all(map(chunks.add, several)):
        return [chunks.to_message()]
    return [part for each in several for part in _to_reply_messages(each)]


def _is_whole(reply: object) -> bool:
    """Whether something is a reply and no chunk of one."""
    if isinstance(reply, str) or is_message(reply):
        return True
    return "Chunk" not in type(reply).__name__ and read_foreign_message(reply) is not reply


def _to_reply_messages(reply: object) -> list[object]:
    """The messages of a whole reply; of OpenAI's Responses API it has several items."""
    items = field_of(reply, "output")
    if field_of(reply, "role") is None and isinstance(items, list | tuple):
        return [to_request_message(item) if is_message(item) else _plain(item) for item in items]
    return [to_request_message(reply)]


def said_by_user(spoken: object) -> str:
    """The text of what a user says now: a text, a message or a list of these."""
    messages = to_messages(spoken, "user", ())
    for place, message in enumerate(messages):
        if role_of(message) != "user":
            problem = f"{role_of(message)!r} speaks in it; pass what the user says now"
            raise InvalidInput(f"text[{place}]", f"{problem}, without the messages before it")
    said = "\n\n".join(text for text in map(text_of, messages) if text)
    if not said.strip():
        raise InvalidInput("text", "is empty; give what was said")
    return said


def text_of_reply(reply: object) -> str:
    """The words of a reply: a text, messages, a response of an SDK, or the chunks of one."""
    spoken = filter(is_assistant, to_messages(reply, "assistant", ()))
    return "\n".join(text for text in map(text_of, spoken) if text)


def _as_message(spoken: object, role: str, like: Sequence[object]) -> object:
    if role != "assistant":  # what a model replied is kept as well as it can be
        check_message(_FIELDS.get(role, role), spoken)
    if isinstance(spoken, str):
        return _message(role, spoken, like)
    if is_message(spoken):
        return spoken
    if role == "assistant" and isinstance(spoken, Iterator | AsyncIterable):
        told = "read it by `for chunk in turn.stream(chunks)`, or pass a list of its chunks"
        raise InvalidInput(_FIELDS[role], f"{type(spoken).__name__!r} is a stream; {told}")
    expected = "give text, a message with a role and content, or a list of these"
    raise InvalidInput(_FIELDS.get(role, role), f"{expected}, not {type(spoken).__name__}")


def _message(role: str, text: str, like: Sequence[object]) -> object:
    if like and all(isinstance(each, Message) for each in like):
        return Message(role, text)
    return {"role": role, "content": text}


# Responses of SDKs, turned into messages that their APIs accept in the next request. A response has
# fields that a request must not have: ids, usage, the stop reason, and fields without a value.


_RESPONSE_FIELDS = ("stop_reason", "usage", "refusal", "annotations", "function_call")
"""Fields of every response of Anthropic's or OpenAI's SDK that messages seldom have."""

_MESSAGE_FIELDS = ("role", "content", "name", "refusal", "audio", "tool_calls", "function_call")
_INSTEAD_OF_CONTENT = ("content", "audio", "tool_calls", "function_call")
"""APIs refuse a message that has none of these."""

_OUTPUT_ITEM_FIELDS = ("id", "type", "role", "status", "phase", "content")
_OUTPUT_PARTS = ("output_text", "refusal")
_PART_FIELDS: Mapping[str, Sequence[str]] = {
    "text": ("type", "text", "citations", "cache_control"),
    "thinking": ("type", "thinking", "signature"),
    "redacted_thinking": ("type", "data"),
    "tool_use": ("type", "id", "name", "input", "caller", "toolset_name", "cache_control"),
    "server_tool_use": ("type", "id", "name", "input", "caller", "cache_control"),
    "mcp_tool_use": ("type", "id", "name", "input", "server_name", "cache_control"),
    "output_text": ("type", "text", "annotations"),
    "refusal": ("type", "refusal"),
}
"""The fields that a request may have by type of part; other types keep all that have a value."""

_RESPONSE_ONLY = ("file_id",)
"""Fields that only the citations of a response have."""


def to_request_message(reply: object) -> object:
    """Turn a reply into a request message; of a completion, the message of its first choice."""
    choices = field_of(reply, "choices")
    if field_of(reply, "role") is None and isinstance(choices, list | tuple) and choices:
        reply = field_of(choices[0], "message")
    if _is_output_item(reply):
        return _pick_fields(reply, _OUTPUT_ITEM_FIELDS)
    if field_of(reply, "role") is None or not any(
        _has_field(reply, name) for name in _RESPONSE_FIELDS
    ):
        return reply
    message = _pick_fields(reply, _MESSAGE_FIELDS)
    if isinstance(message.get("audio"), dict):
        message["audio"] = {"id": message["audio"].get("id")}
    stands_alone = any(name in message for name in _INSTEAD_OF_CONTENT)
    return message if stands_alone else {"content": "", **message}


def _is_output_item(reply: object) -> bool:
    """Whether it is an output message of OpenAI's Responses API."""
    content = field_of(reply, "content")
    if field_of(reply, "type") != "message" or not isinstance(content, list | tuple):
        return False
    return any(field_of(part, "type") in _OUTPUT_PARTS for part in content)


def _has_field(reply: object, name: str) -> bool:
    return name in reply if isinstance(reply, Mapping) else hasattr(reply, name)


def _pick_fields(reply: object, names: Sequence[str]) -> dict[str, Any]:
    """The named fields that have a value, as plain data."""
    found = ((name, field_of(reply, name)) for name in names)
    return {name: _to_request_value(name, value) for name, value in found if value is not None}


def _to_request_value(name: str, value: object) -> Any:
    if name == "content" and isinstance(value, list | tuple):
        return [_to_request_part(each) for each in value]
    return _plain(value)


def _to_request_part(part: object) -> Any:
    """A part of the content; the input of a tool stays unchanged."""
    names = _PART_FIELDS.get(str(field_of(part, "type")))
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
