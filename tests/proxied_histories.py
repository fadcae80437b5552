"""Conversations as clients of the three APIs keep them, and what each API demands of their order.

A conversation is a list of exchanges. A dialect writes it as the body of a request, says whether a
body is in order, and takes blocks out of it again.
"""

from dataclasses import dataclass, field
from typing import Any

from tacit.api.model_calls.formats.chat import ChatCompletions
from tacit.api.model_calls.formats.format import ModelReply
from tacit.api.model_calls.formats.messages import Messages
from tacit.api.model_calls.formats.responses import Responses
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX

IMAGE = "data:image/png;base64,AAAA"


@dataclass(frozen=True)
class Step:
    """The model calls tools beside each other, having thought and said something or not."""

    calls: int = 1
    thinks: bool = False
    says: bool = False


@dataclass(frozen=True)
class Exchange:
    """What a person said, and what was done and replied; `done` steps of it have been answered."""

    texts: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    has_image: bool = False
    is_list: bool = False
    instruction: str | None = None
    """What the client or its developer says after the person."""
    reply: str = ""
    done: int = 0
    is_replied: bool = False
    number: int = field(default=0, compare=False)

    @property
    def is_begun(self) -> bool:
        """Whether the model has replied or called a tool."""
        return self.is_replied or self.done > 0


def is_block(text: object) -> bool:
    return isinstance(text, str) and text.startswith(INJECTION_BLOCK_PREFIX)


def _call_ids(exchange: Exchange, step: int) -> list[str]:
    calls = exchange.steps[step].calls
    return [f"call_{exchange.number}_{step}_{call}" for call in range(calls)]


def model_reply(exchange: Exchange, step: int) -> ModelReply:
    """What the model said at a step; after the last one, its reply."""
    if step == len(exchange.steps):
        return ModelReply(text=exchange.reply, is_complete=True)
    said = _SAYS if exchange.steps[step].says else ""
    return ModelReply(text=said, calls=tuple(_call_ids(exchange, step)), is_complete=True)


_SAYS = "I look."


class _Dialect:
    """What chat completions and messages have in common: blocks are parts of a message."""

    keeps_list = "messages"

    @classmethod
    def without_blocks(cls, body: Any) -> Any:
        messages = [cls._strip(each) for each in body[cls.keeps_list]]
        return {**body, cls.keeps_list: messages}

    @classmethod
    def as_parts(cls, body: Any) -> Any:
        """A body in which a text that stands alone is a list, as blocks make it."""
        return {**body, cls.keeps_list: [cls._as_parts(each) for each in body[cls.keeps_list]]}

    @classmethod
    def blocks(cls, body: Any) -> list[tuple[int, str]]:
        """Each block, and how many persons' messages stand before it."""
        found, people = [], -1
        for message in body[cls.keeps_list]:
            people += cls.is_person(message)
            parts = cls._as_parts(message)["content"]
            found += [(people, each["text"]) for each in parts or () if is_block(each.get("text"))]
        return found

    @staticmethod
    def is_person(message: Any) -> bool:
        parts = message.get("content")
        if message.get("role") != "user":
            return False
        return isinstance(parts, str) or all(part["type"] != "tool_result" for part in parts)

    @staticmethod
    def _as_parts(message: Any) -> Any:
        if isinstance(message.get("content"), str):
            return {**message, "content": [{"type": "text", "text": message["content"]}]}
        return message

    @classmethod
    def _strip(cls, message: Any) -> Any:
        whole = cls._as_parts(message)
        if not whole.get("content"):
            return whole
        return {
            **whole,
            "content": [part for part in whole["content"] if not is_block(part.get("text"))],
        }


class ChatDialect(_Dialect):
    """Chat completions."""

    format = ChatCompletions()

    @staticmethod
    def body(exchanges: list[Exchange], system: str | None) -> Any:
        messages: list[Any] = [] if system is None else [{"role": "system", "content": system}]
        for each in exchanges:
            messages += [_chat_user(each, text) for text in each.texts]
            if each.instruction is not None:
                messages.append({"role": "developer", "content": each.instruction})
            for step in range(each.done):
                messages += _chat_step(each, step)
            if each.is_replied:
                messages.append({"role": "assistant", "content": each.reply})
        return {"model": "m", "messages": messages, "temperature": 1.5}

    @staticmethod
    def is_orderly(body: Any) -> bool:
        """Nothing between calls and their answers; nobody but persons has blocks."""
        waiting: set[str] = set()
        for message in body["messages"]:
            answers = message.get("tool_call_id")
            if (answers is None) == bool(waiting) or (answers and answers not in waiting):
                return False
            waiting = (waiting - {answers}) | {each["id"] for each in message.get("tool_calls", ())}
            if message["role"] != "user" and any(
                is_block(part.get("text"))
                for part in ChatDialect._as_parts(message)["content"] or ()
            ):
                return False
        return True


def _chat_user(exchange: Exchange, text: str) -> Any:
    parts: list[Any] = [{"type": "text", "text": text}]
    if exchange.has_image:
        parts.insert(0, {"type": "image_url", "image_url": {"url": IMAGE}})
    is_list = exchange.has_image or exchange.is_list
    return {"role": "user", "content": parts if is_list else text}


def _chat_step(exchange: Exchange, step: int) -> list[Any]:
    ids = _call_ids(exchange, step)
    calls = [
        {"id": id, "type": "function", "function": {"name": "look", "arguments": "{}"}}
        for id in ids
    ]
    said = _SAYS if exchange.steps[step].says else None
    answers = [{"role": "tool", "tool_call_id": id, "content": f"{id} found"} for id in ids]
    return [{"role": "assistant", "content": said, "tool_calls": calls}, *answers]


