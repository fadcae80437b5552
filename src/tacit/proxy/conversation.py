"""Which session a request belongs to, where nobody names it and where a client shares one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from tacit.api.replay import ConversationReplay
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
from tacit.proxy.caller_names import CLAUDE_CODE, Names
from tacit.proxy.formats.format import JsonObject, ModelReply, ModelRequest
from tacit.runtime.clock import new_id

_SHORT = 24
_OPENING = 16
_MOST_EXCHANGES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The session of a request.

    A new conversation has a name of its own until its first reply is known; it `will_be_renamed`
    then. An ambiguous one may be any of several: nothing that belongs to a named user is shown, and
    nothing is replayed. One that hooks serve is left to them.
    """

    session: str
    will_be_renamed: bool = False
    is_ambiguous: bool = False
    is_served_by_hooks: bool = False
    opening: str | None = None
    """Identifies the first message; set where the session is a client's, which may have several."""


def find_conversation(
    replay: ConversationReplay, names: Names, key: str, asked: ModelRequest
) -> Conversation:
    """The conversation of a request."""
    if names.session is not None:
        if names.is_coding_client:
            return _find_of_coding_client(replay, names, names.session, asked)
        return Conversation(session=names.session)
    if asked.continues is not None:
        known = replay.find(_response_name(asked.continues)).opening
        return Conversation(session=known or _name(key, names, "kept", asked.continues))
    if asked.is_kept_by_provider:
        return Conversation(session=_new_name(), will_be_renamed=False)
    return _find_by_fingerprint(replay, names, key, asked)


def _find_of_coding_client(
    replay: ConversationReplay, names: Names, session: str, asked: ModelRequest
) -> Conversation:
    """The session of a coding CLI, or the one beside it of an agent that it started."""
    first = next((each for each in asked.messages if is_human(each)), None)
    opening = "" if first is None else compute_anchor(first)[:_OPENING]
    known = replay.find(session)
    if known.opening is None:
        return Conversation(session=session, opening=opening, is_served_by_hooks=known.exists)
    if known.opening == opening or names.agent != CLAUDE_CODE:
        return Conversation(session=session)
    return Conversation(session=f"{session}.{opening[:8]}")


def _find_by_fingerprint(
    replay: ConversationReplay, names: Names, key: str, asked: ModelRequest
) -> Conversation:
    """The conversation that began like this one; as many exchanges count as tell it apart."""
    parts = _exchanges(asked.messages)
    for count in range(1, min(len(parts), _MOST_EXCHANGES) + 1):
        name = _name(key, names, "chat", *parts[:count])
        if not replay.find(name).is_ambiguous:
            return Conversation(session=name)
    if parts:
        return Conversation(session=_new_name(), will_be_renamed=True, is_ambiguous=True)
    failed = replay.find(_unanswered_name(names, key, asked)).opening
    if failed is not None and replay.find(failed).exists:
        return Conversation(session=failed, will_be_renamed=True)
    return Conversation(session=_new_name(), will_be_renamed=True)


def note_unanswered(
    replay: ConversationReplay, names: Names, key: str, asked: ModelRequest, session: str
) -> None:
    """Remember a new conversation that got no reply, so that it goes on if it is sent again."""
    replay.note_opening(_unanswered_name(names, key, asked), session)


def _unanswered_name(names: Names, key: str, asked: ModelRequest) -> str:
    said = (compute_anchor(each) for each in asked.messages if is_human(each))
    return f"unanswered.{_name(key, names, 'open', *said)}"


def name_after_reply(names: Names, key: str, asked: ModelRequest, reply: ModelReply) -> str:
    """The name of a conversation once its first reply is known."""
    said = {
        "role": "assistant",
        "content": reply.text,
        "tool_calls": [{"id": id, "function": {"name": ""}} for id in reply.calls],
    }
    return _name(key, names, "chat", *_exchanges((*asked.messages, said)))


def _response_name(id: str) -> str:
    return f"response.{sha256(id.encode()).hexdigest()[:_SHORT]}"


def note_response(replay: ConversationReplay, id: str, session: str) -> None:
    """Remember in which session a response was given, since the next request names it alone."""
    replay.note_opening(_response_name(id), session)


def _new_name() -> str:
    return f"chat-{new_id()}"


def _name(key: str, names: Names, *parts: str) -> str:
    said = "\n".join((key, names.user or "", names.project or "", *parts))
    return f"chat-{sha256(said.encode('utf-8', 'replace')).hexdigest()[:_SHORT]}"


def _exchanges(messages: Sequence[JsonObject]) -> list[str]:
    """A digest of each exchange: what a person said, and what was replied first.

    What a person says before a reply counts together. Of a reply its text counts, without spaces,
    and which tools it has the client call; what follows the answer of a tool does not.
    """
    found: list[str] = []
    exchange = _Exchange()
    for message in messages:
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
