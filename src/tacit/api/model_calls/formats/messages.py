"""Messages, as Anthropic takes them."""

import json
import re
from collections.abc import Sequence

from tacit.api.model_calls.formats.chat import insert_parts
from tacit.api.model_calls.formats.format import (
    JsonObject,
    ModelReply,
    ModelRequest,
    PlacedBlock,
    count_or_none,
    objects_in,
    part_of,
    read_events,
    read_object,
    text_or_none,
    to_seen_message,
)
from tacit.core.errors import InvalidInput
from tacit.core.messages import check_history

_CODING_USER = re.compile(r"user_[0-9a-f]{16,}_account_.*?_session_([0-9a-fA-F-]{36})")
"""How Claude Code names its user: nobody whom an app would know, but the session is in it."""

_CONTINUE = "continue"


class Messages:
    """`POST /v1/messages` and `count_tokens`: a block is the last part of a person's message."""

    name = "messages"
    end_marks: Sequence[bytes] = (b"message_stop",)

    def __init__(self, *, counts: bool = False) -> None:
        self._counts = counts

    def is_response_kept(self, body: JsonObject) -> bool:
        """A thread is continued by the id of its last response."""
        return bool(part_of(body, "thread"))

    def read_request(self, body: JsonObject) -> ModelRequest:
        """Read a request."""
        messages = check_history(body.get("messages"))
        if not all(isinstance(each, dict) for each in messages):
            raise InvalidInput("messages", "must be objects")
        thread = part_of(body, "thread")
        user, session = _read_user(part_of(body, "metadata").get("user_id"))
        return ModelRequest(
            messages=tuple(to_seen_message(each) for each in objects_in(messages)),
            model=text_or_none(body.get("model")) or "",
            user=user,
            session=session,
            is_kept_by_provider=thread.get("type") == _CONTINUE,
            continues=text_or_none(thread.get("previous_message_id")),
            is_count=self._counts,
            has_tools=bool(body.get("tools")),
        )

    def insert_blocks(
        self, body: JsonObject, blocks: Sequence[PlacedBlock], *, keeps_text: bool
    ) -> JsonObject:
        """A copy of a request with blocks."""
        return insert_parts(body, blocks, keeps_text=keeps_text)

    def read_reply(self, is_stream: bool, body: bytes) -> ModelReply:
        """Read a whole response, or as much of it as came."""
        return _read_stream(body) if is_stream else _read_message(read_object(body) or {}, True)


def _read_user(named: object) -> tuple[str | None, str | None]:
    """The user and the session in the metadata of a request."""
    text = text_or_none(named)
    if text is None:
        return None, None
    if found := _CODING_USER.fullmatch(text):
        return None, found[1]
    try:
        fields = json.loads(text)
    except ValueError:
        return text, None
    if isinstance(fields, dict) and {"session_id", "device_id"} <= fields.keys():
        return None, text_or_none(fields["session_id"])
    return text, None


def _read_message(message: JsonObject, is_complete: bool) -> ModelReply:
    parts = objects_in(message.get("content"))
    texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
    calls = [part.get("id") for part in parts if part.get("type") == "tool_use"]
    usage = part_of(message, "usage")
    fresh = count_or_none(usage.get("input_tokens"))
    cached = count_or_none(usage.get("cache_read_input_tokens"))
    written = count_or_none(usage.get("cache_creation_input_tokens"))
    return ModelReply(
        text="".join(texts),
        calls=tuple(id for each in calls if (id := text_or_none(each)) is not None),
        is_complete=is_complete and message.get("type") != "error" and bool(parts),
        goes_on=message.get("stop_reason") == "pause_turn",
        id=text_or_none(message.get("id")),
        input_tokens=None if fresh is None else fresh + (cached or 0) + (written or 0),
        cached_tokens=cached,
    )


def _read_stream(body: bytes) -> ModelReply:
    message: JsonObject = {}
    usage: JsonObject = {}
    parts: dict[int, JsonObject] = {}
    is_complete = False
    for event in read_events(body):
        kind, data = event.data.get("type"), event.data
        if kind == "message_start":
            message = dict(part_of(data, "message"))
            usage |= part_of(message, "usage")
        elif kind == "content_block_start":
            parts[data.get("index", 0)] = dict(part_of(data, "content_block"))
        elif kind == "content_block_delta":
            part, delta = parts.setdefault(data.get("index", 0), {}), part_of(data, "delta")
            if delta.get("type") == "text_delta":
                part["text"] = f"{part.get('text', '')}{delta.get('text', '')}"
        elif kind == "message_delta":
            message |= part_of(data, "delta")
            usage |= {name: n for name, n in part_of(data, "usage").items() if n is not None}
        is_complete = is_complete or kind == "message_stop"
    whole = {**message, "content": list(parts.values()), "usage": usage}
    return _read_message(whole, is_complete)
