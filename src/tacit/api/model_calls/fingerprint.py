"""Fingerprints of conversations that nobody names: what was said and replied first."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from tacit.api.model_calls.formats.format import JsonObject, ModelReply
from tacit.core.messages import (
    calls_beside_content,
    field_of,
    is_assistant,
    is_human,
    is_tool_answer,
    parts_of,
    role_of,
    text_of,
)
from tacit.language.injection_blocks import compute_anchor
from tacit.runtime.clock import new_id

MOST_EXCHANGES = 50
"""So many exchanges at most tell conversations apart that began alike."""

_SHORT = 24


def name_new_conversation() -> str:
    """A session for a conversation that has no fingerprint yet."""
    return f"chat-{new_id()}"


def name_conversation(*parts: str) -> str:
    """The session of what is the same in all requests of a conversation."""
    said = "\n".join(parts)
    return f"chat-{sha256(said.encode('utf-8', 'replace')).hexdigest()[:_SHORT]}"


def name_response(id: str) -> str:
    """The name under which the session of a provider's response is noted."""
    return f"response.{sha256(id.encode()).hexdigest()[:_SHORT]}"


def digest_exchanges(messages: Sequence[JsonObject], reply: ModelReply | None = None) -> list[str]:
    """A digest of each exchange: what a person said, and what was replied first.

    What a person says before a reply counts together. Of a reply its text counts, without spaces,
    and which tools it has the client call; what follows the answer of a tool does not.
    """
    found: list[str] = []
    exchange = _Exchange()
    for message in (*messages, *([] if reply is None else [_to_message(reply)])):
        if is_human(message):
            if exchange.is_replied:
                found.append(exchange.digest())
                exchange = _Exchange()
            exchange.said.append(compute_anchor(message))
        elif is_assistant(message):
            exchange.add_reply(message)
        elif is_tool_answer(message) or role_of(message) == "user":
            exchange.is_closed = exchange.is_replied
    return [*found, exchange.digest()] if exchange.is_replied else found


def _to_message(reply: ModelReply) -> JsonObject:
    calls = [{"id": id, "function": {"name": ""}} for id in reply.calls]
    return {"role": "assistant", "content": reply.text, "tool_calls": calls}


@dataclass(slots=True)
class _Exchange:
    """What was said and replied so far."""

    said: list[str] = field(default_factory=list)
    text: str = ""
    calls: list[str] = field(default_factory=list)
    is_closed: bool = False

    @property
    def is_replied(self) -> bool:
        return bool(self.said) and bool(self.text or self.calls)

    def add_reply(self, message: JsonObject) -> None:
        if self.is_closed or not self.said:
            return
        self.text += "".join(text_of(message).split())
        inside = (part for part in parts_of(message) if field_of(part, "type") == "tool_use")
        self.calls += [str(field_of(part, "id")) for part in inside]
        self.calls += [call.id for call in calls_beside_content(message) if call.id is not None]

    def digest(self) -> str:
        return sha256("\n".join((*self.said, self.text, *self.calls)).encode()).hexdigest()
