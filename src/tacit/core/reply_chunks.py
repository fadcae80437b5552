"""Replies that come in chunks: the chunks of SDKs and frameworks, put together to a message."""

from collections.abc import Mapping
from typing import Any

from tacit.core.foreign_messages import JsonObject


def _field(thing: object, *names: str) -> Any:
    """The value under a path of names, of dicts or objects; None if there is none."""
    for name in names:
        thing = thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)
    return thing


class ReplyChunks:
    """What was said in the chunks so far: its text, and the calls of tools in it."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._calls: dict[object, JsonObject] = {}

    def add(self, chunk: object) -> bool:
        """Take a chunk; returns whether it is one of a known shape."""
        if isinstance(chunk, str):
            self._texts.append(chunk)
            return True
        return any(read(chunk) for read in (self._add_choice, self._add_event, self._add_message))

    def to_message(self) -> JsonObject:
        """What was seen, as a message of the assistant."""
        message: JsonObject = {"role": "assistant", "content": "".join(self._texts)}
        if self._calls:
            message["tool_calls"] = list(self._calls.values())
        return message

    def _add_choice(self, chunk: object) -> bool:
        """A chunk of a chat completion."""
        choices = _field(chunk, "choices")
        if not isinstance(choices, list | tuple):
            return False
        if any(_field(choice, "message") is not None for choice in choices):
            return False  # a whole completion
        for choice in choices:
            delta = _field(choice, "delta")
            if (_field(choice, "index") or 0) != 0 or delta is None:
                continue
            self._add_text(_field(delta, "content"))
            for call in _field(delta, "tool_calls") or ():
                self._add_call(_field(call, "index"), call)
        return True

    def _add_call(self, place: object, call: object) -> None:
        known = self._calls.setdefault(
            place, {"id": None, "type": "function", "function": {"name": "", "arguments": ""}}
        )
        known["id"] = _field(call, "id") or known["id"]
        for name in ("name", "arguments"):
            known["function"][name] += _field(call, "function", name) or ""

    def _add_event(self, chunk: object) -> bool:
        """An event of Anthropic's Messages or OpenAI's Responses."""
        type = _field(chunk, "type")
        if not isinstance(type, str):
            return False
        if type == "response.output_text.delta":
            self._add_text(_field(chunk, "delta"))
        elif type == "content_block_delta":
            self._add_text(_field(chunk, "delta", "text"))
        elif type == "content_block_start" and _field(chunk, "content_block", "type") == "tool_use":
            block = _field(chunk, "content_block")
            named = {"name": _field(block, "name") or "", "arguments": ""}
            self._calls[_field(chunk, "index")] = {
                "id": _field(block, "id"),
                "type": "function",
                "function": named,
            }
        return type.startswith(_EVENTS)

    def _add_message(self, chunk: object) -> bool:
        """A message chunk of a framework."""
        content = _field(chunk, "content")
        if content is None:
            content = _field(chunk, "delta")
        if isinstance(content, list):
            content = "".join(str(_field(part, "text") or "") for part in content)
        return self._add_text(content)

    def _add_text(self, text: object) -> bool:
        if isinstance(text, str):
            self._texts.append(text)
        return isinstance(text, str)


_EVENTS = ("response.", "content_block_", "message_", "ping", "text", "input_json", "error")
