"""What every API format tells of a request and a reply, and how it takes blocks in."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from tacit.core.messages import is_human, is_tool_result, parts_of, role_of, text_of, text_of_part
from tacit.language.query import clean_message

JsonObject = dict[str, Any]


class Provider(StrEnum):
    """Whose API a program speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """A request as memory sees it.

    `messages` stand for the entries of the request, one each and in their order, in the shape that
    Tacit reads; what no person said has another role than user. `is_kept_by_provider` says that
    earlier messages are not in it, since the provider keeps the conversation: as `continues` names.
    """

    messages: tuple[JsonObject, ...]
    model: str = ""
    user: str | None = None
    session: str | None = None
    continues: str | None = None
    is_kept_by_provider: bool = False
    is_count: bool = False
    is_prewarm: bool = False
    has_tools: bool = False

    @property
    def trailing(self) -> range:
        """The places of what a person said last: nothing but instructions follows."""
        end = len(self.messages)
        while end and role_of(self.messages[end - 1]) in _INSTRUCTIONS:
            end -= 1
        start = end
        while start and is_human(self.messages[start - 1]):
            start -= 1
        return range(start, end)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What a response holds: its text, the tools that the client is to call, and its use of tokens.

    A response that broke off is not complete. `id` is the provider's name for it.
    """

    text: str = ""
    calls: tuple[str, ...] = ()
    is_complete: bool = False
    goes_on: bool = False
    """Whether the model is not done although it calls no tool of the client."""
    id: str | None = None
    input_tokens: int | None = None
    cached_tokens: int | None = None

    @property
    def is_final(self) -> bool:
        """Whether it ends the turn: nothing is left to be done before a person speaks again."""
        return self.is_complete and not self.calls and not self.goes_on


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block and the place of the message that it follows."""

    place: int
    text: str


class ApiFormat(Protocol):
    """One API: how its requests are read and take blocks in, and how its replies are read."""

    name: str
    end_marks: Sequence[bytes]
    """What is in the last event of a stream."""

    def is_response_kept(self, body: JsonObject) -> bool:
        """Whether a later request may name the response instead of sending the messages before."""

    def read_request(self, body: JsonObject) -> ModelRequest:
        """Read a request; raises InvalidInput, TypeError or KeyError where it is none."""

    def insert_blocks(
        self, body: JsonObject, blocks: Sequence[PlacedBlock], *, keeps_text: bool
    ) -> JsonObject:
        """A copy of a request with blocks; with `keeps_text` a text does not become a list."""

    def read_reply(self, is_stream: bool, body: bytes) -> ModelReply:
        """Read a whole response, or as much of it as came."""


_INSTRUCTIONS = ("system", "developer")
_NO_PERSON = "system"


def to_seen_message(message: JsonObject) -> JsonObject:
    """A message as memory sees it: the results of tools and what wrappers hold is nobody's word."""
    if role_of(message) != "user":
        return message
    parts = parts_of(message)
    results = [part for part in parts if is_tool_result(part)]
    if results:
        return {"role": "user", "content": results}
    own = [part for part in parts if not _is_wrapped(part)]
    if not own:
        return {"role": _NO_PERSON, "content": text_of(message)}
    return message if len(own) == len(parts) else {"role": "user", "content": own}


_CLIENT_NOTES = (
    "# AGENTS.md instructions",
    "This session is being continued from a previous conversation",
)


def _is_wrapped(part: object) -> bool:
    """Whether a part holds nothing but what a client put around a person's words."""
    text = text_of_part(part)
    if text is None:
        return False
    return text.startswith(_CLIENT_NOTES) or (not clean_message(text) and bool(text.strip()))


def text_or_none(value: object) -> str | None:
    """A text that says something, or None."""
    return value if isinstance(value, str) and value.strip() else None


def count_or_none(value: object) -> int | None:
    """A number of tokens, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def objects_in(value: object) -> list[JsonObject]:
    """The objects of a list; none if it is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def part_of(value: object, name: str) -> Mapping[str, Any]:
    """The object under a name; an empty one if there is none."""
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def append_text_parts(
    content: object, texts: Sequence[str], *, keeps_text: bool, type: str = "text"
) -> object:
    """The content of a message with further texts, each a part of its own."""
    added = [{"type": type, "text": text} for text in texts]
    if isinstance(content, list):
        return [*content, *added]
    said = content if isinstance(content, str) else ""
    if keeps_text:
        return "\n\n".join((said, *texts))
    return [{"type": type, "text": said}, *added]


def group_by_place(blocks: Sequence[PlacedBlock]) -> dict[int, list[str]]:
    """The texts of blocks by their places, in order."""
    found: dict[int, list[str]] = {}
    for block in blocks:
        found.setdefault(block.place, []).append(block.text)
    return found


# Server-sent events


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """An event of a stream: its data, and whether the stream said that it ends."""

    data: JsonObject = field(default_factory=dict)
    is_end: bool = False


_DATA = b"data:"
_DONE = b"[DONE]"


def read_events(body: bytes) -> Iterator[ServerEvent]:
    """The events of a stream that hold JSON objects; others are left out."""
    for block in body.replace(b"\r\n", b"\n").split(b"\n\n"):
        lines = [line for line in block.split(b"\n") if line.startswith(_DATA)]
        said = b"\n".join(line[len(_DATA) :].removeprefix(b" ") for line in lines)
        if said.strip() == _DONE:
            yield ServerEvent(is_end=True)
        elif said:
            found = read_object(said)
            if found is not None:
                yield ServerEvent(found)


def read_object(body: bytes) -> JsonObject | None:
    """A JSON object, or None if it is none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