class MessagesDialect(_Dialect):
    """Messages."""

    format = Messages()

    @staticmethod
    def body(exchanges: list[Exchange], system: str | None) -> Any:
        messages: list[Any] = []
        for each in exchanges:
            messages += [_anthropic_user(each, text) for text in each.texts]
            for step in range(each.done):
                messages += _anthropic_step(each, step)
            if each.is_replied:
                messages.append({"role": "assistant", "content": each.reply})
        body = {"model": "m", "max_tokens": 9, "messages": messages}
        return body if system is None else {**body, "system": system}

    @staticmethod
    def is_orderly(body: Any) -> bool:
        """A message after calls begins with all their results; only persons have blocks."""
        waiting: list[str] = []
        for message in body["messages"]:
            parts = MessagesDialect._as_parts(message)["content"]
            results = [part.get("tool_use_id") for part in parts[: len(waiting)]]
            if sorted(results, key=str) != sorted(waiting):
                return False
            if any(part["type"] == "tool_result" for part in parts[len(waiting) :]):
                return False
            has_block = any(is_block(part.get("text")) for part in parts)
            if has_block and not MessagesDialect.is_person(message):
                return False
            waiting = [part["id"] for part in parts if part["type"] == "tool_use"]
        return True


def _anthropic_user(exchange: Exchange, text: str) -> Any:
    part: Any = {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}
    parts: list[Any] = [part]
    if exchange.instruction is not None:
        reminder = f"<system-reminder>{exchange.instruction}</system-reminder>"
        parts.insert(0, {"type": "text", "text": reminder})
    if exchange.has_image:
        source = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
        parts.insert(0, {"type": "image", "source": source})
    is_list = len(parts) > 1 or exchange.is_list
    return {"role": "user", "content": parts if is_list else text}


def _anthropic_step(exchange: Exchange, step: int) -> list[Any]:
    ids, made = _call_ids(exchange, step), exchange.steps[step]
    thought = [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}] if made.thinks else []
    said = [{"type": "text", "text": _SAYS}] if made.says else []
    uses = [{"type": "tool_use", "id": id, "name": "look", "input": {"at": 1.5}} for id in ids]
    results = [
        {"type": "tool_result", "tool_use_id": id, "content": [{"type": "text", "text": "found"}]}
        for id in ids
    ]
    return [
        {"role": "assistant", "content": [*thought, *said, *uses]},
        {"role": "user", "content": results},
    ]


class ResponsesDialect:
    """Responses."""

    format = Responses()

    @staticmethod
    def body(exchanges: list[Exchange], system: str | None) -> Any:
        items: list[Any] = []
        for each in exchanges:
            items += [_responses_user(each, text) for text in each.texts]
            if each.instruction is not None:
                items.append({"role": "developer", "content": each.instruction})
            for step in range(each.done):
                items += _responses_step(each, step)
            if each.is_replied:
                part = {"type": "output_text", "text": each.reply}
                items += [_thought(each, len(each.steps))] if each.steps else []
                items.append({"type": "message", "role": "assistant", "content": [part]})
        body = {"model": "m", "input": items, "store": False}
        return body if system is None else {**body, "instructions": system}

    @staticmethod
    def is_orderly(body: Any) -> bool:
        """A block stands after a person; so it parts no thought from what follows it."""
        before: Any = {}
        for item in body["input"]:
            if _is_block_item(item):
                is_after_person = before.get("role") == "user" or _is_block_item(before)
                if not is_after_person or before.get("type") == "reasoning":
                    return False
            before = item
        return True

    @staticmethod
    def without_blocks(body: Any) -> Any:
        return {**body, "input": [each for each in body["input"] if not _is_block_item(each)]}

    @staticmethod
    def as_parts(body: Any) -> Any:
        return body

    @staticmethod
    def blocks(body: Any) -> list[tuple[int, str]]:
        found, people = [], -1
        for item in body["input"]:
            people += item.get("role") == "user"
            if _is_block_item(item):
                found.append((people, item["content"][0]["text"]))
        return found


def _is_block_item(item: Any) -> bool:
    content = item.get("content")
    return isinstance(content, list) and any(is_block(part.get("text")) for part in content)


def _responses_user(exchange: Exchange, text: str) -> Any:
    parts: list[Any] = [{"type": "input_text", "text": text}]
    if exchange.has_image:
        parts.append({"type": "input_image", "image_url": IMAGE})
    is_list = exchange.has_image or exchange.is_list
    return {"type": "message", "role": "user", "content": parts if is_list else text}


def _responses_step(exchange: Exchange, step: int) -> list[Any]:
    ids, made = _call_ids(exchange, step), exchange.steps[step]
    thought = [_thought(exchange, step)] if made.thinks else []
    part = {"type": "output_text", "text": _SAYS}
    said = {"type": "message", "role": "assistant", "content": [part]}
    calls = [
        {"type": "function_call", "call_id": id, "name": "look", "arguments": "{}"} for id in ids
    ]
    answers = [{"type": "function_call_output", "call_id": id, "output": "found"} for id in ids]
    return [*thought, *([said] if made.says else []), *calls, *answers]


def _thought(exchange: Exchange, step: int) -> Any:
    id = f"rs_{exchange.number}_{step}"
    return {"type": "reasoning", "id": id, "summary": [], "encrypted_content": "AAAA"}


DIALECTS = (ChatDialect, MessagesDialect, ResponsesDialect)
